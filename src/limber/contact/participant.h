// Someone who takes part in contact: a body, or an obstacle that goes its own way.
#pragma once

#include <cstdint>
#include <optional>

#include "limber/contact/posed_collider.h"
#include "limber/contact/self_shape.h"

namespace limber {

/// Instead of a participant's number.
constexpr int kNobody = -1;
constexpr int kTheWorld = -1;  ///< of joints: what never moves

struct ContactMaterial {
  /// Coulomb's μ: a pair has the geometric mean; who gives none takes the other's.
  std::optional<double> friction;
  double restitution = 0;  ///< of a pair: the larger one
};

/// Two touch when each is in a group that the other meets.
struct CollisionFilter {
  std::uint32_t groups = 1;
  std::uint32_t meets = ~0U;
};

struct Participant {
  PosedCollider posed;
  DynamicBody* body = nullptr;  // null: an obstacle
  SupportMotion motion;         // of obstacles
  ContactMaterial material;
  CollisionFilter filter;
  std::optional<bool> wants_self;         // as it was added; none: as the options say
  std::shared_ptr<const SelfShape> self;  // null: it passes through itself
  bool alive = true;
  bool stopped = false;  // a body that cannot go on
  bool moving = false;   // obstacles: in this step

  bool asleep = false;
  bool posed_asleep = false;  // its bounds and points are those of its sleep
  double still = 0;           // s at rest
  std::int32_t island = -1;   // whom it sleeps with

  Vec3 force = Vec3::Zero();  // over the last step, N

  int slot = -1;  // in the solver, in this step
  int row_capacity = 0;
  bool held = false;  // in this step, by others than itself

  /// Whether impulses move it.
  [[nodiscard]] bool dynamic() const { return body != nullptr && !stopped; }
  [[nodiscard]] double size() const { return posed.shape().size(); }
};

/// Of a pair. Both without: a half.
[[nodiscard]] double pair_friction(const ContactMaterial& a, const ContactMaterial& b);

}  // namespace limber
