// The region that a body's triangles mean: what their walls enclose, and a layer around sheets.
#pragma once

#include "limber/mesh/spatial/triangle_tree.h"
#include "limber/mesh/spatial/winding_number.h"
#include "limber/mesh/tetrahedralize/background_grid.h"
#include "limber/mesh/tetrahedralize/roles.h"
#include "limber/mesh/tetrahedralize/touching.h"

namespace limber {

class Solid {
 public:
  Solid(const Soup& body, const Roles& roles);

  /// Half the thickness that sheets get, and with flood fill every triangle; m. 0 at first.
  void set_sheet_radius(double radius) { sheet_radius_ = radius; }

  /// All triangles, numbered as in the body.
  [[nodiscard]] const TriangleTree& triangles() const { return triangles_; }
  [[nodiscard]] InsideTest test() const { return test_; }
  [[nodiscard]] double sheet_radius() const { return sheet_radius_; }

  /// With flood fill only the layer around the triangles is known to be inside.
  [[nodiscard]] bool inside(const Vec3& p) const;

  /// Of the walls alone.
  [[nodiscard]] double winding(const Vec3& p) const { return winding_(p); }
  /// Walls without a border and no sheets: inside changes at triangles only.
  [[nodiscard]] bool sealed() const { return sealed_; }

  /// For each node of the grid; `touching` lists the triangles of this solid at each of its tets.
  [[nodiscard]] std::vector<bool> inside_nodes(const BackgroundGrid& grid,
                                               const Touching& touching) const;

  /// The fraction of the way from `in`, which is inside, to `out`, which is not, at which the
  /// region ends.
  [[nodiscard]] double crossing(const Vec3& in, const Vec3& out) const;

  /// The place on the region's border nearest to p, for p near it; p itself where the border is
  /// farther than `reach`.
  [[nodiscard]] Vec3 onto_border(const Vec3& p, double reach) const;

 private:
  [[nodiscard]] std::vector<bool> flooded_nodes(const BackgroundGrid& grid,
                                                const Touching& touching) const;
  [[nodiscard]] double layer_end(const Vec3& in, const Vec3& out) const;
  [[nodiscard]] double bisect(const Vec3& in, const Vec3& out) const;

  InsideTest test_;
  double sheet_radius_ = 0;
  bool sealed_ = false;
  TriangleTree triangles_;
  TriangleTree layered_;  ///< the triangles with a layer around them
  WindingNumber winding_;
};

}  // namespace limber
