// Small .glb files put together byte by byte.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "mesh/two_tets.h"

namespace limber {

/// The container around any JSON text and buffer.
inline std::string glb_file(std::string json, std::string binary) {
  json.append((4 - json.size() % 4) % 4, ' ');
  binary.append((4 - binary.size() % 4) % 4, '\0');
  const auto word = [](std::size_t n) { return bytes_of(static_cast<std::uint32_t>(n)); };
  return word(0x46546C67) + word(2) + word(12 + 8 + json.size() + 8 + binary.size()) +
         word(json.size()) + word(0x4E4F534A) + json + word(binary.size()) + word(0x004E4942) +
         binary;
}

/// Two nodes show one square of two triangles: as it is, and under a parent, moved up by 5 along z,
/// mirrored in x. Vertices lie interleaved: float position, then texture coordinates as bytes, with
/// vertex 4 at the place of vertex 0 but across a seam. Indices are bytes.
inline nlohmann::json two_squares_json() {
  return nlohmann::json::parse(R"({
    "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0, 1]}],
    "nodes": [{"mesh": 0}, {"translation": [0, 0, 5], "children": [2]},
              {"mesh": 0, "scale": [-1, 1, 1]}],
    "meshes": [{"primitives": [{"attributes": {"POSITION": 0, "TEXCOORD_0": 1}, "indices": 2,
                                "material": 0}]}],
    "materials": [{"name": "cloth"}],
    "buffers": [{"byteLength": 88}],
    "bufferViews": [{"buffer": 0, "byteLength": 80, "byteStride": 16},
                    {"buffer": 0, "byteOffset": 80, "byteLength": 6}],
    "accessors": [
      {"bufferView": 0, "componentType": 5126, "count": 5, "type": "VEC3"},
      {"bufferView": 0, "byteOffset": 12, "componentType": 5121, "normalized": true, "count": 5,
       "type": "VEC2"},
      {"bufferView": 1, "componentType": 5121, "count": 6, "type": "SCALAR"}]})");
}

inline std::string two_squares_buffer() {
  const std::vector<std::array<float, 3>> positions = {
      {0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 0}};
  const std::vector<std::array<int, 2>> uv = {{0, 255}, {255, 255}, {255, 0}, {0, 0}, {51, 255}};
  std::string bytes;
  for (std::size_t i = 0; i < positions.size(); ++i) {
    for (const float x : positions[i]) bytes += bytes_of(x);
    for (const int u : uv[i]) bytes += static_cast<char>(u);
    bytes += std::string(2, '\0');
  }
  return bytes + std::string({0, 1, 2, 4, 2, 3});
}

inline std::string two_squares_glb() {
  return glb_file(two_squares_json().dump(), two_squares_buffer());
}

}  // namespace limber
