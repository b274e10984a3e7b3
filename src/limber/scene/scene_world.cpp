#include "limber/scene/scene_world.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "limber/core/error.h"
#include "limber/mesh/checks.h"
#include "limber/scene/build_body.h"
#include "limber/scene/build_contact.h"

namespace limber {

SceneBody::SceneBody(const BodyDescription& description, std::shared_ptr<const BodySource> source,
                     World& world, BodyId id)
    : description_(description),
      source_(std::move(source)),
      world_(&world),
      id_(id),
      rest_volume_(volume(source_->mesh.V, source_->mesh.T)) {
  for (const auto& [name, choice] : description.probes) {
    const auto node = find_node(*source_, choice, fmt::format("probe {}", name));
    if (node) probes_[name] = *node;
  }
}

Positions SceneBody::node_positions() const {
  Positions positions(dynamics().node_count(), 3);
  dynamics().node_positions(positions);
  return positions;
}

Positions SceneBody::surface_positions(const Positions& nodes) const {
  const SurfaceBinding& binding = source_->binding;
  Positions surface(binding.vertex_count(), 3);
  for (int vertex = 0; vertex < binding.vertex_count(); ++vertex) {
    surface.row(vertex) = point_of(binding, vertex).sum(nodes).transpose();
  }
  return surface;
}

namespace {

void require_free_piece(const BodyDescription& description, const std::vector<BodySource>& pieces) {
  if (!description.velocity && !description.angular_velocity) return;
  const bool any_free = std::any_of(pieces.begin(), pieces.end(), [](const BodySource& piece) {
    return piece.fixed_nodes.empty();
  });
  if (any_free || pieces.size() == 1) return;
  throw Error("every piece of the body hangs on fixed nodes", description.name,
              "leave \"velocity\" and \"angular_velocity\" out, or free a piece");
}

}  // namespace

SceneWorld::SceneWorld(SceneDescription scene, const Progress& progress)
    : scene_(std::move(scene)),
      world_(std::make_unique<World>()),
      contact_(*world_, has_contact(scene_)) {
  if (scene_.frame_rate > 0) {
    const double frame = 1 / scene_.frame_rate;
    // Rounding must not add a step when the frame holds a whole number of them.
    steps_per_frame_ = std::max(1, static_cast<int>(std::ceil(frame / scene_.time_step - 1e-9)));
    time_step_ = frame / steps_per_frame_;
  } else {
    time_step_ = scene_.time_step;
  }
  contact_.add_surroundings(scene_);
  for (const BodyDescription& description : scene_.bodies) add(description, progress);
  contact_.add_relations(scene_);
  world_->set_budget(scene_.budget);
}

SceneWorld::SceneWorld(std::vector<GravityLoad> gravity)
    : world_(std::make_unique<World>()), contact_(*world_, true) {
  scene_.gravity = std::move(gravity);
}

std::size_t SceneWorld::add(const BodyDescription& description, const Progress& progress) {
  const std::size_t first = bodies_.size();
  std::vector<BodySource> sources =
      load_bodies(description, traits(description.method).modal, progress);
  require_free_piece(description, sources);
  for (BodySource& loaded : sources) {
    const auto source = std::make_shared<const BodySource>(std::move(loaded));
    const BodyId id = world_->add(source->name, make_dynamics(description, scene_, *source),
                                  contact_.part_of(description, *source));
    bodies_.emplace_back(description, source, *world_, id);
    contact_.add_body(description, id);
    if (description.importance) world_->set_importance(id, *description.importance);
  }
  return first;
}

void SceneWorld::add_ground(const GroundDescription& ground) {
  for (const SceneBody& body : bodies_) {
    if (!traits(body.description().method).modal)
      throw Error("a body at full resolution is there before the ground", body.name(),
                  "add the ground first");
  }
  scene_.ground = ground;
  contact_.add_ground(ground);
}

void SceneWorld::restore(const WorldSnapshot& snapshot) {
  world_->restore(snapshot);
  if (time_step_ > 0) steps_ = std::llround(world_->time() / time_step_);
}

void SceneWorld::step() {
  advance(time_step_);
  ++steps_;
}

void SceneWorld::advance(double h) {
  if (const Fault fault = world_->step(h)) throw error_of(fault, "scene");
  for (const WorldBody& body : world_->bodies()) {
    if (!body.stopped()) continue;
    const std::string when = fmt::format("time {:.3g}", body.stopped_at);
    throw error_of(body.fault, bodies_.size() < 2 ? when : fmt::format("{}, {}", body.name, when));
  }
}

int SceneWorld::frame_count() const {
  return 1 + static_cast<int>(std::floor(scene_.duration * frame_rate() + 1e-6));
}

SceneBody& SceneWorld::body(const std::string& name) {
  std::vector<std::string> names;
  for (SceneBody& body : bodies_) {
    if (body.name() == name) return body;
    names.push_back(body.name());
  }
  throw Error(fmt::format("no body is called \"{}\"", name), "scene",
              fmt::format("there are: {}", fmt::join(names, ", ")));
}

}  // namespace limber
