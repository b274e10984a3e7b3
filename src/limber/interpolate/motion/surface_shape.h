// How a surface bends and stretches between its poses, triangle by triangle.
//
// Every triangle has rotation-strain coordinates of its own (Sumner & Popović 2004), blended from
// pose to pose as those of tets are; what the tets do beside their calm way, swings and corrections
// towards inserted keys, is added:
//
//   X̂_f(t) = X̂_f,keys(t) + X̂_e(t) − X̂_e,keys(t)
//
// e the tets that the corners hang on. A Poisson solve puts the triangles together, drawn a little
// to where the tets carry them, and their rotations are fitted (rotation_fit.h). So a limb thinner
// than the tets moves as well as its own poses say, and tets that follow it badly do no harm.
//
// Where nodes are held or regions turned, the triangles take part in what that does to the tets:
// F_f = Q_e exp(w)(I + S), Q_e = F_e (exp(w_e)(I + S_e))⁻¹, F_e the tets' gradient after their own
// reconstruction. Q is the identity at the keys. Held vertices move in rigid groups of their own
// (held_groups.h), matched to the posed surfaces.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "limber/interpolate/motion/shape_interpolation.h"
#include "limber/mesh/tri_mesh.h"

namespace limber {

class SurfaceShape {
 public:
  /// `rest` the surface at rest, `carriers` the element of each vertex, `held` the vertices that
  /// stand where the poses have them and between, `led` those that the tets put in place. Triangles
  /// without area take no part.
  SurfaceShape(const TriMesh& rest, std::vector<int> carriers, const std::vector<char>& held,
               const std::vector<char>& led);

  /// The surface (v×3, world) at `time`, for which `shape` has been evaluated last.
  void add_pose(double time, const Positions& surface, const ShapeInterpolation& shape);
  /// The same where the tets' coordinates that belong to it are not those of `shape`.
  void add_pose(double time, const Positions& surface, const ShapeInterpolation& shape,
                const RotationStrain& tets);

  /// `surface` (v×3, world) comes in as the tets carry it and goes out as its triangles want it.
  /// `shape` has been evaluated for time t, to `nodes`.
  void evaluate(double t, const ShapeInterpolation& shape, const Positions& nodes,
                Positions& surface);

 private:
  void read_carriers(const ShapeInterpolation& shape);
  void mean_of_corners();
  void keep_pose(double time, const Positions& surface, const Mat3& frame);
  void lay_out();
  void find_gradients();
  void follow_constraints(const ShapeInterpolation& shape, const Positions& nodes);

  std::shared_ptr<const Elements> triangles_;  // null: no triangle has an area
  std::vector<int> carriers_;
  std::optional<Reconstruction> reconstruction_;
  std::optional<FrameKernel> kernel_;
  std::vector<double> times_;            // ascending
  std::vector<RotationStrain> own_;      // of the triangles at these times
  std::vector<RotationStrain> carried_;  // of the tets they hang on
  std::vector<char> is_held_;            // vertices
  std::vector<int> held_;                // those of triangles, ascending
  std::vector<Positions> posed_;         // surfaces at these times, where vertices are held
  std::vector<Mat3> frames_;
  HeldGroups groups_;
  KeyedFields own_fields_;
  KeyedFields carried_fields_;
  bool laid_out_ = false;

  // Working memory of evaluate().
  std::vector<double> still_;  // displacements of no node
  std::vector<ElementCoordinates> at_vertices_;
  std::vector<Mat3> changes_;    // Q, one a vertex
  std::vector<Mat3> gradients_;  // one a triangle
  std::vector<Mat3> turned_;
  RotationStrain now_;
  CoordinateField now_field_;
  std::vector<FieldTerm> terms_;
  ReconstructionTargets targets_;
  Positions solved_;
};

}  // namespace limber
