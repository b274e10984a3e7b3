// Vibration modes in rotation-strain space and the projection of poses onto them (Huang et al.
// 2011, sections 2.2.3 and 2.4).
//
// Symbols: W (3n×m) displacement modes, λ² (m) their eigenvalues, B (9t×3n) the derivative of the
// deformation gradients at rest, Ŵ = {ω*(W), ε(W)} the skew and symmetric parts of B W; z (m) modal
// amplitudes, r a rotation of the whole body.
//
// Ŵ itself (9t×m) is never stored: Ŵ z = parts of B (W z), which reads a tenth of the memory, and
// ‖ω*‖² + ‖ε‖² = ‖B u‖², so the normal matrix of the volume-weighted projection is Wᵀ Bᵀ V B W.
//
// Deviates: three rigid rotations (constant w, no strain) stand beside the modes. Without them the
// mean rotation of a pose has no representation.
#pragma once

#include <memory>

#include "limber/core/progress.h"
#include "limber/interpolate/coordinates/mode_stream.h"
#include "limber/interpolate/coordinates/rotation_strain.h"
#include "limber/material/material.h"

namespace limber {

/// Amplitudes of one pose.
struct ModalPose {
  Vector z;                      // m, m·kg^½
  Vec3 rotation = Vec3::Zero();  // rad
};

class PoseModes {
 public:
  /// W (3n×m) any characteristic displacements, eigenvalues (m) in rad²/s², all positive.
  /// `rigid_rotations`: whether the body may turn as a whole; not when nodes are clamped.
  PoseModes(std::shared_ptr<const Elements> elements, const Eigen::Ref<const Eigen::MatrixXd>& W,
            Vector eigenvalues, bool rigid_rotations);

  [[nodiscard]] const std::shared_ptr<const Elements>& elements() const { return elements_; }
  [[nodiscard]] int mode_count() const { return static_cast<int>(eigenvalues_.size()); }
  [[nodiscard]] const Vector& eigenvalues() const { return eigenvalues_; }
  [[nodiscard]] const ModeStream& modes() const { return modes_; }
  [[nodiscard]] bool rigid_rotations() const { return rigid_rotations_; }

  /// The amplitudes whose coordinates are nearest: Σ weight (2|Δw|² + ‖ΔS‖²) least.
  [[nodiscard]] ModalPose project(const RotationStrain& coordinates) const;
  /// Ŵ z, turned by r.
  [[nodiscard]] RotationStrain coordinates(const ModalPose& pose) const;

 private:
  void factor_projection();

  std::shared_ptr<const Elements> elements_;
  ModeStream modes_;
  Vector eigenvalues_;
  bool rigid_rotations_;
  Eigen::MatrixXd projection_;  // (m+3)², pseudo-inverse of the normal matrix
};

/// What the modes of a mesh are made from.
struct PoseModesOptions {
  int modes = 80;
  Materials materials;
  std::vector<int> fixed_nodes;
};

/// Modes of a tet mesh. Throws Error as modal_analysis() does; small meshes give fewer modes.
[[nodiscard]] std::shared_ptr<const PoseModes> pose_modes(const TetMesh& mesh,
                                                          const PoseModesOptions& options = {},
                                                          const Progress& progress = {});

}  // namespace limber
