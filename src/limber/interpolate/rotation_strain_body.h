// Forward dynamics with rotation-strain shapes under the papers' law of loads: the modes move as in
// modal warping (Choi & Ko 2005, eq. 18), the shape is x = T⁻¹(Ŵ q) (Huang et al. 2011, eq. 10).
// Forces that do their work on that shape: rotation_strain_shape.h.
//
// The oscillators, loads, supports and handles are those of a ModalBody; what differs is the way
// from q to positions, and with it nothing that feeds back. Fixed nodes stand exactly in their
// support, held nodes exactly at their targets; between them the reconstruction finds the place of
// every other node.
#pragma once

#include <memory>
#include <vector>

#include "limber/dynamics/modal/modal_body.h"
#include "limber/interpolate/coordinates/pose_modes.h"
#include "limber/interpolate/reconstruction/frame_kernel.h"

namespace limber {

/// A node that stands where its path says, in the support's frame.
struct HeldNode {
  int node = 0;
  Path path;
};

class RotationStrainBody final : public ModalBody {
 public:
  /// `held`: the position handles of the body. Loads are rotated, whatever the options say. Throws
  /// Error as ModalBody does, and when a held node is fixed or does not exist.
  explicit RotationStrainBody(ModalModel body, ModalBodyOptions options = {}, Loads loads = {},
                              SupportMotion support = {}, std::vector<HeldNode> held = {});

  [[nodiscard]] Method method() const override { return Method::rotation_strain; }
  void node_positions(Eigen::Ref<Positions> positions) const override;
  void node_velocities(Eigen::Ref<Positions> velocities) const override;

 private:
  /// Targets of the reconstruction in the support's frame: positions, or velocities.
  void set_targets(bool velocities) const;
  /// Moves a free body so that its mass centre is `centre`, in the frame.
  void centre_mass(const Vec3& centre, Positions& positions) const;

  std::vector<HeldNode> held_;
  std::shared_ptr<const Elements> elements_;
  ModeStream modes_;
  // Working memory of node_positions() and node_velocities(): one thread at a time.
  mutable Reconstruction reconstruction_;
  mutable ReconstructionTargets targets_;
  mutable Vector u_;
  mutable Vector u_rate_;
  mutable Positions local_;
  mutable std::vector<Mat3> gradients_;
  FrameKernel kernel_;
};

}  // namespace limber
