// Materials of a .glb with the pictures they carry, each picture embedded once.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "limber/mesh/formats/glb_container.h"
#include "limber/mesh/tri_mesh.h"

namespace limber::glb {

/// What decides a material besides its look.
struct Wearer {
  int number = 0;               ///< picks the colour of a plain look
  bool vertex_colours = false;  ///< a plain look is white under them
  bool textured = false;        ///< has texture coordinates; pictures are left out without
  bool double_sided = false;    ///< for surfaces with a border
};

/// Refers to the builder, which must outlive it; pictures are held by the builder.
class Materials {
 public:
  explicit Materials(Builder& builder) : builder_(builder) {}

  /// Appends a material to the builder's document and returns its number.
  int add(const std::string& name, const SurfaceLook& look, const Wearer& wearer);

 private:
  [[nodiscard]] int texture(const std::shared_ptr<const SurfaceImage>& image);

  Builder& builder_;
  std::vector<std::shared_ptr<const SurfaceImage>> images_;  // texture i shows image i
};

}  // namespace limber::glb
