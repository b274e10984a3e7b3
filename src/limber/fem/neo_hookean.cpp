// Compiled once for each instruction set and chosen at run time.
#include "limber/fem/neo_hookean.h"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "limber/fem/neo_hookean.cpp"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

#include <hwy/contrib/math/math-inl.h>

#include "limber/fem/eigen_lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace limber::HWY_NAMESPACE {

/// ∂W/∂F = m F + s cof F, and what its derivative is made of.
struct NeoHookeanState {
  V lambda_hat, mu_hat, mu;
  V I, J;
  V m;  ///< μ̂ (1 − b/(I+1))
  V c;  ///< dm = c (F : dF)
  V s;  ///< λ̂ (J − 1) − μ
};

HWY_INLINE NeoHookeanState neo_hookean_state(const TetBatch& batch, int lane, double barrier,
                                             const LaneMatrix& F, const LaneMatrix& cof) {
  NeoHookeanState state;
  const V b = constant(barrier);
  state.mu = hn::Load(D(), batch.mu.data() + lane);
  state.mu_hat = mul(constant(1 / (1 - barrier / 4)), state.mu);
  state.lambda_hat = hn::MulAdd(constant(-barrier / 8), state.mu_hat,
                                add(hn::Load(D(), batch.lambda.data() + lane), state.mu));
  state.I = dot(F, F);
  state.J = dot3(F.v[0], cof.v[0], F.v[1], cof.v[1], F.v[2], cof.v[2]);
  const V inverse = hn::Div(constant(1), add(state.I, constant(1)));
  state.m = mul(state.mu_hat, hn::NegMulAdd(b, inverse, constant(1)));
  state.c = mul(mul(constant(2 * barrier), state.mu_hat), mul(inverse, inverse));
  state.s = hn::MulSub(state.lambda_hat, hn::Sub(state.J, constant(1)), state.mu);
  return state;
}

HWY_INLINE V neo_hookean_energy_of(const NeoHookeanState& state, double barrier) {
  const V stretch = hn::Sub(state.I, constant(3));
  const V volume = hn::Sub(state.J, constant(1));
  V twice = stretch;
  if (barrier != 0) {
    const V logarithm = hn::Log(D(), hn::MulAdd(constant(0.25), stretch, constant(1)));
    twice = hn::NegMulAdd(constant(barrier), logarithm, stretch);
  }
  const V spherical =
      mul(volume, hn::MulSub(mul(constant(0.5), state.lambda_hat), volume, state.mu));
  return hn::MulAdd(mul(constant(0.5), state.mu_hat), twice, spherical);
}

/// Adds forces unless `forces` is null; returns the energy.
double neo_hookean_sum(const TetBatches& tets, double barrier, const double* positions,
                       double* forces) {
  V energy = hn::Zero(D());
  for (int b = 0; b < tets.batch_count(); ++b) {
    const TetBatch& batch = tets[b];
    for (int lane = 0; lane < kTetLanes; lane += static_cast<int>(hn::Lanes(D()))) {
      const LaneMatrix F = deformation_gradient(batch, lane, positions);
      const LaneMatrix cof = cofactors(F);
      const NeoHookeanState state = neo_hookean_state(batch, lane, barrier, F, cof);
      energy = add(energy, neo_hookean_energy_of(state, barrier));
      if (forces == nullptr) continue;
      LaneMatrix P;
      for (int k = 0; k < 9; ++k) P.v[k] = hn::MulAdd(state.m, F.v[k], mul(state.s, cof.v[k]));
      subtract_corner_forces(batch, lane, P, forces);
    }
  }
  return hn::GetLane(hn::SumOfLanes(D(), energy));
}

HWY_INLINE LaneVector cross(const LaneVector& a, const LaneVector& b) {
  return {minor(a.v[1], a.v[2], b.v[1], b.v[2]), minor(a.v[2], a.v[0], b.v[2], b.v[0]),
          minor(a.v[0], a.v[1], b.v[0], b.v[1])};
}

// With h = F g and k = cof(F) g, block (a, b) is m (g_a·g_b) I + c h_a h_bᵀ + λ̂ k_a k_bᵀ
// − s [F (g_a × g_b)]×; the last since det(F + x g_aᵀ + y g_bᵀ) has (x × y)·F (g_a × g_b) as its
// bilinear part.
void exact_neo_hookean_tangent(const TetBatches& tets, double barrier, const double* positions,
                               double scale, const TetSlots& slots, double* values) {
  BlockScratch scratch;
  const int lanes = static_cast<int>(hn::Lanes(D()));
  for (int b = 0; b < tets.batch_count(); ++b) {
    const TetBatch& batch = tets[b];
    for (int lane = 0; lane < kTetLanes && kTetLanes * b + lane < tets.tet_count(); lane += lanes) {
      const LaneMatrix F = deformation_gradient(batch, lane, positions);
      const LaneMatrix cof = cofactors(F);
      const NeoHookeanState state = neo_hookean_state(batch, lane, barrier, F, cof);
      const V m = mul(constant(scale), state.m);
      const V c = mul(constant(scale), state.c);
      const V s = mul(constant(scale), state.s);
      const V lambda = mul(constant(scale), state.lambda_hat);
      const LaneGradients rest = load_gradients(batch, lane);
      LaneVector h[4], k[4];
      for (int p = 0; p < 4; ++p) {
        h[p] = product(F, rest.g[p]);
        k[p] = product(cof, rest.g[p]);
      }
      int pair = 0;
      for (int p = 0; p < 4; ++p) {
        for (int q = p; q < 4; ++q, ++pair) {
          const V diagonal = mul(m, dot(rest.g[p], rest.g[q]));
          const LaneVector w = product(F, cross(rest.g[p], rest.g[q]));
          for (int i = 0; i < 3; ++i) {
            const V ch = mul(c, h[p].v[i]);
            const V lk = mul(lambda, k[p].v[i]);
            for (int j = 0; j < 3; ++j) {
              V value = hn::MulAdd(ch, h[q].v[j], mul(lk, k[q].v[j]));
              if (i == j) value = add(value, diagonal);
              if (j == (i + 1) % 3) value = hn::MulAdd(s, w.v[(i + 2) % 3], value);
              if (j == (i + 2) % 3) value = hn::NegMulAdd(s, w.v[(i + 1) % 3], value);
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

/// ∂²W/∂F² in the frame of the singular vectors, F = U diag(σ) Vᵀ, without negative eigenvalues: in
/// it dP_ii = Σ_j A_ij dF_jj and, for i ≠ j, dP_ij = same_k dF_ij + swap_k dF_ji, k the third.
struct SafeCurvature {
  LaneMatrix A;
  LaneVector same, swap;
};

HWY_INLINE SafeCurvature safe_curvature(const NeoHookeanState& state, const LaneVector& sigma) {
  SafeCurvature result;
  const V zero = hn::Zero(D());
  const V half = constant(0.5);
  for (int k = 0; k < 3; ++k) {
    // Smith et al. 2018, section 4.3: turning and shearing in the plane of the other two.
    const V turn = hn::Max(zero, hn::MulAdd(state.s, sigma.v[k], state.m));
    const V shear = hn::Max(zero, hn::NegMulAdd(state.s, sigma.v[k], state.m));
    result.same.v[k] = mul(half, add(shear, turn));
    result.swap.v[k] = mul(half, hn::Sub(shear, turn));
  }
  LaneMatrix stretching;
  for (int i = 0; i < 3; ++i) {
    for (int j = i; j < 3; ++j) {
      const V* const z = sigma.v;
      const V rest_i = mul(z[(i + 1) % 3], z[(i + 2) % 3]);  // ∂J/∂σ_i
      const V rest_j = mul(z[(j + 1) % 3], z[(j + 2) % 3]);
      V value = hn::MulAdd(mul(state.c, z[i]), z[j], mul(mul(state.lambda_hat, rest_i), rest_j));
      value = i == j ? add(value, state.m) : hn::MulAdd(state.s, z[3 - i - j], value);
      stretching.v[3 * i + j] = stretching.v[3 * j + i] = value;
    }
  }
  const LaneEigen eigen = symmetric_eigen(stretching);
  for (int i = 0; i < 3; ++i) {
    for (int j = i; j < 3; ++j) {
      V value = zero;
      for (int k = 0; k < 3; ++k) {
        value = hn::MulAdd(mul(hn::Max(zero, eigen.values.v[k]), eigen.vectors.v[3 * i + k]),
                           eigen.vectors.v[3 * j + k], value);
      }
      result.A.v[3 * i + j] = result.A.v[3 * j + i] = value;
    }
  }
  return result;
}

/// The block of corners with gradients a and b, all in the frame of the singular vectors.
HWY_INLINE LaneMatrix turned_block(const SafeCurvature& curvature, const LaneVector& a,
                                   const LaneVector& b) {
  LaneMatrix block;
  const V products[3] = {mul(a.v[0], b.v[0]), mul(a.v[1], b.v[1]), mul(a.v[2], b.v[2])};
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      const int k = 3 - i - j;
      block.v[3 * i + j] =
          i == j ? dot3(curvature.A.v[4 * i], products[i], curvature.same.v[(i + 2) % 3],
                        products[(i + 1) % 3], curvature.same.v[(i + 1) % 3], products[(i + 2) % 3])
                 : hn::MulAdd(mul(curvature.A.v[3 * i + j], a.v[i]), b.v[j],
                              mul(mul(curvature.swap.v[k], a.v[j]), b.v[i]));
    }
  }
  return block;
}

void safe_neo_hookean_tangent(const TetBatches& tets, double barrier, const TetMatrices& rotations,
                              const double* positions, double scale, const TetSlots& slots,
                              double* values) {
  BlockScratch scratch;
  const int lanes = static_cast<int>(hn::Lanes(D()));
  for (int b = 0; b < tets.batch_count(); ++b) {
    const TetBatch& batch = tets[b];
    for (int lane = 0; lane < kTetLanes && kTetLanes * b + lane < tets.tet_count(); lane += lanes) {
      const LaneMatrix F = deformation_gradient(batch, lane, positions);
      const LaneMatrix R = load_matrix(rotations[b], lane);
      LaneMatrix S = transposed_product(R, F);
      for (int i = 0; i < 3; ++i) {
        for (int j = i + 1; j < 3; ++j) {
          S.v[3 * i + j] = S.v[3 * j + i] = mul(constant(0.5), add(S.v[3 * i + j], S.v[3 * j + i]));
        }
      }
      const LaneEigen stretches = symmetric_eigen(S);
      const LaneMatrix U = product(R, stretches.vectors);
      const NeoHookeanState state = neo_hookean_state(batch, lane, barrier, F, cofactors(F));
      const SafeCurvature curvature = safe_curvature(state, stretches.values);
      const LaneGradients rest = load_gradients(batch, lane);
      LaneVector g[4];  // Vᵀ g
      for (int p = 0; p < 4; ++p) {
        for (int i = 0; i < 3; ++i) {
          const V* const column = stretches.vectors.v + i;
          g[p].v[i] =
              dot3(column[0], rest.g[p].v[0], column[3], rest.g[p].v[1], column[6], rest.g[p].v[2]);
        }
      }
      int pair = 0;
      for (int p = 0; p < 4; ++p) {
        for (int q = p; q < 4; ++q, ++pair) {
          const LaneMatrix left = product(U, turned_block(curvature, g[p], g[q]));
          for (int i = 0; i < 3; ++i) {
            for (int j = 0; j < 3; ++j) {
              const V value = dot3(left.v[3 * i], U.v[3 * j], left.v[3 * i + 1], U.v[3 * j + 1],
                                   left.v[3 * i + 2], U.v[3 * j + 2]);
              hn::Store(mul(constant(scale), value), D(), scratch.entry[pair][3 * i + j]);
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
HWY_EXPORT(neo_hookean_sum);
HWY_EXPORT(exact_neo_hookean_tangent);
HWY_EXPORT(safe_neo_hookean_tangent);

double add_neo_hookean_forces(const TetBatches& tets, const NeoHookean& law,
                              const Positions& positions, Positions& forces) {
  return HWY_DYNAMIC_DISPATCH(neo_hookean_sum)(tets, law.origin_barrier, positions.data(),
                                               forces.data());
}

double neo_hookean_energy(const TetBatches& tets, const NeoHookean& law,
                          const Positions& positions) {
  return HWY_DYNAMIC_DISPATCH(neo_hookean_sum)(tets, law.origin_barrier, positions.data(), nullptr);
}

void add_exact_neo_hookean_tangent(const TetBatches& tets, const NeoHookean& law,
                                   const Positions& positions, double scale, const TetSlots& slots,
                                   BlockMatrix& A) {
  HWY_DYNAMIC_DISPATCH(exact_neo_hookean_tangent)
  (tets, law.origin_barrier, positions.data(), scale, slots, A.data());
}

void add_safe_neo_hookean_tangent(const TetBatches& tets, const NeoHookean& law,
                                  const TetMatrices& rotations, const Positions& positions,
                                  double scale, const TetSlots& slots, BlockMatrix& A) {
  HWY_DYNAMIC_DISPATCH(safe_neo_hookean_tangent)
  (tets, law.origin_barrier, rotations, positions.data(), scale, slots, A.data());
}

}  // namespace limber
#endif
