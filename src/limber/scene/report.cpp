#include "limber/scene/report.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "limber/contact/contact_queries.h"
#include "limber/dynamics/adaptive/adaptive_body.h"
#include "limber/dynamics/local/global_local_body.h"
#include "limber/mesh/checks.h"
#include "limber/scene/json_writer.h"

namespace limber {

namespace {

using Json = nlohmann::ordered_json;

Json vector_json(const Vec3& v) { return Json::array({v.x(), v.y(), v.z()}); }

Json probe_positions(const SceneBody& body, const Positions& nodes) {
  Json probes = Json::object();
  for (const auto& [name, node] : body.probes()) {
    probes[name] = vector_json(nodes.row(node));
  }
  return probes;
}

/// The total force of each handle over the last step, N in the support's frame.
Json constraint_forces(const DynamicBody& body) {
  std::map<int, Vec3> totals;  // over the points that a constraint exercises
  for (const HandleForce& force : body.handles().forces()) {
    totals.try_emplace(force.handle, Vec3::Zero()).first->second += force.force;
  }
  Json forces = Json::array();
  for (const auto& [handle, force] : totals) {
    forces.push_back({{"constraint", handle}, {"force", vector_json(force)}});
  }
  return forces;
}

int local_nodes(const DynamicBody& body) {
  const auto* local = dynamic_cast<const GlobalLocalBody*>(&body);
  return local != nullptr ? local->local_nodes() : 0;
}

/// How a body fares among others: those of the world's contacts, and the ground that is a part of
/// its own equations.
void add_contact(const SceneBody& body, const SceneWorld& scene, const Positions& nodes,
                 const std::vector<double>& depths, Json& state) {
  const World& world = scene.world();
  const int who = body.in_world().participant;
  int count = body.dynamics().contact_count();
  Vec3 force = body.dynamics().contact_force();
  if (who != kNobody) {
    count += world.contacts().contact_count(who);
    force += world.contacts().contact_force(who);
  }
  state["contacts"] = count;
  double depth = who == kNobody ? 0.0 : depths[static_cast<std::size_t>(who)];
  if (count > 0 && scene.scene().ground && !traits(body.dynamics().method()).modal) {
    const GroundDescription& ground = *scene.scene().ground;
    const double lowest = (nodes * ground.normal).minCoeff();
    depth = std::max(depth, (ground.offset - lowest) / ground.normal.norm());
  }
  state["penetration"] = depth;
  state["asleep"] = who != kNobody && world.contacts().asleep(who);
  state["contact_force"] = vector_json(force);
  state["local_nodes"] = local_nodes(body.dynamics());
}

Json frame_json(const FrameState& frame) {
  const Eigen::Quaterniond turn(frame.rotation);
  return {{"position", vector_json(frame.position)},
          {"rotation", {turn.x(), turn.y(), turn.z(), turn.w()}}};
}

/// Where obstacles are: those that move by keys, and those with a mass.
Json obstacle_states(const SceneWorld& world) {
  Json states = Json::array();
  const auto add = [&](const std::string& name, const FrameState& frame) {
    Json state{{"name", name}};
    state.update(frame_json(frame));
    states.push_back(std::move(state));
  };
  for (const WorldObstacle& obstacle : world.world().obstacles())
    add(obstacle.name,
        world.world().contacts().participant(obstacle.participant).motion.at(world.time()));
  for (const WorldBody& body : world.world().bodies()) {
    if (body.dynamics->method() == Method::rigid) add(body.name, body.dynamics->frame());
  }
  return states;
}

Json joint_states(const Contacts& contacts) {
  Json states = Json::array();
  for (int k = 0; k < contacts.joint_count(); ++k) {
    const Joint& joint = contacts.joint(k);
    states.push_back(
        {{"error", joint.error()}, {"force", joint.force()}, {"broken", joint.broken()}});
  }
  return states;
}

Json event_list(const World& world) {
  Json events = Json::array();
  for (const ContactEvent& event : world.contacts().events()) {
    events.push_back({{"kind", event.kind == ContactEvent::Kind::begin ? "begin" : "end"},
                      {"bodies", {world.name_of(event.a), world.name_of(event.b)}}});
  }
  return events;
}

/// What a body has under a budget.
Json detail_json(const WorldBody& body) {
  const DetailLevel now = body.dynamics->detail_now();
  return {{"modes", now.modes},       {"local_nodes", now.local_nodes},
          {"interval", now.interval}, {"rung", body.detail.rung},
          {"seen", body.detail.seen}, {"has_choice", body.dynamics->detail_choice().any()}};
}

Json budget_json(const DetailBudget& budget, const DetailStatus& status) {
  const auto steps = static_cast<double>(std::max<long long>(status.steps, 1));
  return {{"microseconds", budget.microseconds},
          {"machine", budget.costs.machine},
          {"steps", status.steps},
          {"exceeded", status.exceeded},
          {"refused", status.refused},
          {"estimated", status.estimated_sum / steps},
          {"measured", status.measured_sum / steps},
          {"worst_measured", status.worst_measured},
          {"bodies_that_choose", status.choosing},
          {"bodies_that_cannot", status.fixed}};
}

Json body_state(const SceneBody& body, const Positions& nodes) {
  const DynamicBody& dynamics = body.dynamics();
  const double now = volume(nodes, body.mesh().T);
  const auto modal = dynamics.modal();
  const HandleErrors errors = dynamics.handles().errors();
  Json state{{"name", body.name()},
             {"volume", now},
             {"volume_ratio", now / body.rest_volume()},
             {"probes", probe_positions(body, nodes)},
             {"kinetic_energy", dynamics.kinetic_energy()},
             {"elastic_energy", dynamics.elastic_energy()},
             {"position_error", errors.position},
             {"orientation_error", errors.orientation},
             {"modal", std::vector<double>(modal.begin(), modal.end())}};
  if (!traits(dynamics.method()).modal) {
    state["converged"] = dynamics.last_step().converged;
    state["residual"] = dynamics.last_step().residual;
    state["unconverged_steps"] = body.in_world().unconverged_steps;
    state["worst_residual"] = body.in_world().worst_residual;
  }
  if (dynamics.is_free()) {
    const Momentum momentum = dynamics.momentum();
    const RestPlace place = dynamics.rest_place();
    const Eigen::Quaterniond turn(place.rotation);
    state["momentum"] = vector_json(momentum.linear);
    state["angular_momentum"] = vector_json(momentum.angular);
    state["position"] = vector_json(place.position);
    state["rotation"] = {turn.x(), turn.y(), turn.z(), turn.w()};
  }
  if (const auto* adaptive = dynamic_cast<const AdaptiveBody*>(&dynamics)) {
    const TetMesh& leaves = adaptive->leaves().mesh();
    state["leaves"] = {{"nodes", leaves.node_count()}, {"tets", leaves.tet_count()}};
  }
  if (dynamics.method() == Method::global_local) state["local_nodes"] = local_nodes(dynamics);
  if (Json forces = constraint_forces(dynamics); !forces.empty()) {
    state["constraint_forces"] = forces;
  }
  return state;
}

}  // namespace

Report::Report()
    : frames_(std::make_unique<Json>(Json::array())), budget_(std::make_unique<Json>()) {}
Report::~Report() = default;
Report::Report(Report&&) noexcept = default;
Report& Report::operator=(Report&&) noexcept = default;

void Report::add_frame(const SceneWorld& world, const std::vector<Positions>& node_positions) {
  const Contacts& contacts = world.world().contacts();
  const bool touching = contacts.participant_count() > 0 || world.scene().ground;
  const std::vector<double> depths = penetrations(contacts, world.time());
  const DetailBudget& budget = world.world().budget();
  if (budget.microseconds > 0) *budget_ = budget_json(budget, world.world().detail_status());
  Json bodies = Json::array();
  for (std::size_t k = 0; k < world.bodies().size(); ++k) {
    bodies.push_back(body_state(world.bodies()[k], node_positions[k]));
    if (touching) add_contact(world.bodies()[k], world, node_positions[k], depths, bodies.back());
    if (budget.microseconds > 0)
      bodies.back()["detail"] = detail_json(world.bodies()[k].in_world());
  }
  Json frame{{"time", world.time()}, {"bodies", std::move(bodies)}};
  if (contacts.participant_count() > 0) {
    frame["obstacles"] = obstacle_states(world);
    frame["joints"] = joint_states(contacts);
    frame["events"] = event_list(world.world());
  }
  if (budget.microseconds > 0) {
    frame["estimated_microseconds"] = world.world().detail_status().estimated;
    frame["measured_microseconds"] = world.world().detail_status().measured;
  }
  frames_->push_back(std::move(frame));
}

std::string Report::text(const WorkSeconds& seconds) const {
  Json report{{"frames", *frames_},
              {"summary",
               {{"frames", frames_->size()},
                {"seconds",
                 {{"setup", seconds.setup},
                  {"dynamics", seconds.dynamics},
                  {"constraints", seconds.constraints},
                  {"detection", seconds.detection},
                  {"contact", seconds.contact},
                  {"local", seconds.local},
                  {"deform", seconds.deform}}}}}};
  if (!budget_->is_null()) report["summary"]["budget"] = *budget_;
  return json_text(report, "--report") + "\n";
}

}  // namespace limber
