#include "limber/contact/contact_kernel.h"

#include <algorithm>
#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "limber/contact/contact_kernel.cpp"
// The order of these two matters.
#include <hwy/foreach_target.h>

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace limber::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Lanes = hn::CappedTag<float, 8>;

/// sum += sign · row · x.
template <class V>
HWY_INLINE V add_product(Lanes d, const float* row, const float* x, std::ptrdiff_t length, V sum) {
  for (std::ptrdiff_t k = 0; k < length; k += static_cast<std::ptrdiff_t>(hn::Lanes(d)))
    sum = hn::MulAdd(hn::LoadU(d, row + k), hn::LoadU(d, x + k), sum);
  return sum;
}
template <class V>
HWY_INLINE V subtract_product(Lanes d, const float* row, const float* x, std::ptrdiff_t length,
                              V sum) {
  for (std::ptrdiff_t k = 0; k < length; k += static_cast<std::ptrdiff_t>(hn::Lanes(d)))
    sum = hn::NegMulAdd(hn::LoadU(d, row + k), hn::LoadU(d, x + k), sum);
  return sum;
}

/// The sums of the lanes of four vectors.
HWY_INLINE void sum_four(hn::Vec<Lanes> a, hn::Vec<Lanes> b, hn::Vec<Lanes> c, hn::Vec<Lanes> e,
                         float* sums) {
  const Lanes d;
#if HWY_HAVE_SCALABLE || HWY_TARGET == HWY_SCALAR
  sums[0] = hn::GetLane(hn::SumOfLanes(d, a));
  sums[1] = hn::GetLane(hn::SumOfLanes(d, b));
  sums[2] = hn::GetLane(hn::SumOfLanes(d, c));
  sums[3] = hn::GetLane(hn::SumOfLanes(d, e));
#else
  // Neighbours are added until each vector has one lane left: half the work of one at a time.
  const auto add_pairs = [&](auto low, auto high) HWY_ATTR {
    return hn::Add(hn::ConcatEven(d, high, low), hn::ConcatOdd(d, high, low));
  };
  auto all = add_pairs(add_pairs(a, b), add_pairs(c, e));
  if constexpr (hn::MaxLanes(Lanes()) == 8) all = add_pairs(all, all);
  float lanes[hn::MaxLanes(Lanes())];
  hn::StoreU(all, d, lanes);
  for (int k = 0; k < 4; ++k) sums[k] = lanes[k];
#endif
}

/// Of three rows at once: Ṽ is read once.
HWY_INLINE void relative_three(const ConstraintSide& a, const ConstraintSide& b, float* result) {
  const Lanes d;
  auto s0 = hn::Zero(d), s1 = hn::Zero(d), s2 = hn::Zero(d);
  const auto width = static_cast<std::ptrdiff_t>(hn::Lanes(d));
  for (std::ptrdiff_t k = 0; k < a.length; k += width) {
    const auto x = hn::LoadU(d, a.velocity + k);
    s0 = hn::MulAdd(hn::LoadU(d, a.rows + k), x, s0);
    s1 = hn::MulAdd(hn::LoadU(d, a.rows + a.length + k), x, s1);
    s2 = hn::MulAdd(hn::LoadU(d, a.rows + 2 * a.length + k), x, s2);
  }
  for (std::ptrdiff_t k = 0; k < b.length; k += width) {
    const auto x = hn::LoadU(d, b.velocity + k);
    s0 = hn::NegMulAdd(hn::LoadU(d, b.rows + k), x, s0);
    s1 = hn::NegMulAdd(hn::LoadU(d, b.rows + b.length + k), x, s1);
    s2 = hn::NegMulAdd(hn::LoadU(d, b.rows + 2 * b.length + k), x, s2);
  }
  float sums[4];
  sum_four(s0, s1, s2, hn::Zero(d), sums);
  for (int r = 0; r < 3; ++r) result[r] = sums[r];
}

/// Of the normal: its velocity, and what it has moved by.
HWY_INLINE void relative_normal(const ContactConstraint& c, float& velocity, float& moved) {
  const Lanes d;
  auto v = hn::Zero(d), m = hn::Zero(d);
  const auto width = static_cast<std::ptrdiff_t>(hn::Lanes(d));
  for (std::ptrdiff_t k = 0; k < c.a.length; k += width) {
    const auto row = hn::LoadU(d, c.a.rows + k);
    v = hn::MulAdd(row, hn::LoadU(d, c.a.velocity + k), v);
    m = hn::MulAdd(row, hn::LoadU(d, c.a.displacement() + k), m);
  }
  for (std::ptrdiff_t k = 0; k < c.b.length; k += width) {
    const auto row = hn::LoadU(d, c.b.rows + k);
    v = hn::NegMulAdd(row, hn::LoadU(d, c.b.velocity + k), v);
    m = hn::NegMulAdd(row, hn::LoadU(d, c.b.displacement() + k), m);
  }
  velocity = hn::GetLane(hn::SumOfLanes(d, v));
  moved = hn::GetLane(hn::SumOfLanes(d, m));
}

/// A place between two bodies goes with the mean of both, so that it is the same for both.
void find_shift(ContactConstraint& c, int look) {
  const Lanes d;
  auto n_a = hn::Zero(d), n_b = hn::Zero(d), s1 = hn::Zero(d), s2 = hn::Zero(d);
  const auto width = static_cast<std::ptrdiff_t>(hn::Lanes(d));
  for (std::ptrdiff_t k = 0; k < c.a.length; k += width) {
    const auto x = hn::LoadU(d, c.a.displacement() + k);
    n_a = hn::MulAdd(hn::LoadU(d, c.a.rows + k), x, n_a);
    s1 = hn::MulAdd(hn::LoadU(d, c.a.rows + c.a.length + k), x, s1);
    s2 = hn::MulAdd(hn::LoadU(d, c.a.rows + 2 * c.a.length + k), x, s2);
  }
  for (std::ptrdiff_t k = 0; k < c.b.length; k += width) {
    const auto x = hn::LoadU(d, c.b.displacement() + k);
    n_b = hn::MulAdd(hn::LoadU(d, c.b.rows + k), x, n_b);
    s1 = hn::MulAdd(hn::LoadU(d, c.b.rows + c.b.length + k), x, s1);
    s2 = hn::MulAdd(hn::LoadU(d, c.b.rows + 2 * c.b.length + k), x, s2);
  }
  float sums[4];
  sum_four(n_a, n_b, s1, s2, sums);
  const float share = c.b.length > 0 ? 0.5F : 1.0F;
  c.shift[0] = share * (sums[0] + sums[1]);
  c.shift[1] = share * sums[2];
  c.shift[2] = share * sums[3];
  c.shifted_at = look;
}

HWY_INLINE void set_gap(ContactConstraint& c, float moved, const SweepSettings& settings) {
  c.gap = c.first_gap + moved - c.drift[0] * settings.elapsed;
}

/// Of a contact that carries load, once the bodies have moved: gap, place and velocities. The rows
/// are read once.
HWY_INLINE void look_at(ContactConstraint& c, const SweepSettings& settings, float* velocities) {
  const Lanes d;
  auto v0 = hn::Zero(d), v1 = v0, v2 = v0, n_a = v0, n_b = v0, s1 = v0, s2 = v0;
  const auto width = static_cast<std::ptrdiff_t>(hn::Lanes(d));
  for (std::ptrdiff_t k = 0; k < c.a.length; k += width) {
    const auto v = hn::LoadU(d, c.a.velocity + k), x = hn::LoadU(d, c.a.displacement() + k);
    const auto r0 = hn::LoadU(d, c.a.rows + k);
    const auto r1 = hn::LoadU(d, c.a.rows + c.a.length + k);
    const auto r2 = hn::LoadU(d, c.a.rows + 2 * c.a.length + k);
    v0 = hn::MulAdd(r0, v, v0);
    v1 = hn::MulAdd(r1, v, v1);
    v2 = hn::MulAdd(r2, v, v2);
    n_a = hn::MulAdd(r0, x, n_a);
    s1 = hn::MulAdd(r1, x, s1);
    s2 = hn::MulAdd(r2, x, s2);
  }
  for (std::ptrdiff_t k = 0; k < c.b.length; k += width) {
    const auto v = hn::LoadU(d, c.b.velocity + k), x = hn::LoadU(d, c.b.displacement() + k);
    const auto r0 = hn::LoadU(d, c.b.rows + k);
    const auto r1 = hn::LoadU(d, c.b.rows + c.b.length + k);
    const auto r2 = hn::LoadU(d, c.b.rows + 2 * c.b.length + k);
    v0 = hn::NegMulAdd(r0, v, v0);
    v1 = hn::NegMulAdd(r1, v, v1);
    v2 = hn::NegMulAdd(r2, v, v2);
    n_b = hn::MulAdd(r0, x, n_b);
    s1 = hn::MulAdd(r1, x, s1);
    s2 = hn::MulAdd(r2, x, s2);
  }
  float now[4], moved[4];
  sum_four(v0, v1, v2, n_a, now);
  sum_four(n_b, s1, s2, hn::Zero(d), moved);
  for (int r = 0; r < 3; ++r) velocities[r] = now[r];
  set_gap(c, now[3] - moved[0], settings);
  const float share = c.b.length > 0 ? 0.5F : 1.0F;
  c.shift[0] = share * (now[3] + moved[0]);
  c.shift[1] = share * moved[1];
  c.shift[2] = share * moved[2];
  c.shifted_at = settings.look;
}

void track(ContactConstraint* contacts, int count, const SweepSettings& settings) {
  for (int k = 0; k < count; ++k) {
    ContactConstraint& c = contacts[k];
    float velocity, moved;
    relative_normal(c, velocity, moved);
    set_gap(c, moved, settings);
    if (c.loaded()) find_shift(c, settings.look);
  }
}

HWY_INLINE void push_three(const ConstraintSide& side, float p0, float p1, float p2) {
  const Lanes d;
  const auto i0 = hn::Set(d, p0), i1 = hn::Set(d, p1), i2 = hn::Set(d, p2);
  for (std::ptrdiff_t k = 0; k < side.length; k += static_cast<std::ptrdiff_t>(hn::Lanes(d))) {
    auto v = hn::LoadU(d, side.velocity + k);
    v = hn::MulAdd(hn::LoadU(d, side.rows + k), i0, v);
    v = hn::MulAdd(hn::LoadU(d, side.rows + side.length + k), i1, v);
    v = hn::MulAdd(hn::LoadU(d, side.rows + 2 * side.length + k), i2, v);
    hn::StoreU(v, d, side.velocity + k);
  }
}

HWY_INLINE void push_row(const ConstraintSide& side, int row, float p) {
  const Lanes d;
  const auto impulse = hn::Set(d, p);
  const float* values = side.rows + row * side.length;
  for (std::ptrdiff_t k = 0; k < side.length; k += static_cast<std::ptrdiff_t>(hn::Lanes(d))) {
    const auto v = hn::LoadU(d, side.velocity + k);
    hn::StoreU(hn::MulAdd(hn::LoadU(d, values + k), impulse, v), d, side.velocity + k);
  }
}

void relative(const ConstraintSide& a, const ConstraintSide& b, const float* x_a, const float* x_b,
              int rows, float* result) {
  const Lanes d;
  for (int r = 0; r < rows; ++r) {
    auto sum = add_product(d, a.rows + r * a.length, x_a, a.length, hn::Zero(d));
    sum = subtract_product(d, b.rows + r * b.length, x_b, b.length, sum);
    result[r] = hn::GetLane(hn::SumOfLanes(d, sum));
  }
}

void gram(const ConstraintSide& a, const ConstraintSide& b, int rows, float* W, int stride) {
  const Lanes d;
  for (int r = 0; r < rows; ++r) {
    for (int c = 0; c <= r; ++c) {
      auto sum =
          add_product(d, a.rows + r * a.length, a.rows + c * a.length, a.length, hn::Zero(d));
      sum = add_product(d, b.rows + r * b.length, b.rows + c * b.length, b.length, sum);
      W[r * stride + c] = W[c * stride + r] = hn::GetLane(hn::SumOfLanes(d, sum));
    }
  }
}

/// The tangent impulse that stops slipping or, where the disc of radius `most` ends before, points
/// against the slip. There steps are as long in every direction: with W's inverse the impulse would
/// settle against W's image of the slip instead, and contacts would pull against each other.
HWY_INLINE void stop_slip(const ContactConstraint& c, const float* v, float most, float* t) {
  t[0] = c.impulse[1] - (c.tangent_inverse[0] * v[1] + c.tangent_inverse[1] * v[2]);
  t[1] = c.impulse[2] - (c.tangent_inverse[1] * v[1] + c.tangent_inverse[2] * v[2]);
  if (t[0] * t[0] + t[1] * t[1] <= most * most) return;
  t[0] = c.impulse[1] - v[1] / c.tangent_most;
  t[1] = c.impulse[2] - v[2] / c.tangent_most;
  const float squared = t[0] * t[0] + t[1] * t[1];
  if (squared <= most * most) return;
  const float scale = most / std::sqrt(squared);
  t[0] *= scale;
  t[1] *= scale;
}

/// Sets the impulses to (p, t) and carries the difference to both bodies.
HWY_INLINE void change_impulse(ContactConstraint& c, float p, const float* t) {
  const float d0 = p - c.impulse[0], d1 = t[0] - c.impulse[1], d2 = t[1] - c.impulse[2];
  // What is no number (numbers beyond float's) must not spread to others.
  if (!std::isfinite(d0 + d1 + d2)) return;
  c.impulse[0] = p;
  c.impulse[1] = t[0];
  c.impulse[2] = t[1];
  push_three(c.a, d0, d1, d2);
  if (c.b.length > 0) push_three(c.b, -d0, -d1, -d2);
}

/// Friction for a new normal impulse: the tangents' velocities once the normal has acted.
HWY_INLINE void set_normal(ContactConstraint& c, float p, float* v) {
  const float change = p - c.impulse[0];
  v[1] += c.W[1][0] * change;
  v[2] += c.W[2][0] * change;
  float t[2];
  stop_slip(c, v, c.friction * p, t);
  change_impulse(c, p, t);
  c.most_impulse = std::max(c.most_impulse, p);
}

struct Bias {
  float velocity = 0, gamma = 0;

  HWY_INLINE Bias(const ContactConstraint& c, const SweepSettings& settings) {
    if (c.gap > 0) {
      velocity = c.gap / settings.h;  // speculative: it may close, not more
    } else if (!settings.relax) {
      velocity = std::max(c.beta * std::min(c.gap + c.slop, 0.0F), -settings.push_speed);
      gamma = c.gamma;
    }
  }
  /// CONTACT: Δp = −(v + bias + γp)/(W + γ), p ≥ 0.
  [[nodiscard]] HWY_INLINE float change(const ContactConstraint& c, float v) const {
    return -(v + velocity + gamma * c.impulse[0]) / (c.W[0][0] + gamma);
  }
};

void sweep_contacts(ContactConstraint* contacts, int count, const SweepSettings& settings) {
  for (int k = 0; k < count; ++k) {
    ContactConstraint& c = contacts[k];
    float v[3];
    if (!c.loaded()) {
      float moved;
      relative_normal(c, v[0], moved);
      if (settings.track) set_gap(c, moved, settings);
      // What does not close carries nothing: two of three rows need not be read.
      if (!(Bias(c, settings).change(c, v[0] - c.drift[0]) > 0)) continue;
      relative_three(c.a, c.b, v);
    } else if (settings.track) {
      look_at(c, settings, v);
    } else {
      relative_three(c.a, c.b, v);
    }
    for (int r = 0; r < 3; ++r) v[r] -= c.drift[r];
    const Bias bias(c, settings);
    set_normal(c, std::max(c.impulse[0] + bias.change(c, v[0]), 0.0F), v);
  }
}

void restitute(ContactConstraint* contacts, int count, float threshold) {
  for (int k = 0; k < count; ++k) {
    ContactConstraint& c = contacts[k];
    if (c.restitution == 0 || c.approach > -threshold || c.most_impulse == 0) continue;
    float v[3];
    relative_three(c.a, c.b, v);
    for (int r = 0; r < 3; ++r) v[r] -= c.drift[r];
    const float change = -(v[0] + c.restitution * c.approach) / c.W[0][0];
    set_normal(c, std::max(c.impulse[0] + change, 0.0F), v);
  }
}

void penalise(ContactConstraint* contacts, int count, float h, float frequency, float damping) {
  for (int k = 0; k < count; ++k) {
    ContactConstraint& c = contacts[k];
    float v[3];
    relative_three(c.a, c.b, v);
    for (int r = 0; r < 3; ++r) v[r] -= c.drift[r];
    const float mass = 1 / c.W[0][0];
    const float depth = -std::min(c.gap, 0.0F);
    const float force = mass * frequency * (frequency * depth - 2 * damping * v[0]);
    set_normal(c, depth > 0 ? std::max(h * force, 0.0F) : 0.0F, v);
  }
}

void sweep_joints(JointConstraint* joints, int count, const SweepSettings& settings) {
  // A fifth of the error a substep: undone within a few, without overshooting.
  constexpr float kRate = 0.2F;
  for (int k = 0; k < count; ++k) {
    JointConstraint& j = joints[k];
    float v[3] = {};
    relative(j.a, j.b, j.a.velocity, j.b.velocity, j.rows, v);
    for (int r = 0; r < j.rows; ++r) {
      v[r] -= j.drift[r] + j.target;
      const float undo =
          std::clamp(kRate * j.error[r] / settings.h, -settings.push_speed, settings.push_speed);
      if (j.limit && j.error[r] > 0) {
        v[r] += j.error[r] / settings.h;
      } else if (!settings.relax) {
        v[r] += undo;
      }
    }
    for (int r = 0; r < j.rows; ++r) {
      float change = 0;
      for (int c = 0; c < j.rows; ++c) change -= j.inverse[r][c] * v[c];
      if (j.rows == 1)
        change = std::clamp(j.impulse[0] + change, j.lowest, j.highest) - j.impulse[0];
      if (!std::isfinite(change)) continue;
      j.impulse[r] += change;
      push_row(j.a, r, change);
      if (j.b.length > 0) push_row(j.b, r, -change);
    }
  }
}

void warm_start(const ContactConstraint* contacts, int contact_count, const JointConstraint* joints,
                int joint_count) {
  for (int k = 0; k < joint_count; ++k) {
    const JointConstraint& j = joints[k];
    for (int r = 0; r < j.rows; ++r) {
      push_row(j.a, r, j.impulse[r]);
      if (j.b.length > 0) push_row(j.b, r, -j.impulse[r]);
    }
  }
  for (int k = 0; k < contact_count; ++k) {
    const ContactConstraint& c = contacts[k];
    push_three(c.a, c.impulse[0], c.impulse[1], c.impulse[2]);
    if (c.b.length > 0) push_three(c.b, -c.impulse[0], -c.impulse[1], -c.impulse[2]);
  }
}

}  // namespace limber::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace limber::kernels {

HWY_EXPORT(sweep_contacts);
HWY_EXPORT(sweep_joints);
HWY_EXPORT(track);
HWY_EXPORT(find_shift);
HWY_EXPORT(warm_start);
HWY_EXPORT(restitute);
HWY_EXPORT(penalise);
HWY_EXPORT(relative);
HWY_EXPORT(gram);

void sweep_contacts(ContactConstraint* contacts, int count, const SweepSettings& settings) {
  HWY_DYNAMIC_DISPATCH(sweep_contacts)(contacts, count, settings);
}
void sweep_joints(JointConstraint* joints, int count, const SweepSettings& settings) {
  HWY_DYNAMIC_DISPATCH(sweep_joints)(joints, count, settings);
}
void track(ContactConstraint* contacts, int count, const SweepSettings& settings) {
  HWY_DYNAMIC_DISPATCH(track)(contacts, count, settings);
}
void find_shift(ContactConstraint& contact, int look) {
  HWY_DYNAMIC_DISPATCH(find_shift)(contact, look);
}
void warm_start(const ContactConstraint* contacts, int contact_count, const JointConstraint* joints,
                int joint_count) {
  HWY_DYNAMIC_DISPATCH(warm_start)(contacts, contact_count, joints, joint_count);
}
void restitute(ContactConstraint* contacts, int count, float threshold) {
  HWY_DYNAMIC_DISPATCH(restitute)(contacts, count, threshold);
}
void penalise(ContactConstraint* contacts, int count, float h, float frequency, float damping) {
  HWY_DYNAMIC_DISPATCH(penalise)(contacts, count, h, frequency, damping);
}
void relative(const ConstraintSide& a, const ConstraintSide& b, const float* x_a, const float* x_b,
              int rows, float* result) {
  HWY_DYNAMIC_DISPATCH(relative)(a, b, x_a, x_b, rows, result);
}
void gram(const ConstraintSide& a, const ConstraintSide& b, int rows, float* W, int stride) {
  HWY_DYNAMIC_DISPATCH(gram)(a, b, rows, W, stride);
}

}  // namespace limber::kernels
#endif
