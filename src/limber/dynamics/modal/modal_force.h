// How outside loads act on a body's modes: f = Φᵀ R(Ψq)ᵀ F, with R = I for linear modes.
//
// Everything here is in the coordinates of the body's frame. Gravity and inertia enter as fields
// of acceleration that the full mass matrix M, fixed nodes included, turns into nodal forces.
// Symbols: q (m) modal amplitudes, v = q̇, f (m) modal force.
#pragma once

#include <memory>
#include <vector>

#include "limber/dynamics/frame/frame_motion.h"
#include "limber/dynamics/loads.h"
#include "limber/dynamics/modal/warp.h"

namespace limber {

/// a(x, u̇) = uniform − gradient·x − 2 spin × u̇ for a particle at x (deformed) that moves with u̇.
struct AccelerationField {
  Vec3 uniform = Vec3::Zero();   // m/s²
  Mat3 gradient = Mat3::Zero();  // [α]× + [ω]×², 1/s²
  Vec3 spin = Vec3::Zero();      // ω, rad/s

  [[nodiscard]] bool is_uniform() const { return gradient.isZero(0) && spin.isZero(0); }
};

/// What particles feel in a frame that moves like this, under a gravity in world coordinates:
/// R_sᵀ(g − a_s) − α×x − ω×(ω×x) − 2 ω×u̇.
[[nodiscard]] AccelerationField inertial_field(const FrameState& frame, const Vec3& gravity);

/// One method's way from loads to modal forces. Keeps scratch memory: no call allocates after
/// prepare_turning() and set_groups(), and one object serves one thread.
class ModalForce {
 public:
  virtual ~ModalForce() = default;

  /// To be called before the first field that is not uniform.
  virtual void prepare_turning() = 0;
  /// The node sets of the forces that add_nodal() will apply.
  virtual void set_groups(const std::vector<NodeForce>& forces) = 0;

  /// f += Φᵀ Rᵀ M a(x(q), u̇(q, v)).
  virtual void add_field(const AccelerationField& field, const Vector& q, const Vector& v,
                         Vector& f) = 0;
  /// f += Φᵀ Rᵀ F, the same force on each node of a group.
  virtual void add_nodal(int group, const Vec3& force, const Vector& q, Vector& f) = 0;
  /// f −= Φᵀ M Rᵀ Ṙ Φ v: Choi & Ko 2005, footnote 2. Nothing for linear modes.
  virtual void add_local_coriolis(const Vector& q, const Vector& v, Vector& f) = 0;

  /// df += the derivative by q (m×m) of what add_field adds at v = 0. May allocate.
  virtual void add_field_jacobian(const AccelerationField& field, const Vector& q,
                                  Eigen::MatrixXd& df) = 0;
  /// The same for add_nodal.
  virtual void add_nodal_jacobian(int group, const Vec3& force, const Vector& q,
                                  Eigen::MatrixXd& df) = 0;
};

/// The body must outlive the result. `fast`: warped modes take uniform fields by cubature.
[[nodiscard]] std::unique_ptr<ModalForce> make_modal_force(const ModalModel& body,
                                                           ModalMethod method, bool fast = false);

}  // namespace limber
