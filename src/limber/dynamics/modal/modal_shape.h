// How modal amplitudes make a shape, and how forces on the shape act on the amplitudes.
//
// Two laws of loads. By virtual work f = (∂x/∂q)ᵀ F: forces have the power that they have on the
// shape, a constant force has a potential, and handles have one rest. Rotated, f = Φᵀ R(Ψq)ᵀ F
// (Choi & Ko 2005, eq. 18): the paper's law, for comparing with it. Both are the same for linear
// modes.
//
// Everything here is in the coordinates of the body's frame. Gravity and inertia enter as fields
// of acceleration that the full mass matrix M, fixed nodes included, turns into nodal forces.
// Symbols: q (m) modal amplitudes, v = q̇, f (m) modal force, B = ∂x/∂q (3×m) at a point.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "limber/dynamics/body_point.h"
#include "limber/dynamics/frame/acceleration_field.h"
#include "limber/dynamics/frame/mass_motion.h"
#include "limber/dynamics/loads.h"
#include "limber/dynamics/modal/modal_options.h"
#include "limber/dynamics/modal/warp.h"

namespace limber {

struct PlaceAndRate {
  Vec3 place;  // m
  Vec3 rate;   // m/s
};

/// One method's shape. Keeps scratch memory: no call allocates after prepare_turning() and
/// set_groups(), and one object serves one thread.
class ModalShape {
 public:
  virtual ~ModalShape() = default;

  [[nodiscard]] virtual LoadLaw law() const = 0;
  /// Whether points turn with the shape: false for linear modes.
  [[nodiscard]] virtual bool turns() const = 0;

  /// To be called before the first field that is not uniform.
  virtual void prepare_turning() = 0;
  /// To be called before set_still().
  virtual void reserve_still() {}
  /// From now on modes from `active` on stand at q and have no velocity: sums over nodes may leave
  /// them out, and what is said of forces on them and of derivatives by them does not matter.
  virtual void set_still(int /*active*/, const Vector& /*q*/) {}
  /// The node sets of the forces that add_nodal() will apply.
  virtual void set_groups(const std::vector<NodeForce>& forces) = 0;

  // The shape.

  virtual void positions(const Vector& q, Eigen::Ref<Positions> positions) const = 0;
  virtual void velocities(const Vector& q, const Vector& v,
                          Eigen::Ref<Positions> velocities) const = 0;
  [[nodiscard]] virtual Vec3 position(const BodyPoint& point, const Vector& q) const = 0;
  /// Its time derivative, B v.
  [[nodiscard]] virtual Vec3 velocity(const BodyPoint& point, const Vector& q,
                                      const Vector& v) const = 0;
  /// Both of several points: position and velocity in the frame, of each.
  virtual void motion(std::span<const BodyPoint> points, const Vector& q, const Vector& v,
                      std::span<PlaceAndRate> motion) const;
  /// B, which has its size already.
  virtual void derivative(const BodyPoint& point, const Vector& q, ThreeRows& B) const = 0;
  /// Of several points, dᵀB for the three columns d of each point's directions (frame): three rows
  /// of m numbers a point, `stride` apart.
  virtual void direction_rows(std::span<const BodyPoint> points, const Mat3* directions,
                              const Vector& q, double* rows, std::ptrdiff_t stride) const;
  /// What takes B's place in f = Bᵀ F under the law of loads.
  virtual void force_rows(const BodyPoint& point, const Vector& q, ThreeRows& rows) const = 0;
  /// w = Ψq: how the point has turned, continuous beyond whole turns.
  [[nodiscard]] Vec3 turn(const BodyPoint& point, const Vector& q) const;
  /// Its rows of Ψ.
  void turn_rows(const BodyPoint& point, ThreeRows& Psi) const;
  /// The same with the turns of another state: x ≈ X + R~(Ψq₀) Φq, which is linear in q.
  virtual void frozen_rows(const BodyPoint& point, const Vector& q0, ThreeRows& rows) const = 0;

  // Its mass.

  [[nodiscard]] double mass() const { return mass_; }
  [[nodiscard]] const Vec3& rest_centre() const { return rest_centre_; }
  [[nodiscard]] virtual MassMotion mass_motion(const Vector& q, const Vector& v);
  /// Of the mass centre since rest.
  [[nodiscard]] virtual Vec3 shift(const Vector& q);
  /// Its derivative by q.
  virtual void shift_rows(const Vector& q, ThreeRows& rows);

  /// Both by velocities, at q: the mass centre's shift moves by S v, and the angular momentum about
  /// the mass centre (at `centre` in the frame) is L v.
  virtual void mass_rows(const Vector& q, const Vec3& centre, ThreeRows& S, ThreeRows& L);

  // Forces.

  /// f += Bᵀ M a(x(q), u̇(q, v)), or with Φᵀ Rᵀ in the place of Bᵀ.
  virtual void add_field(const AccelerationField& field, const Vector& q, const Vector& v,
                         Vector& f) = 0;
  /// f += Bᵀ F likewise, the same force on each node of a group.
  virtual void add_nodal(int group, const Vec3& force, const Vector& q, Vector& f) = 0;
  /// f −= Φᵀ M Rᵀ Ṙ Φ v: Choi & Ko 2005, footnote 2. Nothing for linear modes.
  virtual void add_local_coriolis(const Vector& q, const Vector& v, Vector& f) = 0;

  /// df += the derivative by q (m×m) of what add_field adds at v = 0. May allocate.
  virtual void add_field_jacobian(const AccelerationField& field, const Vector& q,
                                  Eigen::MatrixXd& df) = 0;
  /// The same for add_nodal.
  virtual void add_nodal_jacobian(int group, const Vec3& force, const Vector& q,
                                  Eigen::MatrixXd& df) = 0;
  /// The same for a force on a point.
  virtual void add_point_jacobian(const BodyPoint& point, const Vec3& force, const Vector& q,
                                  Eigen::MatrixXd& df) const = 0;

 protected:
  /// `model` must outlive this.
  explicit ModalShape(const ModalModel& model);

  /// Row i of M a, a (n×3).
  [[nodiscard]] static Vec3 mass_row(const NodalMass& mass, int i, const Positions& a);
  /// f += Bᵀ M a(x(q)) whatever the law of loads.
  virtual void add_field_by_work(const AccelerationField& field, const Vector& q, Vector& f) {
    add_field(field, q, no_velocity_, f);
  }

  const ModalModel& model_;
  Vector no_velocity_;  // m zeros
  double mass_ = 0;     // kg
  Vec3 rest_centre_ = Vec3::Zero();

 private:
  Positions places_;  // of mass_motion() and shift(), n×3
  Positions rates_;
  ThreeRows rows_;
  Vector field_row_;
  mutable ThreeRows derivative_;
};

/// The model must outlive the result. `fast`: warped modes take sums over all nodes from
/// few of them.
[[nodiscard]] std::unique_ptr<ModalShape> make_modal_shape(const ModalModel& model, Method method,
                                                           LoadLaw law = LoadLaw::work,
                                                           bool fast = false);

/// Makes the shape of a body from its options; the model outlives it.
using ShapeMaker =
    std::function<std::unique_ptr<ModalShape>(const ModalModel&, const ModalBodyOptions&)>;

}  // namespace limber
