// Forward dynamics with rotation-strain shapes: the modes move as in modal warping (Choi & Ko
// 2005), the shape is x = T⁻¹(Ŵ q) (Huang et al. 2011, eq. 10).
//
// The oscillators, loads, supports and handles are those of a ModalBody; what differs is the way
// from q to positions, and with it nothing that feeds back. Fixed nodes stand exactly in their
// support, held nodes exactly at their targets; between them the reconstruction finds the place of
// every other node.
#pragma once

#include <memory>
#include <vector>

#include "limber/dynamics/modal_body.h"
#include "limber/interpolate/coordinates/pose_modes.h"
#include "limber/interpolate/reconstruction/frame_kernel.h"

namespace limber {

/// A node that stands where its path says, in the support's frame.
struct HeldNode {
  int node = 0;
  Path path;
};

class RotationStrainBody final : public DynamicBody {
 public:
  /// `held`: the position handles of the body. The method of `options` is taken as warping. Throws
  /// Error as ModalBody does, and when a held node is fixed or does not exist.
  explicit RotationStrainBody(Body body, ModalBodyOptions options = {}, Loads loads = {},
                              SupportMotion support = {}, std::vector<HeldNode> held = {});

  void step(double h) override { modal_.step(h); }
  SettleStatus settle(const SettleOptions& options = {}) override { return modal_.settle(options); }

  [[nodiscard]] int node_count() const override { return modal_.node_count(); }
  void node_positions(Eigen::Ref<Positions> positions) const override;
  void node_velocities(Eigen::Ref<Positions> velocities) const override;
  [[nodiscard]] double kinetic_energy() const override { return modal_.kinetic_energy(); }
  [[nodiscard]] double elastic_energy() const override { return modal_.elastic_energy(); }
  [[nodiscard]] std::span<const double> modal() const override { return modal_.modal(); }
  [[nodiscard]] double time() const override { return modal_.time(); }
  [[nodiscard]] const FrameState& frame() const override { return modal_.frame(); }

  /// The oscillators, for handles and loads.
  [[nodiscard]] ModalBody& modal_body() { return modal_; }
  [[nodiscard]] const ModalBody& modal_body() const { return modal_; }

 private:
  /// Targets of the reconstruction in the support's frame: positions, or velocities.
  void set_targets(bool velocities) const;
  /// Moves a free body so that its mass centre is `centre`, in the frame.
  void centre_mass(const Vec3& centre, Positions& positions) const;

  ModalBody modal_;
  std::vector<HeldNode> held_;
  std::shared_ptr<const Elements> elements_;
  ModeStream modes_;
  Vec3 rest_centre_ = Vec3::Zero();  // of mass
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
