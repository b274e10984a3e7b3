// Soft characters made by code: nobody's asset, at any resolution.
//
// Each stands on y = 0 around the y axis and looks along +z, with vertex colours, texture
// coordinates and triangles grouped by what they show ("body", "legs", "eyes" …: the material
// names), so that regions can get materials of their own.
#pragma once

#include <string>
#include <vector>

#include "limber/mesh/tri_mesh.h"

namespace limber {

struct CharacterDescription {
  std::string name;
  std::string text;  ///< what it is, for help
};

/// flubber, dino, elephant, bird, bunny, belly, jelly-box, tube, brain, hat, bowl.
[[nodiscard]] const std::vector<CharacterDescription>& character_descriptions();
[[nodiscard]] std::vector<std::string> character_names();

inline constexpr int kLeastCharacterVertices = 500;
inline constexpr int kMostCharacterVertices = 1'000'000;
inline constexpr int kDefaultCharacterVertices = 5000;

/// `height` in metres; about `vertices` vertices (within 15 %). All are closed, manifold and
/// oriented outward but the hat, which is open. Throws Error for an unknown name, which it compares
/// with the known ones, and for numbers out of range.
[[nodiscard]] TriMesh character(const std::string& name, int vertices = kDefaultCharacterVertices,
                                double height = 1);

}  // namespace limber
