#include <pybind11/eigen.h>
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <variant>

#include "bindings.h"
#include "limber/core/error.h"
#include "limber/interpolate/pose_tools.h"
#include "limber/interpolate/shape_interpolation.h"
#include "limber/interpolate/shell_modes.h"
#include "limber/interpolate/surface_poser.h"

namespace py = pybind11;
using namespace py::literals;

namespace limber::python {

namespace {

using Array = py::array_t<double, py::array::c_style | py::array::forcecast>;
/// One number for all modes, or one each.
using Numbers = std::variant<double, std::vector<double>>;

ModeCurve curve_of(const Numbers& numbers) {
  if (const double* one = std::get_if<double>(&numbers)) return ModeCurve(*one);
  return ModeCurve(std::get<std::vector<double>>(numbers));
}

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

Trajectory trajectory_of(const std::string& name) {
  if (name == "auto") return Trajectory::automatic;
  if (name == "free") return Trajectory::free;
  if (name == "wiggly") return Trajectory::wiggly;
  throw Error("unknown trajectory \"" + name + "\"", "interpolate", "auto, free or wiggly");
}

/// What `interpolate` takes beside the body and its poses.
struct Motion {
  double fps = 30;
  InterpolationOptions options;
};

Motion motion_of(double fps, const Numbers& frequency, const std::optional<Numbers>& damping,
                 const std::vector<int>& fixed, const std::vector<int>& hold, double alpha_m,
                 double alpha_k, double stiffness_scale, double mass_scale,
                 const std::optional<double>& rest_shift, const std::string& trajectory,
                 bool adjust, int seed) {
  Motion motion;
  motion.fps = fps;
  MotionControls& controls = motion.options.controls;
  controls.frequency = curve_of(frequency);
  if (damping) controls.damping_ratio = curve_of(*damping);
  controls.damping = {alpha_m, alpha_k};
  controls.stiffness_scale = stiffness_scale;
  controls.mass_scale = mass_scale;
  controls.rest_shift = rest_shift;
  controls.adjust = adjust;
  motion.options.trajectory = trajectory_of(trajectory);
  motion.options.seed = seed;
  for (const int node : fixed) motion.options.positions.push_back({node, {}});
  for (const int node : hold) motion.options.positions.push_back({node, {}});
  return motion;
}

Array stacked_frames(const std::vector<Positions>& frames) {
  const auto nodes = static_cast<py::ssize_t>(frames.front().rows());
  Array result({static_cast<py::ssize_t>(frames.size()), nodes, py::ssize_t{3}});
  double* out = result.mutable_data();
  for (const Positions& frame : frames) out = std::copy_n(frame.data(), frame.size(), out);
  return result;
}

Array tet_frames(const TetMesh& mesh, const std::vector<Positions>& poses,
                 const std::vector<double>& times, int modes, const Materials& materials,
                 const std::vector<int>& fixed, const Motion& motion) {
  std::vector<Positions> frames;
  {
    const py::gil_scoped_release release;
    frames =
        interpolate(mesh, poses, times, {{modes, materials, fixed}, motion.options, motion.fps});
  }
  return stacked_frames(frames);
}

Array shell_frames(const TriMesh& surface, const std::vector<Positions>& poses,
                   const std::vector<double>& times, int modes, const ShellMaterial& material,
                   const std::vector<int>& fixed, const Motion& motion) {
  std::vector<Positions> frames;
  {
    const py::gil_scoped_release release;
    frames = interpolate(shell_modes(surface, {modes, material, fixed}), poses, times,
                         motion.options, motion.fps);
  }
  return stacked_frames(frames);
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
  const char* const about =
      "(frames,n,3) of a motion through poses; frequency and damping in -1..1, one number or one a "
      "mode. A TriMesh moves as a thin shell";
  const auto bind_motion = [&](auto&& frames_of, auto... own) {
    module.def("interpolate", frames_of, "mesh"_a, "poses"_a, "times"_a, "modes"_a = 80,
               "fps"_a = 30.0, "frequency"_a = 0.0, "damping"_a = py::none(), own...,
               "fixed"_a = std::vector<int>{}, "hold"_a = std::vector<int>{}, "alpha_m"_a = 0.0,
               "alpha_k"_a = 0.0, "stiffness_scale"_a = 1.0, "mass_scale"_a = 1.0,
               "rest_shift"_a = py::none(), "trajectory"_a = "auto", "adjust"_a = true,
               "seed"_a = -1, about);
  };
  bind_motion(
      [](const TetMesh& mesh, const std::vector<Positions>& poses, const std::vector<double>& times,
         int modes, double fps, const Numbers& frequency, const std::optional<Numbers>& damping,
         const Materials& material, const std::vector<int>& fixed, const std::vector<int>& hold,
         double alpha_m, double alpha_k, double stiffness_scale, double mass_scale,
         const std::optional<double>& rest_shift, const std::string& trajectory, bool adjust,
         int seed) {
        return tet_frames(
            mesh, poses, times, modes, material, fixed,
            motion_of(fps, frequency, damping, fixed, hold, alpha_m, alpha_k, stiffness_scale,
                      mass_scale, rest_shift, trajectory, adjust, seed));
      },
      "material"_a = Materials{});
  bind_motion(
      [](const TriMesh& mesh, const std::vector<Positions>& poses, const std::vector<double>& times,
         int modes, double fps, const Numbers& frequency, const std::optional<Numbers>& damping,
         const Material& material, double thickness, const std::vector<int>& fixed,
         const std::vector<int>& hold, double alpha_m, double alpha_k, double stiffness_scale,
         double mass_scale, const std::optional<double>& rest_shift, const std::string& trajectory,
         bool adjust, int seed) {
        return shell_frames(
            mesh, poses, times, modes, {material, thickness}, fixed,
            motion_of(fps, frequency, damping, fixed, hold, alpha_m, alpha_k, stiffness_scale,
                      mass_scale, rest_shift, trajectory, adjust, seed));
      },
      "material"_a = Material{}, "thickness"_a = 0.0);
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
