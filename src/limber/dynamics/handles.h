// What a person holds: a point of a body, where it should go, how it should turn. The same words
// for bodies of every method; how a method makes it so is its own business.
//
// Targets of a body on a support are in the support's frame at rest coordinates, those of a free
// body in world coordinates.
#pragma once

#include <vector>

#include "limber/dynamics/body_point.h"
#include "limber/dynamics/frame/path.h"

namespace limber {

/// Choi & Ko 2005, section V; velocity and acceleration: Hauser et al. 2003, eqs. 13 and 14.
enum class HandleKind {
  position,      ///< target: where the point is, m
  orientation,   ///< target: rotation vector of the point since rest, rad
  velocity,      ///< target: m/s, right after the impulse at the step's start
  acceleration,  ///< target: m/s², at the step's start
  spring         ///< target: where a spring and damper pull the point (Müller et al. 2002, 4.2), m
};

/// Which state a position handle is linearised at (Choi & Ko 2005, footnote 4).
enum class Treatment {
  previous,   ///< the last constrained state: no offset at rest
  predicted,  ///< the unconstrained prediction: keeps a lasting offset
  newton      ///< the state looked for: holds while moving
};

struct Handle {
  HandleKind kind = HandleKind::position;
  BodyPoint point;
  Path target;
  Treatment treatment = Treatment::previous;
  /// Where forces act. Empty: the point itself; for orientations its nodes and their neighbours,
  /// since a force on the point alone cannot turn it about every axis.
  std::vector<BodyPoint> exercised;
  double stiffness = 0;  ///< springs: N/m
  double damping = 0;    ///< springs: N s/m
};

/// How far handles are from what they ask for, the largest of each kind.
struct HandleErrors {
  double position = 0;     // m
  double orientation = 0;  // rad
};

/// A force that a handle put on a point over the last step.
struct HandleForce {
  int handle = 0;
  BodyPoint point;
  Vec3 force = Vec3::Zero();  // N; support's frame, or world for free bodies
};

class Handles {
 public:
  virtual ~Handles() = default;

  /// Returns a number for move() and remove(). Throws Error, and changes nothing, when the point is
  /// not in the body or fixed, the target is not finite, or the method cannot hold it so.
  virtual int add(const Handle& handle) = 0;
  /// From now on the handle asks for this. Does not allocate. Throws Error for an unknown number or
  /// a target that is not finite.
  virtual void move(int handle, const Vec3& target) = 0;
  /// Throws Error for an unknown number: also when it was removed before.
  virtual void remove(int handle) = 0;
  [[nodiscard]] virtual bool empty() const = 0;

  /// Of the body as it stands.
  [[nodiscard]] virtual HandleErrors errors() const = 0;
  /// Over the last step, point by point; empty before the first.
  [[nodiscard]] virtual std::vector<HandleForce> forces() const = 0;
  /// Seconds spent on them so far.
  [[nodiscard]] virtual double seconds() const { return 0; }
};

}  // namespace limber
