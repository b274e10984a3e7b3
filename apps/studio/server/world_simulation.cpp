#include "server/world_simulation.h"

#include <fmt/format.h>
#include <algorithm>
#include <chrono>

#include "limber/core/error.h"
#include "limber/mesh/read_mesh.h"

namespace limber::studio {

namespace {

constexpr double kCostSmoothing = 0.1;  // of what a step costs

Vec3 gravity_of(const SceneDescription& scene) {
  Vec3 sum = Vec3::Zero();
  for (const GravityLoad& load : scene.gravity) sum += load.acceleration;
  return sum;
}

std::vector<StudioBody> load_bodies(const SceneDescription& scene, const Progress& progress) {
  std::vector<StudioBody> bodies;
  for (std::size_t entry = 0; entry < scene.bodies.size(); ++entry) {
    for (StudioBody& piece : load_studio_bodies(scene.bodies[entry], progress)) {
      piece.entry = entry;
      bodies.push_back(std::move(piece));
    }
  }
  return bodies;
}

}  // namespace

Vec3 pivot_of(const std::vector<StudioBody>& bodies) {
  Vec3 sum = Vec3::Zero();
  std::size_t count = 0;
  for (const StudioBody& body : bodies) {
    for (const int node : body.source->fixed_nodes)
      sum += body.source->mesh.V.row(node).transpose();
    count += body.source->fixed_nodes.size();
  }
  return count > 0 ? Vec3(sum / static_cast<double>(count)) : sum;
}

std::vector<std::string> playable_methods() {
  std::vector<std::string> names;
  for (const MethodTraits& method : all_methods()) {
    if (method.built) names.emplace_back(method.name);
  }
  return names;
}

WorldSimulation::WorldSimulation(std::string title, const nlohmann::json& document,
                                 const std::filesystem::path& folder, const Progress& progress) {
  parts_.title = std::move(title);
  parts_.document = document;
  parts_.scene = parse_scene(document.dump(), folder, parts_.title);
  if (parts_.scene.bodies.empty()) {
    throw Error("the scene has no body", parts_.title, "add one under \"bodies\"");
  }
  parts_.bodies = load_bodies(parts_.scene, progress);
  parts_.methods = {std::string(name_of(parts_.scene.bodies.front().method))};
  gravity_ = gravity_of(parts_.scene);
  make_lanes();
}

WorldSimulation::WorldSimulation(Parts parts) : parts_(std::move(parts)) {
  gravity_ = gravity_of(parts_.scene);
  around_.gravity = parts_.gravity;
  make_lanes();
}

void WorldSimulation::make_lanes() {
  lanes_.clear();
  for (const std::string& name : parts_.methods) {
    const Method method = *find_method(name);
    Lane& lane = lanes_.emplace_back();
    // A scene may mix methods; the one lane then plays each body by its own.
    const bool own = parts_.methods.size() == 1 && method == parts_.scene.bodies.front().method;
    ContactBuilder contact(*lane.world, lane_touches(method, own));
    contact.add_surroundings(parts_.scene);
    for (StudioBody& body : parts_.bodies) {
      const Method played = own ? body.description.method : method;
      if (played == Method::reduced) body = with_reduced_space(body);
      lane.bodies.push_back(
          std::make_unique<LaneBody>(body, played, parts_.scene, *lane.world, contact));
    }
    contact.add_relations(parts_.scene);
    find_obstacles(lane);
    lane.torn.assign(parts_.scene.joints.size(), false);
  }
  held_obstacles_.assign(parts_.scene.obstacles.size(), {});
  around_.support.set_pivot(pivot_of(parts_.bodies));
  readings_.assign(lanes_.size() * parts_.bodies.size(), {});
  frames_until_reading_ = 0;
}

std::vector<BodyState> WorldSimulation::bodies() const {
  std::vector<BodyState> states;
  for (const StudioBody& body : parts_.bodies) states.push_back(state_of(body));
  return states;
}

std::vector<std::string> WorldSimulation::methods() const { return playable_methods(); }

std::string WorldSimulation::model() const {
  std::vector<ModelBody> models;
  for (const StudioBody& body : parts_.bodies) models.push_back(model_of(body));
  std::vector<ModelSurface> surfaces;
  for (std::size_t k = 0; k < parts_.scene.obstacles.size(); ++k) {
    const ObstacleDescription& obstacle = parts_.scene.obstacles[k];
    if (!obstacle.shape.empty()) continue;
    const TriMesh mesh = read_surface(obstacle.surface);
    ModelSurface& surface = surfaces.emplace_back();
    surface.obstacle = static_cast<int>(k);
    surface.positions.assign(mesh.V.data(), mesh.V.data() + mesh.V.size());
    surface.triangles.assign(mesh.F.data(), mesh.F.data() + mesh.F.size());
  }
  return model_file(models, ground(), surfaces);
}

Surroundings WorldSimulation::around(std::size_t body) const {
  Surroundings result = around_;
  const int number = static_cast<int>(body);
  for (const Hand& hand : hands_) {
    if (hand.body == number) result.hands.push_back(hand);
  }
  for (const auto& [place, force] : pushes_) {
    if (place.first == number) result.pushes[place.second] = force;
  }
  return result;
}

void WorldSimulation::step() {
  const double h = time_step();
  around_.support.step(h, parts_.bodies.front().size);
  for (std::size_t body = 0; body < parts_.bodies.size(); ++body) {
    const Surroundings here = around(body);
    for (Lane& lane : lanes_) lane.bodies[body]->prepare(h, here);
  }
  lead_obstacles(h);
  for (Lane& lane : lanes_) {
    const auto start = std::chrono::steady_clock::now();
    (void)lane.world->step(h);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    lane.seconds += (lane.seconds == 0 ? 1 : kCostSmoothing) * (took.count() - lane.seconds);
    for (const auto& body : lane.bodies) body->notice_faults();
  }
  time_ += h;
}

int WorldSimulation::contacts() const {
  int sum = 0;
  for (const auto& body : lanes_.front().bodies) sum += body->contacts();
  return sum;
}

std::vector<LaneFault> WorldSimulation::faults() const {
  std::vector<LaneFault> result;
  for (std::size_t lane = 0; lane < lanes_.size(); ++lane) {
    for (std::size_t body = 0; body < parts_.bodies.size(); ++body) {
      const LaneBody& of = *lanes_[lane].bodies[body];
      if (!of.fault()) continue;
      const std::string where = parts_.bodies[body].description.name;
      result.push_back({static_cast<int>(lane), static_cast<int>(body), of.stopped_at(),
                        error_of(of.fault(), where).what()});
    }
  }
  return result;
}

void WorldSimulation::write_frame(FrameWriter& frame, int truth) const {
  if (truth != truth_) frames_until_reading_ = 0;
  truth_ = truth;
  measure();
  const std::size_t count = parts_.bodies.size();
  for (std::size_t lane = 0; lane < lanes_.size(); ++lane) {
    for (std::size_t body = 0; body < count; ++body) {
      const Reading& reading = readings_[lane * count + body];
      lanes_[lane].bodies[body]->write(frame, reading.volume_ratio, reading.error);
    }
  }
  for (const Lane& lane : lanes_) {
    for (const BodyPlace& place : places_in(lane)) frame.add_obstacle(place);
  }
  if (contacts_shown_) write_contacts(frame);
  write_joints(frame);
  write_motion(frame);
  if (stress_shown_) write_stress(frame);
  std::vector<double> costs;
  for (const Lane& lane : lanes_) costs.push_back(lane.seconds);
  frame.add_costs(costs);
}

void WorldSimulation::reset() {
  make_lanes();
  time_ = 0;
  pushes_.clear();
  around_.support.reset();
}

}  // namespace limber::studio
