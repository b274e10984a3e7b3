// What a full-resolution body is told and asked between steps.
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <string>

#include "limber/core/error.h"
#include "limber/core/rotation.h"
#include "limber/dynamics/full_space/full_body.h"

namespace limber {

namespace {

/// M over the free nodes.
class FreeMass final : public LinearOperator {
 public:
  explicit FreeMass(const SimulatedMesh& mesh)
      : mesh_(mesh), field_(Positions::Zero(mesh.node_count(), 3)), product_(field_) {}

  void apply(const Vector& x, Vector& y) const override {
    field_.setZero();
    mesh_.add_scattered(1, x, field_);
    mesh_.multiply_mass(field_, product_);
    mesh_.gather(product_, y);
  }

 private:
  const SimulatedMesh& mesh_;
  mutable Positions field_, product_;
};

class LumpedInverse final : public Preconditioner {
 public:
  explicit LumpedInverse(const SimulatedMesh& mesh) : mesh_(mesh) {}

  void apply(const Vector& r, Vector& z) const override {
    for (int i = 0; i < mesh_.free_count(); ++i) {
      z.segment<3>(3 * i) = r.segment<3>(3 * i) / mesh_.node_mass()[mesh_.free().nodes()[i]];
    }
  }

 private:
  const SimulatedMesh& mesh_;
};

}  // namespace

void FullBody::refuse_unless_free(const char* what) const {
  if (system_.free_body) return;
  throw Error(std::string(what) + " needs a free body; this one is held by its support",
              "full-resolution body", "move the support, or fix no nodes");
}

void FullBody::set_loads(Loads loads) {
  check(loads, node_count());
  system_.loads = std::move(loads);
}

void FullBody::set_support(SupportMotion support) {
  if (system_.free_body) {
    throw Error("a free body has no support", "full-resolution body",
                "fix nodes, or use place() and set_velocity()");
  }
  if (system_.core) {
    throw Error("a core that moves by itself has no support that moves", "full-resolution body",
                "fix the core's nodes, and the support moves them");
  }
  system_.support = std::move(support);
  now_.frame = system_.support.at(now_.time);
}

void FullBody::set_damping(const Damping& damping) {
  const auto usable = [](double value) { return value >= 0 && std::isfinite(value); };
  if (!usable(damping.mass) || !usable(damping.stiffness)) {
    throw Error("damping must be finite and not negative", "full-resolution body",
                "give C = mass M + stiffness K");
  }
  const Damping& now = system_.options.damping;
  if (now.mass == damping.mass && now.stiffness == damping.stiffness) return;
  system_.options.damping = damping;
  linear_.forget_factors();
  explicit_.forget();
}

void FullBody::set_ground(const std::optional<GroundPlane>& plane) {
  system_.ground.reset();
  if (plane) system_.ground.emplace(system_.mesh, *plane);
  linear_.forget_step();  // its springs depend on the step
  explicit_.forget();
}

/// Δv = M⁻¹ Jᵀ p: what an implicit step then makes of it is what it makes of a force.
void FullBody::apply_impulse(const BodyPoint& point, const Vec3& impulse) {
  limber::check(point, node_count(), "impulse");
  if (!impulse.allFinite()) throw Error("the impulse is not finite", "impulse", "give N s");
  const SimulatedMesh& mesh = system_.mesh;
  const Vec3 given = now_.frame.rotation.transpose() * impulse;
  Positions field = Positions::Zero(node_count(), 3);
  for (std::size_t k = 0; k < 4; ++k) {
    if (point.weights[k] == 0) continue;
    field.row(point.nodes[k]) += point.weights[k] * given.transpose();
  }
  const int size = 3 * mesh.free_count();
  Vector r(size), change = Vector::Zero(size);
  mesh.gather(field, r);
  const FreeMass product(mesh);
  const LumpedInverse lumped(mesh);
  constexpr double kTolerance = 1e-14;
  constexpr int kMost = 200;  // the lumped mass is within a factor of five or so: some forty do
  Krylov krylov(size);
  if (const auto& core = system_.core) {
    core->project(r);
    krylov.conjugate_gradients(CoreOperator(product, *core), CorePreconditioner(lumped, *core),
                               kTolerance * r.norm(), kMost, change, r);
  } else {
    krylov.conjugate_gradients(product, lumped, kTolerance * r.norm(), kMost, change, r);
  }
  mesh.add_scattered(1, change, now_.v);
  predicted_ = false;
  forget_history();
}

/// Dampers of three differences of places in the core, L apart along the axes: the couple of one is
/// −c (L²ω − d (d·ω)), that of all −2 c L² ω.
void FullBody::damp_core_turning(double damping) {
  constexpr int kNobody = -1;  // handles count from 0
  if (!system_.core) {
    throw Error("there is no core", "full-resolution body", "name its nodes");
  }
  const Positions& V = system_.mesh.mesh().V;
  const std::vector<int>& nodes = system_.core->nodes();
  const Vec3 centre = V(nodes, Eigen::all).colwise().mean().transpose();
  const double length = extent(V(nodes, Eigen::all));
  const BodyPoint middle = point_of_core(V, nodes, centre);
  for (int c = 0; c < 3; ++c) {
    PointSpring damper;
    damper.point = point_of_core(V, nodes, centre + length * Vec3::Unit(c));
    for (std::size_t k = 0; k < 4; ++k) damper.point.weights[k] -= middle.weights[k];
    damper.owner = kNobody;
    damper.damping = damping / (2 * length * length);
    system_.springs.add(damper);
  }
}

/// By least squares over the lumped masses. Linear bodies have their rest shape in the frame: they
/// do not turn in it.
RestPlace FullBody::rest_in_frame() const {
  const Positions& V = system_.mesh.mesh().V;
  const Vector& mass = system_.mesh.node_mass();
  const Vec3 rest_centre = (mass.transpose() * V).transpose() / mass.sum();
  const Vec3 centre = (mass.transpose() * now_.x).transpose() / mass.sum();
  RestPlace place;
  if (!system_.elasticity->constant()) {
    const Mat3 moments = (now_.x.rowwise() - centre.transpose()).transpose() * mass.asDiagonal() *
                         (V.rowwise() - rest_centre.transpose());
    place.rotation = polar_rotation(moments);
  }
  place.position = centre - place.rotation * rest_centre;
  return place;
}

RestPlace FullBody::rest_place() const {
  if (!system_.free_body) return DynamicBody::rest_place();
  const RestPlace inner = rest_in_frame();
  return {now_.frame.to_world(inner.position), now_.frame.rotation * inner.rotation};
}

/// The frame takes the place, and the nodes lie in it as the body's shape lies about its rest.
void FullBody::place(const Vec3& position, const Mat3& rotation) {
  refuse_unless_free("placing");
  if (!position.allFinite() || !((rotation.transpose() * rotation).isIdentity(1e-6))) {
    throw Error("the place is not finite or its matrix no rotation", "full-resolution body",
                "give metres and a rotation matrix");
  }
  const Vector& mass = system_.mesh.node_mass();
  const Vec3 centre = (mass.transpose() * now_.x).transpose() / mass.sum();
  const RestPlace before = rest_in_frame();
  const Mat3& turn = before.rotation;
  const Vec3 rest_centre = turn.transpose() * (centre - before.position);
  const Momentum rigid =
      system_.keeper.rigid_motion(system_.keeper.momentum(now_.x, now_.v), now_.x);
  const Vec3 world_velocity = now_.frame.rotation * rigid.linear;
  const Vec3 world_spin = now_.frame.rotation * rigid.angular;
  for (int node = 0; node < node_count(); ++node) {
    const Vec3 arm = now_.x.row(node).transpose() - centre;
    const Vec3 own = now_.v.row(node).transpose() - rigid.linear - rigid.angular.cross(arm);
    const Vec3 turned = turn.transpose() * arm;
    now_.x.row(node) = (rest_centre + turned).transpose();
    const Vec3 carried =
        rotation.transpose() * (world_velocity + world_spin.cross(rotation * turned));
    now_.v.row(node) = (carried + turn.transpose() * own).transpose();
  }
  now_.frame = {};
  now_.frame.position = position;
  now_.frame.rotation = rotation;
  predicted_ = false;
  forget_history();
}

void FullBody::set_velocity(const Vec3& velocity, const Vec3& angular_velocity) {
  refuse_unless_free("setting a velocity");
  if (!velocity.allFinite() || !angular_velocity.allFinite()) {
    throw Error("a velocity is not finite", "full-resolution body", "give m/s and rad/s");
  }
  const Vector& mass = system_.mesh.node_mass();
  const Vec3 centre = (mass.transpose() * now_.x).transpose() / mass.sum();
  const Mat3 to_frame = now_.frame.rotation.transpose();
  const Vec3 linear = to_frame * velocity, spin = to_frame * angular_velocity;
  for (int node = 0; node < node_count(); ++node) {
    const Vec3 arm = now_.x.row(node).transpose() - centre;
    now_.v.row(node) = (linear + spin.cross(arm)).transpose();
  }
  predicted_ = false;
  forget_history();
}

void FullBody::set_node_state(const Positions& positions, const Positions& velocities) {
  if (positions.rows() != node_count() || velocities.rows() != node_count()) {
    throw Error("the state has " + std::to_string(positions.rows()) + " positions and " +
                    std::to_string(velocities.rows()) + " velocities",
                "full-resolution body", "give one row for each of the nodes");
  }
  if (!positions.allFinite() || !velocities.allFinite()) {
    throw Error("a position or velocity is not finite", "full-resolution body",
                "give finite numbers");
  }
  const FrameState& frame = now_.frame;
  for (const int node : system_.mesh.free().nodes()) {
    const Vec3 arm = positions.row(node).transpose() - frame.position;
    const Vec3 own =
        velocities.row(node).transpose() - frame.velocity - frame.angular_velocity.cross(arm);
    now_.x.row(node) = (frame.rotation.transpose() * arm).transpose();
    now_.v.row(node) = (frame.rotation.transpose() * own).transpose();
  }
  if (system_.core) system_.core->restore_shape(now_.x);
  predicted_ = false;
  forget_history();
}

void FullBody::point_states(std::span<const BodyPoint> points,
                            std::span<PointState> states) const noexcept {
  const FrameState& frame = latest_frame();
  for (std::size_t k = 0; k < points.size(); ++k) {
    const Vec3 arm = frame.rotation * points[k].sum(latest_x());
    const Vec3 own = frame.rotation * points[k].sum(latest_v());
    states[k].position = frame.position + arm;
    states[k].velocity = frame.velocity + frame.angular_velocity.cross(arm) + own;
  }
}

void FullBody::node_positions(Eigen::Ref<Positions> positions) const {
  const FrameState& frame = now_.frame;
  positions = (now_.x * frame.rotation.transpose()).rowwise() + frame.position.transpose();
}

void FullBody::node_velocities(Eigen::Ref<Positions> velocities) const {
  const FrameState& frame = now_.frame;
  for (int node = 0; node < node_count(); ++node) {
    const Vec3 arm = frame.rotation * now_.x.row(node).transpose();
    const Vec3 own = frame.rotation * now_.v.row(node).transpose();
    velocities.row(node) = (frame.velocity + frame.angular_velocity.cross(arm) + own).transpose();
  }
}

double FullBody::kinetic_energy() const { return system_.mesh.kinetic_energy(now_.v); }

double FullBody::elastic_energy() const { return system_.elasticity->energy(now_.x); }

Momentum FullBody::momentum() const {
  Positions x(node_count(), 3), v(node_count(), 3);
  node_positions(x);
  node_velocities(v);
  return MomentumKeeper(system_.mesh).momentum(x, v);
}

/// The nearest rotation to the mean deformation gradient of the tets around the heaviest node.
Vec3 FullBody::point_turn(const BodyPoint& point) const {
  const auto heaviest = std::max_element(point.weights.begin(), point.weights.end());
  const int node = point.nodes[static_cast<std::size_t>(heaviest - point.weights.begin())];
  const TetMesh& mesh = system_.mesh.mesh();
  Mat3 gradient = Mat3::Zero();
  for (const int corner : system_.mesh.graph().corners(node)) {
    const int tet = corner / 4;
    Mat3 rest, now;
    for (int k = 0; k < 3; ++k) {
      rest.col(k) = (mesh.V.row(mesh.T(tet, k + 1)) - mesh.V.row(mesh.T(tet, 0))).transpose();
      now.col(k) =
          (latest_x().row(mesh.T(tet, k + 1)) - latest_x().row(mesh.T(tet, 0))).transpose();
    }
    gradient += now * rest.inverse();
  }
  const Mat3 turn = polar_rotation(gradient);
  return rotation_log(is_free() ? Mat3(latest_frame().rotation * turn) : turn);
}

}  // namespace limber
