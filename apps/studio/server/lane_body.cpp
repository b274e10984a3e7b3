#include "server/lane_body.h"

#include <fmt/format.h>
#include <cmath>

#include "limber/core/error.h"
#include "limber/core/rotation.h"
#include "limber/interpolate/rotation_strain_body.h"
#include "limber/scene/methods.h"
#include "server/carried_state.h"

namespace limber::studio {

namespace {

// A free body is pulled by a spring that would swing it so often a second, nearly aperiodic.
constexpr double kPullHz = 2.5;
constexpr double kPullDamping = 0.8;
// A hand follows a pointer that leaps at this pace: parts of the body's size and rad a step.
constexpr double kLongestStep = 0.06;
constexpr double kLargestTurn = 0.25;

Loads scene_loads(const StudioBody& body, const SceneDescription& scene) {
  Loads loads;
  loads.gravity = scene.gravity;
  for (const ForceDescription& force : body.description.forces) {
    loads.forces.push_back({find_nodes(body.source->mesh, force.nodes, body.description.name),
                            force.force, force.from, force.to});
  }
  return loads;
}

}  // namespace

LaneBody::LaneBody(const StudioBody& body, const std::string& method, const SceneDescription& scene)
    : body_(body), scene_(scene), scene_loads_(scene_loads(body, scene)) {
  body_.description.method = method;
  scene_.bodies.clear();  // all that is wanted of it is around the bodies
  make();
}

void LaneBody::make() {
  MovingBody moving = make_dynamics(body_.description, scene_, *body_.played);
  dynamics_ = std::move(moving.dynamics);
  constraints_ = std::move(moving.constraints);
  full_ = moving.full;
  modal_ = dynamic_cast<ModalBody*>(dynamics_.get());
  page_warps_ = modal_ != nullptr;
  if (auto* shown = dynamic_cast<RotationStrainBody*>(dynamics_.get())) {
    modal_ = &shown->modal_body();
  }
  scene_support_ = support();
  shaken_ = false;
  full_hands_ = {};
  held_.clear();
  loads_set_ = false;
}

HandlePoint handle_point(const StudioBody& body, int vertex) {
  const SurfaceBinding& binding = body.surface().binding;
  if (vertex < 0 || vertex >= binding.vertex_count()) {
    throw Error(fmt::format("vertex {} does not exist", vertex), body.description.name,
                "reload the page");
  }
  HandlePoint point;
  for (std::size_t k = 0; k < 4; ++k) {
    point.nodes[k] = binding.nodes[4 * static_cast<std::size_t>(vertex) + k];
    point.weights[k] = binding.weights[4 * static_cast<std::size_t>(vertex) + k];
  }
  return point;
}

const SupportMotion& LaneBody::support() const {
  return full_ != nullptr ? full_->support() : modal_->support();
}

void LaneBody::step(double h, const Surroundings& around) {
  apply_support(h, around);
  apply_loads(around);
  apply_hands(h, around);
  try {
    dynamics_->step(h);
  } catch (const Error&) {
    if (full_ == nullptr) throw;
    // Pulled inside out: it stands still there until the hand is kinder.
    full_->set_state(full_->positions(), Positions::Zero(full_->node_count(), 3));
  }
}

void LaneBody::apply_support(double h, const Surroundings& around) {
  const bool shaken = hangs() && !around.support.at_rest();
  if (!shaken && !shaken_) return;
  shaken_ = shaken;
  SupportMotion now =
      shaken ? around.support.over_step(scene_support_, dynamics_->time(), h) : scene_support_;
  if (full_ != nullptr) {
    full_->set_support(std::move(now));
  } else {
    modal_->set_support(std::move(now));
  }
}

void LaneBody::apply_loads(const Surroundings& around) {
  const bool pulled = is_free() && !around.hands.empty();
  const bool same = loads_set_ && !pulled && applied_.hands.empty() == around.hands.empty() &&
                    applied_.gravity == around.gravity && applied_.pushes == around.pushes;
  applied_ = around;
  if (same) return;
  Loads loads = scene_loads_;
  loads.gravity = {{around.gravity}};
  for (const auto& [vertex, force] : around.pushes) {
    const HandlePoint point = handle_point(body_, vertex);
    for (std::size_t k = 0; k < 4; ++k) {
      if (point.weights[k] != 0) {
        loads.forces.push_back({{point.nodes[k]}, point.weights[k] * force});
      }
    }
  }
  if (pulled) {
    for (const Hand& hand : around.hands) add_pull(hand, loads);
  }
  if (full_ != nullptr) {
    full_->set_loads(std::move(loads));
  } else {
    modal_->set_loads(std::move(loads));
  }
  loads_set_ = true;
}

/// Handles act on modes alone; what moves a free body's frame too is a force.
void LaneBody::add_pull(const Hand& hand, Loads& loads) const {
  const int node = handle_point(body_, hand.vertex).nodes[0];
  Positions positions(dynamics_->node_count(), 3), velocities(dynamics_->node_count(), 3);
  dynamics_->node_positions(positions);
  dynamics_->node_velocities(velocities);
  const double omega = 2 * M_PI * kPullHz;
  const Vec3 missing = hand.target - positions.row(node).transpose();
  const Vec3 force = body_.mass * (omega * omega * missing -
                                   2 * kPullDamping * omega * velocities.row(node).transpose());
  loads.forces.push_back({{node}, force});
}

std::vector<Hand> LaneBody::hands_in_frame(double h, const Surroundings& around) const {
  const FrameState frame =
      hangs() ? support().at(dynamics_->time() + h) : FrameState(dynamics_->frame());
  std::vector<Hand> hands = around.hands;
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
  const PointRows rows = point_rows(body_.played->modes, handle.point);
  const Vec3 u = rows.Phi * modal_->q(), w = rows.Psi * modal_->q();
  const bool warped = modal_->options().method == Method::modal_warping;
  held.target = rows.rest_position + (warped ? Vec3(mean_rotation(w) * u) : u);
  held.rotation = w;
  if (hand.kind != Hand::Kind::orientation) {
    handle.target = Path({0.0}, {held.target});
    held.position = constraints_->add(handle);
  }
  if (hand.kind != Hand::Kind::position) {
    handle.kind = HandleKind::orientation;
    handle.target = Path({0.0}, {held.rotation});
    held.orientation = constraints_->add(handle);
  }
  return held;
}

void LaneBody::follow(const Hand& hand, Held& held) {
  const auto towards = [](const Vec3& from, const Vec3& to, double longest) {
    const Vec3 way = to - from;
    return way.norm() <= longest ? to : Vec3(from + longest * way.normalized());
  };
  held.target = towards(held.target, hand.target, kLongestStep * body_.size);
  held.rotation = towards(held.rotation, hand.rotation, kLargestTurn);
  if (held.position >= 0) constraints_->move(held.position, held.target);
  if (held.orientation >= 0) constraints_->move(held.orientation, held.rotation);
}

void LaneBody::apply_hands(double h, const Surroundings& around) {
  if (full_ != nullptr) return full_hands_.apply(body_, hands_in_frame(h, around), *full_);
  if (!constraints_ || is_free()) return;
  if (around.hands.empty() && held_.empty()) return;
  std::map<int, Held> before;
  before.swap(held_);
  const auto let_go = [this](const Held& held) {
    if (held.position >= 0) constraints_->remove(held.position);
    if (held.orientation >= 0) constraints_->remove(held.orientation);
  };
  for (const Hand& hand : hands_in_frame(h, around)) {
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

void LaneBody::set_damping(const Damping& damping) {
  const Damping before = body_.description.damping;
  body_.description.damping = damping;
  if (modal_ != nullptr) return modal_->set_damping(damping);
  if (before.mass == damping.mass && before.stiffness == damping.stiffness) return;
  // Damping is in the matrices of a body at full resolution.
  const NodeState state = node_state_of(*dynamics_);
  make();
  full_->set_state(state.positions, state.velocities);
}

void LaneBody::carry_over(const LaneBody& before) {
  if (before.dynamics_->node_count() != dynamics_->node_count()) return;
  if (modal_ != nullptr && before.modal_ != nullptr) {
    const auto fitted = [](const Vector& from, Eigen::Index size) {
      Vector to = Vector::Zero(size);
      const Eigen::Index common = std::min(size, from.size());
      to.head(common) = from.head(common);
      return to;
    };
    const Eigen::Index size = modal_->q().size();
    modal_->set_state(fitted(before.modal_->q(), size), fitted(before.modal_->v(), size));
    return;
  }
  const NodeState nodes = node_state_of(*before.dynamics_);
  if (full_ != nullptr) {
    full_->set_state(nodes.positions, nodes.velocities);
  } else {
    const bool warped = modal_->options().method == Method::modal_warping;
    const ModalState state = modal_state_of(body_.played->modes, nodes, warped);
    modal_->set_state(state.q, state.v);
  }
}

Positions LaneBody::nodes() const {
  Positions positions(dynamics_->node_count(), 3);
  dynamics_->node_positions(positions);
  return positions;
}

Positions LaneBody::pose() const {
  Positions positions = nodes();
  if (!hangs()) return positions;
  const FrameState& frame = dynamics_->frame();
  positions.rowwise() -= frame.position.transpose();
  return positions * frame.rotation;
}

int LaneBody::contacts() const {
  return full_ != nullptr && full_->ground() ? full_->ground()->contact_count() : 0;
}

Positions LaneBody::surface() const {
  const Positions at = nodes();
  const SurfaceBinding& binding = body_.surface().binding;
  Positions surface = Positions::Zero(binding.vertex_count(), 3);
  for (int vertex = 0; vertex < binding.vertex_count(); ++vertex) {
    for (int k = 0; k < 4; ++k) {
      surface.row(vertex) +=
          binding.weights[4 * vertex + k] * at.row(binding.nodes[4 * vertex + k]);
    }
  }
  return surface;
}

void LaneBody::write(FrameWriter& frame, double volume_ratio, double error) const {
  if (page_warps_) {
    const FrameState& place = dynamics_->frame();
    const Eigen::Quaterniond turn(place.rotation);
    const bool unturned = place.rotation.isIdentity(0);
    frame.add_modes(dynamics_->modal(), modal_->options().method == Method::modal_warping,
                    {place.position, unturned ? Eigen::Vector4d(0, 0, 0, 1) : turn.coeffs()},
                    volume_ratio, error);
    return;
  }
  const Positions at = surface();
  const std::vector<float> floats(at.data(), at.data() + at.size());
  frame.add_positions(floats, volume_ratio, error);
}

}  // namespace limber::studio
