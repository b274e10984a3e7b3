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

namespace py = pybind11;
using namespace py::literals;

namespace limber::python {

namespace {

using Point = std::variant<int, Vec3>;

/// Keyword arguments as the text of a scene file; arrays of numpy as lists.
std::string json_of(const py::kwargs& options) {
  const auto as_list =
      py::cpp_function([](const py::object& value) { return value.attr("tolist")(); });
  return py::cast<std::string>(
      py::module_::import("json").attr("dumps")(options, "default"_a = as_list));
}

/// A body of a world by its name; the world lives while one of these does.
struct BodyOfWorld {
  std::shared_ptr<SceneWorld> world;
  std::string name;

  [[nodiscard]] SceneBody& body() const { return world->body(name); }
  [[nodiscard]] DynamicBody& dynamics() const { return body().dynamics(); }
  [[nodiscard]] int participant() const { return world->world().participant(body().id()); }
  [[nodiscard]] BodyPoint point(const Point& choice) const {
    const auto found = find_point(body().source(), choice, name);
    if (!found) throw Error("the node belongs to another piece of the mesh", name, "name that one");
    return *found;
  }
  void wake() const { world->world().wake(body().id()); }
};

struct Hold {
  BodyOfWorld of;
  int number;
};

using Source = std::variant<TetMesh, ModalModel>;

BodyOfWorld add_body(const std::shared_ptr<SceneWorld>& world, const Source& source,
                     const py::kwargs& options) {
  BodyDescription body = parse_body(json_of(options), "body");
  if (body.name.empty()) body.name = "body" + std::to_string(world->bodies().size());
  if (const auto* mesh = std::get_if<TetMesh>(&source)) {
    body.given_mesh = std::make_shared<const TetMesh>(*mesh);
  } else {
    body.given_model = std::make_shared<const ModalModel>(std::get<ModalModel>(source));
  }
  const py::gil_scoped_release release;
  return {world, world->bodies()[world->add(body)].name()};
}

std::string add_obstacle(SceneWorld& world, const py::kwargs& options) {
  ObstacleDescription obstacle = parse_obstacle(json_of(options));
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

Hold hold(const BodyOfWorld& one, const Point& point, const Vec3& target,
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

void bind_body_of_world(py::module_& module) {
  py::class_<BodyOfWorld>(module, "WorldBody", "A body of a World")
      .def_readonly("name", &BodyOfWorld::name)
      .def_property_readonly(
          "positions", [](const BodyOfWorld& one) { return one.body().node_positions(); },
          "Nodes (n,3) in world coordinates")
      .def_property_readonly("velocities", &velocities_of, "Of the nodes (n,3)")
      .def_property_readonly(
          "surface_positions",
          [](const BodyOfWorld& one) {
            return one.body().surface_positions(one.body().node_positions());
          },
          "Surface vertices (v,3)")
      .def_property_readonly(
          "surface_faces", [](const BodyOfWorld& one) { return one.body().surface().F; },
          "Triangles (k,3) of the surface")
      .def_property_readonly(
          "position", [](const BodyOfWorld& one) { return one.dynamics().rest_place().position; },
          "Of the rest coordinates' origin")
      .def_property_readonly(
          "rotation", [](const BodyOfWorld& one) { return one.dynamics().rest_place().rotation; },
          "Of the rest coordinates' axes (3,3)")
      .def_property_readonly(
          "momentum", [](const BodyOfWorld& one) { return one.dynamics().momentum().linear; })
      .def_property_readonly("asleep",
                             [](const BodyOfWorld& one) {
                               return one.world->world().contacts().asleep(one.participant());
                             })
      .def_property_readonly(
          "contact_force",
          [](const BodyOfWorld& one) -> Vec3 {
            return one.world->world().contacts().contact_force(one.participant()) +
                   one.dynamics().contact_force();
          },
          "N, over the last step")
      .def(
          "apply_impulse",
          [](const BodyOfWorld& one, const Point& point, const Vec3& impulse) {
            one.dynamics().apply_impulse(one.point(point), impulse);
            one.wake();
          },
          "point"_a, "impulse"_a, "At a node, or a point at rest; N s")
      .def("hold", &hold, "point"_a, "target"_a, "treatment"_a = "previous",
           "A handle on a node, or a point at rest")
      .def(
          "set_velocity",
          [](const BodyOfWorld& one, const Vec3& velocity, const Vec3& angular_velocity) {
            one.dynamics().set_velocity(velocity, angular_velocity);
            one.wake();
          },
          "velocity"_a, "angular_velocity"_a = Vec3(Vec3::Zero()))
      .def(
          "place",
          [](const BodyOfWorld& one, const Vec3& position, const Mat3& rotation) {
            one.dynamics().place(position, rotation);
            one.wake();
          },
          "position"_a, "rotation"_a = Mat3(Mat3::Identity()))
      .def("wake", &BodyOfWorld::wake);
  py::class_<Hold>(module, "Hold", "What holds a body")
      .def(
          "move",
          [](const Hold& one, const Vec3& target) {
            one.of.dynamics().handles().move(one.number, target);
          },
          "target"_a)
      .def("release", [](const Hold& one) { one.of.dynamics().handles().remove(one.number); });
}

}  // namespace

void bind_world(py::module_& module) {
  PYBIND11_NUMPY_DTYPE(ContactRow, a, b, point, normal, impulse, depth);
  const py::call_guard<py::gil_scoped_release> without_gil;
  bind_body_of_world(module);
  py::class_<WorldSnapshot>(module, "WorldSnapshot", "A saved state of a World");
  py::class_<SceneWorld, std::shared_ptr<SceneWorld>>(module, "World", "Bodies that live together")
      .def(py::init([](const Vec3& gravity) {
             return std::make_shared<SceneWorld>(std::vector<GravityLoad>{{gravity}});
           }),
           "gravity"_a = Vec3(0, -9.81, 0))
      .def("add", &add_body, "body"_a,
           "A TetMesh or a baked Body, with the keys of a scene's body: name, position, velocity, "
           "method, material, friction, …")
      .def(
          "add_ground",
          [](SceneWorld& world, const py::kwargs& options) {
            world.add_ground(parse_ground(json_of(options)));
          },
          "normal, offset, friction, restitution, as in a scene")
      .def("add_obstacle", &add_obstacle,
           "With the keys of a scene's obstacle: shape, size, position, path, mass, …")
      .def(
          "add_joint",
          [](SceneWorld& world, const py::kwargs& options) {
            return world.add_joint(parse_joint(json_of(options)));
          },
          "With the keys of a scene's joint: type, bodies, at, axis, …; returns its number")
      .def(
          "set_contact",
          [](SceneWorld& world, const py::kwargs& options) {
            world.world().contacts().set_options(parse_contact(json_of(options)));
          },
          "substeps, sleep, response, as in a scene")
      .def("step", &SceneWorld::advance, "h"_a, without_gil, "All bodies on by h seconds")
      .def("settle", &SceneWorld::settle, without_gil, "All bodies to their static equilibrium")
      .def_property_readonly("time", [](const SceneWorld& world) { return world.world().time(); })
      .def(
          "body",
          [](const std::shared_ptr<SceneWorld>& world, const std::string& name) {
            return BodyOfWorld{world, world->body(name).name()};
          },
          "name"_a)
      .def("snapshot", [](const SceneWorld& world) { return world.world().snapshot(); })
      .def(
          "restore",
          [](SceneWorld& world, const WorldSnapshot& snapshot) { world.restore(snapshot); },
          "snapshot"_a, "Bit for bit")
      .def("contacts", &contacts_of,
           "Of the last step: a record array of a, b, point, normal (b to a), impulse, depth")
      .def(
          "name_of",
          [](const SceneWorld& world, int number) { return world.world().name_of(number); },
          "number"_a, "Of a side of a contact")
      .def("events", &events_of, "(\"begin\" or \"end\", name, name) of the last step")
      .def("cast", &cast, "start"_a, "direction"_a, "longest"_a = 1e9, "radius"_a = 0.0,
           "What a ray, or a ball of that radius, meets first: name, distance, point, normal")
      .def("joint", &joint_of, "number"_a, "error, force, broken, angle")
      .def("save", &save, "path"_a, "The bodies as they are, in any animation format");
}

}  // namespace limber::python
