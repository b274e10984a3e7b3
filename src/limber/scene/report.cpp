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

Json probe_positions(const WorldBody& body, const Positions& nodes) {
  Json probes = Json::object();
  for (const auto& [name, node] : body.probes()) {
    probes[name] = vector_json(nodes.row(node));
  }
  return probes;
}

/// The total force of each handle over the last step, N in the support's frame.
Json constraint_forces(const WorldBody& body) {
  const ConstraintSet* const constraints = body.find_constraints();
  if (constraints == nullptr || constraints->empty()) return Json::array();
  std::map<int, Vec3> totals;
  for (const HandleForce& force : constraints->forces()) {
    totals.try_emplace(force.handle, Vec3::Zero()).first->second += force.force;
  }
  Json forces = Json::array();
  for (const auto& [handle, force] : totals) {
    forces.push_back({{"constraint", handle}, {"force", vector_json(force)}});
  }
  return forces;
}

/// World coordinates, about the world's origin. A free body's frame stands still.
Momentum world_momentum(const FullBody& body) {
  const Momentum own = body.momentum();
  const FrameState& frame = body.frame();
  Momentum world;
  world.linear = frame.rotation * own.linear;
  world.angular = frame.rotation * own.angular + frame.position.cross(world.linear);
  return world;
}

Json body_state(const WorldBody& body, const Positions& nodes) {
  const DynamicBody& dynamics = body.dynamics();
  const double now = volume(nodes, body.mesh().T);
  const auto modal = dynamics.modal();
  const ConstraintErrors errors = body.constraint_errors();
  Json state{{"name", body.name()},
             {"volume", now},
             {"volume_ratio", now / body.rest_volume()},
             {"probes", probe_positions(body, nodes)},
             {"kinetic_energy", dynamics.kinetic_energy()},
             {"elastic_energy", dynamics.elastic_energy()},
             {"position_error", errors.position},
             {"orientation_error", errors.orientation},
             {"modal", std::vector<double>(modal.begin(), modal.end())}};
  if (const FullBody* const full = body.full_body(); full != nullptr) {
    state["converged"] = full->last_step().converged;
    state["residual"] = full->last_step().residual;
    state["unconverged_steps"] = body.unconverged_steps();
    state["worst_residual"] = body.worst_residual();
    if (full->is_free()) {
      const Momentum momentum = world_momentum(*full);
      state["momentum"] = vector_json(momentum.linear);
      state["angular_momentum"] = vector_json(momentum.angular);
    }
  }
  if (Json forces = constraint_forces(body); !forces.empty()) state["constraint_forces"] = forces;
  return state;
}

}  // namespace

Report::Report() : frames_(std::make_unique<Json>(Json::array())) {}
Report::~Report() = default;
Report::Report(Report&&) noexcept = default;
Report& Report::operator=(Report&&) noexcept = default;

void Report::add_frame(const World& world, const std::vector<Positions>& node_positions) {
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
