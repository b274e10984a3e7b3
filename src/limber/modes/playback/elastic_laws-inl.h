// Energy, stress and stress change of one tet a lane by each of the laws, from its deformation
// gradient alone: see fem/corotational.h, fem/stvk.h, fem/neo_hookean.h for the formulas.
//
// A law is made from F and Lamé's constants (volume and weight included); slope().of(dF) is how P
// changes when F does.
#if defined(LIMBER_MODES_ELASTIC_LAWS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LIMBER_MODES_ELASTIC_LAWS_INL_H_
#undef LIMBER_MODES_ELASTIC_LAWS_INL_H_
#else
#define LIMBER_MODES_ELASTIC_LAWS_INL_H_
#endif

#include <hwy/contrib/math/math-inl.h>

#include "limber/fem/polar_lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace limber::HWY_NAMESPACE {

HWY_INLINE LaneMatrix symmetric_part(const LaneMatrix& a) {
  LaneMatrix s = a;
  for (int i = 0; i < 3; ++i) {
    for (int j = i + 1; j < 3; ++j) {
      s.v[3 * i + j] = s.v[3 * j + i] = mul(constant(0.5), add(a.v[3 * i + j], a.v[3 * j + i]));
    }
  }
  return s;
}

HWY_INLINE void add_scaled(V factor, const LaneMatrix& a, LaneMatrix& sum) {
  for (int k = 0; k < 9; ++k) sum.v[k] = hn::MulAdd(factor, a.v[k], sum.v[k]);
}

/// The stress of linear elasticity, 2μ strain + λ tr(strain) I.
HWY_INLINE LaneMatrix linear_stress(const LaneMatrix& strain, V lambda, V mu) {
  LaneMatrix stress = scaled(strain, add(mu, mu));
  const V pressure = mul(lambda, trace(strain));
  for (int i = 0; i < 3; ++i) stress.v[4 * i] = add(stress.v[4 * i], pressure);
  return stress;
}

class CorotationalLanes {
 public:
  HWY_INLINE CorotationalLanes(const LaneMatrix& F, V lambda, V mu)
      : F_(F), lambda_(lambda), mu_(mu) {
    LaneMatrix one[1] = {F};
    polar(one);
    R_ = one[0];
    strain_ = symmetric_part(transposed_product(R_, F));
    for (int i = 0; i < 3; ++i) strain_.v[4 * i] = hn::Sub(strain_.v[4 * i], constant(1));
  }
  HWY_INLINE V energy() const {
    return mul(constant(0.5), dot(strain_, linear_stress(strain_, lambda_, mu_)));
  }
  HWY_INLINE LaneMatrix stress() const { return product(R_, linear_stress(strain_, lambda_, mu_)); }

  /// dP = 2μ dF + λ (R:dF) R + (λ tr ε − 2μ) dR, dR = [ω]× R with (tr S I − F Rᵀ) ω = axial part of
  /// dF Rᵀ − R dFᵀ, as in add_exact_corotational_tangent().
  struct Slope {
    LaneMatrix R, inverse;
    V lambda, two_mu, turning;

    HWY_INLINE LaneMatrix of(const LaneMatrix& dF) const {
      LaneMatrix A;  // dF Rᵀ
      for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
          A.v[3 * i + j] = dot3(dF.v[3 * i], R.v[3 * j], dF.v[3 * i + 1], R.v[3 * j + 1],
                                dF.v[3 * i + 2], R.v[3 * j + 2]);
        }
      }
      const LaneVector axial{hn::Sub(A.v[7], A.v[5]), hn::Sub(A.v[2], A.v[6]),
                             hn::Sub(A.v[3], A.v[1])};
      const LaneVector w = product(inverse, axial);
      LaneMatrix dP = scaled(dF, two_mu);
      add_scaled(mul(lambda, trace(A)), R, dP);
      for (int j = 0; j < 3; ++j) {  // ω × column j of R
        const V r0 = R.v[j], r1 = R.v[3 + j], r2 = R.v[6 + j];
        dP.v[j] = hn::MulAdd(turning, minor(w.v[1], w.v[2], r1, r2), dP.v[j]);
        dP.v[3 + j] = hn::MulAdd(turning, minor(w.v[2], w.v[0], r2, r0), dP.v[3 + j]);
        dP.v[6 + j] = hn::MulAdd(turning, minor(w.v[0], w.v[1], r0, r1), dP.v[6 + j]);
      }
      return dP;
    }
  };
  HWY_INLINE Slope slope() const {
    LaneMatrix G;  // tr S I − F Rᵀ
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) {
        G.v[3 * i + j] = hn::Neg(dot3(F_.v[3 * i], R_.v[3 * j], F_.v[3 * i + 1], R_.v[3 * j + 1],
                                      F_.v[3 * i + 2], R_.v[3 * j + 2]));
      }
    }
    const V tr = hn::Neg(trace(G));
    for (int i = 0; i < 3; ++i) G.v[4 * i] = add(G.v[4 * i], tr);
    const LaneMatrix cof = cofactors(G);
    const V det = dot3(G.v[0], cof.v[0], G.v[1], cof.v[1], G.v[2], cof.v[2]);
    // A tet without a unique nearest rotation keeps the one it has.
    const V least = hn::Abs(mul(constant(1e-9), mul(tr, mul(tr, tr))));
    const V inverse_det =
        hn::IfThenElseZero(hn::Gt(hn::Abs(det), least), hn::Div(constant(1), det));
    const V two_mu = add(mu_, mu_);
    return {R_, scaled(cof, inverse_det), lambda_, two_mu,
            hn::MulSub(lambda_, trace(strain_), two_mu)};
  }

 private:
  LaneMatrix F_, R_, strain_;
  V lambda_, mu_;
};

class StvkLanes {
 public:
  HWY_INLINE StvkLanes(const LaneMatrix& F, V lambda, V mu) : F_(F), lambda_(lambda), mu_(mu) {
    E_ = scaled(gram(F), constant(0.5));
    for (int i = 0; i < 3; ++i) E_.v[4 * i] = hn::Sub(E_.v[4 * i], constant(0.5));
    S_ = linear_stress(E_, lambda, mu);
  }
  HWY_INLINE V energy() const { return mul(constant(0.5), dot(E_, S_)); }
  HWY_INLINE LaneMatrix stress() const { return product(F_, S_); }

  /// dP = dF S + F (2μ dE + λ tr dE I), dE = sym(Fᵀ dF).
  struct Slope {
    LaneMatrix F, S;
    V lambda, mu;
    HWY_INLINE LaneMatrix of(const LaneMatrix& dF) const {
      const LaneMatrix dS = linear_stress(symmetric_part(transposed_product(F, dF)), lambda, mu);
      LaneMatrix dP = product(F, dS);
      add_scaled(constant(1), product(dF, S), dP);
      return dP;
    }
  };
  HWY_INLINE Slope slope() const { return {F_, S_, lambda_, mu_}; }

 private:
  LaneMatrix F_, E_, S_;
  V lambda_, mu_;
};

/// With the origin barrier: μ̂ = 4/3 μ, λ̂ = λ + 5/6 μ.
class NeoHookeanLanes {
 public:
  HWY_INLINE NeoHookeanLanes(const LaneMatrix& F, V lambda, V mu)
      : F_(F), cof_(cofactors(F)), mu_(mu) {
    mu_hat_ = mul(constant(4.0 / 3), mu);
    lambda_hat_ = hn::MulAdd(constant(5.0 / 6), mu, lambda);
    I_ = dot(F, F);
    J_ = dot3(F.v[0], cof_.v[0], F.v[1], cof_.v[1], F.v[2], cof_.v[2]);
    inverse_ = hn::Div(constant(1), add(I_, constant(1)));
    m_ = hn::NegMulAdd(mu_hat_, inverse_, mu_hat_);
    s_ = hn::MulSub(lambda_hat_, hn::Sub(J_, constant(1)), mu);
  }
  HWY_INLINE V energy() const {
    const V stretch = hn::Sub(I_, constant(3));
    const V volume = hn::Sub(J_, constant(1));
    const V logarithm = hn::Log(D(), hn::MulAdd(constant(0.25), stretch, constant(1)));
    const V spherical = mul(volume, hn::MulSub(mul(constant(0.5), lambda_hat_), volume, mu_));
    return hn::MulAdd(mul(constant(0.5), mu_hat_), hn::Sub(stretch, logarithm), spherical);
  }
  HWY_INLINE LaneMatrix stress() const {
    LaneMatrix P = scaled(F_, m_);
    add_scaled(s_, cof_, P);
    return P;
  }

  /// dP = m dF + c (F:dF) F + λ̂ (cof:dF) cof + s dcof.
  struct Slope {
    LaneMatrix F, cof;
    V m, c, lambda_hat, s;
    HWY_INLINE LaneMatrix of(const LaneMatrix& dF) const {
      LaneMatrix dP = scaled(dF, m);
      add_scaled(mul(c, dot(F, dF)), F, dP);
      add_scaled(mul(lambda_hat, dot(cof, dF)), cof, dP);
      for (int i = 0; i < 3; ++i) {
        const int p = 3 * ((i + 1) % 3), q = 3 * ((i + 2) % 3);
        for (int j = 0; j < 3; ++j) {
          const int k = (j + 1) % 3, l = (j + 2) % 3;
          const V change = add(minor(dF.v[p + k], dF.v[p + l], F.v[q + k], F.v[q + l]),
                               minor(F.v[p + k], F.v[p + l], dF.v[q + k], dF.v[q + l]));
          dP.v[3 * i + j] = hn::MulAdd(s, change, dP.v[3 * i + j]);
        }
      }
      return dP;
    }
  };
  HWY_INLINE Slope slope() const {
    return {F_, cof_, m_, mul(mul(constant(2), mu_hat_), mul(inverse_, inverse_)), lambda_hat_, s_};
  }

 private:
  LaneMatrix F_, cof_;
  V mu_, mu_hat_, lambda_hat_, I_, J_, inverse_, m_, s_;
};

}  // namespace limber::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
