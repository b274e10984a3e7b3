// What a body has beyond its modes, as handles see it: points that they hold give way by it too.
//
// Symbols: y (d) coordinates of the detail; J~ (3×d) rows of a point, whose detail, turned as its
// nodes are and in the body's frame, is J~ y (m). A force F on the point over a step of h seconds
// changes ẏ by h J~ᵀF and y by h times that.
#pragma once

#include <span>

#include "limber/core/types.h"
#include "limber/dynamics/body_point.h"

namespace limber {

class HeldDetail {
 public:
  virtual ~HeldDetail() = default;

  /// d, now and at most.
  [[nodiscard]] virtual Eigen::Index length() const = 0;
  [[nodiscard]] virtual Eigen::Index most_length() const = 0;
  /// J~ where nodes are turned by R~(Ψq); `rows` 3×length().
  virtual void point_rows(const BodyPoint& point, const Vector& q,
                          Eigen::Ref<ModeMatrix> rows) const noexcept = 0;
  /// y at the start of the step, and at its end as found so far; zero from length() on.
  [[nodiscard]] virtual const Vector& start() const = 0;
  [[nodiscard]] virtual const Vector& end() const = 0;
  /// J~ y of the end as found so far.
  [[nodiscard]] virtual Vec3 displacement(const BodyPoint& point,
                                          const Vector& q) const noexcept = 0;
  /// Changes ẏ of the end (length() numbers); where `move` positions follow, as by a force over the
  /// step.
  virtual void push(const Eigen::Ref<const Vector>& change, bool move) noexcept = 0;

  /// At rest: how far point `at` moves by its detail under a unit force at `from`, m/N.
  [[nodiscard]] virtual Mat3 flexibility(const BodyPoint& at, const BodyPoint& from,
                                         const Vector& q) const = 0;
  /// The detail of rest under forces (3 a point, N) and nothing else.
  virtual void rest_under(std::span<const BodyPoint> points, const Vector& forces,
                          const Vector& q) = 0;
};

}  // namespace limber
