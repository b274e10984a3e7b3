#include <functional>
#include <map>

#include "limber/core/error.h"
#include "server/fields.h"
#include "server/protocol.h"

namespace limber::studio {

namespace {

constexpr std::size_t kMostLanes = 4;

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

Command read_view(const Fields& f) {
  std::string view = f.object("view").text_of();
  if (view.size() > kLongestView) Fields::refuse("view", "is too long");
  return command::View{std::move(view)};
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
      {"curves", [](const Fields& f) { return Curves{read_curves(f)}; }},
      {"scrub", [](const Fields& f) { return Scrub{f.number("time", 0, kLongest)}; }},
      {"view", read_view},
      {"resume", [](const Fields& f) { return Resume{f.boolean("open")}; }},
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

bool changes_project(const Command& command) {
  using namespace command;
  const auto is = [&]<class... T>(std::variant<T...>*) {
    return (std::holds_alternative<T>(command) || ...);
  };
  return is(
      static_cast<std::variant<Gravity, command::Damping, Rebuild, Lanes, Place, ReleaseAll, Undo,
                               Redo, PoseAdd, PoseRemove, PoseTime, Interpolation, Curves>*>(
          nullptr));
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
