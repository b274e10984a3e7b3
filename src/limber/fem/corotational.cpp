// Compiled once for each instruction set and chosen at run time.
#include "limber/fem/corotational.h"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "limber/fem/corotational.cpp"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

#include "limber/fem/polar_lanes-inl.h"
#include "limber/fem/tet_lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace limber::HWY_NAMESPACE {

/// Replaces what `load(b, lane)` gives by its rotation, for all lanes of `matrices`.
template <class Load>
HWY_INLINE void rotations_of(TetMatrices& matrices, const Load& load) {
  constexpr int kLanes = static_cast<int>(hn::MaxLanes(D()));
  for (int b = 0; b < static_cast<int>(matrices.size()); ++b) {
    for (int first = 0; first < kTetLanes; first += kPolarGroup * kLanes) {
      LaneMatrix R[kPolarGroup];
      for (int m = 0; m < kPolarGroup; ++m) R[m] = load(b, first + m * kLanes);
      polar(R);
      for (int m = 0; m < kPolarGroup; ++m) {
        store_matrix(R[m], matrices[b], first + m * kLanes);
      }
    }
  }
}

void rotations_of_tets(const TetBatches& tets, const double* positions, TetMatrices& rotations) {
  rotations_of(rotations, [&](int b, int lane)
                              HWY_ATTR { return deformation_gradient(tets[b], lane, positions); });
}

void rotations_of_matrices(TetMatrices& matrices) {
  rotations_of(matrices, [&](int b, int lane) HWY_ATTR { return load_matrix(matrices[b], lane); });
}

/// ε = sym(RᵀF) − I.
HWY_INLINE LaneMatrix corotated_strain(const LaneMatrix& R, const LaneMatrix& F) {
  const LaneMatrix S = transposed_product(R, F);
  LaneMatrix strain;
  for (int i = 0; i < 3; ++i) {
    strain.v[4 * i] = hn::Sub(S.v[4 * i], constant(1));
    for (int j = i + 1; j < 3; ++j) {
      strain.v[3 * i + j] = strain.v[3 * j + i] =
          mul(constant(0.5), add(S.v[3 * i + j], S.v[3 * j + i]));
    }
  }
  return strain;
}

HWY_INLINE V energy_of(const LaneMatrix& strain, V lambda, V mu) {
  const V tr = trace(strain);
  return hn::MulAdd(mu, dot(strain, strain), mul(mul(constant(0.5), lambda), mul(tr, tr)));
}

/// R (2με + λ tr ε I).
HWY_INLINE LaneMatrix corotated_stress(const LaneMatrix& R, const LaneMatrix& strain, V lambda,
                                       V mu) {
  LaneMatrix stress = scaled(strain, add(mu, mu));
  const V pressure = mul(lambda, trace(strain));
  for (int i = 0; i < 3; ++i) stress.v[4 * i] = add(stress.v[4 * i], pressure);
  return product(R, stress);
}

/// Adds forces unless `forces` is null; returns the energy.
double corotational_sum(const TetBatches& tets, const TetMatrices& rotations,
                        const double* positions, double* forces) {
  V energy = hn::Zero(D());
  for (int b = 0; b < tets.batch_count(); ++b) {
    const TetBatch& batch = tets[b];
    for (int lane = 0; lane < kTetLanes; lane += static_cast<int>(hn::Lanes(D()))) {
      const LaneMatrix R = load_matrix(rotations[b], lane);
      const LaneMatrix strain = corotated_strain(R, deformation_gradient(batch, lane, positions));
      const V lambda = hn::Load(D(), batch.lambda.data() + lane);
      const V mu = hn::Load(D(), batch.mu.data() + lane);
      energy = add(energy, energy_of(strain, lambda, mu));
      if (forces == nullptr) continue;
      subtract_corner_forces(batch, lane, corotated_stress(R, strain, lambda, mu), forces);
    }
  }
  return hn::GetLane(hn::SumOfLanes(D(), energy));
}

/// λ a bᵀ + μ b aᵀ + diagonal I.
HWY_INLINE void store_corotated_block(const LaneVector& a, const LaneVector& b, V lambda, V mu,
                                      V diagonal, double (*entry)[hn::MaxLanes(D())]) {
  for (int i = 0; i < 3; ++i) {
    const V lambda_a = mul(lambda, a.v[i]);
    const V mu_b = mul(mu, b.v[i]);
    for (int j = 0; j < 3; ++j) {
      V value = hn::MulAdd(lambda_a, b.v[j], mul(mu_b, a.v[j]));
      if (i == j) value = add(value, diagonal);
      hn::Store(value, D(), entry[3 * i + j]);
    }
  }
}

// With rotated gradients R g in place of g the element matrix comes out rotated: R K Rᵀ without
// its 144 × 6 products.
void corotational_tangent(const TetBatches& tets, const TetMatrices& rotations, double scale,
                          const TetSlots& slots, double* values) {
  BlockScratch scratch;
  const int lanes = static_cast<int>(hn::Lanes(D()));
  for (int b = 0; b < tets.batch_count(); ++b) {
    const TetBatch& batch = tets[b];
    for (int lane = 0; lane < kTetLanes && kTetLanes * b + lane < tets.tet_count(); lane += lanes) {
      const LaneMatrix R = load_matrix(rotations[b], lane);
      const LaneGradients rest = load_gradients(batch, lane);
      LaneVector g[4];
      for (int k = 0; k < 4; ++k) g[k] = product(R, rest.g[k]);
      const V lambda = mul(constant(scale), hn::Load(D(), batch.lambda.data() + lane));
      const V mu = mul(constant(scale), hn::Load(D(), batch.mu.data() + lane));
      int pair = 0;
      for (int p = 0; p < 4; ++p) {
        for (int q = p; q < 4; ++q) {
          store_corotated_block(g[p], g[q], lambda, mu, mul(mu, dot(g[p], g[q])),
                                scratch.entry[pair++]);
        }
      }
      const int first = kTetLanes * b + lane;
      add_blocks(scratch, slots.data() + first, std::min(lanes, tets.tet_count() - first), values);
    }
  }
}

/// [a]× Q [b]×.
HWY_INLINE LaneMatrix cross_product_sandwich(const LaneVector& a, const LaneMatrix& Q,
                                             const LaneVector& b) {
  LaneMatrix Qb;  // Q [b]×, rows q_i: (q_i)ᵀ[b]× = (q_i × b)ᵀ
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      const int k = (j + 1) % 3;
      const int l = (j + 2) % 3;
      Qb.v[3 * i + j] = minor(Q.v[3 * i + k], Q.v[3 * i + l], b.v[k], b.v[l]);
    }
  }
  LaneMatrix result;  // [a]× (Q [b]×), columns a × c_j
  for (int i = 0; i < 3; ++i) {
    const int k = (i + 1) % 3;
    const int l = (i + 2) % 3;
    for (int j = 0; j < 3; ++j) {
      result.v[3 * i + j] = minor(a.v[k], a.v[l], Qb.v[3 * k + j], Qb.v[3 * l + j]);
    }
  }
  return result;
}

// dP = 2μ dF + λ (R:dF) R + (λ tr ε − 2μ) dR. With dF = dx g_bᵀ the rotation turns by dR = [ω]× R,
// (tr S I − S̄) ω = (R g_b) × dx, S̄ = R S Rᵀ = F Rᵀ; so dR g_a = −[R g_a]× (tr S I − S̄)⁻¹ [R g_b]×
// dx.
void exact_corotational_tangent(const TetBatches& tets, const TetMatrices& rotations,
                                const double* positions, double scale, const TetSlots& slots,
                                double* values) {
  BlockScratch scratch;
  const int lanes = static_cast<int>(hn::Lanes(D()));
  for (int b = 0; b < tets.batch_count(); ++b) {
    const TetBatch& batch = tets[b];
    for (int lane = 0; lane < kTetLanes && kTetLanes * b + lane < tets.tet_count(); lane += lanes) {
      const LaneMatrix R = load_matrix(rotations[b], lane);
      const LaneMatrix F = deformation_gradient(batch, lane, positions);
      LaneMatrix G;  // tr S I − F Rᵀ
      for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
          G.v[3 * i + j] = hn::Neg(dot3(F.v[3 * i], R.v[3 * j], F.v[3 * i + 1], R.v[3 * j + 1],
                                        F.v[3 * i + 2], R.v[3 * j + 2]));
        }
      }
      const V tr = hn::Neg(trace(G));
      for (int i = 0; i < 3; ++i) G.v[4 * i] = add(G.v[4 * i], tr);
      const LaneMatrix cof = cofactors(G);
      const V det = dot3(G.v[0], cof.v[0], G.v[1], cof.v[1], G.v[2], cof.v[2]);
      // A tet without a unique nearest rotation keeps the one it has: |G| ~ tr S otherwise.
      const V least = mul(constant(1e-9), mul(tr, mul(tr, tr)));
      const V inverse =
          hn::IfThenElseZero(hn::Gt(hn::Abs(det), hn::Abs(least)), hn::Div(constant(1), det));
      const LaneMatrix Q = scaled(cof, inverse);
      const LaneGradients rest = load_gradients(batch, lane);
      LaneVector g[4];
      for (int k = 0; k < 4; ++k) g[k] = product(R, rest.g[k]);
      const V lambda = mul(constant(scale), hn::Load(D(), batch.lambda.data() + lane));
      const V two_mu = mul(constant(2 * scale), hn::Load(D(), batch.mu.data() + lane));
      const V turning = hn::MulSub(lambda, hn::Sub(tr, constant(3)), two_mu);
      int pair = 0;
      for (int p = 0; p < 4; ++p) {
        for (int q = p; q < 4; ++q, ++pair) {
          const V diagonal = mul(two_mu, dot(g[p], g[q]));
          const LaneMatrix turn = cross_product_sandwich(g[p], Q, g[q]);
          for (int i = 0; i < 3; ++i) {
            for (int j = 0; j < 3; ++j) {
              V value =
                  hn::NegMulAdd(turning, turn.v[3 * i + j], mul(mul(lambda, g[p].v[i]), g[q].v[j]));
              if (i == j) value = add(value, diagonal);
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

}  // namespace limber::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace limber {
HWY_EXPORT(rotations_of_tets);
HWY_EXPORT(rotations_of_matrices);
HWY_EXPORT(corotational_sum);
HWY_EXPORT(corotational_tangent);
HWY_EXPORT(exact_corotational_tangent);

void tet_rotations(const TetBatches& tets, const Positions& positions, TetMatrices& rotations) {
  HWY_DYNAMIC_DISPATCH(rotations_of_tets)(tets, positions.data(), rotations);
}

void nearest_rotations(TetMatrices& matrices) {
  HWY_DYNAMIC_DISPATCH(rotations_of_matrices)(matrices);
}

double add_corotational_forces(const TetBatches& tets, const TetMatrices& rotations,
                               const Positions& positions, Positions& forces) {
  return HWY_DYNAMIC_DISPATCH(corotational_sum)(tets, rotations, positions.data(), forces.data());
}

double corotational_energy(const TetBatches& tets, const TetMatrices& rotations,
                           const Positions& positions) {
  return HWY_DYNAMIC_DISPATCH(corotational_sum)(tets, rotations, positions.data(), nullptr);
}

void add_corotational_tangent(const TetBatches& tets, const TetMatrices& rotations, double scale,
                              const TetSlots& slots, BlockMatrix& A) {
  HWY_DYNAMIC_DISPATCH(corotational_tangent)(tets, rotations, scale, slots, A.data());
}

void add_exact_corotational_tangent(const TetBatches& tets, const TetMatrices& rotations,
                                    const Positions& positions, double scale, const TetSlots& slots,
                                    BlockMatrix& A) {
  HWY_DYNAMIC_DISPATCH(exact_corotational_tangent)
  (tets, rotations, positions.data(), scale, slots, A.data());
}

}  // namespace limber
#endif
