// From what a scene says about contact to the world's obstacles, colliders and joints.
#pragma once

#include <map>
#include "limber/dynamics/full_space/ground.h"
#include "limber/scene/body_source.h"
#include "limber/scene/scene_file.h"
#include "limber/world/world.h"

namespace limber {

/// Whether anything in the scene can touch or hold anything else.
[[nodiscard]] bool has_contact(const SceneDescription& scene);

/// How the body can be touched: nothing where has_contact() says that nothing could.
[[nodiscard]] ContactPart contact_part(const BodyDescription& description, const BodySource& source,
                                       const SceneDescription& scene);

/// The ground as a body at full resolution meets it: a part of its own equations. Throws Error for
/// what those do not know.
[[nodiscard]] std::optional<GroundPlane> ground_plane(const BodyDescription& description,
                                                      const SceneDescription& scene);

/// Options, ground and obstacles.
void add_surroundings(const SceneDescription& scene, World& world);
/// Pairs that pass through each other, and joints: when all bodies are there. `bodies`: what became
/// of each name, one for each loose piece, the largest first.
void add_relations(const SceneDescription& scene,
                   const std::multimap<std::string, BodyId>& bodies, World& world);

}  // namespace limber
