// Joints of a played scene: what the panels show of them, and where they are now.
#include "limber/contact/contacts.h"
#include "server/world_simulation.h"

namespace limber::studio {

namespace {

constexpr const char* kKinds[] = {"ball", "hinge", "weld", "slider", "distance"};

/// Where a joint's pin is on one side of it.
Vec3 pin_place(const World& world, int who, const BodyPoint& point) {
  if (who != kTheWorld) {
    const Participant& one = world.contacts().participant(who);
    if (one.body != nullptr) {
      PointState state;
      one.body->point_states({&point, 1}, {&state, 1});
      return state.position;
    }
  }
  // Of the world and of obstacles that go their own way: affine, as Contacts has them.
  const auto& w = point.weights;
  const Vec3 X(w[1], w[2], w[3]);
  if (who == kTheWorld) return X;
  return world.contacts().participant(who).motion.at(world.time()).to_world(X);
}

bool same_joint(const JointDescription& one, const JointDescription& other) {
  return one.bodies == other.bodies && one.spec.kind == other.spec.kind &&
         one.spec.at == other.spec.at && one.spec.break_force == other.spec.break_force;
}

}  // namespace

std::vector<JointState> WorldSimulation::joints() const {
  std::vector<JointState> states;
  for (const JointDescription& joint : parts_.scene.joints) {
    const JointSpec& spec = joint.spec;
    JointState& state = states.emplace_back();
    state.kind = kKinds[static_cast<int>(spec.kind)];
    state.bodies = joint.bodies;
    state.at = spec.at;
    state.to = spec.at_b;
    if (spec.kind == JointKind::hinge || spec.kind == JointKind::slider) state.axis = spec.axis;
    state.radius = spec.radius;
    if (spec.break_force < kForever) state.break_force = spec.break_force;
    if (spec.lowest > -kForever && spec.highest < kForever) {
      state.limits = {spec.lowest, spec.highest};
    }
    state.collide = spec.collide;
  }
  return states;
}

void WorldSimulation::write_joints(FrameWriter& frame) const {
  if (parts_.scene.joints.empty()) return;
  for (const Lane& lane : lanes_) {
    std::vector<float> numbers;
    const auto add = [&](const Vec3& v) {
      for (int c = 0; c < 3; ++c) numbers.push_back(static_cast<float>(v[c]));
    };
    for (int k = 0; k < lane.world->contacts().joint_count(); ++k) {
      const Joint& joint = lane.world->contacts().joint(k);
      const JointSpec& spec = joint.spec();
      const Vec3 a = pin_place(*lane.world, spec.a, joint.points_a()[0]);
      const Vec3 along = pin_place(*lane.world, spec.a, joint.points_a()[1]) - a;
      add(a);
      add(pin_place(*lane.world, spec.b, joint.points_b()[0]));
      add(along.norm() > 0 ? Vec3(along.normalized()) : Vec3(Vec3::UnitZ()));
      const bool broken = joint.broken() || lane.torn[static_cast<std::size_t>(k)];
      numbers.push_back(broken ? -1.0F : static_cast<float>(joint.force()));
    }
    frame.add_joints(numbers);
  }
}

/// What has broken stays broken while another edit goes on; Back to rest makes it whole.
void WorldSimulation::carry_joints(const WorldSimulation& before) {
  const auto& old = before.parts_.scene.joints;
  for (std::size_t k = 0; k < parts_.scene.joints.size(); ++k) {
    const auto same = std::find_if(old.begin(), old.end(), [&](const JointDescription& one) {
      return same_joint(one, parts_.scene.joints[k]);
    });
    if (same == old.end()) continue;
    const auto was = static_cast<std::size_t>(same - old.begin());
    for (std::size_t lane = 0; lane < lanes_.size(); ++lane) {
      const Lane& from = before.lanes_[std::min(lane, before.lanes_.size() - 1)];
      const bool broken =
          from.torn[was] || from.world->contacts().joint(static_cast<int>(was)).broken();
      if (!broken) continue;
      lanes_[lane].world->remove_joint(static_cast<int>(k));
      lanes_[lane].torn[k] = true;
    }
  }
}

}  // namespace limber::studio
