// What every reader collects before it becomes a checked mesh.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "limber/mesh/read_mesh.h"

namespace limber {

/// How many elements a file has that are not four-node tets, by what they are called.
struct ElementCounts {
  std::map<std::string, std::int64_t> skipped;  ///< points, lines, triangles
  std::map<std::string, std::int64_t> refused;  ///< hexahedra and other solids we cannot use

  /// Solid ones make the file unusable, since leaving them out would leave holes.
  void note_others(const std::string& plural, bool solid, std::int64_t count = 1) {
    (solid ? refused : skipped)[plural] += count;
  }
};
/// Throws Error when there are solids that are no tets, or no tets.
void require_tets(const ElementCounts& others, bool has_tets, const std::string& file_name);

/// A tet file's content as it stands: node numbers from 0, not yet checked.
struct RawTets : ElementCounts {
  std::vector<double> coordinates;            ///< x y z of each node
  std::vector<std::int64_t> corners;          ///< four nodes of each tet
  std::vector<int> regions;                   ///< one for each tet, or empty
  std::map<int, RegionMaterial> materials;    ///< by region, or empty
  std::vector<RegionMaterial> tet_materials;  ///< one for each tet, or empty
};

/// Checks everything, turns tets of negative volume round and fills `notes`.
TetMesh finish(RawTets&& raw, const std::string& file_name, ReadNotes& notes);

/// A surface file's content as it stands: numbers from 0, not yet checked.
struct RawSurface {
  static constexpr std::int64_t kNoUv = -1;

  std::vector<double> coordinates;       ///< x y z of each vertex
  std::vector<std::int64_t> corners;     ///< three vertices of each triangle
  std::vector<float> uv;                 ///< u v pairs
  std::vector<std::int64_t> uv_corners;  ///< for each corner its pair or kNoUv; or empty
  std::vector<float> colours;            ///< linear r g b of each vertex, or empty
  std::vector<int> materials;            ///< one for each triangle, or empty
  std::vector<std::string> material_names;
  std::vector<SurfaceLook> looks;  ///< one for each name, or empty
  /// Where the file repeats vertices (see FileVertices): the vertex of each, the normal of each (x
  /// y z, or all empty), the one at each corner, second texture pairs, r g b a (or empty).
  std::vector<std::int32_t> file_vertices;
  std::vector<float> file_normals;
  std::vector<std::int32_t> file_corners;
  std::vector<float> file_second_uv;
  std::vector<float> file_colours;
  std::map<std::string, std::int64_t> skipped;

  /// Adds a polygon as a fan of triangles around its first corner. `pairs` is empty or as long as
  /// `vertices`. Polygons of fewer than three corners count as skipped.
  void add_polygon(std::span<const std::int64_t> vertices, std::span<const std::int64_t> pairs = {},
                   int material = 0);
};

/// Checks everything and leaves out triangles that name a vertex twice.
TriMesh finish(RawSurface&& raw, const std::string& file_name, ReadNotes& notes);

/// The linear value of an sRGB colour component in 0..1, and back (IEC 61966-2-1).
float linear_from_srgb(float encoded);
float srgb_from_linear(float linear);

}  // namespace limber
