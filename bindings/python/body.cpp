#include <pybind11/eigen.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <variant>

#include "bindings.h"
#include "limber/core/error.h"
#include "limber/dynamics/modal/warp.h"
#include "limber/mesh/select.h"
#include "limber/modes/bake.h"
#include "limber/modes/playback/baked_file.h"

namespace py = pybind11;
using namespace py::literals;

namespace limber::python {

namespace {

/// Node numbers, or a SELECT expression, or several.
using Fixed = std::variant<std::vector<int>, std::string, std::vector<std::string>>;

std::vector<int> fixed_nodes(const TetMesh& mesh, const Fixed& fixed) {
  if (const auto* nodes = std::get_if<std::vector<int>>(&fixed)) return *nodes;
  if (const auto* one = std::get_if<std::string>(&fixed)) return select_nodes(mesh, *one);
  std::vector<int> nodes;
  for (const std::string& expression : std::get<std::vector<std::string>>(fixed)) {
    const std::vector<int> picked = select_nodes(mesh, expression);
    nodes.insert(nodes.end(), picked.begin(), picked.end());
  }
  return nodes;
}

ModalModel bake_body(const TetMesh& mesh, const Materials& materials, const Fixed& fixed,
                     const std::variant<int, std::string>& modes, bool lumped) {
  ModalOptions options;
  if (const int* count = std::get_if<int>(&modes)) {
    if (*count < 1) {
      throw Error(std::to_string(*count) + " modes asked for", "bake",
                  "give a positive number or \"auto\"");
    }
    options.count = *count;
  } else if (std::get<std::string>(modes) == "auto") {
    options.count = ModalOptions::kAutomatic;
  } else {
    throw Error("modes must be a number or \"auto\"", "bake", "for example modes=20");
  }
  options.mass = lumped ? MassKind::lumped : MassKind::consistent;
  const std::vector<int> nodes = fixed_nodes(mesh, fixed);
  const py::gil_scoped_release release;
  return bake(mesh, materials, nodes, options);
}

Positions deform(const ModalModel& body, const Vector& q, const std::string& method) {
  if (method != "modal-warping" && method != "linear-modal") {
    throw Error("unknown method \"" + method + "\"", "deform", "modal-warping or linear-modal");
  }
  if (q.size() != body.mode_count()) {
    throw Error("q has " + std::to_string(q.size()) + " amplitudes", "deform",
                "give " + std::to_string(body.mode_count()));
  }
  Positions positions(body.node_count(), 3);
  deformed_positions(body, method == "linear-modal" ? Method::linear_modal : Method::modal_warping,
                     q, positions);
  return positions;
}

}  // namespace

void bind_body(py::module_& module) {
  py::class_<ModalModel>(module, "Body", "Modes of a mesh, ready to play")
      .def_property_readonly(
          "eigenvalues", [](const ModalModel& b) { return Vector(b.eigenvalues()); },
          "(m,) rad²/s², ascending, rigid modes left out")
      .def_property_readonly(
          "modes", [](const ModalModel& b) { return ModeMatrix(b.Phi()); },
          "(3n,m) mass-normalised, node by node")
      .def_property_readonly(
          "modal_rotations", [](const ModalModel& b) { return ModeMatrix(b.Psi()); },
          "(3n,m) rotation vectors of the nodes a unit of each mode")
      .def_property_readonly("rest_positions",
                             [](const ModalModel& b) { return Positions(b.rest_positions()); })
      .def_property_readonly("T", [](const ModalModel& b) { return Tets(b.tets()); })
      .def_property_readonly("fixed_nodes",
                             [](const ModalModel& b) {
                               return std::vector<int>(b.fixed_nodes.begin(), b.fixed_nodes.end());
                             })
      .def_readonly("rigid_modes", &ModalModel::rigid_modes)
      .def_readonly("max_residual", &ModalModel::max_residual)
      .def("deform", &deform, "q"_a, "method"_a = "modal-warping",
           "Node positions (n,3) for modal amplitudes q (m,)")
      .def(
          "save",
          [](const ModalModel& body, const std::filesystem::path& path) {
            write_baked(path, {body, pack_surface(body, Precision::float32)});
          },
          "path"_a, "As a .limber file");
  module.def("bake", &bake_body, "mesh"_a, "material"_a = Materials{},
             "fixed"_a = std::vector<int>{}, "modes"_a = 20, "lumped"_a = false,
             "Modes of a mesh; fixed: node numbers or SELECT expressions; modes: number or 'auto'");
  module.def(
      "load_body", [](const std::filesystem::path& path) { return read_baked(path).body; },
      "path"_a, "A .limber file");
}

}  // namespace limber::python
