#include <pybind11/eigen.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <span>
#include <string_view>
#include <variant>

#include "bindings.h"
#include "limber/core/error.h"
#include "limber/core/file.h"
#include "limber/dynamics/modal/warp.h"
#include "limber/modes/bake.h"
#include "limber/modes/playback/baked_file.h"
#include "nodes.h"

namespace py = pybind11;
using namespace py::literals;

namespace limber::python {

namespace {

ModalModel bake_body(const TetMesh& mesh, const Materials& materials, const Nodes& fixed,
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
  const std::vector<int> nodes = node_numbers(fixed, mesh, "fixed");
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
  const py::gil_scoped_release release;
  Positions positions(body.node_count(), 3);
  deformed_positions(body, method == "linear-modal" ? Method::linear_modal : Method::modal_warping,
                     q, positions);
  return positions;
}

BakedBody baked(const ModalModel& body) { return {body, pack_surface(body, Precision::float32)}; }

/// A body as the bytes of its .limber file.
py::bytes body_state(const ModalModel& body) {
  const py::object folder = py::module_::import("tempfile").attr("TemporaryDirectory")();
  const auto path = folder.attr("name").cast<std::filesystem::path>() / "body.limber";
  const py::gil_scoped_release release;
  write_baked(path, baked(body));
  const FileBytes file(path);
  const std::string_view text = file.text();
  const py::gil_scoped_acquire acquire;
  return {text.data(), text.size()};
}

ModalModel body_of_state(const py::bytes& state) {
  const std::string_view text = state;
  const py::gil_scoped_release release;
  return read_baked(std::as_bytes(std::span(text)), "pickle").body;
}

std::string describe(const ModalModel& body) {
  return "<limber.Body, " + std::to_string(body.node_count()) + " nodes, " +
         std::to_string(body.mode_count()) + " modes, " + std::to_string(body.fixed_nodes.size()) +
         " nodes fixed>";
}

}  // namespace

void bind_body(py::module_& module) {
  const py::call_guard<py::gil_scoped_release> without_gil;
  py::class_<ModalModel>(module, "Body", "Modes of a mesh, ready to play: what bake() gives")
      .def("__repr__", &describe)
      .def(py::pickle(&body_state, &body_of_state))
      .def_property_readonly(
          "eigenvalues", [](const ModalModel& b) { return Vector(b.eigenvalues()); },
          "(m,) rad²/s², ascending, rigid modes left out")
      .def_property_readonly(
          "modes", [](const ModalModel& b) { return ModeMatrix(b.Phi()); },
          "(3n,m) mass-normalised, node by node")
      .def_property_readonly(
          "modal_rotations", [](const ModalModel& b) { return ModeMatrix(b.Psi()); },
          "(3n,m) rotation vectors of the nodes a unit of each mode")
      .def_property_readonly(
          "rest_positions", [](const ModalModel& b) { return Positions(b.rest_positions()); },
          "(n,3) nodes at rest, m")
      .def_property_readonly(
          "T", [](const ModalModel& b) { return Tets(b.tets()); }, "(k,4) nodes of the tets")
      .def_property_readonly(
          "fixed_nodes",
          [](const ModalModel& b) {
            return std::vector<int>(b.fixed_nodes.begin(), b.fixed_nodes.end());
          },
          "Numbers of the nodes that stand still")
      .def_readonly("rigid_modes", &ModalModel::rigid_modes, "How many were left out")
      .def_readonly("max_residual", &ModalModel::max_residual,
                    "The largest |K phi - lambda M phi| / (lambda |M phi|)")
      .def(
          "deform", &deform, "q"_a, "method"_a = "modal-warping",
          "Node positions (n,3) for modal amplitudes q (m,); method: modal-warping or linear-modal")
      .def(
          "save",
          [](const ModalModel& body, const std::filesystem::path& path) {
            write_baked(path, baked(body));
          },
          "path"_a, without_gil, "As a .limber file");
  module.def("bake", &bake_body, "mesh"_a, "material"_a = Materials{}, "fixed"_a = Nodes{},
             "modes"_a = 20, "lumped"_a = false,
             "Modes of a TetMesh. fixed: node numbers, a mask (n,), or SELECT expressions such as "
             "'x<=0.001'; modes: how many, or 'auto'; lumped: the mass matrix");
  module.def(
      "load_body", [](const std::filesystem::path& path) { return read_baked(path).body; },
      "path"_a, without_gil, "The Body of a .limber file");
}

}  // namespace limber::python
