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
  int islands_removed = 0;
  double islands_volume = 0;  ///< m³
  Resolution resolution;      ///< of a conforming mesh
  std::string fell_back;      ///< why a cage was taken where it was not asked for; else empty
};

class BodyMesher {
 public:
  /// `touching`: pairs of the body's triangles that cross or touch without a common corner.
  BodyMesher(BodySoup body, std::vector<std::pair<int, int>> touching,
             const TetrahedralizeOptions& options);  // options must outlive this

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
  [[nodiscard]] BodyMesh cage(double cell);
  [[nodiscard]] std::vector<bool> pieces_in_use(const TetMesh& mesh, const Pieces& pieces) const;

  BodySoup body_;
  std::vector<std::pair<int, int>> touching_;
  const TetrahedralizeOptions& options_;
  Roles roles_;
  Solid solid_;
  std::vector<double> thickness_;
  SharpFeatures sharp_;
};

}  // namespace limber
