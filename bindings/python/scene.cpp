#include <pybind11/eigen.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <map>

#include "bindings.h"
#include "limber/core/error.h"
#include "limber/scene/scene_world.h"
#include "nodes.h"

namespace py = pybind11;
using namespace py::literals;

namespace limber::python {

namespace {

/// A type of its own, so that Python's Scene is a World.
struct FileScene : SceneWorld {
  using SceneWorld::SceneWorld;
};

Positions velocities(SceneWorld& world, const std::string& name) {
  const DynamicBody& dynamics = world.body(name).dynamics();
  Positions result(dynamics.node_count(), 3);
  dynamics.node_velocities(result);
  return result;
}

std::vector<double> modal(SceneWorld& world, const std::string& name) {
  const auto amplitudes = world.body(name).dynamics().modal();
  return {amplitudes.begin(), amplitudes.end()};
}

/// Options of a handle as keyword arguments, named as in scene files.
int add_constraint(SceneWorld& world, const std::string& name, const std::string& type,
                   const NodeOrPoint& node, const Vec3& target, const std::string& treatment,
                   const Nodes& exercised, double stiffness, double damping) {
  if (!target.allFinite()) {
    throw Error("the target is not finite", name, "give three ordinary numbers");
  }
  SceneBody& body = world.body(name);
  const std::map<std::string, HandleKind> kinds{{"position", HandleKind::position},
                                                {"orientation", HandleKind::orientation},
                                                {"velocity", HandleKind::velocity},
                                                {"acceleration", HandleKind::acceleration},
                                                {"soft", HandleKind::spring}};
  const std::map<std::string, Treatment> treatments{{"previous", Treatment::previous},
                                                    {"predicted", Treatment::predicted},
                                                    {"newton", Treatment::newton}};
  if (!kinds.contains(type) || !treatments.contains(treatment)) {
    throw Error("unknown type or treatment of a constraint", name,
                "position, orientation, velocity, acceleration or soft; previous, predicted or "
                "newton");
  }
  Handle handle;
  handle.kind = kinds.at(type);
  handle.treatment = treatments.at(treatment);
  const auto own = [&](const auto& found) {
    if (!found) {
      throw Error("the node belongs to another piece of the mesh", name,
                  "name the body of that piece");
    }
    return *found;
  };
  const BodySource& source = body.source();
  const int node_count = (source.whole ? *source.whole->mesh : source.mesh).node_count();
  handle.point = own(find_point(source, node.choice, name));
  handle.target = Path({0.0}, {target});
  handle.stiffness = stiffness;
  handle.damping = damping;
  for (const int other : node_numbers(exercised, node_count, "exercised")) {
    handle.exercised.push_back(BodyPoint::at_node(own(find_node(source, other, name))));
  }
  return body.dynamics().handles().add(handle);
}

py::list constraint_forces(SceneWorld& world, const std::string& name) {
  py::list forces;
  for (const HandleForce& force : world.body(name).dynamics().handles().forces()) {
    forces.append(py::make_tuple(force.handle, force.point.nodes[0], force.force));
  }
  return forces;
}

std::vector<std::string> names(const SceneWorld& world) {
  std::vector<std::string> result;
  for (const SceneBody& body : world.bodies()) result.push_back(body.name());
  return result;
}

}  // namespace

void bind_scene(py::module_& module) {
  const py::call_guard<py::gil_scoped_release> without_gil;
  py::class_<FileScene, SceneWorld, std::shared_ptr<FileScene>>(
      module, "Scene", "A World that a scene file describes, in motion")
      .def_static(
          "load",
          [](const std::filesystem::path& path) {
            return std::make_shared<FileScene>(read_scene(path));
          },
          "path"_a, without_gil, "A scene file, built")
      .def_static(
          "parse",
          [](const std::string& text, const std::filesystem::path& folder) {
            return std::make_shared<FileScene>(parse_scene(text, folder, "scene"));
          },
          "text"_a, "folder"_a = ".", without_gil, "From JSON text")
      .def(
          "step", [](FileScene& scene) { scene.step(); }, without_gil,
          "All bodies on by one time step")
      .def("__repr__",
           [](const FileScene& scene) {
             return "<limber.Scene, " + std::to_string(scene.bodies().size()) + " bodies, " +
                    short_number(scene.time()) + " s>";
           })
      .def_property_readonly(
          "time", [](const FileScene& scene) { return scene.time(); }, "s")
      .def_property_readonly(
          "time_step", [](const FileScene& s) { return s.time_step(); }, "s")
      .def_property_readonly("bodies", &names, "Names of the bodies")
      .def(
          "positions",
          [](SceneWorld& world, const std::string& name) {
            return world.body(name).node_positions();
          },
          "name"_a, "Node positions (n,3) in world coordinates")
      .def(
          "tets",
          [](SceneWorld& world, const std::string& name) { return world.body(name).mesh().T; },
          "name"_a, "Nodes of the tetrahedra (m,4)")
      .def("velocities", &velocities, "name"_a, "Node velocities (n,3)")
      .def(
          "surface_positions",
          [](SceneWorld& world, const std::string& name) {
            const SceneBody& body = world.body(name);
            return body.surface_positions(body.node_positions());
          },
          "name"_a, "Surface vertices (v,3)")
      .def(
          "modal",
          [](SceneWorld& w, const std::string& name) {
            const auto amplitudes = modal(w, name);
            return Vector(Eigen::Map<const Vector>(amplitudes.data(), std::ssize(amplitudes)));
          },
          "name"_a, "Modal amplitudes (m,); empty for methods without modes")
      .def(
          "add_constraint", &add_constraint, "name"_a, "type"_a, "node"_a, "target"_a,
          "treatment"_a = "previous", "exercised"_a = Nodes{}, "stiffness"_a = 0.0,
          "damping"_a = 0.0,
          "A handle on a node (number or point at rest) that asks for target (3,); type: position, "
          "orientation, velocity, acceleration or soft; treatment: previous, predicted or newton; "
          "gives its number for move and remove")
      .def(
          "move",
          [](SceneWorld& world, const std::string& name, int handle, const Vec3& target) {
            world.body(name).dynamics().handles().move(handle, target);
          },
          "name"_a, "constraint"_a, "target"_a, "The handle asks for this from now on")
      .def(
          "remove",
          [](SceneWorld& world, const std::string& name, int handle) {
            world.body(name).dynamics().handles().remove(handle);
          },
          "name"_a, "constraint"_a, "The handle lets go")
      .def(
          "constraint_errors",
          [](SceneWorld& world, const std::string& name) {
            const HandleErrors errors = world.body(name).dynamics().handles().errors();
            return py::make_tuple(errors.position, errors.orientation);
          },
          "name"_a, "Largest position error in metres and orientation error in radians")
      .def(
          "step_residual",
          [](SceneWorld& world, const std::string& name) {
            return world.body(name).dynamics().last_step().residual;
          },
          "name"_a, "Residual of the last step of a full-resolution body")
      .def("constraint_forces", &constraint_forces, "name"_a,
           "(constraint, node, force) of the last step for every exercised node, N");
}

}  // namespace limber::python
