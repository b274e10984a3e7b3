#include <pybind11/eigen.h>
#include <pybind11/stl.h>

#include <array>

#include "bindings.h"
#include "limber/fem/mass.h"
#include "limber/fem/operators.h"
#include "limber/fem/stiffness.h"

namespace py = pybind11;
using namespace py::literals;

namespace limber::python {

namespace {

Material material_from(const py::dict& values) {
  Material material;
  for (const auto& [key, value] : values) {
    const auto name = key.cast<std::string>();
    if (name == "young") {
      material.young = value.cast<double>();
    } else if (name == "poisson") {
      material.poisson = value.cast<double>();
    } else if (name == "density") {
      material.density = value.cast<double>();
    } else {
      throw py::key_error("a material has young, poisson and density, not " + name);
    }
  }
  return material;
}

/// As one writes it, with all digits.
std::string text_of(double number) { return py::repr(py::float_(number)); }

std::string text_of(const Material& material) {
  return "Material(young=" + text_of(material.young) + ", poisson=" + text_of(material.poisson) +
         ", density=" + text_of(material.density) + ")";
}

std::string text_of(const Materials& materials) {
  std::string text = "Materials(" + text_of(materials.base);
  const char* separator = ", {";
  for (const auto& [region, material] : materials.by_region) {
    text += separator + std::to_string(region) + ": " + text_of(material);
    separator = ", ";
  }
  return text + (materials.by_region.empty() ? ")" : "})");
}

SparseMatrix checked_stiffness(const TetMesh& mesh, const Materials& materials) {
  check(materials);
  return stiffness(mesh, materials);
}

SparseMatrix checked_mass(const TetMesh& mesh, const Materials& materials, bool lumped) {
  check(materials);
  return mass(mesh, materials, lumped ? MassKind::lumped : MassKind::consistent);
}

}  // namespace

void bind_fem(py::module_& module) {
  const py::call_guard<py::gil_scoped_release> without_gil;
  py::class_<Material>(module, "Material", "Isotropic: young in Pa, poisson, density in kg/m3")
      .def(py::init([](double young, double poisson, double density) {
             return Material{young, poisson, density};
           }),
           "young"_a = 1e6, "poisson"_a = 0.33, "density"_a = 1000)
      .def(py::init(&material_from))
      .def_readwrite("young", &Material::young, "Pa")
      .def_readwrite("poisson", &Material::poisson, "Poisson's ratio")
      .def_readwrite("density", &Material::density, "kg/m³")
      .def("__eq__", [](const Material& a, const Material& b) { return a == b; })
      .def("__repr__", [](const Material& material) { return text_of(material); })
      .def(py::pickle(
          [](const Material& m) {
            return std::array{m.young, m.poisson, m.density};
          },
          [](const std::array<double, 3>& state) {
            return Material{state[0], state[1], state[2]};
          }));
  py::implicitly_convertible<py::dict, Material>();
  py::class_<Materials>(module, "Materials", "A base material and others by region number")
      .def(py::init([](const Material& base, std::map<int, Material> by_region) {
             Materials materials(base);
             materials.by_region = std::move(by_region);
             return materials;
           }),
           "base"_a = Material{}, "by_region"_a = std::map<int, Material>{})
      .def_readwrite("base", &Materials::base, "Of regions without one of their own")
      .def_readwrite("by_region", &Materials::by_region, "Material by region number")
      .def("__repr__", [](const Materials& materials) { return text_of(materials); })
      .def(py::pickle([](const Materials& m) { return std::pair(m.base, m.by_region); },
                      [](const std::pair<Material, std::map<int, Material>>& state) {
                        Materials materials(state.first);
                        materials.by_region = state.second;
                        return materials;
                      }));
  py::implicitly_convertible<Material, Materials>();
  py::implicitly_convertible<py::dict, Materials>();

  module.def("stiffness", &checked_stiffness, "mesh"_a, "material"_a = Materials{}, without_gil,
             "K (3n,3n) as scipy.sparse, node by node, N/m");
  module.def("mass", &checked_mass, "mesh"_a, "material"_a = Materials{}, "lumped"_a = false,
             without_gil, "M (3n,3n) as scipy.sparse, node by node, kg");
  module.def(
      "gradient_operator",
      [](const TetMesh& mesh) { return SparseMatrix(gradient_operator(mesh)); }, "mesh"_a,
      without_gil, "G (9m,3n): the displacement gradient of every tet, row by row");
  module.def(
      "curl_operator", [](const TetMesh& mesh) { return SparseMatrix(curl_operator(mesh)); },
      "mesh"_a, without_gil, "W (3n,3n): nodal rotation vectors of a displacement field");
}

}  // namespace limber::python
