// A small rigged .glb put together byte by byte: a rod of six vertices on two joints.
#pragma once

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>

#include "mesh/glb_files.h"

namespace limber {

/// JSON and buffer that grow together.
struct GlbParts {
  nlohmann::json json = {{"asset", {{"version", "2.0"}}}};
  std::string buffer;

  template <class T>
  int add(const std::vector<T>& values, const char* type, int component, std::size_t width) {
    buffer.append((4 - buffer.size() % 4) % 4, '\0');
    json["bufferViews"].push_back(
        {{"buffer", 0}, {"byteOffset", buffer.size()}, {"byteLength", values.size() * sizeof(T)}});
    for (const T value : values) buffer += bytes_of(value);
    json["accessors"].push_back({{"bufferView", json["bufferViews"].size() - 1},
                                 {"componentType", component},
                                 {"count", values.size() / width},
                                 {"type", type}});
    return static_cast<int>(json["accessors"].size()) - 1;
  }
  int floats(const std::vector<float>& values, const char* type, std::size_t width) {
    return add(values, type, 5126, width);
  }
  [[nodiscard]] std::string file() const {
    nlohmann::json whole = json;
    whole["buffers"] = {{{"byteLength", buffer.size()}}};
    return glb_file(whole.dump(), buffer);
  }
};

/// Vertices 2k and 2k+1 at x = k, z = 0 and 1; joint 0 at the origin, joint 1 at x = 1. The middle
/// pair hangs half on each, the last on joint 1. Node 0 shows the mesh and is placed absurdly,
/// which skins ignore. Node 1 carries the joints and stands at y = 10. The clip "Rig|Bend" turns
/// joint 1 about z by a quarter in a second.
inline GlbParts bent_rod() {
  GlbParts parts;
  const int positions =
      parts.floats({0, 0, 0, 0, 0, 1, 1, 0, 0, 1, 0, 1, 2, 0, 0, 2, 0, 1}, "VEC3", 3);
  const int indices =
      parts.add<std::uint8_t>({0, 1, 2, 2, 1, 3, 2, 3, 4, 4, 3, 5}, "SCALAR", 5121, 1);
  const int joints = parts.add<std::uint8_t>(
      {0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0}, "VEC4", 5121, 4);
  const int shares = parts.floats(
      {1, 0, 0, 0, 1, 0, 0, 0, .5F, .5F, 0, 0, .5F, .5F, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0}, "VEC4", 4);
  // Inverse binds by columns: joint 0 was at the origin, joint 1 at x = 1.
  const int binds = parts.floats({1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0,  0, 0, 1,
                                  1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -1, 0, 0, 1},
                                 "MAT4", 16);
  const int times = parts.floats({0, 1}, "SCALAR", 1);
  const auto half = static_cast<float>(std::numbers::sqrt2 / 2);
  const int turns = parts.floats({0, 0, 0, 1, 0, 0, half, half}, "VEC4", 4);
  parts.json["scenes"] = {{{"nodes", {0, 1}}}};
  parts.json["nodes"] = {
      {{"mesh", 0}, {"skin", 0}, {"scale", {100, 100, 100}}, {"translation", {5, 6, 7}}},
      {{"name", "armature"}, {"translation", {0, 10, 0}}, {"children", {2}}},
      {{"name", "upper"}, {"children", {3}}},
      {{"name", "lower"}, {"translation", {1, 0, 0}}}};
  parts.json["skins"] = {{{"joints", {2, 3}}, {"inverseBindMatrices", binds}}};
  parts.json["meshes"] = {
      {{"primitives",
        {{{"attributes", {{"POSITION", positions}, {"JOINTS_0", joints}, {"WEIGHTS_0", shares}}},
          {"indices", indices}}}}}};
  parts.json["animations"] = {
      {{"name", "Rig|Bend"},
       {"samplers", {{{"input", times}, {"output", turns}}}},
       {"channels", {{{"sampler", 0}, {"target", {{"node", 3}, {"path", "rotation"}}}}}}}};
  return parts;
}

}  // namespace limber
