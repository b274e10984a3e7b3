#include "limber/interpolate/reconstruction/frame_kernel.h"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "limber/interpolate/reconstruction/frame_kernel.cpp"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>
// after highway.h
#include <hwy/contrib/math/math-inl.h>

HWY_BEFORE_NAMESPACE();
namespace limber::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

constexpr int kBlock = FrameKernel::kLanes;
using Doubles = hn::CappedTag<double, kBlock>;
using V = hn::Vec<Doubles>;

/// Three rows of three, each entry one number for every lane.
struct Matrix {
  V m[3][3];
};

HWY_INLINE V load(const double* from) { return hn::LoadU(Doubles(), from); }

/// B u: gradients of corners 1..3 against displacement differences to corner 0.
HWY_INLINE Matrix gradient_of(const FrameKernel::Layout& layout, int block, int lane,
                              const double* u) {
  const Doubles d;
  const hn::RebindToSigned<Doubles> i64;
  const hn::Rebind<std::int32_t, Doubles> i32;
  const std::int32_t* const where =
      layout.displacements.data() + static_cast<std::size_t>(block) * 4 * kBlock + lane;
  const double* const gradients =
      layout.gradients.data() + static_cast<std::size_t>(block) * 9 * kBlock + lane;
  V origin[3];
  const auto first = hn::PromoteTo(i64, hn::LoadU(i32, where));
  for (int c = 0; c < 3; ++c) origin[c] = hn::GatherIndex(d, u + c, first);
  Matrix A;
  for (int c = 0; c < 3; ++c) {
    for (int j = 0; j < 3; ++j) A.m[c][j] = hn::Zero(d);
  }
  for (int k = 0; k < 3; ++k) {
    const auto at = hn::PromoteTo(i64, hn::LoadU(i32, where + (k + 1) * kBlock));
    V gradient[3];
    for (int j = 0; j < 3; ++j) gradient[j] = load(gradients + (3 * k + j) * kBlock);
    for (int c = 0; c < 3; ++c) {
      const V difference = hn::Sub(hn::GatherIndex(d, u + c, at), origin[c]);
      for (int j = 0; j < 3; ++j) A.m[c][j] = hn::MulAdd(difference, gradient[j], A.m[c][j]);
    }
  }
  return A;
}

/// A + (½ tr A n − Aᵀ n) nᵀ: see Elements::gradient_change.
HWY_INLINE void add_normal_change(const FrameKernel::Layout& layout, int block, int lane,
                                  Matrix& A) {
  const double* const normals =
      layout.normals.data() + static_cast<std::size_t>(block) * 3 * kBlock + lane;
  V n[3];
  for (int c = 0; c < 3; ++c) n[c] = load(normals + c * kBlock);
  const V half_trace =
      hn::Mul(hn::Set(Doubles(), 0.5), hn::Add(hn::Add(A.m[0][0], A.m[1][1]), A.m[2][2]));
  V change[3];
  for (int c = 0; c < 3; ++c) {
    V turned = hn::Mul(A.m[0][c], n[0]);
    turned = hn::MulAdd(A.m[1][c], n[1], turned);
    turned = hn::MulAdd(A.m[2][c], n[2], turned);
    change[c] = hn::MulSub(half_trace, n[c], turned);
  }
  for (int c = 0; c < 3; ++c) {
    for (int j = 0; j < 3; ++j) A.m[c][j] = hn::MulAdd(change[c], n[j], A.m[c][j]);
  }
}

/// A turn by w with the coefficients of R = I + a[w]× + b[w]×².
struct Turn {
  Matrix R;
  V squared;  // |w|²
  V a, b;
};

/// exp[w]× by Rodrigues' formula with half angles: 1 − cos θ = 2 sin²(θ/2) loses nothing.
HWY_INLINE Turn exponential(const V w[3]) {
  const Doubles d;
  const V one = hn::Set(d, 1.0);
  const V squared = hn::MulAdd(w[0], w[0], hn::MulAdd(w[1], w[1], hn::Mul(w[2], w[2])));
  // |w|² of 1e-300 keeps the quotients at their limits: sin θ/θ = 1, (1−cos θ)/θ² = ½.
  const V theta2 = hn::Max(squared, hn::Set(d, 1e-300));
  const V half = hn::Mul(hn::Set(d, 0.5), hn::Sqrt(theta2));
  const V sine = hn::Sin(d, half);
  const V cosine = hn::Cos(d, half);
  const V ratio = hn::Div(sine, half);
  const V a = hn::Mul(ratio, cosine);
  const V b = hn::Mul(hn::Set(d, 0.5), hn::Mul(ratio, ratio));
  const V diagonal = hn::NegMulAdd(b, squared, one);
  Matrix R;
  for (int c = 0; c < 3; ++c) {
    const V bw = hn::Mul(b, w[c]);
    R.m[c][c] = hn::MulAdd(bw, w[c], diagonal);
    const int p = (c + 1) % 3;
    const int q = (c + 2) % 3;
    // Entry (c, p) is b w_c w_p − a w_q, entry (p, c) has a plus.
    const V product = hn::Mul(bw, w[p]);
    R.m[c][p] = hn::NegMulAdd(a, w[q], product);
    R.m[p][c] = hn::MulAdd(a, w[q], product);
  }
  return {R, squared, a, b};
}

/// R~(w) t = t + b w×t + c w×(w×t), c = (1 − a)/|w|², by its series below half a radian.
HWY_INLINE void turn_by_mean(const Turn& turn, const V w[3], const V t[3], V out[3]) {
  const Doubles d;
  const V x = turn.squared;
  V series = hn::Set(d, -1.0 / 6227020800.0);
  for (const double term : {1.0 / 39916800, -1.0 / 362880, 1.0 / 5040, -1.0 / 120, 1.0 / 6}) {
    series = hn::MulAdd(series, x, hn::Set(d, term));
  }
  const V quarter = hn::Set(d, 0.25);
  const V direct = hn::Div(hn::Sub(hn::Set(d, 1.0), turn.a), hn::Max(x, quarter));
  const V c = hn::IfThenElse(hn::Lt(x, quarter), series, direct);
  const V along = hn::MulAdd(w[0], t[0], hn::MulAdd(w[1], t[1], hn::Mul(w[2], t[2])));
  const V kept = hn::NegMulAdd(c, x, hn::Set(d, 1.0));
  for (int k = 0; k < 3; ++k) {
    const int p = (k + 1) % 3;
    const int q = (k + 2) % 3;
    const V crossed = hn::MulSub(w[p], t[q], hn::Mul(w[q], t[p]));
    out[k] = hn::MulAdd(kept, t[k], hn::MulAdd(turn.b, crossed, hn::Mul(hn::Mul(c, along), w[k])));
  }
}

/// Rotation and stretch of the lanes: parts of A, plus r and the fields.
HWY_INLINE void add_fields(const Matrix& A, const Vec3& rotation, std::span<const FieldTerm> terms,
                           int block, int lane, V w[3], Matrix& U) {
  const Doubles d;
  const V half = hn::Set(d, 0.5);
  for (int c = 0; c < 3; ++c) {
    const int p = (c + 1) % 3;
    const int q = (c + 2) % 3;
    w[c] = hn::MulAdd(half, hn::Sub(A.m[q][p], A.m[p][q]), hn::Set(d, rotation[c]));
    U.m[c][c] = hn::Add(A.m[c][c], hn::Set(d, 1.0));
    U.m[c][p] = hn::Mul(half, hn::Add(A.m[c][p], A.m[p][c]));
    U.m[p][c] = U.m[c][p];
  }
  for (const FieldTerm& term : terms) {
    const double* const values =
        term.field->values.data() +
        static_cast<std::size_t>(block) * FrameKernel::kFieldNumbers * kBlock + lane;
    const V factor = hn::Set(d, term.coefficient);
    for (int c = 0; c < 3; ++c) w[c] = hn::MulAdd(factor, load(values + c * kBlock), w[c]);
    for (int j = 0; j < 3; ++j) {
      for (int i = 0; i < 3; ++i) {
        U.m[i][j] = hn::MulAdd(factor, load(values + (3 + 3 * j + i) * kBlock), U.m[i][j]);
      }
    }
  }
}

HWY_INLINE V weight_of(const FrameKernel::Layout& layout, int block, int lane) {
  return load(layout.weights.data() + static_cast<std::size_t>(block) * kBlock + lane);
}

/// weight R U.
HWY_INLINE Matrix weighted_product(V weight, const Matrix& R, const Matrix& U) {
  Matrix F;
  for (int c = 0; c < 3; ++c) {
    for (int j = 0; j < 3; ++j) {
      V sum = hn::Mul(R.m[c][0], U.m[0][j]);
      sum = hn::MulAdd(R.m[c][1], U.m[1][j], sum);
      sum = hn::MulAdd(R.m[c][2], U.m[2][j], sum);
      F.m[c][j] = hn::Mul(weight, sum);
    }
  }
  return F;
}

/// Adds F ∇N_k to each corner's row, lane by lane; `places` says where the rows begin.
HWY_INLINE void scatter(const FrameKernel::Layout& layout, const std::int32_t* places, int block,
                        int lane, const Matrix& F, double* rows) {
  const Doubles d;
  constexpr int kMost = hn::MaxLanes(d);
  const double* const gradients =
      layout.gradients.data() + static_cast<std::size_t>(block) * 9 * kBlock + lane;
  HWY_ALIGN double forces[12][kMost];
  for (int c = 0; c < 3; ++c) {
    V total = hn::Zero(d);
    for (int k = 0; k < 3; ++k) {
      V force = hn::Mul(F.m[c][0], load(gradients + (3 * k) * kBlock));
      force = hn::MulAdd(F.m[c][1], load(gradients + (3 * k + 1) * kBlock), force);
      force = hn::MulAdd(F.m[c][2], load(gradients + (3 * k + 2) * kBlock), force);
      hn::Store(force, d, forces[3 * (k + 1) + c]);
      total = hn::Sub(total, force);
    }
    hn::Store(total, d, forces[c]);
  }
  const std::int32_t* const where = places + static_cast<std::size_t>(block) * 4 * kBlock + lane;
  for (int k = 0; k < 4; ++k) {
    for (int l = 0; l < static_cast<int>(hn::Lanes(d)); ++l) {
      double* const row = rows + where[k * kBlock + l];
      row[0] += forces[3 * k][l];
      row[1] += forces[3 * k + 1][l];
      row[2] += forces[3 * k + 2][l];
    }
  }
}

void accumulate_blocks(const FrameKernel::Layout& layout, const double* u, const Vec3& rotation,
                       std::span<const FieldTerm> terms, double* rows) {
  const int lanes = static_cast<int>(hn::Lanes(Doubles()));
  for (int block = 0; block < layout.blocks; ++block) {
    for (int lane = 0; lane < kBlock; lane += lanes) {
      Matrix A = gradient_of(layout, block, lane, u);
      if (layout.shell) add_normal_change(layout, block, lane, A);
      V w[3];
      Matrix U;
      add_fields(A, rotation, terms, block, lane, w, U);
      const Matrix F = weighted_product(weight_of(layout, block, lane), exponential(w).R, U);
      scatter(layout, layout.rows.data(), block, lane, F, rows);
    }
  }
}

/// With F = R U and P = weight·∇y, N = RᵀP: the derivative of ⟨F, P⟩ by B u is
/// sym N + ½[m]×, m = R~(w) 2 axial(N Uᵀ).
HWY_INLINE Matrix work_gradient(const Turn& turn, const V w[3], const Matrix& U, const Matrix& P) {
  const Doubles d;
  const V half = hn::Set(d, 0.5);
  Matrix N;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      N.m[i][j] =
          hn::MulAdd(turn.R.m[0][i], P.m[0][j],
                     hn::MulAdd(turn.R.m[1][i], P.m[1][j], hn::Mul(turn.R.m[2][i], P.m[2][j])));
    }
  }
  V t[3];
  for (int c = 0; c < 3; ++c) {
    const int p = (c + 1) % 3;
    const int q = (c + 2) % 3;
    t[c] = hn::Zero(d);
    for (int k = 0; k < 3; ++k) {
      t[c] = hn::Add(t[c], hn::MulSub(N.m[q][k], U.m[p][k], hn::Mul(N.m[p][k], U.m[q][k])));
    }
  }
  V m[3];
  turn_by_mean(turn, w, t, m);
  Matrix D;
  for (int c = 0; c < 3; ++c) {
    const int p = (c + 1) % 3;
    const int q = (c + 2) % 3;
    D.m[c][c] = N.m[c][c];
    const V even = hn::Add(N.m[q][p], N.m[p][q]);
    D.m[q][p] = hn::Mul(half, hn::Add(even, m[c]));
    D.m[p][q] = hn::Mul(half, hn::Sub(even, m[c]));
  }
  return D;
}

void pull_back_blocks(const FrameKernel::Layout& layout, const double* u, const double* y,
                      double* g) {
  const int lanes = static_cast<int>(hn::Lanes(Doubles()));
  for (int block = 0; block < layout.blocks; ++block) {
    for (int lane = 0; lane < kBlock; lane += lanes) {
      Matrix P = gradient_of(layout, block, lane, y);
      const V weight = weight_of(layout, block, lane);
      for (auto& row : P.m) {
        for (V& entry : row) entry = hn::Mul(entry, weight);
      }
      V w[3];
      Matrix U;
      add_fields(gradient_of(layout, block, lane, u), Vec3::Zero(), {}, block, lane, w, U);
      const Matrix D = work_gradient(exponential(w), w, U, P);
      scatter(layout, layout.displacements.data(), block, lane, D, g);
    }
  }
}

}  // namespace limber::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace limber {
HWY_EXPORT(accumulate_blocks);
HWY_EXPORT(pull_back_blocks);

FrameKernel::FrameKernel(const Reconstruction& reconstruction)
    : elements_(reconstruction.shared_elements()) {
  const Elements& elements = *elements_;
  const int count = elements.element_count();
  layout_.blocks = (count + kLanes - 1) / kLanes;
  layout_.shell = elements.is_shell();
  const std::size_t padded = static_cast<std::size_t>(layout_.blocks) * kLanes;
  layout_.displacements.resize(4 * padded);
  layout_.rows.resize(4 * padded);
  layout_.gradients.resize(9 * padded);
  layout_.weights.resize(padded, 0.0);
  if (layout_.shell) layout_.normals.resize(3 * padded);
  for (std::size_t place = 0; place < padded; ++place) {
    const int element = std::min(static_cast<int>(place), count - 1);
    const std::size_t block = place / kLanes;
    const std::size_t lane = place % kLanes;
    for (int k = 0; k < 4; ++k) {
      const int node = elements.corners(element, k);
      layout_.displacements[(4 * block + k) * kLanes + lane] = 3 * node;
      layout_.rows[(4 * block + k) * kLanes + lane] =
          NodalFactor::kRowSize * reconstruction.row_of(node);
    }
    for (int k = 1; k < 4; ++k) {
      for (int j = 0; j < 3; ++j) {
        layout_.gradients[(9 * block + 3 * (k - 1) + j) * kLanes + lane] =
            elements.gradient(element, k)[j];
      }
    }
    for (int c = 0; layout_.shell && c < 3; ++c) {
      layout_.normals[(3 * block + c) * kLanes + lane] = elements.normals(element, c);
    }
    if (static_cast<int>(place) < count) {
      layout_.weights[place] = reconstruction.element_weight(element);
    }
  }
}

CoordinateField FrameKernel::field(const RotationStrain& coordinates) const {
  CoordinateField result;
  write_field(coordinates, result);
  return result;
}

void FrameKernel::write_field(const RotationStrain& coordinates, CoordinateField& field) const {
  field.values.resize(static_cast<std::size_t>(layout_.blocks) * kFieldNumbers * kLanes, 0.0);
  for (int element = 0; element < coordinates.element_count(); ++element) {
    double* const first = field.values.data() +
                          static_cast<std::size_t>(element / kLanes) * kFieldNumbers * kLanes +
                          element % kLanes;
    for (int c = 0; c < 3; ++c) first[c * kLanes] = coordinates.w(element, c);
    for (int c = 0; c < 9; ++c) first[(3 + c) * kLanes] = coordinates.S[element].data()[c];
  }
}

void FrameKernel::accumulate(const double* u, const Vec3& rotation,
                             std::span<const FieldTerm> terms, double* rows) const {
  HWY_DYNAMIC_DISPATCH(accumulate_blocks)(layout_, u, rotation, terms, rows);
}

void FrameKernel::pull_back(const double* u, const double* y, double* g) const {
  HWY_DYNAMIC_DISPATCH(pull_back_blocks)(layout_, u, y, g);
}

ElementCoordinates FrameKernel::coordinates_of(int element, const double* u, const Vec3& rotation,
                                               std::span<const FieldTerm> terms) const {
  const Mat3 change = elements_->gradient_change(u, element);
  ElementCoordinates result{rotation + axial(change), 0.5 * (change + change.transpose())};
  for (const FieldTerm& term : terms) {
    const double* const first =
        term.field->values.data() +
        static_cast<std::size_t>(element / kLanes) * kFieldNumbers * kLanes + element % kLanes;
    for (int c = 0; c < 3; ++c) result.w[c] += term.coefficient * first[c * kLanes];
    for (int c = 0; c < 9; ++c) {
      result.S.data()[c] += term.coefficient * first[(3 + c) * kLanes];
    }
  }
  return result;
}

}  // namespace limber
#endif
