// Obstacles of a played scene: where they are, hands that push them, contacts to be seen.
#include <fmt/format.h>

#include "limber/core/error.h"
#include "limber/scene/scene_props.h"
#include "server/fields.h"
#include "server/world_simulation.h"

namespace limber::studio {

namespace {

// One with a mass reaches the hand in so many steps, and keeps that speed when it is let go.
constexpr double kStepsToHand = 4;
// More than anyone can tell apart.
constexpr std::size_t kMostContacts = 2000;

BodyPlace place_of(const FrameState& frame) {
  return {frame.position, Eigen::Quaterniond(frame.rotation).coeffs()};
}

}  // namespace

/// Whether anything can touch anything where the lane plays bodies by its own method.
bool WorldSimulation::lane_touches(Method method, bool own) const {
  if (own) return has_contact(parts_.scene);
  SceneDescription played = parts_.scene;
  for (BodyDescription& body : played.bodies) body = with_method(std::move(body), method);
  return has_contact(played);
}

void WorldSimulation::find_obstacles(Lane& lane) const {
  for (const ObstacleDescription& obstacle : parts_.scene.obstacles) {
    LaneObstacle& found = lane.obstacles.emplace_back();
    if (obstacle.mass) {
      found.body = lane.world->find(obstacle.name);
      continue;
    }
    for (const WorldObstacle& one : lane.world->obstacles()) {
      if (one.name == obstacle.name) found.participant = one.participant;
    }
  }
}

std::vector<ObstacleState> WorldSimulation::obstacles() const {
  std::vector<ObstacleState> states;
  for (const ObstacleDescription& obstacle : parts_.scene.obstacles) {
    const SupportKey& start = obstacle.path.front();
    states.push_back({obstacle.name, obstacle.shape.empty() ? "surface" : obstacle.shape,
                      obstacle.size, start.position,
                      Eigen::Quaterniond(start.rotation).normalized().coeffs(), obstacle.mass,
                      obstacle.path.size() > 1});
  }
  return states;
}

/// Where it is level: the page shows no slopes.
std::optional<double> WorldSimulation::ground() const {
  const auto& ground = parts_.scene.ground;
  if (!ground || ground->normal.normalized().y() < 0.999) return std::nullopt;
  return ground->offset / ground->normal.norm();
}

SupportMotion WorldSimulation::scene_motion(std::size_t obstacle) const {
  const ObstacleDescription& of = parts_.scene.obstacles[obstacle];
  return SupportMotion(of.path, of.interpolation, "path");
}

void WorldSimulation::put_in_scene(std::size_t obstacle, const Vec3& position) {
  parts_.scene.obstacles[obstacle].path.front().position = position;
  parts_.document["obstacles"][obstacle]["position"] = as_json(position);
  version_.reset();
}

void WorldSimulation::move_obstacle(int obstacle, const Vec3& position, bool let_go, bool paused) {
  if (obstacle < 0 || obstacle >= static_cast<int>(held_obstacles_.size())) {
    throw Error(fmt::format("obstacle {} does not exist", obstacle), parts_.title,
                "reload the page");
  }
  const auto index = static_cast<std::size_t>(obstacle);
  const ObstacleDescription& of = parts_.scene.obstacles[index];
  if (of.path.size() > 1) {
    throw Error("the obstacle follows a path", of.name, "edit the scene's file to move it");
  }
  HeldObstacle& held = held_obstacles_[index];
  const Vec3 way = position - of.path.front().position;
  if (of.mass) {
    held.target = position;
    if (paused) {
      for (Lane& lane : lanes_) {
        DynamicBody& body = *lane.world->body(*lane.obstacles[index].body).dynamics;
        body.place(position, body.frame().rotation);
        body.set_velocity(Vec3::Zero(), Vec3::Zero());
        lane.world->contacts().wake_all();
      }
      if (let_go) put_in_scene(index, position);
    }
    if (let_go) held.target.reset();
    return;
  }
  if (paused) {
    held.way.jump(way);
    SupportKey there = of.path.front();
    there.position = position;
    for (Lane& lane : lanes_) {
      lane.world->move_obstacle(lane.obstacles[index].participant, SupportMotion({there}));
    }
  } else {
    held.way.set_target(way, Eigen::Quaterniond::Identity());
  }
  if (!let_go) return;
  put_in_scene(index, position);
  held.way.move_origin(way);
}

void WorldSimulation::lead_obstacles(double h) {
  for (std::size_t k = 0; k < held_obstacles_.size(); ++k) {
    HeldObstacle& held = held_obstacles_[k];
    if (held.target) {
      for (Lane& lane : lanes_) {
        const BodyId id = *lane.obstacles[k].body;
        DynamicBody& body = *lane.world->body(id).dynamics;
        body.set_velocity((*held.target - body.frame().position) / (kStepsToHand * h),
                          body.frame().angular_velocity);
        lane.world->wake(id);
      }
    }
    const bool was_led = !held.way.at_rest();
    held.way.step(h, parts_.bodies.front().size);
    if (!was_led && held.way.at_rest()) continue;
    const SupportMotion scene = scene_motion(k);
    for (Lane& lane : lanes_) {
      lane.world->move_obstacle(
          lane.obstacles[k].participant,
          held.way.at_rest() ? scene : held.way.over_step(scene, lane.world->time(), h));
    }
  }
}

std::vector<BodyPlace> WorldSimulation::places_in(const Lane& lane) {
  std::vector<BodyPlace> places;
  for (const LaneObstacle& obstacle : lane.obstacles) {
    if (obstacle.body) {
      places.push_back(place_of(lane.world->body(*obstacle.body).dynamics->frame()));
    } else {
      const Participant& one = lane.world->contacts().participant(obstacle.participant);
      places.push_back(place_of(one.motion.at(lane.world->time())));
    }
  }
  return places;
}

std::vector<TriMesh> WorldSimulation::obstacle_surfaces() const {
  const Lane& lane = lanes_.front();
  std::vector<TriMesh> surfaces(lane.obstacles.size());
  for (const SceneProp& prop : props_of(*lane.world)) {
    for (std::size_t k = 0; k < lane.obstacles.size(); ++k) {
      const LaneObstacle& one = lane.obstacles[k];
      const int participant = one.body ? lane.world->body(*one.body).participant : one.participant;
      if (participant == prop.participant) surfaces[k] = prop.surface;
    }
  }
  return surfaces;
}

/// Those of the last part of the step, and what bodies at full resolution have with the ground.
void WorldSimulation::write_contacts(FrameWriter& frame) const {
  for (const Lane& lane : lanes_) {
    std::vector<float> numbers;
    const auto add = [&](const Vec3& point, const Vec3& force) {
      if (force.isZero(0) || numbers.size() >= 6 * kMostContacts) return;
      for (int c = 0; c < 3; ++c) numbers.push_back(static_cast<float>(point[c]));
      for (int c = 0; c < 3; ++c) numbers.push_back(static_cast<float>(force[c]));
    };
    for (const ContactRecord& record : lane.world->contacts().contacts()) {
      add(record.point, record.impulse / time_step());
    }
    for (const auto& body : lane.bodies) {
      for (const GroundContact& one : body->ground_contacts()) add(one.point, one.force);
    }
    frame.add_contacts(numbers);
  }
}

/// Those of the same name go on where they were.
void WorldSimulation::carry_obstacles(const WorldSimulation& before) {
  const auto& old = before.parts_.scene.obstacles;
  for (std::size_t k = 0; k < parts_.scene.obstacles.size(); ++k) {
    const ObstacleDescription& of = parts_.scene.obstacles[k];
    const auto same = std::find_if(old.begin(), old.end(), [&](const ObstacleDescription& one) {
      return one.name == of.name && one.mass.has_value() == of.mass.has_value() &&
             one.path.front().position == of.path.front().position;
    });
    if (same == old.end()) continue;
    const auto was = static_cast<std::size_t>(same - old.begin());
    held_obstacles_[k] = before.held_obstacles_[was];
    if (!of.mass) continue;
    for (std::size_t lane = 0; lane < lanes_.size(); ++lane) {
      const Lane& from = before.lanes_[std::min(lane, before.lanes_.size() - 1)];
      const FrameState& frame = from.world->body(*from.obstacles[was].body).dynamics->frame();
      Lane& to = lanes_[lane];
      DynamicBody& body = *to.world->body(*to.obstacles[k].body).dynamics;
      body.place(frame.position, frame.rotation);
      body.set_velocity(frame.velocity, frame.angular_velocity);
    }
  }
}

}  // namespace limber::studio
