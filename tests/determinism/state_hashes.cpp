// state_hashes [plain | snapshot | threads]: a line "HASH NAME" for each of ten scenes after 1,000
// steps. snapshot: goes on from step 500 a second time. threads: all scenes at once, each on a
// thread of its own. The lines must be the same in all cases.
#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "limber/core/checksum.h"
#include "limber/scene/scene_world.h"

namespace limber {
namespace {

constexpr int kSteps = 1000;

/// A bar with one end fixed, its support shaken, pulled by a hand, played by one method.
std::string held_bar(const std::string& method) {
  return fmt::format(R"({{"limber": 1, "time_step": 0.005, "bodies": [{{
    "shape": "bar", "size": [1, 0.2, 0.2], "cells": [5, 1, 1], "modes": 8, "method": "{}",
    "material": {{"young": 2e5, "poisson": 0.3, "density": 1000}}, "fixed": "x<=0.001",
    "damping": {{"mass": 0.1, "stiffness": 0.01}},
    "support": [{{"time": 0}}, {{"time": 2, "position": [0, 0.3, 0]}}, {{"time": 5}}],
    "constraints": [{{"type": "soft", "node": [1, 0.2, 0.2], "stiffness": 50, "damping": 1,
      "path": [{{"time": 0, "target": [1, 0.2, 0.2]}}, {{"time": 3, "target": [0.9, 0.4, 0.3]}}]}}]
  }}]}})",
                     method);
}

constexpr const char* kFallingBox = R"({"limber": 1, "time_step": 0.005, "ground": {},
  "bodies": [{"shape": "bar", "size": [0.3, 0.3, 0.3], "cells": [2, 2, 2], "modes": 10,
    "material": {"young": 2e5, "poisson": 0.3, "density": 1000}, "position": [0, 0.5, 0],
    "rotation": [0.1, 0.2, 0.3, 0.9], "velocity": [1, 0, 0.5], "angular_velocity": [1, 2, 3]}]})";

constexpr const char* kChain = R"({"limber": 1, "time_step": 0.005, "bodies": [
  {"name": "a", "shape": "bar", "size": [1, 0.2, 0.2], "cells": [4, 1, 1], "modes": 8,
   "material": {"young": 1e6, "poisson": 0.3, "density": 1000}},
  {"name": "b", "shape": "bar", "size": [1, 0.2, 0.2], "cells": [4, 1, 1], "position": [1, 0, 0],
   "modes": 8, "material": {"young": 1e6, "poisson": 0.3, "density": 1000}}],
  "joints": [{"type": "ball", "bodies": ["a", null], "at": [0, 0.1, 0.1]},
             {"type": "hinge", "bodies": ["a", "b"], "at": [1, 0.1, 0.1], "axis": [0, 0, 1]}]})";

struct NamedScene {
  std::string name;
  std::string text;
};

std::vector<NamedScene> scenes() {
  std::vector<NamedScene> all;
  for (const char* method : {"linear-modal", "modal-warping", "rotation-strain", "linear",
                             "stiffness-warping", "corotational", "stvk", "neo-hookean"}) {
    all.push_back({method, held_bar(method)});
  }
  all.push_back({"falling-box", kFallingBox});
  all.push_back({"chain", kChain});
  return all;
}

std::uint64_t hash_of(const SceneWorld& scene) {
  std::vector<double> state{scene.world().time()};
  for (const WorldBody& body : scene.world().bodies()) {
    Positions nodes(body.dynamics->node_count(), 3);
    body.dynamics->node_positions(nodes);
    state.insert(state.end(), nodes.data(), nodes.data() + nodes.size());
    body.dynamics->node_velocities(nodes);
    state.insert(state.end(), nodes.data(), nodes.data() + nodes.size());
  }
  return checksum(std::as_bytes(std::span(state)));
}

void steps(SceneWorld& scene, int count) {
  for (int k = 0; k < count; ++k) scene.step();
}

std::string line_of(const NamedScene& one, bool by_snapshot) {
  SceneWorld scene(parse_scene(one.text, "", one.name));
  steps(scene, kSteps / 2);
  const WorldSnapshot middle = scene.world().snapshot();
  steps(scene, kSteps / 2);
  if (by_snapshot) {
    scene.restore(middle);
    steps(scene, kSteps / 2);
  }
  return fmt::format("{:016x} {}", hash_of(scene), one.name);
}

}  // namespace
}  // namespace limber

int main(int argc, char** argv) {
  using namespace limber;
  const std::string way = argc > 1 ? argv[1] : "plain";
  const std::vector<NamedScene> all = scenes();
  std::vector<std::string> lines(all.size());
  std::vector<std::thread> threads;
  for (std::size_t k = 0; k < all.size(); ++k) {
    const auto work = [&, k] { lines[k] = line_of(all[k], way == "snapshot"); };
    if (way == "threads") {
      threads.emplace_back(work);
    } else {
      work();
    }
  }
  for (std::thread& thread : threads) thread.join();
  for (const std::string& line : lines) std::puts(line.c_str());
  return 0;
}
