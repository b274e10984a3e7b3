// Compiled once for each instruction set and chosen at run time.
#include "limber/fem/stvk.h"

#include <algorithm>
#include <limits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "limber/fem/stvk.cpp"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

#include "limber/fem/tet_lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace limber::HWY_NAMESPACE {

/// E = (FᵀF − I)/2.
HWY_INLINE LaneMatrix green_strain(const LaneMatrix& F) {
  LaneMatrix E = scaled(gram(F), constant(0.5));
  for (int i = 0; i < 3; ++i) E.v[4 * i] = hn::Sub(E.v[4 * i], constant(0.5));
  return E;
}

/// S = 2μE + λ tr E I.
HWY_INLINE LaneMatrix second_stress(const LaneMatrix& E, V lambda, V mu) {
  LaneMatrix S = scaled(E, add(mu, mu));
  const V pressure = mul(lambda, trace(E));
  for (int i = 0; i < 3; ++i) S.v[4 * i] = add(S.v[4 * i], pressure);
  return S;
}

/// Adds forces unless `forces` is null; returns the energy.
double stvk_sum(const TetBatches& tets, const double* positions, double* forces) {
  V energy = hn::Zero(D());
  for (int b = 0; b < tets.batch_count(); ++b) {
    const TetBatch& batch = tets[b];
    for (int lane = 0; lane < kTetLanes; lane += static_cast<int>(hn::Lanes(D()))) {
      const LaneMatrix F = deformation_gradient(batch, lane, positions);
      const V lambda = hn::Load(D(), batch.lambda.data() + lane);
      const V mu = hn::Load(D(), batch.mu.data() + lane);
      const LaneMatrix E = green_strain(F);
      const LaneMatrix S = second_stress(E, lambda, mu);
      energy = hn::MulAdd(constant(0.5), dot(S, E), energy);
      if (forces != nullptr) subtract_corner_forces(batch, lane, product(F, S), forces);
    }
  }
  return hn::GetLane(hn::SumOfLanes(D(), energy));
}

// With h = F g: block (a, b) is λ h_a h_bᵀ + μ h_b h_aᵀ + μ (g_a·g_b) F Fᵀ + (g_aᵀ S g_b) I.
void stvk_tangent(const TetBatches& tets, const double* positions, double material,
                  double geometric, const TetSlots& slots, double* values) {
  BlockScratch scratch;
  const int lanes = static_cast<int>(hn::Lanes(D()));
  for (int b = 0; b < tets.batch_count(); ++b) {
    const TetBatch& batch = tets[b];
    for (int lane = 0; lane < kTetLanes && kTetLanes * b + lane < tets.tet_count(); lane += lanes) {
      const LaneMatrix F = deformation_gradient(batch, lane, positions);
      const V rest_lambda = hn::Load(D(), batch.lambda.data() + lane);
      const V rest_mu = hn::Load(D(), batch.mu.data() + lane);
      const LaneMatrix S =
          scaled(second_stress(green_strain(F), rest_lambda, rest_mu), constant(geometric));
      const V lambda = mul(constant(material), rest_lambda);
      const V mu = mul(constant(material), rest_mu);
      LaneMatrix B;  // F Fᵀ
      for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
          B.v[3 * i + j] = dot3(F.v[3 * i], F.v[3 * j], F.v[3 * i + 1], F.v[3 * j + 1],
                                F.v[3 * i + 2], F.v[3 * j + 2]);
        }
      }
      const LaneGradients rest = load_gradients(batch, lane);
      LaneVector h[4];
      for (int k = 0; k < 4; ++k) h[k] = product(F, rest.g[k]);
      int pair = 0;
      for (int p = 0; p < 4; ++p) {
        const LaneVector Sg = product(S, rest.g[p]);
        for (int q = p; q < 4; ++q, ++pair) {
          const V mu_d = mul(mu, dot(rest.g[p], rest.g[q]));
          const V stress = dot(Sg, rest.g[q]);
          for (int i = 0; i < 3; ++i) {
            for (int j = 0; j < 3; ++j) {
              V value = mul(mul(lambda, h[p].v[i]), h[q].v[j]);
              value = hn::MulAdd(mul(mu, h[q].v[i]), h[p].v[j], value);
              value = hn::MulAdd(mu_d, B.v[3 * i + j], value);
              if (i == j) value = add(value, stress);
              hn::Store(value, D(), scratch.entry[pair][3 * i + j]);
            }
          }
        }
      }
      const int first = kTetLanes * b + lane;
      add_blocks(scratch, slots.data() + first, std::min(lanes, tets.tet_count() - first), values);
    }
  }
}

void find_smallest_ratio(const TetBatches& tets, const double* positions, VolumeRatio& smallest) {
  constexpr std::size_t kLanes = hn::MaxLanes(D());
  alignas(64) double ratios[kLanes];
  V least = constant(smallest.ratio);
  const int lanes = static_cast<int>(hn::Lanes(D()));
  for (int b = 0; b < tets.batch_count(); ++b) {
    for (int lane = 0; lane < kTetLanes; lane += lanes) {
      const LaneMatrix F = deformation_gradient(tets[b], lane, positions);
      const LaneMatrix cof = cofactors(F);
      const V det = dot3(F.v[0], cof.v[0], F.v[1], cof.v[1], F.v[2], cof.v[2]);
      if (hn::AllFalse(D(), hn::Lt(det, least))) continue;
      hn::Store(det, D(), ratios);
      for (int l = 0; l < lanes; ++l) {
        const int tet = kTetLanes * b + lane + l;
        if (ratios[l] < smallest.ratio && tet < tets.tet_count()) smallest = {ratios[l], tet};
      }
      least = constant(smallest.ratio);
    }
  }
}

}  // namespace limber::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace limber {
HWY_EXPORT(stvk_sum);
HWY_EXPORT(stvk_tangent);
HWY_EXPORT(find_smallest_ratio);

double add_stvk_forces(const TetBatches& tets, const Positions& positions, Positions& forces) {
  return HWY_DYNAMIC_DISPATCH(stvk_sum)(tets, positions.data(), forces.data());
}

double stvk_energy(const TetBatches& tets, const Positions& positions) {
  return HWY_DYNAMIC_DISPATCH(stvk_sum)(tets, positions.data(), nullptr);
}

void add_stvk_tangent(const TetBatches& tets, const Positions& positions, double material,
                      double geometric, const TetSlots& slots, BlockMatrix& A) {
  HWY_DYNAMIC_DISPATCH(stvk_tangent)
  (tets, positions.data(), material, geometric, slots, A.data());
}

VolumeRatio smallest_volume_ratio(const TetBatches& tets, const Positions& positions) {
  VolumeRatio smallest{std::numeric_limits<double>::infinity(), -1};
  HWY_DYNAMIC_DISPATCH(find_smallest_ratio)(tets, positions.data(), smallest);
  return smallest;
}

}  // namespace limber
#endif
