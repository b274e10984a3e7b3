// The shape of linear modes, x = X + Φq: everything that depends on nodes is summed once.
//
// With k, l components of space and Φ_k (n×m) the modes' component k:
//   f = B uniform − Σ_kl A_kl (b_kl + C_kl q) − 2 Σ_kl [ω]×_kl C_kl v,
//   B = Φᵀ M (1⊗I), b_kl = Φ_kᵀ M X_l, C_kl = Φ_kᵀ M Φ_l, A the field's gradient.
#pragma once

#include <vector>

#include "limber/dynamics/modal/modal_shape.h"

namespace limber {

class LinearShape final : public ModalShape {
 public:
  /// `model` must outlive this.
  explicit LinearShape(const ModalModel& model);

  [[nodiscard]] LoadLaw law() const override { return LoadLaw::work; }
  [[nodiscard]] bool turns() const override { return false; }
  void prepare_turning() override;
  void set_groups(const std::vector<NodeForce>& forces) override;
  void positions(const Vector& q, Eigen::Ref<Positions> positions) const override;
  void velocities(const Vector& q, const Vector& v,
                  Eigen::Ref<Positions> velocities) const override;
  [[nodiscard]] Vec3 position(const BodyPoint& point, const Vector& q) const override;
  [[nodiscard]] Vec3 velocity(const BodyPoint& point, const Vector& q,
                              const Vector& v) const override;
  void derivative(const BodyPoint& point, const Vector& q, ThreeRows& B) const override;
  void force_rows(const BodyPoint& point, const Vector& q, ThreeRows& rows) const override;
  void frozen_rows(const BodyPoint& point, const Vector& q0, ThreeRows& rows) const override;
  [[nodiscard]] Vec3 shift(const Vector& q) override;
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
  using Columns3 = Eigen::Matrix<double, Eigen::Dynamic, 3>;

  Columns3 uniform_;                   // B, m×3
  std::vector<Vector> rest_moments_;   // b_kl at 3k+l, m
  std::vector<Eigen::MatrixXd> pair_;  // C_kl at 3k+l, m×m
  std::vector<Columns3> groups_;       // Σ Φ_iᵀ over a group's nodes, m×3
  Vector scratch_;
};

}  // namespace limber
