// What a scene shows besides its elastic bodies: obstacles, fixed, on keys or with a mass.
#pragma once

#include <string>
#include <vector>

#include "limber/mesh/tri_mesh.h"
#include "limber/world/world.h"

namespace limber {

struct SceneProp {
  std::string name;
  TriMesh surface;  // in its own coordinates
  int participant;
};

/// All but planes, which have no end.
[[nodiscard]] std::vector<SceneProp> props_of(const World& world);

/// Its vertices (v×3) in the world, at the world's time.
[[nodiscard]] Positions positions_of(const SceneProp& prop, const World& world);

}  // namespace limber
