// Everything `limber info` says about a mesh, as plain numbers.
#pragma once

#include <string>
#include <vector>

#include "limber/mesh/checks.h"

namespace limber {

struct MeshBounds {
  Vec3 low = Vec3::Zero();
  Vec3 high = Vec3::Zero();
};
/// The box around all positions; zero when there are none.
MeshBounds mesh_bounds(const Positions& positions);

struct RegionDescription {
  int number = 0;
  int tets = 0;
  double volume = 0;
};

struct TetMeshDescription {
  int nodes = 0;
  int tets = 0;
  int unused_nodes = 0;
  int duplicate_nodes = 0;
  int parts = 0;
  int crowded_faces = 0;  ///< of more than two tets (see crowded_face_count)
  MeshBounds bounds;      ///< of the nodes in use
  TetQuality quality;
  std::vector<RegionDescription> regions;  ///< ascending
  int surface_vertices = 0;
  int surface_triangles = 0;
  SurfaceTopology surface;
};
TetMeshDescription describe(const TetMesh& mesh);

struct SurfaceDescription {
  int vertices = 0;
  int triangles = 0;
  int unused_vertices = 0;
  int duplicate_vertices = 0;
  MeshBounds bounds;  ///< of the vertices in use
  SurfaceTopology topology;
  bool has_uv = false;
  bool has_uv_seams = false;
  bool has_colours = false;
  std::vector<std::string> materials;
};
SurfaceDescription describe(const TriMesh& surface);

}  // namespace limber
