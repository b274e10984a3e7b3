// What a scene file says about things that touch or hold each other.
#pragma once

#include <array>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "limber/contact/contacts.h"
#include "limber/mesh/tri_mesh.h"

namespace limber {

/// How a body or an obstacle meets others.
struct TouchDescription {
  ContactMaterial material;
  bool collides = true;
  std::vector<std::string> passes;  ///< names that it never touches
  std::optional<bool> self;  ///< of bodies: touches itself; none: as the scene's contact says
};

/// The half space below normal·x = offset is solid.
struct GroundDescription {
  Vec3 normal = Vec3::UnitY();
  double offset = 0;  // m, along the normal as it is given
  TouchDescription touch;
};

struct ObstacleDescription {
  std::string name;
  std::string shape;  // plane, sphere, box, capsule; empty: the surface
  std::vector<double> size;
  std::filesystem::path surface;                 // or
  std::shared_ptr<const TriMesh> given_surface;  // by a program
  std::vector<SupportKey> path;                  // one key where it stands still
  Interpolation interpolation = Interpolation::smooth;
  std::optional<double> mass;  // kg: it moves by itself
  Vec3 velocity = Vec3::Zero();
  Vec3 angular_velocity = Vec3::Zero();
  TouchDescription touch;
};

struct JointDescription {
  JointSpec spec;                     // its participants are known once the world is built
  std::array<std::string, 2> bodies;  // empty: the world
  std::string where;                  // in the file
};

}  // namespace limber
