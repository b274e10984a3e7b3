#include "limber/dynamics/rigid_body.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "limber/core/error.h"
#include "limber/core/rotation.h"

namespace limber {

namespace {

RigidMass checked(const RigidMass& mass) {
  const Vec3 moments = Eigen::SelfAdjointEigenSolver<Mat3>(mass.inertia).eigenvalues();
  const bool fine = std::isfinite(mass.mass) && mass.mass > 0 && mass.centre.allFinite() &&
                    moments.allFinite() && moments.minCoeff() > 0;
  if (!fine)
    throw Error("a rigid body needs a positive mass and moments of inertia", "rigid body",
                "give it a mass, and a shape with a volume");
  return mass;
}

[[noreturn]] void refuse(const char* what, const char* remedy) {
  throw Error(what, "rigid body", remedy);
}

/// The nodes' rows in their own coordinates: the origin and the three unit points.
Vec3 node_place(int node) { return node == 0 ? Vec3(Vec3::Zero()) : Vec3(Vec3::Unit(node - 1)); }

Vec3 place_of(const BodyPoint& point) {
  Vec3 X = Vec3::Zero();
  for (std::size_t k = 0; k < 4; ++k) X += point.weights[k] * node_place(point.nodes[k]);
  return X;
}

}  // namespace

RigidBody::RigidBody(const RigidMass& mass, const FrameState& start, Loads loads)
    : mass_(checked(mass)),
      start_(mass_.mass, mass_.centre, mass_.inertia, start),
      end_(start_),
      before_(start_),
      frame_(end_.state(Vec3::Zero(), {})),
      at_rows_(start_) {
  set_loads(std::move(loads));
}

BodyPoint RigidBody::point(const Vec3& X) {
  return {{0, 1, 2, 3}, {1 - X.sum(), X.x(), X.y(), X.z()}};
}

RigidFrame::Wrench RigidBody::wrench(const TimeSpan& span) const {
  RigidFrame::Wrench sum;
  for (const NodeForce& load : loads_.forces) {
    const Vec3 force = share(load.from, load.to, span) * load.force;
    for (const int node : load.nodes) {
      sum.force += force;
      sum.torque += (frame_.to_world(node_place(node)) - end_.mass_centre()).cross(force);
    }
  }
  return sum;
}

Fault RigidBody::predict(double h, StepKind kind) noexcept {
  if (!(h >= kShortestPart && h <= kLongestStep)) return {Fault::Kind::bad_step, h};
  before_ = end_;
  start_ = end_;
  h_ = h;
  const TimeSpan span{time_, time_ + h};
  const Vec3 gravity = gravity_over(loads_, span);
  const RigidFrame::Wrench pull = wrench(span);
  if (kind == StepKind::flight) {
    end_.drift(h / 2);
    end_.kick(h, gravity, pull);
    end_.drift(h / 2);
  } else {
    start_.kick(h, gravity, pull);
    end_ = start_;
    end_.drift(h);
  }
  frame_ = end_.state(gravity, pull);
  if (end_.is_finite()) return {};
  end_ = before_;
  frame_ = end_.state(Vec3::Zero(), {});
  return {Fault::Kind::overflow};
}

Fault RigidBody::commit() noexcept {
  if (!end_.is_finite()) {
    end_ = before_;
    frame_ = end_.state(Vec3::Zero(), {});
    return {Fault::Kind::overflow};
  }
  time_ += h_;
  return {};
}

void RigidBody::point_states(std::span<const BodyPoint> points,
                             std::span<PointState> states) const noexcept {
  for (std::size_t k = 0; k < points.size(); ++k) {
    const Vec3 arm = frame_.rotation * place_of(points[k]);
    states[k].position = frame_.position + arm;
    states[k].velocity = frame_.velocity + frame_.angular_velocity.cross(arm);
  }
}

Vec3 RigidBody::point_turn(const BodyPoint& /*point*/) const {
  return rotation_log(frame_.rotation);
}

void RigidBody::reserve_rows(int rows) { rows_.reserve(static_cast<std::size_t>(rows)); }

void RigidBody::set_rows(std::span<const BodyRow> rows, double /*h*/, float* scaled,
                         std::ptrdiff_t stride) noexcept {
  rows_.clear();
  at_rows_ = end_;
  const double linear = 1 / std::sqrt(mass_.mass);
  const Mat3 angular = end_.principal_moments().cwiseSqrt().cwiseInverse().asDiagonal() *
                       end_.principal_axes().transpose();
  for (const BodyRow& row : rows) {
    rows_.push_back({row.direction, row.place, row.angular});
    const Vec3 turn =
        row.angular ? row.direction : Vec3((row.place - end_.mass_centre()).cross(row.direction));
    const Vec3 a = angular * turn;
    for (int k = 0; k < 3; ++k) {
      scaled[k] = row.angular ? 0.0F : static_cast<float>(linear * row.direction[k]);
      scaled[3 + k] = static_cast<float>(a[k]);
    }
    scaled += stride;
  }
}

void RigidBody::scaled_motion(float* velocity, float* displacement) const noexcept {
  const double linear = std::sqrt(mass_.mass);
  const Mat3 angular =
      at_rows_.principal_moments().cwiseSqrt().asDiagonal() * at_rows_.principal_axes().transpose();
  const Vec3 spin = angular * end_.angular_velocity();
  const Vec3 turn = angular * rotation_log(end_.rotation() * at_rows_.rotation().transpose());
  const Vec3 moved = end_.mass_centre() - at_rows_.mass_centre();
  for (int k = 0; k < 3; ++k) {
    velocity[k] = static_cast<float>(linear * end_.velocity()[k]);
    velocity[3 + k] = static_cast<float>(spin[k]);
    displacement[k] = static_cast<float>(linear * moved[k]);
    displacement[3 + k] = static_cast<float>(turn[k]);
  }
}

void RigidBody::apply(std::span<const double> impulses, bool move,
                      std::span<const Vec3> carried) noexcept {
  // What moves the body acts before it drifts: with arms from there, drifting keeps the sum.
  const Vec3 centre = move ? start_.mass_centre() : end_.mass_centre();
  RigidFrame::Wrench sum;
  for (std::size_t k = 0; k < impulses.size(); ++k) {
    const Row& row = rows_[k];
    const Vec3 impulse = impulses[k] * row.direction;
    if (row.angular) {
      sum.torque += impulse;
    } else {
      sum.force += impulse;
      const Vec3 place = carried.empty() ? row.place : Vec3(row.place + carried[k]);
      sum.torque += (place - centre).cross(impulse);
    }
  }
  if (!move) {
    end_.kick(1, Vec3::Zero(), sum);
  } else {
    start_.kick(1, Vec3::Zero(), sum);
    end_ = start_;
    end_.drift(h_);
  }
  frame_ = end_.state(Vec3::Zero(), {});
}

void RigidBody::restart(const FrameState& frame) {
  end_ = RigidFrame(mass_.mass, mass_.centre, mass_.inertia, frame);
  start_ = before_ = at_rows_ = end_;
  rows_.clear();
  frame_ = end_.state(Vec3::Zero(), {});
}

void RigidBody::set_loads(Loads loads) {
  check(loads, node_count());
  loads_ = std::move(loads);
}

void RigidBody::set_support(SupportMotion /*support*/) {
  refuse("a rigid body with a mass has no support", "make it an obstacle that follows its keys");
}

void RigidBody::set_damping(const Damping& damping) {
  if (damping.mass != 0 || damping.stiffness != 0)
    refuse("a rigid body has no damping", "leave damping out");
}

void RigidBody::apply_impulse(const BodyPoint& point, const Vec3& impulse) {
  const Vec3 arm = frame_.to_world(place_of(point)) - end_.mass_centre();
  end_.kick(1, Vec3::Zero(), {impulse, arm.cross(impulse)});
  frame_ = end_.state(Vec3::Zero(), {});
}

void RigidBody::place(const Vec3& position, const Mat3& rotation) {
  FrameState frame = frame_;
  const Vec3 velocity = end_.velocity();
  frame.position = position;
  frame.rotation = rotation;
  frame.velocity = velocity - frame.angular_velocity.cross(rotation * mass_.centre);
  restart(frame);
}

void RigidBody::set_velocity(const Vec3& velocity, const Vec3& angular_velocity) {
  FrameState frame = frame_;
  frame.angular_velocity = angular_velocity;
  frame.velocity = velocity - angular_velocity.cross(frame.rotation * mass_.centre);
  restart(frame);
}

void RigidBody::set_node_state(const Positions& positions, const Positions& velocities) {
  FrameState frame;
  Mat3 F, rate;
  for (int k = 0; k < 3; ++k) {
    F.col(k) = positions.row(k + 1) - positions.row(0);
    rate.col(k) = velocities.row(k + 1) - velocities.row(0);
  }
  frame.position = positions.row(0).transpose();
  frame.rotation = polar_rotation(F);
  const Mat3 spin = rate * frame.rotation.transpose();
  frame.angular_velocity =
      Vec3(spin(2, 1) - spin(1, 2), spin(0, 2) - spin(2, 0), spin(1, 0) - spin(0, 1)) / 2;
  frame.velocity = velocities.row(0).transpose();
  restart(frame);
}

SettleStatus RigidBody::settle(const SettleOptions& /*options*/) {
  refuse("a rigid body has no equilibrium of its own", "let it come to rest in its world");
}

void RigidBody::node_positions(Eigen::Ref<Positions> positions) const {
  for (int k = 0; k < 4; ++k) positions.row(k) = frame_.to_world(node_place(k)).transpose();
}

void RigidBody::node_velocities(Eigen::Ref<Positions> velocities) const {
  for (int k = 0; k < 4; ++k) {
    const Vec3 arm = frame_.rotation * node_place(k);
    velocities.row(k) = (frame_.velocity + frame_.angular_velocity.cross(arm)).transpose();
  }
}

Momentum RigidBody::momentum() const {
  const Vec3 linear = mass_.mass * end_.velocity();
  return {linear, end_.angular_momentum() + end_.mass_centre().cross(linear)};
}

void RigidBody::archive(StateArchive& state) {
  end_.archive(state);
  state.value(time_);
  if (state.is_loading()) {
    start_ = before_ = at_rows_ = end_;
    rows_.clear();
    frame_ = end_.state(Vec3::Zero(), {});
  }
}

}  // namespace limber
