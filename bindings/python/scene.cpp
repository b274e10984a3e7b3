#include <pybind11/eigen.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include "bindings.h"
#include "limber/scene/world.h"

namespace py = pybind11;
using namespace py::literals;

namespace limber::python {

namespace {

Positions velocities(World& world, const std::string& name) {
  const DynamicBody& dynamics = world.body(name).dynamics();
  Positions result(dynamics.node_count(), 3);
  dynamics.node_velocities(result);
  return result;
}

std::vector<double> modal(World& world, const std::string& name) {
  const auto amplitudes = world.body(name).dynamics().modal();
  return {amplitudes.begin(), amplitudes.end()};
}

std::vector<std::string> names(const World& world) {
  std::vector<std::string> result;
  for (const WorldBody& body : world.bodies()) result.push_back(body.name());
  return result;
}

}  // namespace

void bind_scene(py::module_& module) {
  const py::call_guard<py::gil_scoped_release> without_gil;
  py::class_<World>(module, "Scene", "The bodies of a scene file in motion")
      .def_static(
          "load",
          [](const std::filesystem::path& path) {
            return std::make_unique<World>(read_scene(path));
          },
          "path"_a, without_gil)
      .def_static(
          "parse",
          [](const std::string& text, const std::filesystem::path& folder) {
            return std::make_unique<World>(parse_scene(text, folder, "scene"));
          },
          "text"_a, "folder"_a = ".", without_gil, "From JSON text")
      .def("step", &World::step, without_gil, "All bodies on by one time step")
      .def("settle", &World::settle, without_gil, "All bodies to their static equilibrium")
      .def_property_readonly("time", &World::time)
      .def_property_readonly("time_step", &World::time_step)
      .def_property_readonly("bodies", &names)
      .def(
          "positions",
          [](World& world, const std::string& name) { return world.body(name).node_positions(); },
          "name"_a, "Node positions (n,3) in world coordinates")
      .def("velocities", &velocities, "name"_a, "Node velocities (n,3)")
      .def(
          "surface_positions",
          [](World& world, const std::string& name) {
            const WorldBody& body = world.body(name);
            return body.surface_positions(body.node_positions());
          },
          "name"_a, "Surface vertices (v,3)")
      .def(
          "modal",
          [](World& w, const std::string& name) {
            const auto amplitudes = modal(w, name);
            return Vector(Eigen::Map<const Vector>(amplitudes.data(), std::ssize(amplitudes)));
          },
          "name"_a, "Modal amplitudes (m,); empty for methods without modes");
}

}  // namespace limber::python
