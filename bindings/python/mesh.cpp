#include <pybind11/eigen.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include "bindings.h"
#include "limber/mesh/boundary.h"
#include "limber/mesh/characters/character.h"
#include "limber/mesh/checks.h"
#include "limber/mesh/figure.h"
#include "limber/mesh/read_mesh.h"
#include "limber/mesh/sample_shapes.h"
#include "limber/mesh/select.h"
#include "limber/mesh/write_mesh.h"

namespace py = pybind11;
using namespace py::literals;

namespace limber::python {

namespace {

TetMesh make_tet_mesh(const Positions& V, const Tets& T, std::vector<int> regions) {
  TetMesh mesh{V, T, std::move(regions)};
  check(mesh, "TetMesh");
  return mesh;
}

TriMesh make_tri_mesh(const Positions& V, const Triangles& F) {
  TriMesh mesh;
  mesh.V = V;
  mesh.F = F;
  check(mesh, "TriMesh");
  return mesh;
}

}  // namespace

void bind_mesh(py::module_& module) {
  py::class_<TetMesh>(module, "TetMesh", "V (n,3) rest positions in metres, T (m,4) tetrahedra")
      .def(py::init(&make_tet_mesh), "V"_a, "T"_a, "regions"_a = std::vector<int>{})
      .def_readonly("V", &TetMesh::V)
      .def_readonly("T", &TetMesh::T)
      .def_readonly("regions", &TetMesh::regions)
      .def("__repr__", [](const TetMesh& mesh) {
        return "<limber.TetMesh, " + std::to_string(mesh.node_count()) + " nodes, " +
               std::to_string(mesh.tet_count()) + " tets>";
      });
  py::class_<TriMesh>(module, "TriMesh", "V (n,3) vertices, F (k,3) triangles")
      .def(py::init(&make_tri_mesh), "V"_a, "F"_a)
      .def_readonly("V", &TriMesh::V)
      .def_readonly("F", &TriMesh::F)
      .def_readonly("colours", &TriMesh::colours, "(n,3) linear red, green, blue, or no rows")
      .def_readonly("uv", &TriMesh::uv, "(n,2), or no rows")
      .def_readonly("corner_uv", &TriMesh::corner_uv, "(3k,2) where seams need it, or no rows")
      .def_readonly("face_materials", &TriMesh::face_materials)
      .def_readonly("material_names", &TriMesh::material_names)
      .def("__repr__", [](const TriMesh& mesh) {
        return "<limber.TriMesh, " + std::to_string(mesh.vertex_count()) + " vertices, " +
               std::to_string(mesh.triangle_count()) + " triangles>";
      });

  module.def(
      "read_mesh", [](const std::filesystem::path& path) { return read_mesh(path); }, "path"_a,
      "A TetMesh or a TriMesh, whichever the file holds");
  module.def(
      "write_mesh",
      [](const std::filesystem::path& path, const TetMesh& mesh) { write_tet_mesh(path, mesh); },
      "path"_a, "mesh"_a);
  module.def(
      "write_mesh",
      [](const std::filesystem::path& path, const TriMesh& mesh) { write_surface(path, mesh); },
      "path"_a, "mesh"_a);
  module.def(
      "boundary_surface", [](const TetMesh& mesh) { return boundary_surface(mesh).surface; },
      "mesh"_a);
  module.def(
      "volume", [](const TetMesh& mesh) { return volume(mesh.V, mesh.T); }, "mesh"_a);
  module.def("volume", &volume, "V"_a, "T"_a);
  module.def("select_nodes", &select_nodes, "mesh"_a, "expression"_a,
             "Node numbers by x<=0.001, nodes:0,4, region:2, box:…, sphere:…, joined by &&");

  module.def("bar", &bar, "size"_a, "cells"_a, "Box of cubes of six tets, from the origin");
  module.def("cylinder", &cylinder, "radius"_a, "height"_a, "around"_a, "layers"_a, "rings"_a);
  module.def("tube", &tube, "outer_radius"_a, "inner_radius"_a, "height"_a, "around"_a, "layers"_a,
             "rings"_a);
  module.def("sphere", &sphere, "radius"_a, "cells"_a);
  module.def("sheet", &sheet, "size"_a, "cells"_a);
  module.def("character", &character, "name"_a, "vertices"_a = kDefaultCharacterVertices,
             "height"_a = 1.0, py::call_guard<py::gil_scoped_release>(),
             "flubber, dino, elephant, belly, jelly-box, tube, brain or hat as a TriMesh");
  module.def("character_names", &character_names);
  module.def("figure", &figure, "height"_a, "cells"_a, "A soft figure with head, arms and legs");
}

}  // namespace limber::python
