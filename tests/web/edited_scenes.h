// Scenes that tests edit, and what must hold of them whatever was done.
#pragma once

#include <gtest/gtest.h>

#include "limber/scene/scene_world.h"
#include "server/world_simulation.h"

namespace limber::studio {

inline nlohmann::json ball(const char* name, const Vec3& position) {
  return {{"name", name},
          {"shape", "sphere"},
          {"size", {0.3}},
          {"cells", {3}},
          {"material", {{"young", 1e5}, {"poisson", 0.4}, {"density", 1000}}},
          {"damping", {{"mass", 1}, {"stiffness", 0.01}}},
          {"position", {position.x(), position.y(), position.z()}},
          {"modes", 8}};
}

inline nlohmann::json one_ball() {
  return {{"limber", 1},
          {"time_step", 1.0 / 60},
          {"bodies", nlohmann::json::array({ball("ball", {0, 0.5, 0})})}};
}

inline std::unique_ptr<Simulation> edited(const Simulation& scene, const SceneEdit& edit) {
  Change change;
  change.edit = edit;
  return scene.rebuild(change)({});
}

/// The studio's scene after a reset against `limber simulate` on the file that it saves.
inline void expect_same_bits(Simulation& studio, int steps) {
  studio.reset();
  SceneWorld simulated(parse_scene(studio.scene_file(), "", "saved"));
  for (int k = 0; k < steps; ++k) {
    studio.step();
    simulated.step();
    const std::vector<Positions> shown = studio.surfaces();
    ASSERT_EQ(shown.size(), simulated.bodies().size());
    for (std::size_t b = 0; b < shown.size(); ++b) {
      const SceneBody& body = simulated.bodies()[b];
      ASSERT_EQ(shown[b], body.surface_positions(body.node_positions())) << k << " " << body.name();
    }
  }
}

}  // namespace limber::studio
