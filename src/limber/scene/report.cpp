#include "limber/scene/report.h"

#include <Eigen/Geometry>
#include <map>
#include <nlohmann/json.hpp>

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
  if (Json forces = constraint_forces(dynamics); !forces.empty()) {
    state["constraint_forces"] = forces;
  }
  return state;
}

}  // namespace

Report::Report() : frames_(std::make_unique<Json>(Json::array())) {}
Report::~Report() = default;
Report::Report(Report&&) noexcept = default;
Report& Report::operator=(Report&&) noexcept = default;

void Report::add_frame(const SceneWorld& world, const std::vector<Positions>& node_positions) {
  Json bodies = Json::array();
  for (std::size_t k = 0; k < world.bodies().size(); ++k) {
    bodies.push_back(body_state(world.bodies()[k], node_positions[k]));
  }
  frames_->push_back({{"time", world.time()}, {"bodies", std::move(bodies)}});
}

std::string Report::text(const WorkSeconds& seconds) const {
  const Json report{{"frames", *frames_},
                    {"summary",
                     {{"frames", frames_->size()},
                      {"seconds",
                       {{"setup", seconds.setup},
                        {"dynamics", seconds.dynamics},
                        {"constraints", seconds.constraints},
                        {"deform", seconds.deform}}}}}};
  return json_text(report, "--report") + "\n";
}

}  // namespace limber
