// Any surface in, a tetrahedral body out.
//
// `conforming` fills the solid with tets that end at the surface (isosurface stuffing); `cage` puts
// whole lattice cells around it, so that every vertex lies inside, whatever the surface. Both work
// on a body-centred cubic lattice, refined where the solid is thin. No surface is refused that has
// an area: open ones are thickened, crossing and contradictory ones read by winding number or flood
// fill, and the report says what was found and done.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "limber/core/progress.h"
#include "limber/mesh/embedding/embed.h"
#include "limber/mesh/tet_mesh.h"
#include "limber/mesh/tetrahedralize/fill_kinds.h"
#include "limber/mesh/tri_mesh.h"

namespace limber {

/// Places where the lattice is to be halved `levels` times.
struct RefineRegion {
  std::function<bool(const Vec3&)> picks;
  int levels = 1;
  std::string text;  ///< stands for `picks` in content_hash()
};

struct TetrahedralizeOptions {
  static constexpr int kDefaultCells = 24;
  static constexpr int kMostCells = 1000;
  static constexpr int kMostLevels = 4;
  /// Crumbs beyond this many are no bodies of their own.
  static constexpr int kMostBodies = 2000;

  FillMode mode = FillMode::automatic;
  OpenSurfaces open = OpenSurfaces::automatic;
  int cells = 0;               ///< lattice cells along the longest side; 0: kDefaultCells
  int target_tets = 0;         ///< instead of `cells`: about this many tets; 0: no target
  double sheet_thickness = 0;  ///< of open sheets, m; 0: what the lattice needs
  bool grade = true;           ///< coarser inside, finer where thin; false: one size
  int thin_levels = 1;         ///< halvings where the solid is thinner than a cell
  bool keep_apart = true;      ///< near parts do not grow together; false: all are one body
  std::vector<RefineRegion> refine;
  Progress progress;
};

struct TetrahedralizeReport {
  // The surface.
  int vertices = 0;
  int triangles = 0;
  int parts = 0;       ///< connected by common vertices, coincident ones welded
  int bodies = 0;      ///< groups of parts that touch, cross or lie inside each other
  bool fused = false;  ///< the bodies were filled as one: asked for, or too many
  int holes = 0;       ///< loops of boundary edges
  int boundary_edges = 0;
  int non_manifold_edges = 0;
  int self_intersections = 0;    ///< pairs of triangles that cross
  int degenerate_triangles = 0;  ///< ignored
  int duplicate_triangles = 0;   ///< ignored
  int turned_triangles = 0;      ///< faced against their neighbours or inward
  int sheet_parts = 0;           ///< open parts that were thickened
  double surface_volume = 0;     ///< m³ by the divergence theorem, overlaps counted twice
  // The mesh.
  FillMode mode =
      FillMode::automatic;  ///< used; automatic when some bodies got one, some the other
  InsideTest inside_test = InsideTest::winding_number;
  double cell = 0;   ///< m
  double cells = 0;  ///< along the longest side
  int tets = 0;
  int nodes = 0;
  int pieces = 0;       ///< connected pieces of the mesh, each a region when there are several
  int copied_tets = 0;  ///< lattice tets present more than once, to keep near parts apart
  int islands_removed = 0;
  double volume = 0;  ///< m³
  double min_dihedral_degrees = 0;
  double max_dihedral_degrees = 0;
  double surface_distance =
      0;  ///< largest distance of a surface vertex from a conforming mesh's boundary, m
  double unresolved_share = 0;  ///< share of the surface farther than half a cell from it
  int vertices_outside = 0;     ///< surface vertices outside the mesh, bound by extrapolation
  double worst_extrapolation = 0;
  double seconds = 0;
  std::vector<std::string> warnings;  ///< sentences, each with a remedy
};

struct Tetrahedralized {
  TetMesh mesh;         ///< positive tets, no unused node, pieces connected through faces
  Embedding embedding;  ///< of every vertex of the surface, in its order
  TetrahedralizeReport report;
};

/// Throws Error for surfaces without area, bad indices or coordinates, and options out of range.
Tetrahedralized tetrahedralize(const TriMesh& surface, const TetrahedralizeOptions& options = {});

/// Names the result of tetrahedralize() for a cache: equal for equal surfaces and options, in 32
/// hexadecimal digits. Texture coordinates and colours do not count.
std::string content_hash(const TriMesh& surface, const TetrahedralizeOptions& options);

}  // namespace limber
