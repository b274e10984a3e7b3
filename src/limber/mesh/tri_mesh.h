// A surface as triangles, with what a picture needs: texture coordinates, colours, materials.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "limber/core/types.h"
#include "limber/mesh/surface_look.h"

namespace limber {

/// The vertices as the file had them, where it repeats some along seams and creases (glTF does), so
/// that what goes out has the numbers of what came in.
struct FileVertices {
  std::vector<std::int32_t> vertex;  ///< for each its row of V; empty: they are the rows
  /// For each its normal. Corners with the same one are shaded smoothly; number i < n belongs to
  /// vertex i. Empty where the file has no normals.
  std::vector<std::int32_t> normal;
  Triangles corners;  ///< k×3
  /// The second set of texture coordinates, v up; or no rows.
  Eigen::Matrix<float, Eigen::Dynamic, 2, Eigen::RowMajor> second_uv;
  /// Linear red, green, blue and opacity of each, where vertices have colours; or no rows.
  Eigen::Matrix<float, Eigen::Dynamic, 4, Eigen::RowMajor> colours;
};

/// V (n×3) vertices in the file's order, F (k×3) triangles, counter-clockwise seen from outside.
/// The other arrays are empty when the file has none.
struct TriMesh {
  Positions V;
  Triangles F;
  /// n×2, one a vertex; v points up, as in OBJ. Empty where seams give a vertex several.
  Eigen::Matrix<float, Eigen::Dynamic, 2, Eigen::RowMajor> uv;
  /// 3k×2, row 3f+c belongs to corner c of triangle f. Only where seams need it; then uv is empty.
  Eigen::Matrix<float, Eigen::Dynamic, 2, Eigen::RowMajor> corner_uv;
  /// n×3, linear red, green, blue in 0..1, one a vertex.
  Eigen::Matrix<float, Eigen::Dynamic, 3, Eigen::RowMajor> colours;
  /// For each triangle the number of its material in `material_names`.
  std::vector<int> face_materials;
  std::vector<std::string> material_names;
  /// One for each of `material_names`, or empty.
  std::vector<SurfaceLook> looks;
  FileVertices file;

  [[nodiscard]] int vertex_count() const { return static_cast<int>(V.rows()); }
  [[nodiscard]] int triangle_count() const { return static_cast<int>(F.rows()); }
  /// Whether `file` says how these very triangles stood in their file.
  [[nodiscard]] bool is_as_in_file() const {
    return !file.vertex.empty() && file.corners.rows() == F.rows();
  }
  /// The look of a material; a plain one where there is none.
  [[nodiscard]] SurfaceLook look(int material) const {
    const auto row = static_cast<std::size_t>(material);
    return material >= 0 && row < looks.size() ? looks[row] : SurfaceLook{};
  }
};

}  // namespace limber
