// The shape of rotation-strain coordinates, x = T⁻¹(Ŵq) (Huang et al. 2011, eq. 10), and what
// forces on it do by virtual work.
//
// T⁻¹ solves A x = Gᵀ V F(q) with F = exp(w)(I + S) of every tet and a constant A, so that loads L
// on the nodes do the work Lᵀ dx = ⟨V dF, G y⟩, y = A⁻¹ L. A load that keeps its direction has its
// y once and for all: gravity and forces need a sum over the tets and no back-substitution,
//   f = Φᵀ Gᵀ D,  D = sym N + ½[m]×,  N = Rᵀ V Gy,  m = 2 R~(w) axial(N (I + S)),
// R = exp(w). Forces have a potential, so that energy is kept and handles have one rest.
#pragma once

#include <array>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "limber/dynamics/modal/warped_shape.h"
#include "limber/interpolate/reconstruction/frame_kernel.h"
#include "limber/interpolate/strain_samples.h"

namespace limber {

/// The tets that a model's modes belong to, at rest.
[[nodiscard]] TetMesh rest_mesh(const ModalModel& model);

class RotationStrainShape final : public ModalShape {
 public:
  /// `model` must outlive this. `fast`: uniform fields by few tets, which are found here. Throws
  /// Error when the mesh is not fit for use.
  explicit RotationStrainShape(const ModalModel& model, bool fast = false);

  [[nodiscard]] LoadLaw law() const override { return LoadLaw::work; }
  [[nodiscard]] bool turns() const override { return true; }
  void prepare_turning() override { turning_.prepare_turning(); }
  void set_groups(const std::vector<NodeForce>& forces) override;
  void positions(const Vector& q, Eigen::Ref<Positions> positions) const override;
  void velocities(const Vector& q, const Vector& v,
                  Eigen::Ref<Positions> velocities) const override;
  [[nodiscard]] Vec3 position(const BodyPoint& point, const Vector& q) const override;
  [[nodiscard]] Vec3 velocity(const BodyPoint& point, const Vector& q,
                              const Vector& v) const override;
  void derivative(const BodyPoint& point, const Vector& q, ThreeRows& B) const override;
  void force_rows(const BodyPoint& point, const Vector& q, ThreeRows& rows) const override;
  /// F ≈ I + R~(w₀)[w]× + R(w₀) S, which is linear in q and exact at q₀.
  void frozen_rows(const BodyPoint& point, const Vector& q0, ThreeRows& rows) const override;
  void shift_rows(const Vector& q, ThreeRows& rows) override;
  void add_field(const AccelerationField& field, const Vector& q, const Vector& v,
                 Vector& f) override;
  void add_nodal(int group, const Vec3& force, const Vector& q, Vector& f) override;
  void add_local_coriolis(const Vector& q, const Vector& v, Vector& f) override;
  void add_field_jacobian(const AccelerationField& field, const Vector& q,
                          Eigen::MatrixXd& df) override;
  void add_nodal_jacobian(int group, const Vec3& force, const Vector& q,
                          Eigen::MatrixXd& df) override;
  void add_point_jacobian(const BodyPoint& point, const Vec3& force, const Vector& q,
                          Eigen::MatrixXd& df) const override;

 private:
  /// A point's place is Σ weight F ∇φ + what does not change: φ (n) its influence.
  struct Influence {
    BodyPoint point;
    bool known = false;
    Vector values;
  };
  static constexpr int kKept = 16;  // points whose influence is remembered

  void see(const Vector& q) const;
  void place() const;
  void find_rates(const Vector& v) const;
  /// Of nodal weights (n) rather than of a point.
  void find_influence(const Vector& weights, Vector& values) const;
  [[nodiscard]] const Vector& influence_of(const BodyPoint& point) const;
  /// y = φ forceᵀ.
  void load_by(const Vector& influence, const Vec3& force) const;
  /// M a of the field at the present shape and rates: y its multipliers.
  void load_by_field(const AccelerationField& field, const Vector& v) const;
  void add_pulled(Vector& f) const;
  void add_pulled_jacobian(Eigen::MatrixXd& df) const;
  void write_rows(const Vector& influence, ThreeRows& rows) const;
  [[nodiscard]] Eigen::Matrix<double, 9, Eigen::Dynamic> element_modes(int element) const;

  std::shared_ptr<const Elements> elements_;
  mutable Reconstruction reconstruction_;
  ReconstructionTargets targets_;
  ReconstructionTargets still_;  // no motion
  FrameKernel kernel_;
  WarpedShape turning_;  // what nodes that turn by Ψq do to themselves
  Vector mass_influence_;
  std::optional<StrainSamples> samples_;  // of uniform fields
  std::vector<Vector> group_influences_;

  // The state that was asked about last, and what is known of it.
  mutable Vector q_, v_;
  mutable bool placed_ = false;
  mutable bool rates_known_ = false;
  mutable Vector u_;  // Φq
  mutable Positions places_, rates_;

  mutable std::array<Influence, kKept> influences_;
  mutable std::size_t next_influence_ = 0;
  mutable Positions loads_, y_, g_;
  mutable std::vector<Mat3> gradients_;
  mutable Vector row_;
};

}  // namespace limber
