#include <pybind11/eigen.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <array>
#include <optional>
#include <tuple>

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

using Look = std::pair<std::optional<std::array<float, 3>>, std::optional<py::bytes>>;

std::vector<Look> looks_of(const TriMesh& mesh) {
  std::vector<Look> looks;
  for (const SurfaceLook& look : mesh.looks) {
    looks.emplace_back(look.colour, std::nullopt);
    if (look.image) looks.back().second = py::bytes(look.image->bytes);
  }
  return looks;
}

py::tuple tri_mesh_state(const TriMesh& mesh) {
  return py::make_tuple(mesh.V, mesh.F, mesh.uv, mesh.corner_uv, mesh.colours, mesh.face_materials,
                        mesh.material_names, looks_of(mesh));
}

TriMesh tri_mesh_of(const py::tuple& state) {
  TriMesh mesh;
  mesh.V = state[0].cast<Positions>();
  mesh.F = state[1].cast<Triangles>();
  mesh.uv = state[2].cast<decltype(mesh.uv)>();
  mesh.corner_uv = state[3].cast<decltype(mesh.corner_uv)>();
  mesh.colours = state[4].cast<decltype(mesh.colours)>();
  mesh.face_materials = state[5].cast<std::vector<int>>();
  mesh.material_names = state[6].cast<std::vector<std::string>>();
  for (const auto& [colour, image] : state[7].cast<std::vector<Look>>()) {
    mesh.looks.push_back({colour, image ? surface_image(std::string(*image)) : nullptr});
  }
  check(mesh, "TriMesh");
  return mesh;
}

void bind_meshes(py::module_& module) {
  py::class_<TetMesh>(module, "TetMesh", "V (n,3) rest positions in metres, T (m,4) tetrahedra")
      .def(py::init(&make_tet_mesh), "V"_a, "T"_a, "regions"_a = std::vector<int>{},
           "V (n,3) in metres, T (m,4) node numbers, regions: one number a tet, or none")
      .def_readonly("V", &TetMesh::V, "(n,3) rest positions, m")
      .def_readonly("T", &TetMesh::T, "(m,4) nodes of the tets")
      .def_readonly("regions", &TetMesh::regions, "One number a tet, or none")
      .def(py::pickle([](const TetMesh& m) { return std::tuple(m.V, m.T, m.regions); },
                      [](const std::tuple<Positions, Tets, std::vector<int>>& state) {
                        const auto& [V, T, regions] = state;
                        return make_tet_mesh(V, T, regions);
                      }))
      .def("__repr__", [](const TetMesh& mesh) {
        return "<limber.TetMesh, " + std::to_string(mesh.node_count()) + " nodes, " +
               std::to_string(mesh.tet_count()) + " tets>";
      });
  py::class_<TriMesh>(module, "TriMesh", "V (n,3) vertices in metres, F (k,3) triangles")
      .def(py::init(&make_tri_mesh), "V"_a, "F"_a,
           "V (n,3) in metres, F (k,3) vertex numbers, counter-clockwise seen from outside")
      .def_readonly("V", &TriMesh::V, "(n,3) vertices, m")
      .def_readonly("F", &TriMesh::F, "(k,3) vertices of the triangles")
      .def_readonly("colours", &TriMesh::colours, "(n,3) linear red, green, blue, or no rows")
      .def_readonly("uv", &TriMesh::uv, "(n,2), or no rows")
      .def_readonly("corner_uv", &TriMesh::corner_uv, "(3k,2) where seams need it, or no rows")
      .def_readonly("face_materials", &TriMesh::face_materials,
                    "For each triangle the number of its material, or none")
      .def_readonly("material_names", &TriMesh::material_names, "Of the materials")
      .def(py::pickle(&tri_mesh_state, &tri_mesh_of))
      .def("__repr__", [](const TriMesh& mesh) {
        return "<limber.TriMesh, " + std::to_string(mesh.vertex_count()) + " vertices, " +
               std::to_string(mesh.triangle_count()) + " triangles>";
      });
}

void bind_shapes(py::module_& module) {
  const py::call_guard<py::gil_scoped_release> without_gil;
  module.def("bar", &bar, "size"_a, "cells"_a, without_gil,
             "A box of size (3,) from the origin on, cells (3,) cubes of six tets: a TetMesh");
  module.def("cylinder", &cylinder, "radius"_a, "height"_a, "around"_a, "layers"_a, "rings"_a,
             without_gil,
             "A TetMesh about the y axis; how many cells around, along it and from the axis out");
  module.def("tube", &tube, "outer_radius"_a, "inner_radius"_a, "height"_a, "around"_a, "layers"_a,
             "rings"_a, without_gil,
             "A hollow cylinder as a TetMesh; how many cells around, along and through its wall");
  module.def("sphere", &sphere, "radius"_a, "cells"_a, without_gil,
             "A ball about the origin as a TetMesh; cells along its diameter");
  module.def("sheet", &sheet, "size"_a, "cells"_a, without_gil,
             "A flat TriMesh of size (2,) in cells (2,) squares");
  module.def("character", &character, "name"_a, "vertices"_a = kDefaultCharacterVertices,
             "height"_a = 1.0, without_gil,
             "One of character_names() as a TriMesh: flubber, dino, bird and others");
  module.def("character_names", &character_names, "Those that character() knows");
  module.def("figure", &figure, "height"_a, "cells"_a, without_gil,
             "A soft figure with head, arms and legs as a TetMesh");
}

}  // namespace

void bind_mesh(py::module_& module) {
  const py::call_guard<py::gil_scoped_release> without_gil;
  bind_meshes(module);
  module.def(
      "read_mesh", [](const std::filesystem::path& path) { return read_mesh(path); }, "path"_a,
      without_gil, "A TetMesh or a TriMesh, whichever the file holds");
  const char* const writes = "In the format of the file's ending";
  module.def(
      "write_mesh",
      [](const std::filesystem::path& path, const TetMesh& mesh) { write_tet_mesh(path, mesh); },
      "path"_a, "mesh"_a, without_gil, writes);
  module.def(
      "write_mesh",
      [](const std::filesystem::path& path, const TriMesh& mesh) { write_surface(path, mesh); },
      "path"_a, "mesh"_a, without_gil, writes);
  module.def(
      "boundary_surface", [](const TetMesh& mesh) { return boundary_surface(mesh).surface; },
      "mesh"_a, without_gil, "The triangles around a TetMesh, as a TriMesh");
  module.def(
      "volume", [](const TetMesh& mesh) { return volume(mesh.V, mesh.T); }, "mesh"_a, "m³");
  module.def("volume", &volume, "V"_a, "T"_a, "m³, of tets T (m,4) with nodes at V (n,3)");
  module.def("select_nodes", &select_nodes, "mesh"_a, "expression"_a,
             "Node numbers by x<=0.001, nodes:0,4, region:2, box:…, sphere:…, joined by &&");
  bind_shapes(module);
}

}  // namespace limber::python
