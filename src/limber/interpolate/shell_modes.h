// Vibration modes of a thin shell: a triangle mesh without volume (Grinspun et al. 2003, discrete
// shells, to second order around the rest shape).
//
// Symbols: h thickness, D = E h³/(12(1−ν²)) bending stiffness, θ_e angle between the triangles at
// an edge e. Energy: plane stress within each triangle, and ½ D |e|²/(a₁+a₂) (θ_e − θ̄_e)² at each
// inner edge, a₁ and a₂ the areas beside it. That weight is exact for equilateral triangles (Seung
// & Nelson 1988) and for cylinders on a regular grid.
#pragma once

#include <memory>

#include "limber/interpolate/coordinates/pose_modes.h"
#include "limber/mesh/tri_mesh.h"

namespace limber {

struct ShellMaterial {
  Material material;
  double thickness = 0;  ///< m; 0: a hundredth of the surface's size
};

/// K (3n×3n), N/m.
[[nodiscard]] SparseMatrix shell_stiffness(const TriMesh& surface, const ShellMaterial& material);
/// m (n×n), kg, lumped.
[[nodiscard]] SparseMatrix shell_mass(const TriMesh& surface, const ShellMaterial& material);

struct ShellModesOptions {
  int modes = 80;
  ShellMaterial material;
  std::vector<int> fixed_nodes;
};

/// Modes of a surface, for interpolation between its poses. Throws Error for triangles without area
/// or materials out of range; small surfaces give fewer modes.
[[nodiscard]] std::shared_ptr<const PoseModes> shell_modes(const TriMesh& surface,
                                                           const ShellModesOptions& options = {},
                                                           const Progress& progress = {});

/// The angle between two triangles (a, b, c) and (b, a, d) along their edge, zero when flat, and
/// its derivative by the four points.
struct Hinge {
  double angle;
  Eigen::Matrix<double, 3, 4> gradient;  // columns a, b, c, d; 1/m
};
[[nodiscard]] Hinge hinge(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d);

}  // namespace limber
