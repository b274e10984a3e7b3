#include "server/lane_body.h"

#include <fmt/format.h>

#include <cmath>

#include "limber/core/error.h"
#include "limber/core/rotation.h"
#include "limber/dynamics/adaptive/adaptive_body.h"
#include "limber/dynamics/full_space/full_body.h"
#include "limber/scene/build_body.h"

namespace limber::studio {

namespace {

// A hand follows a pointer that leaps at this pace: parts of the body's size and rad a step.
constexpr double kLongestPull = 0.06;
constexpr double kLargestTwist = 0.25;
// A body that is put to rest and stops again a few steps later has not gone on.
constexpr int kStepsToTrust = 20;

/// Whether people act on the body beside what the scene does.
bool led(const Surroundings& around) {
  return !around.hands.empty() || !around.pushes.empty() || !around.support.at_rest();
}

/// Rows xᵀ of points seen from a frame: Rᵀ(x − p).
Positions seen_from(const FrameState& frame, Positions points) {
  points.rowwise() -= frame.position.transpose();
  return points * frame.rotation;
}

}  // namespace

LaneBody::LaneBody(const StudioBody& body, Method method, const SceneDescription& scene,
                   World& world, ContactBuilder& contact)
    : body_(body), scene_loads_(loads_of(body.description, scene, *body.source)), world_(world) {
  body_.description = with_method(std::move(body_.description), method);
  id_ = world_.add(body_.description.name, make_dynamics(body_.description, scene, *body_.played),
                   contact.part_of(body_.description, *body_.played));
  contact.add_body(body_.description, id_);
  scene_support_ = dynamics().support();
}

int LaneBody::contacts() const {
  const int who = world_.body(id_).participant;
  return dynamics().contact_count() + (who == kNobody ? 0 : world_.contacts().contact_count(who));
}

std::vector<GroundContact> LaneBody::ground_contacts() const {
  const auto* full = dynamic_cast<const FullBody*>(&dynamics());
  if (const auto* adaptive = dynamic_cast<const AdaptiveBody*>(&dynamics())) {
    full = &adaptive->inner();
  }
  if (full == nullptr || !full->ground()) return {};
  return full->ground()->contacts(full->positions(), full->frame());
}

BodyPoint handle_point(const StudioBody& body, int vertex) {
  const SurfaceBinding& binding = body.surface().binding;
  if (vertex < 0 || vertex >= binding.vertex_count()) {
    throw Error(fmt::format("vertex {} does not exist", vertex), body.description.name,
                "reload the page");
  }
  return point_of(binding, vertex);
}

void LaneBody::prepare(double h, const Surroundings& around) {
  recover(around);
  apply_support(h, around);
  apply_loads(around);
  apply_hands(h, around);
}

/// What a hand has pulled inside out stands still there until the hand is kinder. What stopped by
/// itself stays so until people act on it: it would be stopped again, or play on from a state that
/// its method never reached.
void LaneBody::recover(const Surroundings& around) {
  if (!world_.body(id_).fault) return;
  const bool acted_on = led(around) || around.gravity != applied_.gravity;
  if (!stopped_while_led_ && !acted_on) return;
  dynamics().set_node_state(nodes(), Positions::Zero(dynamics().node_count(), 3));
  world_.resume(id_);
}

void LaneBody::notice_faults() {
  if (const Fault& now = world_.body(id_).fault) {
    if (!fault_) stopped_at_ = dynamics().time();
    stopped_while_led_ = led(applied_);
    fault_ = now;
    steps_since_fault_ = 0;
  } else if (fault_ && ++steps_since_fault_ >= kStepsToTrust) {
    fault_ = {};
  }
}

void LaneBody::apply_support(double h, const Surroundings& around) {
  const bool shaken = !dynamics().is_free() && !around.support.at_rest();
  if (!shaken && !shaken_) return;
  shaken_ = shaken;
  dynamics().set_support(shaken ? around.support.over_step(scene_support_, dynamics().time(), h)
                                : scene_support_);
}

void LaneBody::apply_loads(const Surroundings& around) {
  const bool same =
      loads_set_ && applied_.gravity == around.gravity && applied_.pushes == around.pushes;
  applied_ = around;
  if (same) return;
  world_.wake(id_);
  Loads loads = scene_loads_;
  if (around.gravity) loads.gravity = {{*around.gravity}};
  for (const auto& [vertex, force] : around.pushes) {
    const BodyPoint point = handle_point(body_, vertex);
    for (std::size_t k = 0; k < 4; ++k) {
      if (point.weights[k] != 0) {
        loads.forces.push_back({{point.nodes[k]}, point.weights[k] * force});
      }
    }
  }
  // A body that plays as the scene says keeps its history, to the bit.
  if (loads_set_ || around.gravity || !around.pushes.empty()) {
    dynamics().set_loads(std::move(loads));
  }
  loads_set_ = true;
}

std::vector<Hand> LaneBody::hands_to_meet(double h, const Surroundings& around) const {
  std::vector<Hand> hands = around.hands;
  if (dynamics().is_free()) return hands;
  const FrameState frame = dynamics().support().at(dynamics().time() + h);
  for (Hand& hand : hands) {
    hand.target = frame.rotation.transpose() * (hand.target - frame.position);
    hand.rotation = frame.rotation.transpose() * hand.rotation;
  }
  return hands;
}

/// The hand begins where its point is: a handle far from it would hit the modes like a hammer.
LaneBody::Held LaneBody::take(const Hand& hand) {
  Held held{hand.kind, hand.vertex};
  Handle handle;
  handle.point = handle_point(body_, hand.vertex);
  PointState state;
  dynamics().point_states({&handle.point, 1}, {&state, 1});
  held.target = state.position;
  if (!dynamics().is_free()) {
    const FrameState& frame = dynamics().frame();
    held.target = frame.rotation.transpose() * (state.position - frame.position);
  }
  held.rotation = dynamics().point_turn(handle.point);
  if (hand.kind != Hand::Kind::orientation) {
    handle.target = Path({0.0}, {held.target});
    held.position = dynamics().handles().add(handle);
  }
  // A reduced body's points have a place to be held at, and no turn.
  if (hand.kind != Hand::Kind::position && dynamics().method() != Method::reduced) {
    handle.kind = HandleKind::orientation;
    handle.target = Path({0.0}, {held.rotation});
    held.orientation = dynamics().handles().add(handle);
  }
  return held;
}

void LaneBody::follow(const Hand& hand, Held& held) {
  const auto towards = [](const Vec3& from, const Vec3& to, double longest) {
    const Vec3 way = to - from;
    return way.norm() <= longest ? to : Vec3(from + longest * way.normalized());
  };
  held.target = towards(held.target, hand.target, kLongestPull * body_.size);
  held.rotation = towards(held.rotation, hand.rotation, kLargestTwist);
  if (held.position >= 0) dynamics().handles().move(held.position, held.target);
  if (held.orientation >= 0) dynamics().handles().move(held.orientation, held.rotation);
}

void LaneBody::apply_hands(double h, const Surroundings& around) {
  const std::vector<Hand> hands = hands_to_meet(h, around);
  if (!traits(dynamics().method()).modal) {
    full_hands_.apply(body_, hands, dynamics().is_free() ? nodes() : pose(), dynamics());
    return;
  }
  if (hands.empty() && held_.empty()) return;
  std::map<int, Held> before;
  before.swap(held_);
  const auto let_go = [this](const Held& held) {
    if (held.position >= 0) dynamics().handles().remove(held.position);
    if (held.orientation >= 0) dynamics().handles().remove(held.orientation);
  };
  for (const Hand& hand : hands) {
    auto known = before.find(hand.id);
    if (known != before.end() &&
        (known->second.kind != hand.kind || known->second.vertex != hand.vertex)) {
      let_go(known->second);
      before.erase(known);
      known = before.end();
    }
    Held held = known != before.end() ? known->second : take(hand);
    if (known != before.end()) before.erase(known);
    follow(hand, held);
    held_[hand.id] = held;
  }
  for (const auto& [id, held] : before) let_go(held);
}

void LaneBody::hit(const BodyPoint& point, const Vec3& impulse) {
  world_.wake(id_);
  dynamics().apply_impulse(point, impulse);
}

void LaneBody::put(const Vec3& position, const Eigen::Quaterniond& rotation) {
  world_.wake(id_);
  dynamics().place(position, rotation.normalized().toRotationMatrix());
  dynamics().set_velocity(Vec3::Zero(), Vec3::Zero());
}

void LaneBody::throw_it(const Vec3& velocity, const Vec3& spin) {
  world_.wake(id_);
  dynamics().set_velocity(velocity, spin);
}

void LaneBody::let_fly(const Vec3& velocity) {
  world_.wake(id_);
  if (traits(dynamics().method()).modal) {
    dynamics().set_velocity(velocity, dynamics().frame().angular_velocity);
    return;
  }
  Positions velocities(dynamics().node_count(), 3);
  dynamics().node_velocities(velocities);
  const Vec3 more = velocity - dynamics().momentum().linear / body_.mass;
  velocities.rowwise() += more.transpose();
  dynamics().set_node_state(nodes(), velocities);
}

void LaneBody::set_damping(const Damping& damping) {
  const Damping& before = body_.description.damping;
  if (before.mass == damping.mass && before.stiffness == damping.stiffness) return;
  body_.description.damping = damping;
  dynamics().set_damping(damping);
}

void LaneBody::carry_over(const LaneBody& before) {
  const DynamicBody& other = before.dynamics();
  if (other.node_count() != dynamics().node_count()) return;
  Positions velocities(other.node_count(), 3);
  other.node_velocities(velocities);
  dynamics().set_node_state(before.nodes(), velocities);
  const bool same_space =
      (dynamics().method() == Method::reduced) == (other.method() == Method::reduced);
  if (same_space && !dynamics().modal().empty() && !other.modal().empty()) {
    dynamics().set_modal(other.modal(), other.modal_velocities());
  }
}

Positions LaneBody::nodes() const {
  Positions positions(dynamics().node_count(), 3);
  dynamics().node_positions(positions);
  return positions;
}

Positions LaneBody::pose() const {
  return dynamics().is_free() ? nodes() : seen_from(dynamics().frame(), nodes());
}

Positions LaneBody::surface() const {
  const Positions at = nodes();
  const SurfaceBinding& binding = body_.surface().binding;
  Positions surface(binding.vertex_count(), 3);
  for (int vertex = 0; vertex < binding.vertex_count(); ++vertex) {
    surface.row(vertex) = point_of(binding, vertex).sum(at).transpose();
  }
  return surface;
}

/// Of warped and linear modes the page makes the shape itself.
void LaneBody::write(FrameWriter& frame, double volume_ratio, double error) const {
  const Method method = dynamics().method();
  if (method == Method::modal_warping || method == Method::linear_modal) {
    const FrameState& place = dynamics().frame();
    const Eigen::Quaterniond turn(place.rotation);
    const bool unturned = place.rotation.isIdentity(0);
    frame.add_modes(dynamics().modal(), method == Method::modal_warping,
                    {place.position, unturned ? Eigen::Vector4d(0, 0, 0, 1) : turn.coeffs()},
                    volume_ratio, error);
    return;
  }
  const Positions at = surface();
  const std::vector<float> floats(at.data(), at.data() + at.size());
  frame.add_positions(floats, volume_ratio, error);
}

}  // namespace limber::studio
