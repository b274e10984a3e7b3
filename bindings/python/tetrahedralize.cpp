#include "limber/mesh/tetrahedralize/tetrahedralize.h"

#include <pybind11/eigen.h>
#include <pybind11/stl.h>

#include "bindings.h"
#include "limber/core/error.h"
#include "limber/mesh/netgen/netgen.h"
#include "limber/mesh/select.h"

namespace py = pybind11;
using namespace py::literals;

namespace limber::python {

namespace {

FillMode mode_named(const std::string& text) {
  if (text == "auto") return FillMode::automatic;
  if (text == "cage") return FillMode::cage;
  if (text == "conforming") return FillMode::conforming;
  throw Error("unknown mode '" + text + "'", "tetrahedralize", "use auto, cage or conforming");
}

OpenSurfaces open_named(const std::string& text) {
  if (text == "auto") return OpenSurfaces::automatic;
  if (text == "fill") return OpenSurfaces::fill;
  if (text == "thicken") return OpenSurfaces::thicken;
  throw Error("unknown treatment '" + text + "'", "tetrahedralize", "use auto, fill or thicken");
}

bool is_netgen(const std::string& backend) {
  if (backend != "limber" && backend != "netgen") {
    throw Error("unknown backend '" + backend + "'", "tetrahedralize", "use limber or netgen");
  }
  return backend == "netgen";
}

/// `options` as given for Limber's own mesher, most of which Netgen does not know.
Tetrahedralized fill_by_netgen(const TriMesh& surface, const TetrahedralizeOptions& options,
                               double time_limit) {
  if (options.mode == FillMode::cage || options.open != OpenSurfaces::automatic ||
      options.target_tets != 0 || options.sheet_thickness != 0 || !options.refine.empty()) {
    throw Error("netgen takes cells and time_limit only", "tetrahedralize",
                "leave the other options out, or the backend");
  }
  NetgenOptions netgen;
  netgen.cells = options.cells;
  netgen.seconds = time_limit;
  const py::gil_scoped_release release;
  return netgen_mesh(surface, netgen);
}

Tetrahedralized fill(const TriMesh& surface, int cells, int tets, const std::string& mode,
                     const std::string& open, double thickness,
                     const std::vector<std::string>& refine, int levels, const std::string& backend,
                     double time_limit) {
  TetrahedralizeOptions options;
  options.mode = mode_named(mode);
  options.open = open_named(open);
  options.cells = cells;
  options.target_tets = tets;
  options.sheet_thickness = thickness;
  for (const std::string& text : refine) {
    options.refine.push_back({select_points(text), levels, text});
  }
  if (is_netgen(backend)) return fill_by_netgen(surface, options, time_limit);
  const py::gil_scoped_release release;
  return tetrahedralize(surface, options);
}

using WeightRows = Eigen::Matrix<double, Eigen::Dynamic, 4, Eigen::RowMajor>;

void bind_embedding(py::module_& module) {
  py::class_<Embedding>(module, "Embedding", "Each of v vertices moves with one tet")
      .def_readonly("tets", &Embedding::tets, "(v,) the tet of each vertex")
      .def_readonly("outside", &Embedding::outside, "How far each lies outside of its tet, m")
      .def_property_readonly(
          "nodes",
          [](const Embedding& e) {
            return Tets(Eigen::Map<const Tets>(e.nodes.data(), e.vertex_count(), 4));
          },
          "(v,4) the nodes of its tet")
      .def_property_readonly(
          "weights",
          [](const Embedding& e) {
            return WeightRows(Eigen::Map<const WeightRows>(e.weights.data(), e.vertex_count(), 4));
          },
          "(v,4) and their weights")
      .def("positions", &embedded_positions, "V"_a, py::call_guard<py::gil_scoped_release>(),
           "(v,3) where the vertices are when the nodes are at V (n,3)")
      .def("__repr__", [](const Embedding& e) {
        return "<limber.Embedding, " + std::to_string(e.vertex_count()) + " vertices>";
      });
  module.def(
      "embed", [](const TetMesh& mesh, const TriMesh& surface) { return embed(mesh, surface); },
      "mesh"_a, "surface"_a, py::call_guard<py::gil_scoped_release>(),
      "Binds each vertex of a surface to a tet");
}

py::dict as_dict(const TetrahedralizeReport& r) {
  return py::dict(
      "mode"_a = name(r.mode), "inside_test"_a = name(r.inside_test), "parts"_a = r.parts,
      "bodies"_a = r.bodies, "holes"_a = r.holes, "non_manifold_edges"_a = r.non_manifold_edges,
      "self_intersections"_a = r.self_intersections, "cell"_a = r.cell, "cells"_a = r.cells,
      "tets"_a = r.tets, "nodes"_a = r.nodes, "pieces"_a = r.pieces, "volume"_a = r.volume,
      "surface_volume"_a = r.surface_volume, "min_dihedral_degrees"_a = r.min_dihedral_degrees,
      "surface_distance"_a = r.surface_distance, "seconds"_a = r.seconds,
      "warnings"_a = r.warnings);
}

}  // namespace

void bind_tetrahedralize(py::module_& module) {
  bind_embedding(module);
  py::class_<Tetrahedralized>(module, "Tetrahedralized", "What tetrahedralize() gives")
      .def_readonly("mesh", &Tetrahedralized::mesh, "The TetMesh")
      .def_readonly("embedding", &Tetrahedralized::embedding, "How it carries the surface")
      .def_property_readonly(
          "report", [](const Tetrahedralized& made) { return as_dict(made.report); },
          "Counts, volumes, quality, seconds and warnings")
      .def("__repr__", [](const Tetrahedralized& made) {
        return "<limber.Tetrahedralized, " + std::to_string(made.mesh.tet_count()) + " tets>";
      });
  module.def("tetrahedralize", &fill, "surface"_a, "cells"_a = 0, "tets"_a = 0, "mode"_a = "auto",
             "open"_a = "auto", "thickness"_a = 0.0, "refine"_a = std::vector<std::string>{},
             "levels"_a = 1, "backend"_a = "limber", "time_limit"_a = NetgenOptions{}.seconds,
             "A tet mesh around or inside any surface, with the binding of its vertices and a "
             "report: mode auto, cage or conforming, by cells along the longest side or by tets; "
             "backend netgen runs that program, where it is installed, on closed surfaces, with "
             "cells and time_limit in seconds");
}

}  // namespace limber::python
