// Fills one body, by either way.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "limber/mesh/tetrahedralize/bodies.h"
#include "limber/mesh/tetrahedralize/pieces.h"
#include "limber/mesh/tetrahedralize/resolution.h"
#include "limber/mesh/tetrahedralize/sharp_features.h"
#include "limber/mesh/tetrahedralize/sizing.h"
#include "limber/mesh/tetrahedralize/tetrahedralize.h"

namespace limber {

struct BodyMesh {
  TetMesh mesh;
  std::vector<std::int32_t> tet_of_vertex;  ///< for each vertex of the body
  FillMode mode = FillMode::cage;
  int copied_tets = 0;
  int pieces = 1;  ///< of a conforming mesh, without islands
  int islands_removed = 0;
  double islands_volume = 0;     ///< m³
  Resolution resolution;         ///< of a conforming mesh
  std::string fell_back;         ///< why a cage was taken where it was not asked for; else empty
  bool came_apart = false;       ///< parts of the surface that touch lie in pieces that do not
  Vec3 apart_at = Vec3::Zero();  ///< where they touch
};

class BodyMesher {
 public:
  /// `touching`: pairs of the body's triangles that cross or touch without a common corner.
  /// `options` must outlive this. `keep_apart`: near parts of a cage do not grow together.
  BodyMesher(BodySoup body, std::vector<std::pair<int, int>> touching,
             const TetrahedralizeOptions& options, bool keep_apart);

  [[nodiscard]] const BodySoup& body() const { return body_; }
  [[nodiscard]] const Roles& roles() const { return roles_; }

  /// `cell` is the lattice's ordinary cell, m.
  [[nodiscard]] BodyMesh mesh(double cell);

 private:
  struct Background;
  [[nodiscard]] Background background(double cell, bool conforming, bool graded_surface,
                                      int placement = 0);
  /// Graded as asked for, in the placement of the lattice that leaves least out; or else not
  /// graded.
  [[nodiscard]] BodyMesh best_conforming(double cell, double& min_degrees);
  [[nodiscard]] BodyMesh conforming(double cell, bool graded_surface, int placement,
                                    double& min_degrees);
  /// The same with finer cells where parts cross, until they hold together or no level is left.
  [[nodiscard]] BodyMesh held_together(BodyMesh apart, double cell, double& min_degrees);
  [[nodiscard]] BodyMesh cage(double cell);
  /// The piece that most vertices of each part of the surface are nearest to.
  [[nodiscard]] std::vector<int> piece_of_parts(const TetMesh& mesh, const Pieces& pieces,
                                                const std::vector<int>& part_of_triangle,
                                                int parts) const;
  /// Whether parts that touch are in one piece.
  void note_apart(const std::vector<int>& piece_of_part, const std::vector<int>& part_of_triangle,
                  BodyMesh& out) const;

  BodySoup body_;
  std::vector<std::pair<int, int>> touching_;
  const TetrahedralizeOptions& options_;
  bool keep_apart_;
  Roles roles_;
  Solid solid_;
  std::vector<double> thickness_;
  SharpFeatures sharp_;
  TriangleTree crossed_;  ///< the triangles of `touching_`
  int levels_at_crossings_ = 0;
};

}  // namespace limber
