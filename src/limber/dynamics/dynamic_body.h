// What every simulated body can do, whatever its method: all that a world, contacts, joints,
// handles, programs and bindings know of it.
//
// A step of h seconds comes in three parts, so that a world can act between them:
//   predict(h)        loads, elasticity and handles: where the body would be after h seconds;
//   set_rows, apply   what others do to it: impulses along rows (contacts, joints);
//   commit()          the step is kept.
// Several steps may follow one set_rows(): substeps, which end_touching() ends.
// Nothing in a step throws or allocates; a body that cannot go on says so by a Fault and stays as
// it was before the step.
//
// Symbols: J (k×dofs) rows, A the body's response matrix over a step (mass, and for stiff modes
// and full-resolution bodies stiffness and damping as well), J̃ = J A^-½ (k×d), so that
// W = J A⁻¹ Jᵀ = J̃ J̃ᵀ is what impulses p along the rows do to the velocities along them.
#pragma once

#include <span>

#include "limber/core/state_archive.h"
#include "limber/dynamics/body_point.h"
#include "limber/dynamics/detail_level.h"
#include "limber/dynamics/fault.h"
#include "limber/dynamics/frame/frame_motion.h"
#include "limber/dynamics/handles.h"
#include "limber/dynamics/loads.h"
#include "limber/dynamics/method.h"
#include "limber/material/material.h"

namespace limber {

struct SettleOptions {
  double tolerance = 1e-10;  ///< of the residual relative to the loads
  int most_iterations = 200;
};

struct SettleStatus {
  bool converged = false;
  int iterations = 0;
  double residual = 0;  ///< of the method's own equations, relative to the loads
};

/// How the last step's equations were solved; methods without a solver always converge.
struct StepStatus {
  bool converged = true;
  int newton_iterations = 0;  ///< linear systems solved
  int solver_iterations = 0;  ///< in all of them
  /// What the step has cost, in passes over all elements: explicit parts, residuals and energies,
  /// iterations of linear solvers. 0 for methods whose cost is always the same.
  long passes = 0;
  double residual = 0;        ///< relative to the momenta and impulses of the step
  double solver_seconds = 0;  ///< processor time of the linear systems
};

/// World coordinates; angular: about the world's origin.
struct Momentum {
  Vec3 linear = Vec3::Zero();   // kg m/s
  Vec3 angular = Vec3::Zero();  // kg m²/s

  Momentum& operator+=(const Momentum& other) {
    linear += other.linear;
    angular += other.angular;
    return *this;
  }
};

struct PointState {
  Vec3 position = Vec3::Zero();  // m, world
  Vec3 velocity = Vec3::Zero();  // m/s, world
};

/// A direction that impulses act along at a point: of the point's velocity, or of the angular
/// velocity of the body at the point.
struct BodyRow {
  BodyPoint point;
  Vec3 direction = Vec3::UnitX();  // world, unit length
  /// Where the impulse acts in the world: bodies in contact share it, or angular momentum leaks.
  Vec3 place = Vec3::Zero();
  bool angular = false;
};

/// What impulses along the rows of a body come to.
struct RowSum {
  std::span<const float> change;  // J̃ᵀp: of the scaled velocity
  Vec3 impulse = Vec3::Zero();    // N s
  Vec3 moment = Vec3::Zero();     // N m s, about:
  Vec3 about = Vec3::Zero();      // m, world
};

/// How loads enter a step.
enum class StepKind {
  flight,   ///< as accurately as the method can: nothing will push until commit()
  touching  ///< all at the start, so that x⁺ = x + h v⁺ for frames and nodes, and impulses that
            ///< stop a body leave it exactly where it was
};

/// World coordinates of a body's rest shape: x = position + rotation X.
struct RestPlace {
  Vec3 position = Vec3::Zero();
  Mat3 rotation = Mat3::Identity();
};

class DynamicBody {
 public:
  virtual ~DynamicBody() = default;

  // What it is.

  [[nodiscard]] virtual Method method() const = 0;
  [[nodiscard]] virtual int node_count() const = 0;
  /// No fixed nodes: it moves freely through the world.
  [[nodiscard]] virtual bool is_free() const = 0;
  [[nodiscard]] virtual double mass() const = 0;  ///< kg

  // A step, in three parts.

  /// Where the body would be h seconds on. A fault leaves it as it was.
  [[nodiscard]] virtual Fault predict(double h, StepKind kind) noexcept = 0;
  /// The end of the step becomes the present. A fault leaves it as it was before predict().
  [[nodiscard]] virtual Fault commit() noexcept = 0;
  [[nodiscard]] virtual const StepStatus& last_step() const = 0;
  /// The steps that touch something are over for now: what set_rows() has frozen for the sake of
  /// speed is taken as it is again.
  virtual void end_touching() noexcept {}
  /// Instead of a step: h seconds pass and nothing moves, as in sleep.
  virtual void idle(double h) noexcept = 0;

  // Between predict() and commit(): the end of the step as it has been found so far. Before
  // predict() and after commit(): the present.

  virtual void point_states(std::span<const BodyPoint> points,
                            std::span<PointState> states) const noexcept = 0;
  /// How a point has turned since rest, as a rotation vector in the coordinates of handles'
  /// targets: continuous beyond whole turns where the method knows them.
  [[nodiscard]] virtual Vec3 point_turn(const BodyPoint& point) const = 0;
  /// The most rows that set_rows() will ever be given from now on. Allocates.
  virtual void reserve_rows(int rows) = 0;
  /// The rows that impulses act along from now on, and how responses scale for steps of h seconds.
  /// Writes J̃ row by row, each beginning `stride` floats after the one before (stride ≥
  /// row_length(k) for k rows), linearised at the present state.
  virtual void set_rows(std::span<const BodyRow> rows, double h, float* scaled,
                        std::ptrdiff_t stride) noexcept = 0;
  /// d for k rows: at most k or the number of the body's own coordinates.
  [[nodiscard]] virtual int row_length(int rows) const noexcept = 0;
  /// In the coordinates of the scaled rows: the velocity Ṽ (d), J̃Ṽ being the rows' velocities, and
  /// the displacement D̃ (d) since set_rows(), J̃D̃ being what the rows have moved by, to first order.
  virtual void scaled_motion(float* velocity, float* displacement) const noexcept = 0;
  /// How many of a scaled row's first numbers belong to the motion of the whole body: its rigid
  /// compliance, apart from the elastic one. 0 where the method does not tell them apart.
  [[nodiscard]] virtual int rigid_coordinates() const noexcept { return 0; }
  /// Impulses (N s) along the rows of set_rows(). `move`: positions at the end of the step follow,
  /// as by a force over the step; otherwise velocities alone change. `carried`: how far each row's
  /// place has moved since (m, world; empty: not at all), the same for both bodies of a contact, or
  /// angular momentum leaks while they move on.
  virtual void apply(std::span<const double> impulses, bool move,
                     std::span<const Vec3> carried = {}) noexcept = 0;
  /// Whether, since the last set_rows(), the sum of the impulses does in the place of apply(); and
  /// that. Momenta are those of impulse and moment, the shape's own motion goes by `change`.
  [[nodiscard]] virtual bool takes_sums() const noexcept { return false; }
  virtual void apply_sum(const RowSum& /*sum*/, bool /*move*/) noexcept {}

  // What acts on it.

  [[nodiscard]] virtual Handles& handles() = 0;
  [[nodiscard]] virtual const Handles& handles() const = 0;
  /// Throws Error where loads are out of range.
  virtual void set_loads(Loads loads) = 0;
  [[nodiscard]] virtual const Loads& loads() const = 0;
  /// Another motion of the support from now on; the frame goes there at once. Throws Error for a
  /// free body: it has none.
  virtual void set_support(SupportMotion support) = 0;
  [[nodiscard]] virtual const SupportMotion& support() const = 0;
  virtual void set_damping(const Damping& damping) = 0;
  /// At once, between steps: an impulse (N s, world) at a point.
  virtual void apply_impulse(const BodyPoint& point, const Vec3& impulse) = 0;
  /// At once: the body as it is, its rest coordinates' origin at `position` and turned by
  /// `rotation`. Free bodies only: throws Error.
  virtual void place(const Vec3& position, const Mat3& rotation) = 0;
  /// At once: of the mass centre and about it, the shape at rest in itself. Free bodies only:
  /// throws Error.
  virtual void set_velocity(const Vec3& velocity, const Vec3& angular_velocity) = 0;
  /// n×3 each, world: the nearest state that the method can take.
  virtual void set_node_state(const Positions& positions, const Positions& velocities) = 0;

  /// To the static equilibrium under the loads of the present time, at rest. Without convergence
  /// the body stays at the best state found. Throws Error where there can be none.
  virtual SettleStatus settle(const SettleOptions& options = {}) = 0;

  // How much detail it has: methods without a cheaper version of themselves have none to choose.

  [[nodiscard]] virtual DetailSize detail_size() const { return {}; }
  [[nodiscard]] virtual DetailChoice detail_choice() const { return {}; }
  /// What it has now: modes that are still fading out count.
  [[nodiscard]] virtual DetailLevel detail_now() const { return {}; }
  /// What it shall have from now on, between steps: what it cannot choose it ignores.
  virtual void want_detail(const DetailLevel& /*level*/) noexcept {}
  /// Once a step of the world, before it: fades go on by h seconds.
  virtual void fade_detail(double /*h*/) noexcept {}

  // What can be seen of it.

  /// n×3, world coordinates.
  virtual void node_positions(Eigen::Ref<Positions> positions) const = 0;
  virtual void node_velocities(Eigen::Ref<Positions> velocities) const = 0;
  /// J. Of a body on a support: of its motion relative to the support.
  [[nodiscard]] virtual double kinetic_energy() const = 0;
  [[nodiscard]] virtual double elastic_energy() const = 0;
  [[nodiscard]] virtual Momentum momentum() const = 0;
  /// Modal amplitudes and their velocities; empty for methods without modes.
  [[nodiscard]] virtual std::span<const double> modal() const { return {}; }
  [[nodiscard]] virtual std::span<const double> modal_velocities() const { return {}; }
  /// Puts them where they are told, as many as there are; methods without modes take none.
  virtual void set_modal(std::span<const double> /*amplitudes*/,
                         std::span<const double> /*velocities*/) {}
  /// Nodes that touch something the body itself knows of.
  [[nodiscard]] virtual int contact_count() const { return 0; }
  /// What that pushed the body by over the last step, N, world.
  [[nodiscard]] virtual Vec3 contact_force() const { return Vec3::Zero(); }
  [[nodiscard]] virtual double time() const = 0;
  /// What the body's own coordinates are about: the support's frame, or that of a free body.
  [[nodiscard]] virtual const FrameState& frame() const = 0;
  /// Where the rest coordinates' origin and axes are now.
  [[nodiscard]] virtual RestPlace rest_place() const {
    return {frame().position, frame().rotation};
  }

  /// All that a step depends on and changes, for snapshots: one listing saves and restores.
  virtual void archive(StateArchive& state) = 0;
};

/// A whole step that nothing else acts in.
[[nodiscard]] inline Fault advance(DynamicBody& body, double h) noexcept {
  const Fault fault = body.predict(h, StepKind::flight);
  return fault ? fault : body.commit();
}

}  // namespace limber
