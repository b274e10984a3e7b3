// Modal forces of linear modes: everything that depends on nodes is summed once.
//
// With k, l components of space and Φ_k (n×m) the modes' component k:
//   f = B uniform − Σ_kl A_kl (b_kl + C_kl q) − 2 Σ_kl [ω]×_kl C_kl v,
//   B = Φᵀ M (1⊗I), b_kl = Φ_kᵀ M X_l, C_kl = Φ_kᵀ M Φ_l, A the field's gradient.
#pragma once

#include <vector>

#include "limber/dynamics/modal/modal_force.h"

namespace limber {

class LinearForce final : public ModalForce {
 public:
  /// `body` must outlive this.
  explicit LinearForce(const ModalModel& body);

  void prepare_turning() override;
  void set_groups(const std::vector<NodeForce>& forces) override;
  void add_field(const AccelerationField& field, const Vector& q, const Vector& v,
                 Vector& f) override;
  void add_nodal(int group, const Vec3& force, const Vector& q, Vector& f) override;
  void add_local_coriolis(const Vector& q, const Vector& v, Vector& f) override;
  void add_field_jacobian(const AccelerationField& field, const Vector& q,
                          Eigen::MatrixXd& df) override;
  void add_nodal_jacobian(int group, const Vec3& force, const Vector& q,
                          Eigen::MatrixXd& df) override;

 private:
  using Columns3 = Eigen::Matrix<double, Eigen::Dynamic, 3>;

  const ModalModel& body_;
  Columns3 uniform_;                   // B, m×3
  std::vector<Vector> rest_moments_;   // b_kl at 3k+l, m
  std::vector<Eigen::MatrixXd> pair_;  // C_kl at 3k+l, m×m
  std::vector<Columns3> groups_;       // Σ Φ_iᵀ over a group's nodes, m×3
  Vector scratch_;
};

}  // namespace limber
