// What people do to a scene while it plays, and what becomes of it as a file.
#include <fmt/format.h>

#include "limber/constraint/held_point.h"
#include "limber/core/error.h"
#include "limber/mesh/read_mesh.h"
#include "server/fields.h"
#include "server/project.h"
#include "server/world_simulation.h"

namespace limber::studio {

namespace {

nlohmann::json material_of(const Material& material) {
  return {{"young", material.young}, {"poisson", material.poisson}, {"density", material.density}};
}

/// One slider stiffens all of a body.
void scale_regions(nlohmann::json& regions, double factor) {
  for (nlohmann::json& region : regions) {
    if (region.is_object() && region.contains("young") && region["young"].is_number()) {
      region["young"] = factor * region["young"].get<double>();
    }
  }
}

/// Whether the scene has both at the same place: one that was placed elsewhere starts there.
bool same_place(const StudioBody& a, const StudioBody& b) {
  const auto &one = a.description.place, &other = b.description.place;
  if (!one || !other) return !one && !other;
  return one->position == other->position && one->rotation.coeffs() == other->rotation.coeffs();
}

void require_free(const StudioBody& body) {
  if (body.source->modes.rigid_modes > 0) return;
  throw Error("the body hangs on fixed nodes", body.description.name,
              "hit it, or move its support, instead");
}

}  // namespace

const StudioBody& WorldSimulation::body_at(int body) const {
  if (body < 0 || body >= static_cast<int>(parts_.bodies.size())) {
    throw Error(fmt::format("body {} does not exist", body), parts_.title, "reload the page");
  }
  return parts_.bodies[static_cast<std::size_t>(body)];
}

void WorldSimulation::set_hands(std::span<const Hand> hands) {
  for (const Hand& hand : hands) {
    const StudioBody& body = body_at(hand.body);
    check_held(body.played->modes, handle_point(body, hand.vertex));
  }
  hands_.assign(hands.begin(), hands.end());
}

void WorldSimulation::set_force(int body, int vertex, const Vec3& force) {
  (void)handle_point(body_at(body), vertex);
  if (force.isZero(0)) {
    pushes_.erase({body, vertex});
  } else {
    pushes_[{body, vertex}] = force;
  }
}

void WorldSimulation::hit(int body, int vertex, const Vec3& impulse) {
  const BodyPoint point = handle_point(body_at(body), vertex);
  for (Lane& lane : lanes_) lane.bodies[static_cast<std::size_t>(body)]->hit(point, impulse);
}

void WorldSimulation::put(int body, const Vec3& position, const Eigen::Vector4d& rotation) {
  require_free(body_at(body));
  for (Lane& lane : lanes_) {
    lane.bodies[static_cast<std::size_t>(body)]->put(position, Eigen::Quaterniond(rotation));
  }
}

void WorldSimulation::throw_body(int body, const Vec3& velocity, const Vec3& spin) {
  require_free(body_at(body));
  for (Lane& lane : lanes_) {
    lane.bodies[static_cast<std::size_t>(body)]->throw_it(velocity, spin);
  }
}

void WorldSimulation::let_fly(int body, const Vec3& velocity) {
  if (!state_of(body_at(body)).free) return;
  for (Lane& lane : lanes_) lane.bodies[static_cast<std::size_t>(body)]->let_fly(velocity);
}

void WorldSimulation::set_support(const Vec3& position, const Eigen::Vector4d& rotation) {
  around_.support.set_target(position, Eigen::Quaterniond(rotation));
}

void WorldSimulation::set_gravity(const Vec3& acceleration) {
  gravity_ = acceleration;
  around_.gravity = acceleration;
  version_.reset();
  parts_.scene.gravity = {{acceleration}};
}

void WorldSimulation::set_damping(int body, double mass, double stiffness) {
  (void)body_at(body);
  version_.reset();
  const auto index = static_cast<std::size_t>(body);
  parts_.bodies[index].description.damping = {mass, stiffness};
  for (Lane& lane : lanes_) lane.bodies[index]->set_damping({mass, stiffness});
}

Simulation::Job WorldSimulation::rebuild(const Change& change) const {
  if (change.body) (void)body_at(change.body->body);
  if (change.lanes) {
    for (const std::string& method : *change.lanes) {
      const auto known = playable_methods();
      if (std::find(known.begin(), known.end(), method) == known.end()) {
        throw Error(fmt::format("method \"{}\" is not known here", method), parts_.title,
                    fmt::format("choose one of {}", fmt::join(known, ", ")));
      }
    }
  }
  if (change.version) {
    return [then = std::dynamic_pointer_cast<const Version>(change.version)](
               const Progress&) -> std::unique_ptr<Simulation> {
      auto restored = std::make_unique<WorldSimulation>(then->parts);
      restored->restored_ = true;
      return restored;
    };
  }
  if (change.edit || change.addition) {
    return [parts = parts_, document = changed_document(),
            change](const Progress& progress) -> std::unique_ptr<Simulation> {
      return std::make_unique<WorldSimulation>(edited(parts, document, change, progress));
    };
  }
  Parts now = parts_;
  now.gravity = around_.gravity;
  return [parts = std::move(now), change](const Progress& progress) -> std::unique_ptr<Simulation> {
    Parts next = parts;
    if (change.body) {
      StudioBody& body = next.bodies[static_cast<std::size_t>(change.body->body)];
      body = changed(body, *change.body, progress);
    }
    if (change.lanes) next.methods = *change.lanes;
    if (change.time_step) next.scene.time_step = *change.time_step;
    return std::make_unique<WorldSimulation>(std::move(next));
  };
}

void WorldSimulation::carry_over(const Simulation& before) {
  const auto* world = dynamic_cast<const WorldSimulation*>(&before);
  if (world == nullptr) return;
  time_ = world->time_;
  contacts_shown_ = world->contacts_shown_;
  around_.support = world->around_.support;
  around_.support.set_pivot(pivot_of(parts_.bodies));
  // Bodies go on by their names; others may have come or gone.
  std::vector<std::pair<std::size_t, std::size_t>> same_bodies;
  for (std::size_t body = 0; body < parts_.bodies.size(); ++body) {
    const StudioBody& to = parts_.bodies[body];
    for (std::size_t other = 0; other < world->parts_.bodies.size(); ++other) {
      const StudioBody& from = world->parts_.bodies[other];
      if (from.description.name == to.description.name && same_place(from, to)) {
        same_bodies.emplace_back(body, other);
      }
    }
  }
  if (!restored_) {  // what was set while this one was being made
    if (world->around_.gravity) set_gravity(*world->around_.gravity);
    for (const auto& [body, other] : same_bodies) {
      const Damping& damping = world->parts_.bodies[other].description.damping;
      set_damping(static_cast<int>(body), damping.mass, damping.stiffness);
    }
  }
  carry_obstacles(*world);
  carry_joints(*world);
  for (std::size_t lane = 0; lane < lanes_.size(); ++lane) {
    // A lane goes on from the one of its method, else from the first.
    const auto& methods = world->parts_.methods;
    const auto same = std::find(methods.begin(), methods.end(), parts_.methods[lane]);
    const auto from = same == methods.end() ? 0 : static_cast<std::size_t>(same - methods.begin());
    for (const auto& [body, other] : same_bodies) {
      lanes_[lane].bodies[body]->carry_over(*world->lanes_[from].bodies[other]);
    }
  }
}

std::vector<RecordedBody> WorldSimulation::recorded_bodies() const {
  std::vector<RecordedBody> bodies;
  for (const StudioBody& body : parts_.bodies) {
    const BodySurface& surface = body.surface();
    const auto triangles = static_cast<Eigen::Index>(surface.triangles.size() / 3);
    bodies.push_back(
        {body.description.name, Eigen::Map<const Triangles>(surface.triangles.data(), triangles, 3),
         Eigen::Map<const Positions>(surface.rest_positions.data(), surface.vertex_count(), 3)});
  }
  return bodies;
}

std::vector<TriMesh> WorldSimulation::looks() const {
  std::vector<TriMesh> result;
  for (const StudioBody& body : parts_.bodies) result.push_back(body.source->surface);
  return result;
}

std::vector<Positions> WorldSimulation::surfaces() const {
  std::vector<Positions> result;
  for (const auto& body : lanes_.front().bodies) result.push_back(body->surface());
  return result;
}

Positions WorldSimulation::pose() const { return lanes_.front().bodies.front()->pose(); }

nlohmann::json WorldSimulation::changed_document() const {
  nlohmann::json document = parts_.document;
  if (around_.gravity) document["gravity"] = as_json(*around_.gravity);
  document["time_step"] = parts_.scene.time_step;
  for (std::size_t i = parts_.bodies.size(); i-- > 0;) {  // of loose pieces the first counts
    const StudioBody& of = parts_.bodies[i];
    const BodyDescription& body = of.description;
    nlohmann::json& entry = document["bodies"][of.entry];
    if (!of.source->baked) {
      const Material& before = parts_.scene.bodies[of.entry].materials.base;
      entry["material"] = material_of(body.materials.base);
      if (entry.contains("regions"))
        scale_regions(entry["regions"], body.materials.base.young / before.young);
      entry["modes"] = body.modes;
    }
    entry["damping"] = {{"mass", body.damping.mass}, {"stiffness", body.damping.stiffness}};
    entry["method"] = name_of(lanes_.front().bodies[i]->body().description.method);
  }
  return document;
}

void WorldSimulation::add_hands(nlohmann::json& document) const {
  for (const Hand& hand : hands_) {
    if (!hand.pinned) continue;
    const StudioBody& body = body_at(hand.body);
    const auto vertex = static_cast<std::size_t>(hand.vertex);
    const auto& rest = body.surface().rest_positions;
    nlohmann::json& constraints = document["bodies"][body.entry]["constraints"];
    const auto add = [&](const char* type, const Vec3& target) {
      constraints.push_back(
          {{"type", type},
           {"node", {rest[3 * vertex], rest[3 * vertex + 1], rest[3 * vertex + 2]}},
           {"path", {{{"time", 0}, {"target", as_json(target)}}}}});
    };
    if (hand.kind != Hand::Kind::orientation) add("position", hand.target);
    if (hand.kind != Hand::Kind::position) add("orientation", hand.rotation);
  }
}

std::string WorldSimulation::scene_file() const {
  nlohmann::json document = changed_document();
  add_hands(document);
  // What was added from files is beside the scene where people keep it.
  for (nlohmann::json& body : document["bodies"]) {
    for (const char* key : {"mesh", "body", "surface"}) {
      if (!body.contains(key) || !body[key].is_string()) continue;
      const std::filesystem::path file = body[key].get<std::string>();
      if (file.is_absolute()) body[key] = file.filename().string();
    }
  }
  return document.dump(2) + "\n";
}

SavedScene WorldSimulation::saved_scene() const {
  nlohmann::json document = changed_document();
  SavedScene saved{parts_.title, "", {}};
  int number = 0;
  const auto take_in = [&](nlohmann::json& thing, const char* key) {
    if (!thing.contains(key) || !thing[key].is_string()) return;
    const std::filesystem::path file = parts_.scene.folder / thing[key].get<std::string>();
    const std::string place = "files/" + std::to_string(number++) + "/";
    for (const std::filesystem::path& one : with_companions(file)) {
      saved.files.emplace_back(place + one.generic_string(), file.parent_path() / one);
    }
    thing[key] = place + file.filename().string();
  };
  for (nlohmann::json& body : document["bodies"]) {
    for (const char* key : {"mesh", "body", "surface"}) take_in(body, key);
  }
  if (document.contains("obstacles")) {
    for (nlohmann::json& obstacle : document["obstacles"]) take_in(obstacle, "surface");
  }
  saved.scene = document.dump(2) + "\n";
  return saved;
}

}  // namespace limber::studio
