// Rows of contacts and joints on a modal body: its frame and modes as one vector of coordinates.
//
// A point at x = c + R (X + u(q) − X_c − s(q)) moves along d with
//   J V,  J = [dᵀ, ((x−c)×d)ᵀ, (Rᵀd)ᵀ(B − ∂s/∂q)],  V = [ċ, ω, q̇];
// a body on a support has the last part alone, with s = 0. Impulses change V by A⁻¹Jᵀp with
//   A⁻¹ = diag(1/m, R I⁻¹ Rᵀ, vf/h),
// and positions by h and qf/vf times as much: the response of frame and oscillators to a force that
// acts over the step. Scaled, J̃ = J A^-½. Hard handles hold what they hold: their rows are taken
// out of the others', so that no impulse moves them.
#pragma once

#include <span>
#include <vector>

#include "limber/dynamics/dynamic_body.h"
#include "limber/dynamics/modal/mode_fade.h"
#include "limber/dynamics/modal/step_correction.h"

namespace limber {

class ModalRows {
 public:
  /// Allocates for so many rows.
  void reserve(int rows, int modes, bool is_free, int held_rows);

  struct Surroundings {
    ModalShape& shape;
    const ModalState& state;
    const FrameState& frame;
    const ThreeRows& shift_rows;  ///< ∂s/∂q, of free bodies
    const StepCoefficients& coefficients;
    double h;
    const StepCorrection* held;                ///< null: nothing is held
    const NonlinearStep* nonlinear = nullptr;  ///< whose response takes the coefficients' place
    const ModeFade* fade = nullptr;            ///< modes that do not move, or not fully
  };
  /// Takes the rows at the present state; writes J̃ as DynamicBody::set_rows() says.
  void set(const Surroundings& around, std::span<const BodyRow> rows, float* scaled,
           std::ptrdiff_t stride) noexcept;

  /// J̃ in double, rows × length.
  [[nodiscard]] auto scaled() const { return scaled_.topRows(count_); }
  [[nodiscard]] auto scaled() { return scaled_.topRows(count_); }
  /// The rows that handles hold, scaled as those of the last set().
  void scale_held(const Surroundings& around, Eigen::Ref<ModeMatrix> rows) const;

  /// Scaled velocity and displacement; in float as DynamicBody::scaled_motion(), or in double.
  template <class Real>
  void motion(const ModalState& state, Real* velocity, Real* displacement) const noexcept;
  /// Changes velocities, and where `move` positions, by the impulses; see DynamicBody::apply().
  void apply(std::span<const double> impulses, bool move, std::span<const Vec3> carried,
             ModalState& state) noexcept;
  /// The same from their sum, for free bodies that nothing holds.
  void apply_sum(const RowSum& sum, bool move, ModalState& state) noexcept;

 private:
  void set_scales(const Surroundings& around);
  void set_shape_rows(const Surroundings& around, std::span<const BodyRow> rows);
  /// The modes' part of a row of J becomes that of J̃.
  void scale_modes(Eigen::Index row, Eigen::Ref<ModeMatrix> rows) const;
  void project_held(const Surroundings& around);
  [[nodiscard]] Eigen::Index frame_columns() const { return is_free_ ? 6 : 0; }

  Eigen::Index length_ = 0;  // frame columns and modes
  Eigen::Index active_ = 0;  // modes that move: J̃ ends with the last of them
  bool is_free_ = false;
  double h_ = 0;
  int count_ = 0;
  ModeMatrix scaled_;  // J̃, rows × length
  ModeMatrix held_;    // orthonormal rows that handles hold
  Vector scale_;       // A^-½ of the modes
  Vector travel_;      // qf/vf of the modes
  double mass_ = 1;
  Mat3 from_scaled_turn_ = Mat3::Identity();  // L of R I⁻¹ Rᵀ = L Lᵀ
  Mat3 to_scaled_turn_ = Mat3::Identity();    // L⁻¹
  Vec3 start_centre_ = Vec3::Zero();
  Mat3 start_rotation_ = Mat3::Identity();
  const NonlinearStep* nonlinear_ = nullptr;  // of the last set(): A is dense
  mutable Vector modes_, difference_;         // scratch
  Vector start_q_;
  Vector change_;  // of the scaled velocity
  ThreeRows B_;
  std::vector<BodyPoint> points_;  // of rows in threes, and their directions in the frame
  std::vector<Mat3> directions_;
};

/// Takes directions out of rows: Gram-Schmidt, twice, over `held` (overwritten); dependent ones are
/// left out.
void take_out(Eigen::Ref<ModeMatrix> held, Eigen::Ref<ModeMatrix> rows);

}  // namespace limber
