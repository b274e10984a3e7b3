// Posed tets from a posed surface: people pose what they see.
//
// The surface hangs on the tets (SurfaceBinding); its posed vertices pull at them by springs, the
// tets stay as rigid as they can (elastic_pose.h). For large poses the start matters: how each
// vertex's neighbourhood has turned is read off the surface and spread harmonically through the
// tets, so the solve begins with the right rotations, not at rest.
#pragma once

#include <memory>

#include "limber/interpolate/poses/elastic_pose.h"
#include "limber/mesh/embedding/embed.h"
#include "limber/mesh/tri_mesh.h"
#include "limber/modes/playback/modal_model.h"

namespace limber {

struct SurfacePoserOptions {
  /// How strongly vertices pull, against the tets' wish to stay rigid: 1 is soft, 1e4 is hard where
  /// the tets can follow at all.
  double stiffness = 30;
  ElasticPoseOptions solve;
};

struct SurfacePose {
  Positions nodes;          // n×3
  double largest_miss = 0;  ///< of a vertex from its target, m
  double mean_miss = 0;     ///< root mean square, m
  int inverted = 0;         ///< tets
  ElasticPoseResult solve;  ///< how the solve went; its positions are moved to `nodes`
};

class SurfacePoser {
 public:
  /// `surface` at rest, bound to the elements' nodes. Throws Error when the binding does not fit.
  SurfacePoser(std::shared_ptr<const Elements> elements, const TriMesh& surface,
               SurfaceBinding binding, const SurfacePoserOptions& options = {});

  /// The nodes for a posed surface (v×3, vertices in the order of the rest surface). Throws Error
  /// when it has other vertices or numbers that are not finite.
  [[nodiscard]] SurfacePose pose(const Positions& posed_surface, const std::string& where = "pose");

  [[nodiscard]] const SurfaceBinding& binding() const { return binding_; }

 private:
  [[nodiscard]] std::vector<Mat3> vertex_rotations(const Positions& posed_surface) const;
  [[nodiscard]] std::vector<Mat3> spread(const std::vector<Mat3>& vertex_rotations);

  TriMesh surface_;
  SurfaceBinding binding_;
  SurfacePoserOptions options_;
  ElasticPose solver_;
};

/// The nodes and weights of an embedding; offsets of vertices far outside are left to the details
/// that SurfaceInterpolation keeps.
[[nodiscard]] SurfaceBinding binding_of(const Embedding& embedding);

/// Where a binding puts the vertices (v×3) for given nodes.
[[nodiscard]] Positions bound_positions(const SurfaceBinding& binding, const Positions& nodes);

}  // namespace limber
