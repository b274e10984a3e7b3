#include "limber/scene/report.h"

#include <nlohmann/json.hpp>

#include "limber/mesh/checks.h"

namespace limber {

namespace {

using Json = nlohmann::ordered_json;

Json probe_positions(const WorldBody& body, const Positions& nodes) {
  Json probes = Json::object();
  for (const auto& [name, node] : body.probes()) {
    probes[name] = {nodes(node, 0), nodes(node, 1), nodes(node, 2)};
  }
  return probes;
}

Json body_state(const WorldBody& body, const Positions& nodes) {
  const DynamicBody& dynamics = body.dynamics();
  const double now = volume(nodes, body.mesh().T);
  const auto modal = dynamics.modal();
  return {{"name", body.name()},
          {"volume", now},
          {"volume_ratio", now / body.rest_volume()},
          {"probes", probe_positions(body, nodes)},
          {"kinetic_energy", dynamics.kinetic_energy()},
          {"elastic_energy", dynamics.elastic_energy()},
          {"position_error", 0.0},
          {"orientation_error", 0.0},
          {"modal", std::vector<double>(modal.begin(), modal.end())}};
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
  return report.dump(1) + "\n";
}

}  // namespace limber
