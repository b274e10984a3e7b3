#include <pybind11/eigen.h>
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <algorithm>

#include "bindings.h"
#include "limber/core/error.h"
#include "limber/interpolate/poses/pose_tools.h"
#include "limber/interpolate/poses/surface_poser.h"
#include "limber/interpolate/reconstruction/reconstruction.h"

namespace py = pybind11;
using namespace py::literals;

namespace limber::python {

namespace {

using Array = py::array_t<double, py::array::c_style | py::array::forcecast>;

py::tuple coordinates_of(const TetMesh& mesh, const Positions& pose, int seed) {
  UnwrapOptions options;
  options.seed = seed;
  RotationStrain coordinates;
  {
    const py::gil_scoped_release release;
    coordinates = rotation_strain(mesh, pose, options);
  }
  Array S({static_cast<py::ssize_t>(coordinates.S.size()), py::ssize_t{3}, py::ssize_t{3}});
  auto view = S.mutable_unchecked<3>();
  for (py::ssize_t t = 0; t < view.shape(0); ++t) {
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) view(t, i, j) = coordinates.S[static_cast<std::size_t>(t)](i, j);
    }
  }
  return py::make_tuple(coordinates.w, S);
}

Positions positions_of(const TetMesh& mesh, const Positions& w, const Array& S,
                       const std::optional<Vec3>& barycentre) {
  if (S.ndim() != 3 || S.shape(1) != 3 || S.shape(2) != 3) {
    throw Error("S is not of shape (tets, 3, 3)", "reconstruct", "give what rotation_strain gives");
  }
  RotationStrain coordinates;
  coordinates.w = w;
  const auto view = S.unchecked<3>();
  for (py::ssize_t t = 0; t < view.shape(0); ++t) {
    Mat3 strain;
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) strain(i, j) = view(t, i, j);
    }
    coordinates.S.push_back(strain);
  }
  const bool finite =
      w.allFinite() && std::all_of(coordinates.S.begin(), coordinates.S.end(),
                                   [](const Mat3& strain) { return strain.allFinite(); });
  if (!finite) throw Error("coordinates that are not finite", "reconstruct", "give finite numbers");
  const py::gil_scoped_release release;
  return reconstruct(mesh, coordinates, barycentre);
}

Positions tets_of_surface(const TetMesh& mesh, const TriMesh& surface, const Positions& posed,
                          double stiffness) {
  const py::gil_scoped_release release;
  SurfacePoserOptions options;
  options.stiffness = stiffness;
  SurfacePoser poser(std::make_shared<const Elements>(elements_of(mesh)), surface,
                     binding_of(embed(mesh, surface)), options);
  return poser.pose(posed).nodes;
}

}  // namespace

void bind_interpolate(py::module_& module) {
  module.def("rotation_strain", &coordinates_of, "mesh"_a, "V"_a, "seed"_a = -1,
             "w (tets,3) unwrapped rotation vectors and S (tets,3,3) strains of a pose, "
             "F = exp(w)(I+S)");
  module.def("reconstruct", &positions_of, "mesh"_a, "w"_a, "S"_a, "barycenter"_a = py::none(),
             "(n,3) positions from rotation-strain coordinates; the rest shape's barycenter unless "
             "given");
  module.def("pose_tets", &tets_of_surface, "mesh"_a, "surface"_a, "posed"_a, "stiffness"_a = 30.0,
             "(n,3) nodes of the tets inside a surface (a TriMesh at rest) when its vertices stand "
             "at `posed`");
  module.def(
      "bend",
      [](const Positions& V, double angle, const Vec3& origin, const Vec3& axis,
         const Vec3& towards, double from, double to) {
        return bend(V, {origin, axis, towards, from, to, angle});
      },
      "V"_a, "angle"_a, "origin"_a = Vec3(0, 0, 0), "axis"_a = Vec3(1, 0, 0),
      "towards"_a = Vec3(0, 1, 0), "start"_a = 0.0, "end"_a = 1.0,
      "(n,3) with the axis between start and end bent into an arc of `angle` radians");
  module.def(
      "twist",
      [](const Positions& V, double angle, const Vec3& origin, const Vec3& axis, double from,
         double to) {
        return twist(V, {origin, axis, from, to, angle});
      },
      "V"_a, "angle"_a, "origin"_a = Vec3(0, 0, 0), "axis"_a = Vec3(1, 0, 0), "start"_a = 0.0,
      "end"_a = 1.0, "(n,3) turned about the axis, by nothing at start up to `angle` at end");
}

}  // namespace limber::python
