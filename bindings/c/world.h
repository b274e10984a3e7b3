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
  std::shared_ptr<const Model> model;
  SkinMethod skin = SkinMethod::warped;
  bool told = false;  // that it has stopped
  std::vector<float> positions, normals;  // of drawing, 3 a vertex
};

}  // namespace limber::c

struct limber_world {
  limber::World world;
  limber::Vec3 gravity = limber::Vec3::Zero();
  std::vector<limber::c::Body> bodies;
  mutable limber::WorldSnapshot scratch;  // of saving
};

namespace limber::c {

[[nodiscard]] limber_body number_of(BodyId id);
/// Throw Error for a null world and for a number that is not, or no more, of a body in it.
[[nodiscard]] Body& body_of(limber_world* world, limber_body number);
[[nodiscard]] DynamicBody& dynamics_of(limber_world* world, limber_body number);
[[nodiscard]] const DynamicBody& dynamics_of(const limber_world* world, limber_body number);

}  // namespace limber::c
