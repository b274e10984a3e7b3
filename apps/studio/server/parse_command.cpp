#include <fmt/format.h>
#include <cmath>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>

#include "limber/core/error.h"
#include "server/protocol.h"

namespace limber::studio {

namespace {

using nlohmann::json;

/// One JSON object being read. Everything it gives is of the right kind and within bounds.
class Fields {
 public:
  explicit Fields(const json& object) : object_(object) {}

  [[nodiscard]] double number(const char* key, double low, double high) const {
    const json& value = at(key);
    if (!value.is_number()) refuse(key, "is no number");
    return within(key, value.get<double>(), low, high);
  }
  [[nodiscard]] int integer(const char* key, int low, int high) const {
    return static_cast<int>(std::lround(number(key, low, high)));
  }
  [[nodiscard]] bool boolean(const char* key) const {
    const json& value = at(key);
    if (!value.is_boolean()) refuse(key, "is neither true nor false");
    return value.get<bool>();
  }
  [[nodiscard]] std::string text(const char* key, std::size_t longest) const {
    const json& value = at(key);
    if (!value.is_string()) refuse(key, "is no text");
    std::string result = value.get<std::string>();
    if (result.size() > longest) refuse(key, "is too long");
    return result;
  }
  [[nodiscard]] std::vector<double> numbers(const char* key, std::size_t fewest, std::size_t most,
                                            double low, double high) const {
    const json& value = at(key);
    if (!value.is_array() || value.size() < fewest || value.size() > most) {
      refuse(key, "has the wrong length");
    }
    std::vector<double> result;
    for (const json& item : value) {
      if (!item.is_number()) refuse(key, "holds something else than numbers");
      result.push_back(within(key, item.get<double>(), low, high));
    }
    return result;
  }
  [[nodiscard]] Vec3 vector(const char* key, double largest) const {
    const std::vector<double> v = numbers(key, 3, 3, -largest, largest);
    return {v[0], v[1], v[2]};
  }
  [[nodiscard]] Fields object(const char* key) const {
    const json& value = at(key);
    if (!value.is_object()) refuse(key, "is no object");
    return Fields(value);
  }
  [[nodiscard]] const json& at(const char* key) const {
    const auto found = object_.find(key);
    if (found == object_.end()) refuse(key, "is missing");
    return *found;
  }
  [[noreturn]] static void refuse(const char* key, const char* why) {
    throw Error(fmt::format("`{}` {}", key, why), "command", "reload the page");
  }

 private:
  static double within(const char* key, double value, double low, double high) {
    if (!(value >= low && value <= high)) refuse(key, "is out of range");  // NaN too
    return value;
  }
  const json& object_;
};

// Wide enough for every sensible scene, narrow enough that nothing overflows downstream.
constexpr double kFar = 1e6;       // m, also rad and m/s²
constexpr double kStrong = 1e12;   // N
constexpr double kLongest = 3600;  // s, of a time line
constexpr int kMostBodies = 1000;
constexpr int kMostVertices = 1 << 23;  // what a frame can count
constexpr int kAnyId = 0x7fffffff;
constexpr std::size_t kMostLanes = 4;
constexpr std::size_t kMostPoints = 64;

Hand::Kind hand_kind(const std::string& name) {
  if (name == "position") return Hand::Kind::position;
  if (name == "orientation") return Hand::Kind::orientation;
  if (name == "both") return Hand::Kind::both;
  Fields::refuse("kind", "is none of position, orientation, both");
}

Hand read_hand(const Fields& f) {
  return {f.integer("id", 0, kAnyId),
          f.integer("body", 0, kMostBodies),
          f.integer("vertex", 0, kMostVertices),
          hand_kind(f.text("kind", 20)),
          f.vector("target", kFar),
          f.vector("rotation", kFar),
          f.boolean("pinned")};
}

Curve read_curve(const Fields& f) {
  Curve curve{f.numbers("at", 1, kMostPoints, 0, 1), f.numbers("value", 1, kMostPoints, -1, 1)};
  if (curve.at.size() != curve.value.size())
    Fields::refuse("value", "has another length than `at`");
  for (std::size_t i = 1; i < curve.at.size(); ++i) {
    if (!(curve.at[i] > curve.at[i - 1])) Fields::refuse("at", "does not ascend");
  }
  return curve;
}

Command read_lanes(const Fields& f) {
  command::Lanes lanes;
  const json& methods = f.at("methods");
  if (!methods.is_array() || methods.empty() || methods.size() > kMostLanes) {
    Fields::refuse("methods", "has the wrong length");
  }
  for (const json& method : methods) {
    if (!method.is_string()) Fields::refuse("methods", "holds something else than text");
    lanes.methods.push_back(method.get<std::string>());
  }
  lanes.truth = f.integer("truth", 0, static_cast<int>(lanes.methods.size()) - 1);
  return lanes;
}

Eigen::Vector4d read_rotation(const Fields& f) {
  const std::vector<double> q = f.numbers("rotation", 4, 4, -2, 2);
  Eigen::Vector4d rotation(q[0], q[1], q[2], q[3]);
  if (rotation.norm() < 1e-6) Fields::refuse("rotation", "is no rotation");
  return rotation.normalized();
}

Command read_material(const Fields& f) {
  Change::BodyChange body;
  body.body = f.integer("body", 0, kMostBodies);
  body.young = f.number("young", 1, 1e13);
  body.poisson = f.number("poisson", 0, 0.4999);
  body.density = f.number("density", 1e-3, 1e6);
  return command::Rebuild{Change{body, {}, {}}};
}

Command read_modes(const Fields& f) {
  Change::BodyChange body;
  body.body = f.integer("body", 0, kMostBodies);
  body.modes = f.integer("count", 1, 256);
  return command::Rebuild{Change{body, {}, {}}};
}

using Reader = std::function<Command(const Fields&)>;

const std::map<std::string, Reader, std::less<>>& readers() {
  using namespace command;
  static const std::map<std::string, Reader, std::less<>> all{
      {"open", [](const Fields& f) { return Open{f.text("sample", 100)}; }},
      {"play", [](const Fields& f) { return Play{f.boolean("playing")}; }},
      {"step", [](const Fields&) { return Step{}; }},
      {"reset", [](const Fields&) { return Reset{}; }},
      {"speed", [](const Fields& f) { return Speed{f.number("factor", 0.01, 4)}; }},
      {"time_step",
       [](const Fields& f) {
         return Rebuild{Change{{}, {}, f.number("seconds", 1e-4, 0.1)}};
       }},
      {"gravity", [](const Fields& f) { return Gravity{f.vector("acceleration", kFar)}; }},
      {"material", read_material},
      {"damping",
       [](const Fields& f) {
         return Damping{f.integer("body", 0, kMostBodies), f.number("mass", 0, 1e6),
                        f.number("stiffness", 0, 1e3)};
       }},
      {"modes", read_modes},
      {"lanes", read_lanes},
      {"handle", [](const Fields& f) { return Place{read_hand(f.object("handle"))}; }},
      {"move",
       [](const Fields& f) {
         return Move{f.integer("id", 0, kAnyId), f.vector("target", kFar),
                     f.vector("rotation", kFar), f.boolean("begins")};
       }},
      {"release", [](const Fields& f) { return Release{f.integer("id", 0, kAnyId)}; }},
      {"release_all", [](const Fields&) { return ReleaseAll{}; }},
      {"undo", [](const Fields&) { return Undo{}; }},
      {"redo", [](const Fields&) { return Redo{}; }},
      {"force",
       [](const Fields& f) {
         return Force{f.integer("body", 0, kMostBodies), f.integer("vertex", 0, kMostVertices),
                      f.vector("force", kStrong)};
       }},
      {"hit",
       [](const Fields& f) {
         return Hit{f.integer("body", 0, kMostBodies), f.integer("vertex", 0, kMostVertices),
                    f.vector("impulse", kStrong)};
       }},
      {"put",
       [](const Fields& f) {
         return PutBody{f.integer("body", 0, kMostBodies), f.vector("position", kFar),
                        read_rotation(f)};
       }},
      {"throw",
       [](const Fields& f) {
         return ThrowBody{f.integer("body", 0, kMostBodies), f.vector("velocity", kFar),
                          f.vector("spin", kFar)};
       }},
      {"support",
       [](const Fields& f) {
         return Support{f.vector("position", kFar), read_rotation(f)};
       }},
      {"record", [](const Fields& f) { return Record{f.boolean("running")}; }},
      {"pose_add",
       [](const Fields& f) {
         return PoseAdd{f.number("time", 0, kLongest), f.text("name", 100)};
       }},
      {"pose_remove", [](const Fields& f) { return PoseRemove{f.integer("id", 0, kAnyId)}; }},
      {"pose_time",
       [](const Fields& f) {
         return PoseTime{f.integer("id", 0, kAnyId), f.number("time", 0, kLongest)};
       }},
      {"interpolation",
       [](const Fields& f) {
         return Interpolation{f.boolean("active"), f.boolean("looping"),
                              f.integer("modes", 1, 1000)};
       }},
      {"curves",
       [](const Fields& f) {
         return Curves{{read_curve(f.object("frequency")), read_curve(f.object("damping")),
                        read_curve(f.object("weight"))}};
       }},
      {"scrub", [](const Fields& f) { return Scrub{f.number("time", 0, kLongest)}; }},
      {"curve", [](const Fields& f) { return ModeCurve{f.integer("mode", 0, 1000)}; }},
  };
  return all;
}

}  // namespace

Command parse_command(std::string_view text) {
  const json object = json::parse(text, nullptr, false);
  if (!object.is_object()) {
    throw Error("this is no command", "message", "send one JSON object a message");
  }
  const Fields fields(object);
  const std::string name = fields.text("do", 40);
  const auto reader = readers().find(name);
  if (reader == readers().end()) {
    throw Error("there is no such command", "do", "reload the page");
  }
  return reader->second(fields);
}

bool is_input(const Command& command) {
  return std::holds_alternative<command::Place>(command) ||
         std::holds_alternative<command::Move>(command) ||
         std::holds_alternative<command::Release>(command) ||
         std::holds_alternative<command::Force>(command) ||
         std::holds_alternative<command::Hit>(command) ||
         std::holds_alternative<command::Support>(command) ||
         std::holds_alternative<command::Scrub>(command);
}

}  // namespace limber::studio
