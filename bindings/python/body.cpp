#include <pybind11/eigen.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <algorithm>
#include <optional>
#include <span>
#include <string_view>
#include <variant>

#include "bindings.h"
#include "limber/core/error.h"
#include "limber/core/file.h"
#include "limber/dynamics/modal/warp.h"
#include "limber/modes/bake.h"
#include "limber/modes/bake_reduced.h"
#include "limber/modes/embedded_surface.h"
#include "limber/modes/playback/baked_file.h"
#include "limber/modes/residual_analysis.h"
#include "nodes.h"

namespace py = pybind11;
using namespace py::literals;

namespace limber::python {

namespace {

/// A number, or True for the usual one.
using Wanted = std::variant<bool, int>;

int number_wanted(const Wanted& given, int usual, int most, const std::string& what) {
  const int* const number = std::get_if<int>(&given);
  const int wanted = number != nullptr ? *number : std::get<bool>(given) ? usual : 0;
  if (wanted < 0 || wanted > most) {
    throw Error(std::to_string(wanted) + " asked for", "bake: " + what,
                "give True or a number up to " + std::to_string(most));
  }
  return wanted;
}

void check_regions(const Materials& materials, const TetMesh& mesh) {
  for (const auto& [region, material] : materials.by_region) {
    const bool there = mesh.regions.empty() ? region == 0
                                            : std::find(mesh.regions.begin(), mesh.regions.end(),
                                                        region) != mesh.regions.end();
    if (!there) {
      throw Error("there is no region " + std::to_string(region), "bake: material",
                  "mesh.regions has the mesh's");
    }
  }
}

int mode_count(const std::variant<int, std::string>& modes) {
  if (const int* count = std::get_if<int>(&modes)) {
    if (*count < 1) {
      throw Error(std::to_string(*count) + " modes asked for", "bake",
                  "give a positive number or \"auto\"");
    }
    return *count;
  }
  if (std::get<std::string>(modes) != "auto") {
    throw Error("modes must be a number or \"auto\"", "bake", "for example modes=20");
  }
  return ModalOptions::kAutomatic;
}

VisibleModes visible_modes(double display_rate, double max_force, double min_displacement) {
  if (!(display_rate > 0) || !(max_force >= 0) || !(min_displacement >= 0)) {
    throw Error("what shows must be positive", "bake: display_rate, max_force, min_displacement",
                "leave them out to have them chosen");
  }
  VisibleModes visible;
  visible.display_rate_hz = display_rate;
  visible.max_force = max_force;
  visible.min_displacement = min_displacement;
  return visible;
}

std::optional<TriMesh> surface_given(const py::object& given) {
  if (given.is_none()) return std::nullopt;
  const py::object mesh = py::module_::import("limber._arguments").attr("mesh_of")(given);
  if (!py::isinstance<TriMesh>(mesh))
    throw py::type_error("surface of bake() is a TriMesh or arrays (V, F)");
  return mesh.cast<TriMesh>();
}

BakedBody bake_body(const TetMesh& mesh, const Materials& materials, const Nodes& fixed,
                    const std::variant<int, std::string>& modes, bool lumped,
                    const py::object& surface, const Wanted& reduced, const Wanted& local,
                    double display_rate, double max_force, double min_displacement) {
  ModalOptions options;
  options.count = mode_count(modes);
  options.mass = lumped ? MassKind::lumped : MassKind::consistent;
  options.visible = visible_modes(display_rate, max_force, min_displacement);
  ReducedBakeOptions fields;
  fields.basis.size = number_wanted(reduced, 30, 1000, "reduced");
  fields.basis.mass = options.mass;
  ResidualOptions detail;
  detail.most_contact_nodes = number_wanted(local, 1000, 20000, "local");
  detail.mass = options.mass;
  check_regions(materials, mesh);
  const std::vector<int> nodes = node_numbers(fixed, mesh, "fixed");
  const std::optional<TriMesh> shown = surface_given(surface);
  const py::gil_scoped_release release;
  BakedBody baked;
  baked.body = bake(mesh, materials, nodes, options);
  if (fields.basis.size > 0) bake_reduced(mesh, materials, baked.body, fields);
  if (shown) baked.body.surface = embedded_surface(mesh, *shown);
  if (detail.most_contact_nodes > 0)
    baked.residual = residual_modes(mesh, materials, baked.body, detail);
  return baked;
}

Positions deform(const BakedBody& baked, const Vector& q, const std::string& method) {
  const ModalModel& body = baked.body;
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

void save(const BakedBody& baked, const std::filesystem::path& path, const std::string& storage) {
  if (storage != "float32" && storage != "int16") {
    throw Error("unknown storage \"" + storage + "\"", "save", "float32 or int16");
  }
  const Precision precision = storage == "int16" ? Precision::int16 : Precision::float32;
  write_baked(path, {baked.body, pack_surface(baked.body, precision), baked.residual});
}

/// A body as the bytes of its .limber file.
py::bytes body_state(const BakedBody& body) {
  const py::object folder = py::module_::import("tempfile").attr("TemporaryDirectory")();
  const auto path = folder.attr("name").cast<std::filesystem::path>() / "body.limber";
  const py::gil_scoped_release release;
  save(body, path, "float32");
  const FileBytes file(path);
  const std::string_view text = file.text();
  const py::gil_scoped_acquire acquire;
  return {text.data(), text.size()};
}

BakedBody body_of_state(const py::bytes& state) {
  const std::string_view text = state;
  const py::gil_scoped_release release;
  return read_baked(std::as_bytes(std::span(text)), "pickle");
}

std::vector<int> list_of(const SharedArray<std::int32_t>& numbers) {
  return {numbers.begin(), numbers.end()};
}

std::string describe(const BakedBody& baked) {
  const ModalModel& body = baked.body;
  return "<limber.Body, " + std::to_string(body.node_count()) + " nodes, " +
         std::to_string(body.mode_count()) + " modes, " + std::to_string(body.fixed_nodes.size()) +
         " nodes fixed>";
}

}  // namespace

void bind_body(py::module_& module) {
  const py::call_guard<py::gil_scoped_release> without_gil;
  py::class_<BakedBody>(module, "Body", "Modes of a mesh, ready to play: what bake() gives")
      .def("__repr__", &describe)
      .def(py::pickle(&body_state, &body_of_state))
      .def_property_readonly(
          "eigenvalues", [](const BakedBody& b) { return Vector(b.body.eigenvalues()); },
          "(m,) rad²/s², ascending, rigid modes left out")
      .def_property_readonly(
          "modes", [](const BakedBody& b) { return ModeMatrix(b.body.Phi()); },
          "(3n,m) mass-normalised, node by node")
      .def_property_readonly(
          "modal_rotations", [](const BakedBody& b) { return ModeMatrix(b.body.Psi()); },
          "(3n,m) rotation vectors of the nodes a unit of each mode")
      .def_property_readonly(
          "rest_positions", [](const BakedBody& b) { return Positions(b.body.rest_positions()); },
          "(n,3) nodes at rest, m")
      .def_property_readonly(
          "T", [](const BakedBody& b) { return Tets(b.body.tets()); }, "(k,4) nodes of the tets")
      .def_property_readonly(
          "fixed_nodes", [](const BakedBody& b) { return list_of(b.body.fixed_nodes); },
          "Numbers of the nodes that stand still")
      .def_property_readonly(
          "rigid_modes", [](const BakedBody& b) { return b.body.rigid_modes; },
          "How many were left out")
      .def_property_readonly(
          "max_residual", [](const BakedBody& b) { return b.body.max_residual; },
          "The largest |K phi - lambda M phi| / (lambda |M phi|)")
      .def_property_readonly(
          "reduced_fields",
          [](const BakedBody& b) {
            return b.body.reduced.empty() ? 0 : b.body.reduced.mode_count();
          },
          "Of method \"reduced\"; 0 where it was baked without")
      .def_property_readonly(
          "contact_nodes", [](const BakedBody& b) { return list_of(b.residual.contact_nodes); },
          "Numbers of the nodes with local detail, of method \"global-local\"")
      .def_property_readonly(
          "surface", [](const BakedBody& b) { return surface_mesh(b.body.surface); },
          "The TriMesh that is shown")
      .def(
          "deform", &deform, "q"_a, "method"_a = "modal-warping",
          "Node positions (n,3) for modal amplitudes q (m,); method: modal-warping or linear-modal")
      .def("save", &save, "path"_a, "storage"_a = "float32", without_gil,
           "As a .limber file; storage of the surface's modes: float32, or int16 for half the "
           "memory");
  module.def(
      "bake", &bake_body, "mesh"_a, "material"_a = Materials{}, "fixed"_a = Nodes{}, "modes"_a = 20,
      "lumped"_a = false, py::kw_only(), "surface"_a = py::none(), "reduced"_a = false,
      "local"_a = false, "display_rate"_a = 60.0, "max_force"_a = 0.0, "min_displacement"_a = 0.0,
      "Modes of a TetMesh. fixed: node numbers, a mask (n,), or SELECT expressions such as "
      "'x<=0.001'; modes: how many, or 'auto'; lumped: the mass matrix. surface: a TriMesh, or "
      "arrays (V, F), to show in place of the boundary; reduced: True or how many fields, to play "
      "by method \"reduced\" too; local: True or how many surface nodes, to play by "
      "\"global-local\" too. For modes='auto': pictures a second, the largest force in N (0: the "
      "weight) and the smallest displacement in m that shows (0: a thousandth of the size)");
  module.def(
      "load_body", [](const std::filesystem::path& path) { return read_baked(path); }, "path"_a,
      without_gil, "The Body of a .limber file");
}

}  // namespace limber::python
