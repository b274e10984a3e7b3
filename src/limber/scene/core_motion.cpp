#include "limber/scene/core_motion.h"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "limber/core/error.h"
#include "limber/core/rotation.h"
#include "limber/fem/mass.h"

namespace limber {

namespace {

/// A rigid body about its mass centre, world coordinates.
struct RigidBody {
  double mass = 0;
  Vec3 rest_centre = Vec3::Zero();
  Mat3 inertia = Mat3::Zero();  // at rest, kg·m²
  Vec3 centre = Vec3::Zero();
  Vec3 velocity = Vec3::Zero();
  Mat3 rotation = Mat3::Identity();
  Vec3 spin = Vec3::Zero();  // angular momentum

  RigidBody(const TetMesh& mesh, const Materials& materials) {
    const SparseMatrix M = scalar_mass(mesh, materials, MassKind::lumped);
    const Vector masses = M * Vector::Ones(mesh.node_count());
    mass = masses.sum();
    rest_centre = mesh.V.transpose() * masses / mass;
    for (int node = 0; node < mesh.node_count(); ++node) {
      const Vec3 arm = mesh.V.row(node).transpose() - rest_centre;
      inertia += masses[node] * (arm.squaredNorm() * Mat3::Identity() - arm * arm.transpose());
    }
    centre = rest_centre;
  }

  [[nodiscard]] Vec3 angular_velocity() const {
    return rotation * inertia.ldlt().solve(rotation.transpose() * spin);
  }
  void move(double dt) {
    centre += dt * velocity;
    rotation = rotation_exp(dt * angular_velocity()) * rotation;
  }
  [[nodiscard]] SupportKey key(double time) const {
    return {time, centre - rotation * rest_centre, Eigen::Quaterniond(rotation).normalized()};
  }
};

double smallest_inertia(const Mat3& inertia) {
  return Eigen::SelfAdjointEigenSolver<Mat3>(inertia).eigenvalues()[0];
}

SupportMotion turning(const CoreAxis& axis, const SceneDescription& scene,
                      const std::string& where) {
  constexpr double kTurnPerKey = 0.5;  // rad; keys take the shorter way round
  const double length = axis.direction.norm();
  if (!(length > 0)) throw Error("the axis has no direction", where, "give three numbers");
  const Vec3 direction = axis.direction / length;
  const double turn = std::abs(axis.speed) * scene.duration;
  constexpr double kMostKeys = 1e5;
  if (turn / kTurnPerKey > kMostKeys) {
    throw Error("the core turns too fast", where, "give a smaller speed in rad/s");
  }
  const int count = 2 + static_cast<int>(turn / kTurnPerKey);
  std::vector<SupportKey> keys;
  // One key beyond each end: a core that turns at the start has always turned.
  for (int k = -1; k <= count; ++k) {
    const double time = scene.duration * k / (count - 1);
    const Mat3 rotation = rotation_exp(axis.speed * time * direction);
    keys.push_back({time, axis.point - rotation * axis.point, Eigen::Quaterniond(rotation)});
  }
  return SupportMotion(keys, Interpolation::linear, where);
}

SupportMotion hanging(const CoreHand& hand, const TetMesh& mesh, const Materials& materials,
                      const SceneDescription& scene, const std::string& where) {
  RigidBody body(mesh, materials);
  const Vec3 grip = hand.path.at(0).value - body.rest_centre;  // at rest, from the mass centre
  // What the grip's point weighs at least: 1/m + r²/I.
  const double lightness = 1 / body.mass + grip.squaredNorm() / smallest_inertia(body.inertia);
  const double rate = std::sqrt(hand.stiffness * lightness) + hand.damping * lightness;
  constexpr double kStable = 0.1;  // of 1/rate; the explicit step's own limit is 2
  constexpr double kMostSteps = 2e6;
  const double h = std::min(scene.time_step, std::max(scene.duration, scene.time_step));
  const int parts = 1 + static_cast<int>(std::min(kMostSteps, h * rate / kStable));
  const double count = std::ceil(scene.duration / h) + 1;
  if (!(count * parts < kMostSteps)) {
    throw Error(fmt::format("the hand's spring would need {:.0g} steps", count * parts), where,
                "use a softer spring, or move the core by \"support\" keyframes");
  }
  const double dt = h / parts;
  std::vector<SupportKey> keys{body.key(0)};
  for (int k = 0; k < static_cast<int>(count); ++k) {
    for (int part = 0; part < parts; ++part) {
      const double time = k * h + part * dt;
      const Path::Sample target = hand.path.at(time);
      const Vec3 arm = body.rotation * grip;
      const Vec3 velocity = body.velocity + body.angular_velocity().cross(arm);
      const Vec3 pull = hand.stiffness * (target.value - body.centre - arm) +
                        hand.damping * (target.velocity - velocity);
      const Loads loads{scene.gravity, {}};
      body.velocity += dt * (pull / body.mass + gravity_over(loads, {time, time + dt}));
      body.spin += dt * arm.cross(pull) - dt * hand.turn_damping * body.angular_velocity();
      body.move(dt);
    }
    keys.push_back(body.key((k + 1) * h));
  }
  return SupportMotion(keys, Interpolation::smooth, where);
}

}  // namespace

SupportMotion core_motion(const CoreDescription& core, const TetMesh& mesh,
                          const Materials& materials, const SceneDescription& scene,
                          const std::string& where) {
  if (core.axis) return turning(*core.axis, scene, where);
  return hanging(*core.hand, mesh, materials, scene, where);
}

}  // namespace limber
