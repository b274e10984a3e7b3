// Compiled once for each instruction set and chosen at run time.
#include "limber/fem/rotated_elements.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "limber/fem/rotated_elements.cpp"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

#include "limber/fem/polar_lanes-inl.h"
#include "limber/fem/tet_lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace limber::HWY_NAMESPACE {

void rotate_batches(const TetBatches& tets, const double* positions, RotatedElements& elements) {
  constexpr int kLanes = static_cast<int>(hn::MaxLanes(D()));
  for (int b = 0; b < tets.batch_count(); ++b) {
    for (int first = 0; first < kTetLanes; first += kPolarGroup * kLanes) {
      LaneMatrix R[kPolarGroup];
      for (int m = 0; m < kPolarGroup; ++m) {
        R[m] = deformation_gradient(tets[b], first + m * kLanes, positions);
      }
      polar(R);
      for (int m = 0; m < kPolarGroup; ++m) {
        const int lane = first + m * kLanes;
        store_matrix(R[m], elements.rotations[b], lane);
        for (int k = 0; k < 3; ++k) {
          const LaneVector turned = product(R[m], load_vector(tets[b].gradients, k, lane));
          for (int c = 0; c < 3; ++c) {
            hn::Store(turned.v[c], D(), elements.tets[b].gradients[3 * k + c].data() + lane);
          }
        }
      }
    }
  }
}

/// Adds v, a lane each, to the corners' rows of `field` (n×3).
HWY_INLINE void add_to_corner(const TetLanes<std::int32_t>& nodes, int lane, const LaneVector& v,
                              double* field) {
  constexpr std::size_t kLanes = hn::MaxLanes(D());
  const hn::CappedTag<double, 2> pair;
  alignas(64) double xy[2 * kLanes];
  alignas(64) double z[kLanes];
  hn::StoreInterleaved2(v.v[0], v.v[1], D(), xy);
  hn::Store(v.v[2], D(), z);
  for (std::size_t l = 0; l < hn::Lanes(D()); ++l) {
    double* const row = field + 3 * static_cast<std::size_t>(nodes[lane + l]);
    for (std::size_t c = 0; c < 2; c += hn::Lanes(pair)) {
      const auto old = hn::LoadU(pair, row + c);
      hn::StoreU(hn::Add(old, hn::Load(pair, xy + 2 * l + c)), pair, row + c);
    }
    row[2] += z[l];
  }
}

/// μ (Ĝ + Ĝᵀ) + λ tr Ĝ I, from which `rest` takes what the rest shape, Ĝ = I, gives.
HWY_INLINE LaneMatrix turned_stress(const LaneMatrix& G, V lambda, V mu, double rest) {
  const V two_mu = add(mu, mu);
  const V pressure =
      hn::MulSub(lambda, hn::Sub(trace(G), constant(3 * rest)), mul(two_mu, constant(rest)));
  LaneMatrix P;
  for (int i = 0; i < 3; ++i) {
    P.v[4 * i] = hn::MulAdd(two_mu, G.v[4 * i], pressure);
    for (int j = i + 1; j < 3; ++j) {
      P.v[3 * i + j] = P.v[3 * j + i] = mul(mu, add(G.v[3 * i + j], G.v[3 * j + i]));
    }
  }
  return P;
}

/// y += factor · (Σ R K Rᵀ x − what `rest` times the rest shape gives).
void add_elements(const std::vector<TetBatch>& tets, double factor, double rest, const double* x,
                  double* y) {
  for (const TetBatch& batch : tets) {
    for (int lane = 0; lane < kTetLanes; lane += static_cast<int>(hn::Lanes(D()))) {
      const LaneMatrix G = deformation_gradient(batch, lane, x);
      const V mu = mul(constant(factor), hn::Load(D(), batch.mu.data() + lane));
      const V lambda = mul(constant(factor), hn::Load(D(), batch.lambda.data() + lane));
      const LaneMatrix P = turned_stress(G, lambda, mu, rest);
      LaneVector first;
      for (int c = 0; c < 3; ++c) first.v[c] = hn::Zero(D());
      for (int k = 0; k < 3; ++k) {
        const LaneVector f = product(P, load_vector(batch.gradients, k, lane));
        for (int c = 0; c < 3; ++c) first.v[c] = hn::Sub(first.v[c], f.v[c]);
        add_to_corner(batch.nodes[k + 1], lane, f, y);
      }
      add_to_corner(batch.nodes[0], lane, first, y);
    }
  }
}

}  // namespace limber::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace limber {
HWY_EXPORT(rotate_batches);
HWY_EXPORT(add_elements);

RotatedElements::RotatedElements(const TetBatches& source) : rotations(source.batch_count()) {
  for (int b = 0; b < source.batch_count(); ++b) {
    for (int k = 0; k < 9; ++k) rotations[b].entry[k].fill(k % 4 == 0 ? 1.0 : 0.0);
    tets.push_back(source[b]);
  }
}

void rotate_elements(const TetBatches& tets, const Positions& positions,
                     RotatedElements& elements) {
  HWY_DYNAMIC_DISPATCH(rotate_batches)(tets, positions.data(), elements);
}

void add_rotated_forces(const RotatedElements& elements, const Positions& positions,
                        Positions& forces) {
  HWY_DYNAMIC_DISPATCH(add_elements)(elements.tets, -1, 1, positions.data(), forces.data());
}

void add_rotated_product(const RotatedElements& elements, double factor, const Positions& x,
                         Positions& y) {
  HWY_DYNAMIC_DISPATCH(add_elements)(elements.tets, factor, 0, x.data(), y.data());
}

}  // namespace limber
#endif
