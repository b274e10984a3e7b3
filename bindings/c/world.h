// A world as C callers know it: bodies by number, each with the model that draws it.
#pragma once

#include <memory>
#include <vector>

#include "limber/limber.h"
#include "limber/world/world.h"
#include "model.h"

namespace limber::c {

struct Body {
  BodyId id;
  std::shared_ptr<const Model> model;  // null: rigid
  SkinMethod skin = SkinMethod::warped;
  bool told = false;                      // that it has stopped
  std::vector<float> positions, normals;  // of drawing, 3 a vertex
};

struct Obstacle {
  limber_obstacle number = 0;
  int participant = kNobody;
};

struct JointEntry {
  limber_joint number = 0;
  int joint = 0;  // of the world's contacts
  std::uint64_t a = 0, b = 0;
};

}  // namespace limber::c

struct limber_world {
  limber::World world;
  limber::Vec3 gravity = limber::Vec3::Zero();
  std::vector<limber::c::Body> bodies;
  std::vector<limber::c::Obstacle> obstacles;
  std::vector<limber::c::JointEntry> joints;
  std::uint64_t next_number = 1;          // of obstacles and joints
  mutable limber::WorldSnapshot scratch;  // of saving
};

namespace limber::c {

[[nodiscard]] limber_body number_of(BodyId id);
/// Throw Error for a null world and for a number that is not, or no more, of a body in it.
[[nodiscard]] Body& body_of(limber_world* world, limber_body number);
[[nodiscard]] DynamicBody& dynamics_of(limber_world* world, limber_body number);
[[nodiscard]] const DynamicBody& dynamics_of(const limber_world* world, limber_body number);
/// The same of a body that something is about to be done to: it sleeps no more.
[[nodiscard]] DynamicBody& woken(limber_world* world, limber_body number);
/// The body with a model, or Error for a rigid one.
[[nodiscard]] Body& soft_body_of(limber_world* world, limber_body number);

[[nodiscard]] ContactPart contact_part(const limber_touch& touch, Collider::Shared collider);
/// A name for messages: the caller's, or one that nothing else has.
[[nodiscard]] std::string name_for(const char* given, const char* kind);
/// Joints of what is removed are gone with it.
void forget_joints(limber_world& world, std::uint64_t removed);
[[nodiscard]] Loads gravity_alone(const Vec3& gravity);

}  // namespace limber::c
