// Modal forces of warped modes: sums over nodes, each turned back by its own rotation,
// f = Φᵀ R(Ψq)ᵀ F (Choi & Ko 2005, eq. 18).
#pragma once

#include <optional>
#include <vector>

#include "limber/dynamics/modal/cubature.h"
#include "limber/dynamics/modal/modal_force.h"

namespace limber {

class WarpedForce final : public ModalForce {
 public:
  /// `body` must outlive this. `fast`: uniform fields by cubature, which is trained here.
  explicit WarpedForce(const ModalModel& body, bool fast = false);

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
  void add_uniform(const Vec3& acceleration, const Vector& q, Vector& f);
  void fill_accelerations(const AccelerationField& field, const Vector& q, const Vector& v);
  void add_node_jacobian(int node, const Vec3& force, const Vector& q, Eigen::MatrixXd& df) const;

  const ModalModel& body_;
  std::optional<Cubature> cubature_;
  std::vector<std::vector<int>> groups_;
  Positions rotations_;      // w = Ψq, n×3; filled beside accelerations_
  Positions accelerations_;  // n×3
};

}  // namespace limber
