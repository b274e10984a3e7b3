// Shapes that a few given points pull a body into: each element stays as rigid as it can.
//
//   min_x Σ_e weight_e ‖(G x)_e − R_e‖² + springs,  held nodes at their targets,
//
// R_e the rotation nearest to (G x)_e. Local and global steps by turns (Sorkine & Alexa 2007):
// polar decompositions, then a Poisson reconstruction with a factor that never changes. An element
// that is inverted on the way has a rotation still, so any start leads somewhere. Anderson's mixing
// of the last steps (Peng et al. 2018) takes the place of hundreds of plain ones where bodies bend
// far.
#pragma once

#include <memory>
#include <vector>

#include "limber/interpolate/reconstruction/reconstruction.h"

namespace limber {

struct ElasticPoseOptions {
  int most_iterations = 500;
  /// Stop when a step moves no node by more than this part of the body's size.
  double tolerance = 1e-6;
};

struct ElasticPoseResult {
  Positions positions;
  bool converged = false;
  int iterations = 0;
  double last_step = 0;  ///< the most a node moved in the last step, m
  double energy = 0;     ///< the sum that is minimised
};

class ElasticPose {
 public:
  ElasticPose(std::shared_ptr<const Elements> elements, ReconstructionConstraints constraints);

  /// From `start` (n×3) to the pose under `targets`.
  [[nodiscard]] ElasticPoseResult solve(const Positions& start,
                                        const ReconstructionTargets& targets,
                                        const ElasticPoseOptions& options = {});
  /// From rotations (t) instead of positions.
  [[nodiscard]] ElasticPoseResult solve(const std::vector<Mat3>& rotations,
                                        const ReconstructionTargets& targets,
                                        const ElasticPoseOptions& options = {});

  [[nodiscard]] Reconstruction& reconstruction() { return reconstruction_; }

 private:
  /// Rotations of x into rotations_, and the energy with them.
  double local_step(const Positions& x, const ReconstructionTargets& targets);

  Reconstruction reconstruction_;
  std::vector<Mat3> rotations_;
};

/// A node pulled to a place.
struct DragHandle {
  int node = 0;
  Vec3 target = Vec3::Zero();
};

/// `pose` with some nodes dragged elsewhere and others (`fixed_nodes`) staying where they are.
/// Throws Error when a node does not exist or is named twice, or when nothing is dragged.
[[nodiscard]] ElasticPoseResult drag(std::shared_ptr<const Elements> elements,
                                     const Positions& pose, const std::vector<DragHandle>& handles,
                                     const std::vector<int>& fixed_nodes = {},
                                     const ElasticPoseOptions& options = {});

}  // namespace limber
