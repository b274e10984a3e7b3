// The shape of warped modes, x = X + R~(w) u with u = Φq and w = Ψq at every node (Choi & Ko 2005,
// eq. 22), and sums over nodes for what forces on it do.
//
// By work f = Φᵀ R~(w)ᵀ F + Ψᵀ (∂(R~(w) u)/∂w)ᵀ F; rotated f = Φᵀ R(w)ᵀ F (eq. 18).
#pragma once

#include <optional>
#include <vector>

#include "limber/dynamics/modal/cubature.h"
#include "limber/dynamics/modal/mass_samples.h"
#include "limber/dynamics/modal/modal_shape.h"

namespace limber {

class WarpedShape final : public ModalShape {
 public:
  /// `model` must outlive this. `fast`: sums over nodes by few of them, which are found here.
  explicit WarpedShape(const ModalModel& model, LoadLaw law = LoadLaw::work, bool fast = false);

  [[nodiscard]] LoadLaw law() const override { return law_; }
  void reserve_still() override;
  void set_still(int active, const Vector& q) override;
  [[nodiscard]] bool turns() const override { return true; }
  void prepare_turning() override;
  void set_groups(const std::vector<NodeForce>& forces) override;
  void positions(const Vector& q, Eigen::Ref<Positions> positions) const override;
  void velocities(const Vector& q, const Vector& v,
                  Eigen::Ref<Positions> velocities) const override;
  [[nodiscard]] Vec3 position(const BodyPoint& point, const Vector& q) const override;
  [[nodiscard]] Vec3 velocity(const BodyPoint& point, const Vector& q,
                              const Vector& v) const override;
  void motion(std::span<const BodyPoint> points, const Vector& q, const Vector& v,
              std::span<PlaceAndRate> motion) const override;
  void derivative(const BodyPoint& point, const Vector& q, ThreeRows& B) const override;
  void direction_rows(std::span<const BodyPoint> points, const Mat3* directions, const Vector& q,
                      double* rows, std::ptrdiff_t stride) const override;
  void force_rows(const BodyPoint& point, const Vector& q, ThreeRows& rows) const override;
  void frozen_rows(const BodyPoint& point, const Vector& q0, ThreeRows& rows) const override;
  [[nodiscard]] MassMotion mass_motion(const Vector& q, const Vector& v) override;
  [[nodiscard]] Vec3 shift(const Vector& q) override;
  void shift_rows(const Vector& q, ThreeRows& rows) override;
  void mass_rows(const Vector& q, const Vec3& centre, ThreeRows& S, ThreeRows& L) override;
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

 protected:
  void add_field_by_work(const AccelerationField& field, const Vector& q, Vector& f) override {
    samples_ ? samples_->add_field(field, q, no_velocity_, f)
             : add_field(field, q, no_velocity_, f);
  }

 private:
  /// f += what the law makes of the forces (count×3) on nodes first … first + count − 1; overwrites
  /// the forces. `w` (and by work `u`) are those nodes' Ψq and Φq.
  void add_forces(int first, int count, const double* w, const double* u, double* forces,
                  Vector& f) const;
  /// w = Ψq and u = Φq (or none) of those nodes, or of a list.
  void find_turns(int first, int count, const Vector& q, double* w, double* u) const;
  void find_turns_at(const std::int32_t* nodes, int count, const Vector& q, double* w,
                     double* u) const;
  void add_uniform(const Vec3& acceleration, const Vector& q, Vector& f);
  void fill_accelerations(const AccelerationField& field, const Vector& q, const Vector& v);
  void add_node_jacobian(int node, const Vec3& force, const Vector& q, Eigen::MatrixXd& df) const;

  LoadLaw law_;
  std::optional<Cubature> cubature_;    // of uniform fields, rotated
  std::optional<MassSamples> samples_;  // of the mass and, by work, of all fields
  std::vector<std::vector<int>> groups_;
  int active_;               // modes that sums are over
  Positions still_turns_;    // the others' share of w, n×3
  Positions still_;          // and of u
  Positions turns_;          // w = Ψq, n×3; filled beside accelerations_
  Positions unturned_;       // u = Φq, n×3
  Positions accelerations_;  // n×3
  Vector row_;               // m
  ModeMatrix mass_rows_;     // 6×m
};

}  // namespace limber
