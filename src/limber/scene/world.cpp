#include "limber/scene/world.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "limber/core/error.h"
#include "limber/mesh/checks.h"
#include "limber/scene/error_parts.h"

namespace limber {

namespace {

/// The body's work; where there are several, an error in it names the body.
template <class Work>
void work_on(const WorldBody& body, std::size_t body_count, const Work& work) {
  try {
    work();
  } catch (const Error& error) {
    const ErrorParts parts = parts_of(error);
    if (body_count < 2 || parts.where == body.name()) throw;
    throw Error(parts.what, fmt::format("{}, {}", body.name(), parts.where), parts.remedy,
                error.kind());
  }
}

}  // namespace

WorldBody::WorldBody(const BodyDescription& description, const SceneDescription& scene,
                     const Progress& progress)
    : description_(description),
      source_(load_body(description, needs_modes(description.method), progress)),
      moving_(make_dynamics(description, scene, source_)),
      rest_volume_(volume(source_.mesh.V, source_.mesh.T)) {
  for (const auto& [name, choice] : description.probes) {
    probes_[name] = find_node(source_.mesh, choice, fmt::format("probe {}", name));
  }
}

ConstraintSet& WorldBody::constraints() {
  if (!moving_.constraints) {
    throw Error(fmt::format("method \"{}\" has no modal handles", description_.method), name(),
                "use a modal method");
  }
  return *moving_.constraints;
}

ConstraintErrors WorldBody::constraint_errors() const {
  if (moving_.full) {
    return {moving_.full->springs().largest_error(moving_.full->positions()), 0};
  }
  if (!moving_.constraints) return {};
  const auto modal = dynamics().modal();
  const Eigen::Map<const Vector> q(modal.data(), static_cast<Eigen::Index>(modal.size()));
  return moving_.constraints->errors(q, dynamics().time());
}

void WorldBody::step(double h) {
  dynamics().step(h);
  if (moving_.full == nullptr) return;
  const StepStatus& status = moving_.full->last_step();
  if (!status.converged) ++unconverged_steps_;
  worst_residual_ = std::max(worst_residual_, status.residual);
}

Positions WorldBody::node_positions() const {
  Positions positions(dynamics().node_count(), 3);
  dynamics().node_positions(positions);
  return positions;
}

Positions WorldBody::surface_positions(const Positions& nodes) const {
  const SurfaceBinding& binding = source_.binding;
  Positions surface(binding.vertex_count(), 3);
  for (int vertex = 0; vertex < binding.vertex_count(); ++vertex) {
    surface.row(vertex).setZero();
    for (int k = 0; k < 4; ++k) {
      surface.row(vertex) +=
          binding.weights[4 * vertex + k] * nodes.row(binding.nodes[4 * vertex + k]);
    }
  }
  return surface;
}

World::World(SceneDescription scene, const Progress& progress) : scene_(std::move(scene)) {
  if (scene_.frame_rate > 0) {
    const double frame = 1 / scene_.frame_rate;
    // Rounding must not add a step when the frame holds a whole number of them.
    steps_per_frame_ = std::max(1, static_cast<int>(std::ceil(frame / scene_.time_step - 1e-9)));
    time_step_ = frame / steps_per_frame_;
  } else {
    time_step_ = scene_.time_step;
  }
  bodies_.reserve(scene_.bodies.size());
  for (const BodyDescription& body : scene_.bodies) bodies_.emplace_back(body, scene_, progress);
}

void World::step() {
  for (WorldBody& body : bodies_) {
    work_on(body, bodies_.size(), [&] { body.step(time_step_); });
  }
  ++steps_;
}

void World::settle() {
  for (WorldBody& body : bodies_) {
    SettleStatus status;
    work_on(body, bodies_.size(), [&] { status = body.dynamics().settle(); });
    if (!status.converged) {
      throw Error(fmt::format("no equilibrium after {} iterations, residual {:.1e}",
                              status.iterations, status.residual),
                  body.name(), "reduce the load or stiffen the body", Error::Kind::work_failed);
    }
  }
}

int World::frame_count() const {
  return 1 + static_cast<int>(std::floor(scene_.duration * frame_rate() + 1e-6));
}

WorldBody& World::body(const std::string& name) {
  std::vector<std::string> names;
  for (WorldBody& body : bodies_) {
    if (body.name() == name) return body;
    names.push_back(body.name());
  }
  throw Error(fmt::format("no body is called \"{}\"", name), "scene",
              fmt::format("there are: {}", fmt::join(names, ", ")));
}

}  // namespace limber
