#include "limber/study/cannon.h"

#include <fmt/format.h>

#include <cmath>

#include "limber/study/random.h"

namespace limber::study {

namespace {

/// [least, most], or one number for both.
Range read_range(const JsonReader& json) {
  if (!json.is_array()) return {json.number(), json.number()};
  const auto ends = json.elements();
  if (ends.size() != 2) json.refuse("two numbers are expected", "write [least, most]");
  const Range range{ends[0].number(), ends[1].number()};
  if (range.least > range.most) json.refuse("the first number is the larger one", "exchange them");
  return range;
}

Range read_positive_range(const JsonReader& json) {
  const Range range = read_range(json);
  if (range.least <= 0) json.refuse("it must be positive", "write positive numbers");
  return range;
}

double within(Random& random, const Range& range) {
  return random.uniform(range.least, range.most);
}

nlohmann::json as_json(const Vec3& v) { return {v[0], v[1], v[2]}; }

}  // namespace

Cannon read_cannon(const JsonReader& json) {
  json.only({"balls", "first", "every", "speed", "radius", "mass", "friction", "distance",
             "direction", "elevation", "aim"});
  Cannon cannon;
  cannon.balls = json.at("balls").integer(1, 200);
  json.optional("first", [&](const JsonReader& v) { cannon.first = v.not_negative(); });
  json.optional("every", [&](const JsonReader& v) { cannon.every = read_positive_range(v); });
  json.optional("speed", [&](const JsonReader& v) { cannon.speed = read_positive_range(v); });
  json.optional("radius", [&](const JsonReader& v) { cannon.radius = v.positive(); });
  json.optional("mass", [&](const JsonReader& v) { cannon.mass = v.positive(); });
  json.optional("friction", [&](const JsonReader& v) { cannon.friction = v.not_negative(); });
  json.optional("distance", [&](const JsonReader& v) { cannon.distance = v.positive(); });
  json.optional("direction", [&](const JsonReader& v) { cannon.direction = read_range(v); });
  json.optional("elevation", [&](const JsonReader& v) {
    cannon.elevation = read_range(v);
    if (cannon.elevation.least < -90 || cannon.elevation.most > 90)
      v.refuse("beyond 90 degrees", "-90 to 90");
  });
  const JsonReader aim = json.at("aim");
  const auto corners = aim.elements();
  const bool box = !corners.empty() && corners[0].is_array();
  if (box && corners.size() != 2) aim.refuse("a box has two corners", "write [[x,y,z],[x,y,z]]");
  cannon.aim_low = box ? corners[0].vector3() : aim.vector3();
  cannon.aim_high = box ? corners[1].vector3() : cannon.aim_low;
  return cannon;
}

std::vector<Shot> shots_of(const Cannon& cannon, std::uint64_t seed) {
  Random random(seed);
  std::vector<Shot> shots;
  double time = cannon.first;
  for (int k = 0; k < cannon.balls; ++k) {
    const double turn = within(random, cannon.direction) * M_PI / 180;
    const double rise = within(random, cannon.elevation) * M_PI / 180;
    const Vec3 from(std::sin(turn) * std::cos(rise), std::sin(rise),
                    std::cos(turn) * std::cos(rise));
    Vec3 aim;
    for (int axis = 0; axis < 3; ++axis) {
      aim[axis] = random.uniform(cannon.aim_low[axis], cannon.aim_high[axis]);
    }
    shots.push_back({time, aim + cannon.distance * from, -within(random, cannon.speed) * from});
    time += within(random, cannon.every);
  }
  return shots;
}

std::string ball_name(std::size_t number) { return fmt::format("ball{}", number); }

nlohmann::json ball_obstacles(const Cannon& cannon, const std::vector<Shot>& shots) {
  nlohmann::json balls = nlohmann::json::array();
  for (std::size_t k = 0; k < shots.size(); ++k) {
    nlohmann::json others = nlohmann::json::array();
    for (std::size_t other = 0; other < k; ++other) others.push_back(ball_name(other));
    const Vec3 start = shots[k].muzzle - shots[k].time * shots[k].velocity;
    balls.push_back({{"name", ball_name(k)},
                     {"shape", "sphere"},
                     {"size", {cannon.radius}},
                     {"mass", cannon.mass},
                     {"friction", cannon.friction},
                     {"position", as_json(start)},
                     {"velocity", as_json(shots[k].velocity)}});
    if (!others.empty()) balls.back()["collides"] = others;
  }
  return balls;
}

}  // namespace limber::study
