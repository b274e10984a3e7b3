#include <functional>
#include <map>

#include "limber/core/error.h"
#include "server/body_edits.h"
#include "server/fields.h"
#include "server/parse_joints.h"
#include "server/protocol.h"

namespace limber::studio {

namespace {

constexpr std::size_t kMostLanes = 4;
constexpr int kWidestFilm = 4096;  // pixels
constexpr int kMostSamples = 256;

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

Command read_ground_command(const Fields& f) {
  if (!f.boolean("there")) return command::Edit{"Take the ground away", remove_ground()};
  const json& height = f.at("height");
  if (height.is_null()) return command::Edit{"Ground under the feet", set_ground(std::nullopt)};
  return command::Edit{"Height of the ground", set_ground(f.number("height", -kFar, kFar))};
}

Command read_new_obstacle(const Fields& f) {
  const std::string shape = f.text("shape", 20);
  if (shape != "plane" && shape != "sphere" && shape != "box" && shape != "capsule") {
    Fields::refuse("shape", "is none of plane, sphere, box, capsule");
  }
  const json& mass = f.at("mass");
  return command::Edit{
      "Add a " + shape,
      add_obstacle(shape,
                   mass.is_null() ? std::nullopt : std::optional(f.number("mass", 1e-9, 1e9)))};
}

constexpr std::size_t kMostPainted = 1 << 14;  // vertices of a part of a stroke
constexpr int kMostFillCells = 200;

std::vector<int> read_vertices(const Fields& f) {
  const std::vector<double> numbers = f.numbers("vertices", 1, kMostPainted, 0, kMostVertices);
  return {numbers.begin(), numbers.end()};
}

Command read_paint(const Fields& f) {
  const int body = f.integer("body", 0, kMostBodies);
  const std::string what = f.text("what", 10);
  if (what == "fixed") return command::Edit{"Fix", paint_fixed(body, read_vertices(f), true)};
  if (what == "free") return command::Edit{"Unfix", paint_fixed(body, read_vertices(f), false)};
  if (what != "young") Fields::refuse("what", "is none of fixed, free, young");
  const json& young = f.at("young");
  if (young.is_null()) {
    return command::Edit{"Wipe stiffness", paint_young(body, read_vertices(f), std::nullopt)};
  }
  return command::Edit{"Paint stiffness",
                       paint_young(body, read_vertices(f), f.number("young", 1, 1e13))};
}

Command read_view(const Fields& f) {
  std::string view = f.object("view").text_of();
  if (view.size() > kLongestView) Fields::refuse("view", "is too long");
  return command::View{std::move(view)};
}

Command read_film(const Fields& f) {
  if (!f.boolean("wanted")) return command::MakeFilm{false, 0, {}};
  FilmView view;
  view.eye = f.vector("eye", kFar);
  view.target = f.vector("target", kFar);
  view.half_height = f.number("half_height", 1e-4, 10);
  view.width = f.integer("width", 16, kWidestFilm);
  view.height = f.integer("height", 16, kWidestFilm);
  view.samples = f.integer("samples", 1, kMostSamples);
  view.frame_rate = f.number("frame_rate", 1, 240);
  return command::MakeFilm{true, f.integer("take", 1, kAnyId), view};
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
      {"release",
       [](const Fields& f) {
         Release release{f.integer("id", 0, kAnyId), std::nullopt};
         if (f.has("velocity")) release.velocity = f.vector("velocity", kFar);
         return release;
       }},
      {"release_all", [](const Fields&) { return ReleaseAll{}; }},
      {"undo", [](const Fields&) { return Travel{-1}; }},
      {"redo", [](const Fields&) { return Travel{1}; }},
      {"travel", [](const Fields& f) { return Travel{f.integer("steps", -1000, 1000)}; }},
      {"add_body", [](const Fields& f) { return AddBody{f.text("sample", 100)}; }},
      {"duplicate_body",
       [](const Fields& f) {
         return Edit{"Duplicate a body", duplicate_body(f.integer("body", 0, kMostBodies))};
       }},
      {"remove_body",
       [](const Fields& f) {
         return Edit{"Delete a body", remove_body(f.integer("body", 0, kMostBodies))};
       }},
      {"place_body",
       [](const Fields& f) {
         return Edit{"Place a body",
                     place_body(f.integer("body", 0, kMostBodies), f.vector("position", kFar))};
       }},
      {"paint", read_paint},
      {"fill",
       [](const Fields& f) {
         return Edit{"Resolution", fill_body(f.integer("body", 0, kMostBodies),
                                             f.integer("cells", 2, kMostFillCells))};
       }},
      {"cage",
       [](const Fields& f) {
         return ShowCage{f.integer("body", 0, kMostBodies), f.integer("cells", 0, kMostFillCells)};
       }},
      {"ground", read_ground_command},
      {"add_obstacle", read_new_obstacle},
      {"place_obstacle",
       [](const Fields& f) {
         return Edit{"Place an obstacle", place_obstacle(f.integer("obstacle", 0, kMostBodies),
                                                         f.vector("position", kFar))};
       }},
      {"size_obstacle",
       [](const Fields& f) {
         return Edit{"Size an obstacle", size_obstacle(f.integer("obstacle", 0, kMostBodies),
                                                       f.numbers("size", 1, 3, 1e-6, kFar))};
       }},
      {"duplicate_obstacle",
       [](const Fields& f) {
         return Edit{"Duplicate an obstacle",
                     duplicate_obstacle(f.integer("obstacle", 0, kMostBodies))};
       }},
      {"remove_obstacle",
       [](const Fields& f) {
         return Edit{"Delete an obstacle", remove_obstacle(f.integer("obstacle", 0, kMostBodies))};
       }},
      {"move_obstacle",
       [](const Fields& f) {
         return MoveObstacle{f.integer("obstacle", 0, kMostBodies), f.vector("position", kFar),
                             f.boolean("begins"), f.boolean("let_go")};
       }},
      {"add_joint", read_new_joint},
      {"change_joint", read_joint_change},
      {"remove_joint", read_joint_removal},
      {"contacts", [](const Fields& f) { return ShowContacts{f.boolean("shown")}; }},
      {"stress", [](const Fields& f) { return ShowStress{f.boolean("shown")}; }},
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
      {"take_show",
       [](const Fields& f) {
         return ShowTake{f.integer("id", 0, kAnyId), f.boolean("looping")};
       }},
      {"take_change",
       [](const Fields& f) {
         return ChangeTake{f.integer("id", 0, kAnyId), f.text("name", 100),
                           f.number("from", 0, kFar), f.number("to", 0, kFar)};
       }},
      {"take_remove", [](const Fields& f) { return RemoveTake{f.integer("id", 0, kAnyId)}; }},
      {"take_scrub", [](const Fields& f) { return ScrubTake{f.number("time", 0, kFar)}; }},
      {"film", read_film},
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
      static_cast<std::variant<Gravity, command::Damping, Rebuild, Lanes, Place, ReleaseAll, Travel,
                               Edit, AddBody, MoveObstacle, PoseAdd, PoseRemove, PoseTime,
                               Interpolation, Curves, ChangeTake, RemoveTake>*>(nullptr));
}

bool is_input(const Command& command) {
  return std::holds_alternative<command::Place>(command) ||
         std::holds_alternative<command::Move>(command) ||
         std::holds_alternative<command::Release>(command) ||
         std::holds_alternative<command::Force>(command) ||
         std::holds_alternative<command::Hit>(command) ||
         std::holds_alternative<command::Support>(command) ||
         std::holds_alternative<command::MoveObstacle>(command) ||
         std::holds_alternative<command::ScrubTake>(command) ||
         std::holds_alternative<command::Scrub>(command);
}

}  // namespace limber::studio
