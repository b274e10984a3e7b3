#include "torture/random_scene.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "limber/dynamics/method.h"
#include "torture/chance.h"

namespace limber::torture {

namespace {

using Json = nlohmann::json;

Json triple(const Vec3& v) { return {v.x(), v.y(), v.z()}; }

/// A unit quaternion, or one of any length.
Json turn(Chance& chance) {
  const Vec3 v = chance.vector(1);
  return {v.x(), v.y(), v.z(), chance.between(0.1, 1)};
}

class SceneMaker {
 public:
  explicit SceneMaker(std::uint64_t seed) : chance_(seed), size_(chance_.decades(1e-6, 1e6)) {}

  Json scene() {
    step_ = chance_.decades(1e-9, 10);
    Json scene{{"limber", 1}, {"time_step", step_}, {"duration", 10 * step_}};
    scene["gravity"] = triple(chance_.vector(chance_.any_of({0.0, 10.0, 10.0, 10.0, 1e6})));
    const int count = chance_.whole(1, 3);
    for (int k = 0; k < count; ++k) scene["bodies"].push_back(body(k));
    if (chance_.one_in(3)) scene["ground"] = ground();
    if (chance_.one_in(4)) scene["obstacles"].push_back(obstacle());
    for (int k = 1; k < count; ++k) {
      if (chance_.one_in(3)) scene["joints"].push_back(joint(k));
    }
    if (chance_.one_in(3)) {
      scene["contact"] = {{"substeps", chance_.whole(1, 8)},
                          {"sleep", chance_.one_in(2)},
                          {"response", chance_.any_of({"soft", "penalty"})}};
    }
    return scene;
  }

 private:
  double length() { return size_ * chance_.decades(0.1, 10); }

  void add_shape(Json& body) {
    const auto cells = [this] { return chance_.whole(1, 4); };
    switch (chance_.whole(0, 4)) {
      case 0:
        body["shape"] = "sphere";
        body["size"] = {length()};
        body["cells"] = {chance_.whole(1, 2)};
        break;
      case 1:
        body["shape"] = "cylinder";
        body["size"] = {length(), length()};
        body["cells"] = {chance_.whole(3, 6), cells(), 1};
        break;
      case 2:
        body["shape"] = "five-tet-bar";
        body["size"] = {length(), length(), length()};
        body["cells"] = {cells(), 1, 1};
        break;
      default:
        body["shape"] = "bar";
        body["size"] = {length(), length(), length()};
        body["cells"] = {cells(), chance_.whole(1, 2), 1};
    }
  }

  Json material() {
    return {{"young", chance_.decades(1e-3, 1e15)},
            {"poisson", chance_.any_of({0.0, 0.3, 0.3, 0.45, 0.4999})},
            {"density", chance_.decades(1e-2, 1e5)}};
  }

  void add_method(Json& body) {
    const std::string name =
        chance_.any_of({"linear-modal", "modal-warping", "rotation-strain", "linear",
                        "stiffness-warping", "corotational", "stvk", "neo-hookean"});
    const MethodTraits& method = traits(*find_method(name));
    body["method"] = name;
    if (method.modal) {
      body["modes"] = chance_.whole(1, 12);
      body["integrator"] = chance_.any_of({"exact", "semi-implicit", "newmark", "filter"});
      if (chance_.one_in(4)) body["coriolis"] = true;
      if (chance_.one_in(4)) body["fast"] = true;
    } else if (chance_.one_in(3)) {
      body["full_space"] = {{"explicit", chance_.one_in(3)},
                            {"linearisations", chance_.whole(1, 3)},
                            {"keep_momentum", chance_.one_in(2)}};
    }
  }

  Json body(int number) {
    if (chance_.one_in(8)) size_ = chance_.decades(1e-6, 1e6);  // unlike its neighbours
    Json body{{"name", fmt::format("body{}", number)}, {"material", material()}};
    add_shape(body);
    add_method(body);
    if (chance_.one_in(2)) {
      body["damping"] = {{"mass", chance_.decades(1e-6, 1e6)},
                         {"stiffness", chance_.decades(1e-9, 1e3)}};
    }
    if (chance_.one_in(3)) body["mass"] = chance_.any_of({"consistent", "lumped"});
    body["position"] = triple(chance_.vector(2 * size_));
    if (chance_.one_in(2)) body["rotation"] = turn(chance_);
    if (chance_.one_in(2)) {
      body["fixed"] = fmt::format("x<={}", size_ * chance_.any_of({-1.0, 0.0, 1e-3, 0.5}));
      if (chance_.one_in(2)) body["support"] = keys("position", 10 * size_);
    } else if (chance_.one_in(2)) {
      body["velocity"] = triple(chance_.vector(speed()));
      body["angular_velocity"] = triple(chance_.vector(chance_.decades(1e-3, 1e4)));
    }
    body["friction"] = chance_.decades(1e-3, 1e3);
    if (chance_.one_in(4)) body["restitution"] = chance_.unit();
    for (int k = chance_.whole(0, 2); k > 0; --k) body["constraints"].push_back(constraint());
    if (chance_.one_in(3)) {
      body["forces"] = {{{"nodes", {chance_.whole(0, 3)}},
                         {"force", triple(chance_.vector(chance_.decades(1e-9, 1e12)))}}};
    }
    return body;
  }

  /// A size within the scene, up to a thousand of its sizes a second.
  double speed() { return size_ * chance_.decades(1e-3, 1e3); }

  /// Steady ways and jumps within a hundredth of a step.
  Json keys(const char* what, double reach) {
    Json list = Json::array();
    double time = 0;
    for (int k = chance_.whole(1, 3); k > 0; --k) {
      list.push_back({{"time", time}, {what, triple(chance_.vector(reach))}});
      time += step_ * chance_.any_of({0.01, 1.0, 5.0});
    }
    return list;
  }

  Json constraint() {
    const std::string type =
        chance_.any_of({"position", "position", "orientation", "velocity", "acceleration", "soft"});
    const double reach = type == "orientation" ? 20
                         : type == "velocity"  ? speed()
                                               : size_ * chance_.any_of({0.1, 1.0, 100.0});
    Json constraint{{"type", type}, {"node", chance_.whole(0, 7)}, {"path", keys("target", reach)}};
    constraint["interpolation"] = chance_.any_of({"smooth", "linear"});
    if (type == "position") {
      constraint["treatment"] = chance_.any_of({"previous", "predicted", "newton"});
    } else if (type == "soft") {
      constraint["stiffness"] = chance_.decades(1e-6, 1e15);
      constraint["damping"] = chance_.decades(1e-6, 1e9);
    }
    return constraint;
  }

  Json ground() {
    return {{"normal", triple(chance_.vector(1) + Vec3(0, 1.5, 0))},
            {"offset", chance_.between(-3 * size_, size_)},
            {"friction", chance_.unit()}};
  }

  Json obstacle() {
    Json obstacle{{"name", "obstacle"}, {"friction", chance_.unit()}};
    switch (chance_.whole(0, 2)) {
      case 0:
        obstacle["shape"] = "sphere";
        obstacle["size"] = {length()};
        break;
      case 1:
        obstacle["shape"] = "box";
        obstacle["size"] = {length(), length(), length()};
        break;
      default:
        obstacle["shape"] = "capsule";
        obstacle["size"] = {length(), length()};
    }
    if (chance_.one_in(2)) {
      obstacle["mass"] = chance_.decades(1e-9, 1e12);
      obstacle["position"] = triple(chance_.vector(2 * size_));
      obstacle["velocity"] = triple(chance_.vector(speed()));
    } else {
      obstacle["path"] = keys("position", 5 * size_);
    }
    return obstacle;
  }

  /// Of the body of this number with the one before it, or with the world.
  Json joint(int number) {
    const std::string type = chance_.any_of({"ball", "hinge", "weld", "slider", "distance"});
    Json joint{{"type", type}, {"at", triple(chance_.vector(2 * size_))}};
    joint["bodies"] = {fmt::format("body{}", number), nullptr};
    if (!chance_.one_in(3)) joint["bodies"][1] = fmt::format("body{}", number - 1);
    if (type == "hinge" || type == "slider") joint["axis"] = triple(chance_.vector(1));
    if (type == "distance") joint["to"] = triple(chance_.vector(2 * size_));
    if (type == "hinge" && chance_.one_in(2)) {
      joint["motor"] = {{"speed", chance_.between(-1e3, 1e3)},
                        {"torque", chance_.decades(1e-6, 1e9)}};
    }
    if (chance_.one_in(3)) joint["break_force"] = chance_.decades(1e-9, 1e12);
    return joint;
  }

  Chance chance_;
  double size_;      // m, of most bodies
  double step_ = 0;  // s
};

}  // namespace

std::string random_scene(std::uint64_t seed) { return SceneMaker(seed).scene().dump(1); }

}  // namespace limber::torture
