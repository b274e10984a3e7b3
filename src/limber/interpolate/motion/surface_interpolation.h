// Motions of a surface with all its details, carried by the motion of the tets inside.
//
// The tets put a vertex at Σ weight_k x_k + R_e d: R_e the rotation of the tet it hangs on, d what
// the tets cannot follow, kept for every key in the tet's frame and blended between keys. How the
// surface bends and stretches there its own triangles say (surface_shape.h). At the keys the posed
// surfaces come back exactly.
#pragma once

#include "limber/interpolate/motion/shape_interpolation.h"
#include "limber/interpolate/motion/surface_shape.h"
#include "limber/interpolate/poses/surface_poser.h"

namespace limber {

class SurfaceInterpolation {
 public:
  /// `rest` is bound to the tets by `binding`; `surfaces` (v×3 each) at the keys' times; `keys` the
  /// tets' poses that belong to them.
  SurfaceInterpolation(std::shared_ptr<const PoseModes> modes, const TriMesh& rest,
                       SurfaceBinding binding, const std::vector<KeyPose>& keys,
                       const std::vector<Positions>& surfaces,
                       const InterpolationOptions& options = {});

  /// A given pose on the way, posed surface and tets: its details are shown at `time`. With
  /// `correct` the tets' motion is corrected to pass there (ShapeInterpolation::insert_key), and
  /// the surface is met exactly; without, the motion already holds the pose (QuasiStatic).
  void add_pose(double time, const Positions& nodes, const Positions& surface, bool correct);

  /// The surface (v×3) at time t, and the nodes where wanted. Allocates nothing once they have
  /// their sizes.
  void evaluate(double t, Positions& surface, Positions* nodes = nullptr);
  [[nodiscard]] Positions evaluate(double t);

  [[nodiscard]] ShapeInterpolation& shape() { return shape_; }

 private:
  [[nodiscard]] const TriMesh& checked_rest(const TriMesh& rest) const;
  void check_surface(const Positions& surface, const std::string& where) const;
  void keep_ranges(const TriMesh& rest, const std::vector<Positions>& surfaces,
                   const InterpolationOptions& options);
  /// What the surface has beside the tets at `nodes`, turned back by rotation_of(vertex's element).
  template <typename RotationOf>
  [[nodiscard]] Positions details_of(const Positions& nodes, const Positions& surface,
                                     RotationOf&& rotation_of) const;

  SurfaceBinding binding_;
  std::vector<double> times_;    // ascending, as details_
  std::vector<int> element_of_;  // each vertex's element
  ShapeInterpolation shape_;
  SurfaceShape triangles_;
  std::optional<PoseRanges> ranges_;
  std::vector<Positions> details_;  // of a pose: v×3 in the elements' frames
  Positions nodes_;
};

/// The element that each vertex hangs on: the one with its four nodes, or for a vertex that is a
/// node the first around it.
[[nodiscard]] std::vector<int> elements_of_vertices(const Elements& elements,
                                                    const SurfaceBinding& binding);

}  // namespace limber
