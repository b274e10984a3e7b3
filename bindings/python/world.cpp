// limber.World: bodies in memory that fall, touch, are held and joined. Keys of bodies, obstacles
// and joints are those of scene files, given as keyword arguments.
#include <pybind11/eigen.h>
#include <pybind11/numpy.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <algorithm>
#include <variant>

#include "bindings.h"
#include "limber/contact/contact_queries.h"
#include "limber/core/error.h"
#include "limber/export/animation.h"
#include "limber/scene/scene_world.h"
#include "nodes.h"
#include "world_help.h"

namespace py = pybind11;
using namespace py::literals;

namespace limber::python {

namespace {

/// Keyword arguments as the text of a scene file.
std::string json_of(const py::kwargs& options) {
  return py::module_::import("limber._arguments").attr("scene_text")(options).cast<std::string>();
}

/// A surface among the keyword arguments, as a mesh or as arrays, is taken out of them.
std::shared_ptr<const TriMesh> take_surface(const py::kwargs& options) {
  if (!options.contains("surface")) return nullptr;
  const py::object given =
      py::module_::import("limber._arguments").attr("mesh_of")(options["surface"]);
  if (!py::isinstance<TriMesh>(given)) return nullptr;
  options.attr("pop")("surface");
  return std::make_shared<const TriMesh>(given.cast<TriMesh>());
}

/// A body of a world by its name; the world lives while one of these does.
struct BodyOfWorld {
  std::shared_ptr<SceneWorld> world;
  std::string name;

  [[nodiscard]] SceneBody& body() const { return world->body(name); }
  [[nodiscard]] DynamicBody& dynamics() const { return body().dynamics(); }
  [[nodiscard]] int participant() const { return world->world().participant(body().id()); }
  [[nodiscard]] BodyPoint point(const NodeOrPoint& place) const {
    const auto found = find_point(body().source(), place.choice, name);
    if (!found) throw Error("the node belongs to another piece of the mesh", name, "name that one");
    return *found;
  }
  void wake() const { world->world().wake(body().id()); }
};

struct Hold {
  BodyOfWorld of;
  int number;
};

using Source = std::variant<TetMesh, TriMesh, BakedBody>;

/// -1 where the nodes are not made yet.
int node_count(const Source& source) {
  if (const auto* mesh = std::get_if<TetMesh>(&source)) return mesh->node_count();
  if (const auto* baked = std::get_if<BakedBody>(&source)) return baked->body.node_count();
  return -1;
}

Source source_of(const py::object& given) {
  const py::object mesh = py::module_::import("limber._arguments").attr("mesh_of")(given);
  if (py::isinstance<TetMesh>(mesh)) return mesh.cast<TetMesh>();
  if (py::isinstance<TriMesh>(mesh)) return mesh.cast<TriMesh>();
  if (py::isinstance<BakedBody>(mesh)) return mesh.cast<BakedBody>();
  throw py::type_error("add() takes a TetMesh, a TriMesh, a Body, or arrays (V, T) or (V, F)");
}

BodyOfWorld add_body(const std::shared_ptr<SceneWorld>& world, const py::object& given,
                     const py::kwargs& options) {
  const Source source = source_of(given);
  const auto* const filled = std::get_if<TriMesh>(&source);
  std::shared_ptr<const TriMesh> shown;
  if (filled == nullptr) shown = take_surface(options);
  const auto text = py::module_::import("limber._arguments")
                        .attr("body_text")(options, node_count(source))
                        .cast<std::string>();
  BodyDescription body = parse_body(text, "body", filled != nullptr);
  if (body.name.empty()) body.name = "body" + std::to_string(world->bodies().size());
  if (const auto* mesh = std::get_if<TetMesh>(&source)) {
    body.given_mesh = std::make_shared<const TetMesh>(*mesh);
  } else if (const auto* baked = std::get_if<BakedBody>(&source)) {
    body.given_body = std::make_shared<const BakedBody>(*baked);
  }
  body.given_surface = filled != nullptr ? std::make_shared<const TriMesh>(*filled) : shown;
  const py::gil_scoped_release release;
  return {world, world->bodies()[world->add(body)].name()};
}

std::string add_obstacle(SceneWorld& world, const py::kwargs& options) {
  std::shared_ptr<const TriMesh> surface = take_surface(options);
  ObstacleDescription obstacle = parse_obstacle(json_of(options), std::move(surface));
  const py::gil_scoped_release release;
  const std::size_t count = world.world().obstacles().size() + world.world().bodies().size();
  if (obstacle.name.empty()) obstacle.name = "obstacle" + std::to_string(count);
  world.add_obstacle(obstacle);
  return obstacle.name;
}

Positions velocities_of(const BodyOfWorld& one) {
  Positions velocities(one.dynamics().node_count(), 3);
  one.dynamics().node_velocities(velocities);
  return velocities;
}

Hold hold(const BodyOfWorld& one, const NodeOrPoint& point, const Vec3& target,
          const std::string& treatment) {
  const std::vector<std::string> names{"previous", "predicted", "newton"};
  const auto which = std::find(names.begin(), names.end(), treatment);
  if (which == names.end())
    throw Error("unknown treatment \"" + treatment + "\"", one.name,
                "previous, predicted or newton");
  Handle handle;
  handle.point = one.point(point);
  handle.target = Path({0.0}, {target});
  handle.treatment = static_cast<Treatment>(which - names.begin());
  return {one, one.dynamics().handles().add(handle)};
}

/// A row of World.contacts().
struct ContactRow {
  std::int32_t a, b;
  double point[3], normal[3], impulse[3];
  double depth;
};

py::object contacts_of(const SceneWorld& world) {
  const auto records = world.world().contacts().contacts();
  py::array_t<ContactRow> rows(static_cast<py::ssize_t>(records.size()));
  ContactRow* row = rows.mutable_data();
  for (const ContactRecord& record : records) {
    *row = {record.a, record.b, {}, {}, {}, record.depth};
    Eigen::Map<Vec3>(row->point) = record.point;
    Eigen::Map<Vec3>(row->normal) = record.normal;
    Eigen::Map<Vec3>(row->impulse) = record.impulse;
    ++row;
  }
  return rows.attr("view")(py::module_::import("numpy").attr("recarray"));
}

py::list events_of(const SceneWorld& world) {
  py::list events;
  for (const ContactEvent& event : world.world().contacts().events()) {
    events.append(py::make_tuple(event.kind == ContactEvent::Kind::begin ? "begin" : "end",
                                 world.world().name_of(event.a), world.world().name_of(event.b)));
  }
  return events;
}

py::object cast(SceneWorld& world, const Vec3& from, const Vec3& direction, double longest,
                double radius) {
  world.world().contacts().refresh(world.world().time());
  const CastHit hit = cast_sphere(world.world().contacts(), from, direction, longest, radius);
  if (!hit.hit) return py::none();
  return py::dict("name"_a = world.world().name_of(hit.who), "distance"_a = hit.distance,
                  "point"_a = hit.point, "normal"_a = hit.normal);
}

py::dict joint_of(const SceneWorld& world, int number) {
  const Contacts& contacts = world.world().contacts();
  if (number < 0 || number >= contacts.joint_count())
    throw Error("there is no joint " + std::to_string(number), "world", "add it first");
  const Joint& joint = contacts.joint(number);
  return py::dict("error"_a = joint.error(), "force"_a = joint.force(), "broken"_a = joint.broken(),
                  "angle"_a = joint.angle());
}

/// The bodies as they are now: an animation of one frame.
void save(const SceneWorld& world, const std::filesystem::path& path) {
  std::vector<AnimatedBody> bodies;
  std::vector<BodyFrame> frame;
  for (const SceneBody& body : world.bodies()) {
    bodies.push_back({body.name(), body.surface(), body.mesh()});
    const Positions nodes = body.node_positions();
    frame.push_back({body.surface_positions(nodes), nodes, {}});
  }
  const auto writer = open_animation(path, bodies, 30);
  writer->add_frame(0, frame);
  writer->finish();
}

/// A property that is computed while other Python threads go on.
template <typename Get>
py::cpp_function computed(Get&& get) {
  return {std::forward<Get>(get), py::call_guard<py::gil_scoped_release>()};
}

py::dict detail_of(const BodyOfWorld& one);

void bind_state_of_body(py::class_<BodyOfWorld>& body) {
  body.def_readonly("name", &BodyOfWorld::name)
      .def_property_readonly(
          "method",
          [](const BodyOfWorld& one) { return traits(one.body().description().method).name; },
          "Of a scene's methods, \"modal-warping\" and so on")
      .def_property_readonly(
          "positions", computed([](const BodyOfWorld& one) { return one.body().node_positions(); }),
          "Nodes (n,3) in world coordinates")
      .def_property_readonly("velocities", computed(&velocities_of), "Of the nodes (n,3), m/s")
      .def_property_readonly(
          "tets", [](const BodyOfWorld& one) { return one.body().mesh().T; },
          "Nodes of the tets (m,4)")
      .def_property_readonly("surface_positions", computed([](const BodyOfWorld& one) {
                               return one.body().surface_positions(one.body().node_positions());
                             }),
                             "Surface vertices (v,3) in world coordinates")
      .def_property_readonly(
          "surface_faces", [](const BodyOfWorld& one) { return one.body().surface().F; },
          "Triangles (k,3) of the surface")
      .def_property_readonly(
          "position", [](const BodyOfWorld& one) { return one.dynamics().rest_place().position; },
          "Of the rest coordinates' origin (3,)")
      .def_property_readonly(
          "rotation", [](const BodyOfWorld& one) { return one.dynamics().rest_place().rotation; },
          "Of the rest coordinates' axes (3,3)")
      .def_property_readonly(
          "momentum", [](const BodyOfWorld& one) { return one.dynamics().momentum().linear; },
          "(3,) kg m/s")
      .def_property_readonly(
          "detail", &detail_of,
          "Under a budget: a dict of modes, local_nodes, interval (steps by one force), rung (0: "
          "all) and seen (rad)")
      .def_property(
          "importance",
          [](const BodyOfWorld& one) { return one.body().in_world().detail.importance; },
          [](const BodyOfWorld& one, double importance) {
            one.world->world().set_importance(one.body().id(), importance);
          },
          "Under a budget: it counts as so many times larger on screen")
      .def_property_readonly(
          "asleep",
          [](const BodyOfWorld& one) {
            return one.world->world().contacts().asleep(one.participant());
          },
          "At rest, and left alone until something touches it")
      .def_property_readonly(
          "contact_force",
          [](const BodyOfWorld& one) -> Vec3 {
            return one.world->world().contacts().contact_force(one.participant()) +
                   one.dynamics().contact_force();
          },
          "(3,) N, over the last step");
}

void bind_body_of_world(py::module_& module) {
  py::class_<BodyOfWorld> body(module, "WorldBody", "A body of a World: what World.add gives");
  bind_state_of_body(body);
  body.def("__repr__",
           [](const BodyOfWorld& one) {
             return "<limber.WorldBody \"" + one.name + "\", " +
                    std::string(traits(one.body().description().method).name) + ", " +
                    std::to_string(one.dynamics().node_count()) + " nodes>";
           })
      .def(
          "apply_impulse",
          [](const BodyOfWorld& one, const NodeOrPoint& point, const Vec3& impulse) {
            one.dynamics().apply_impulse(one.point(point), impulse);
            one.wake();
          },
          "point"_a, "impulse"_a, "At a node by number, or at a point (3,) of the rest shape; N s")
      .def("hold", &hold, "point"_a, "target"_a, "treatment"_a = "previous",
           "A handle on a node by number, or on a point (3,) of the rest shape, that pulls it to "
           "target (3,); treatment: previous, predicted or newton")
      .def(
          "set_velocity",
          [](const BodyOfWorld& one, const Vec3& velocity, const Vec3& angular_velocity) {
            one.dynamics().set_velocity(velocity, angular_velocity);
            one.wake();
          },
          "velocity"_a, "angular_velocity"_a = Vec3(Vec3::Zero()),
          "Of the mass centre (3,), m/s, and about it (3,), rad/s")
      .def(
          "place",
          [](const BodyOfWorld& one, const Vec3& position, const Mat3& rotation) {
            one.dynamics().place(position, rotation);
            one.wake();
          },
          "position"_a, "rotation"_a = Mat3(Mat3::Identity()),
          "The rest coordinates' origin (3,) and axes (3,3)")
      .def("wake", &BodyOfWorld::wake, "As if something had touched it");
  py::class_<Hold>(module, "Hold", "What holds a body: WorldBody.hold gives it")
      .def(
          "move",
          [](const Hold& one, const Vec3& target) {
            one.of.dynamics().handles().move(one.number, target);
          },
          "target"_a, "Pulls to this place (3,) from now on")
      .def(
          "release", [](const Hold& one) { one.of.dynamics().handles().remove(one.number); },
          "Lets go")
      .def("__repr__", [](const Hold& one) {
        return "<limber.Hold " + std::to_string(one.number) + " on \"" + one.of.name + "\">";
      });
}

/// Bodies, obstacles and joints, with a scene's keys.
void bind_filling(py::class_<SceneWorld, std::shared_ptr<SceneWorld>>& world) {
  py::options written_out;
  written_out.disable_function_signatures();
  world.def("add", &add_body, "body"_a, kAddHelp)
      .def(
          "add_ground",
          [](SceneWorld& one, const py::kwargs& options) {
            one.add_ground(parse_ground(json_of(options)));
          },
          kAddGroundHelp)
      .def("add_obstacle", &add_obstacle, kAddObstacleHelp)
      .def(
          "add_joint",
          [](SceneWorld& one, const py::kwargs& options) {
            return one.add_joint(parse_joint(json_of(options)));
          },
          kAddJointHelp)
      .def(
          "set_contact",
          [](SceneWorld& one, const py::kwargs& options) {
            one.world().contacts().set_options(parse_contact(json_of(options)));
          },
          kSetContactHelp)
      .def(
          "set_budget",
          [](SceneWorld& one, const py::kwargs& options) {
            one.world().set_budget(options.empty() ? DetailBudget()
                                                   : parse_budget(json_of(options)));
          },
          kSetBudgetHelp);
}

py::dict detail_of(const BodyOfWorld& one) {
  const WorldBody& body = one.body().in_world();
  const DetailLevel now = body.dynamics->detail_now();
  return py::dict("modes"_a = now.modes, "local_nodes"_a = now.local_nodes,
                  "interval"_a = now.interval, "rung"_a = body.detail.rung,
                  "seen"_a = body.detail.seen);
}

py::dict budget_status(const SceneWorld& one) {
  const DetailStatus& status = one.world().detail_status();
  return py::dict("steps"_a = status.steps, "exceeded"_a = status.exceeded,
                  "refused"_a = status.refused, "estimated"_a = status.estimated,
                  "measured"_a = status.measured, "bodies_that_choose"_a = status.choosing,
                  "bodies_that_cannot"_a = status.fixed);
}

}  // namespace

void bind_world(py::module_& module) {
  PYBIND11_NUMPY_DTYPE(ContactRow, a, b, point, normal, impulse, depth);
  const py::call_guard<py::gil_scoped_release> without_gil;
  bind_body_of_world(module);
  py::class_<WorldSnapshot>(module, "WorldSnapshot",
                            "A saved state of a World: World.snapshot gives it");
  py::class_<SceneWorld, std::shared_ptr<SceneWorld>> world(
      module, "World",
      "Bodies that live together. A world belongs to one thread at a time; other threads go on "
      "while it works");
  bind_filling(world);
  world
      .def(py::init([](const Vec3& gravity) {
             return std::make_shared<SceneWorld>(std::vector<GravityLoad>{{gravity}});
           }),
           "gravity"_a = Vec3(0, -9.81, 0), "An empty one; gravity (3,) in m/s²")
      .def("__repr__",
           [](const SceneWorld& one) {
             return "<limber.World, " + std::to_string(one.bodies().size()) + " bodies, " +
                    short_number(one.world().time()) + " s>";
           })
      .def("step", &SceneWorld::advance, "h"_a, without_gil, "All bodies on by h seconds")
      .def("settle", &SceneWorld::settle, without_gil, "All bodies to their static equilibrium")
      .def_property_readonly(
          "time", [](const SceneWorld& one) { return one.world().time(); }, "s")
      .def_property_readonly("budget_status", &budget_status,
                             "A dict of steps, exceeded (took longer), refused (too much even with "
                             "the least detail), estimated and measured (µs, last step), "
                             "bodies_that_choose, bodies_that_cannot")
      .def(
          "body",
          [](const std::shared_ptr<SceneWorld>& one, const std::string& name) {
            return BodyOfWorld{one, one->body(name).name()};
          },
          "name"_a, "The WorldBody of that name")
      .def(
          "snapshot", [](const SceneWorld& one) { return one.world().snapshot(); }, without_gil,
          "The state of everything that moves, for restore()")
      .def(
          "restore", [](SceneWorld& one, const WorldSnapshot& state) { one.restore(state); },
          "snapshot"_a, without_gil, "Back to that state, bit for bit")
      .def("contacts", &contacts_of,
           "Of the last step: a numpy record array of a, b (numbers for name_of), point (3,) m, "
           "normal (3,) from b to a, impulse (3,) N s, depth m")
      .def(
          "name_of", [](const SceneWorld& one, int number) { return one.world().name_of(number); },
          "number"_a, "Of a side of a contact")
      .def("events", &events_of, "(\"begin\" or \"end\", name, name) of the last step")
      .def("cast", &cast, "start"_a, "direction"_a, "longest"_a = 1e9, "radius"_a = 0.0,
           "What a ray from start (3,), or a ball of that radius, meets first: a dict of name, "
           "distance, point, normal, or None")
      .def("joint", &joint_of, "number"_a, "A dict of error (m), force (N), broken, angle (rad)")
      .def("save", &save, "path"_a, without_gil,
           "The bodies as they are, by the file's ending: .glb .mdd .pc2 .pvd .usda .npz");
}

}  // namespace limber::python
