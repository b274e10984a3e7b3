// limber.interpolate: one function with many keywords, for tets, surfaces on tets and shells.
#include <pybind11/eigen.h>
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <map>
#include <variant>

#include "bindings.h"
#include "limber/core/error.h"
#include "limber/interpolate/motion/motion_frames.h"
#include "limber/interpolate/shell_modes.h"
#include "nodes.h"

namespace py = pybind11;
using namespace py::literals;

namespace limber::python {

namespace {

using Array = py::array_t<double, py::array::c_style | py::array::forcecast>;
/// One number for all modes, one each, or a curve through {mode index: value}.
using Numbers = std::variant<double, std::map<double, double>, std::vector<double>>;
/// Times and one row each.
using Keys = std::pair<std::vector<double>, Positions>;
/// A path for each node, or none where it follows the keys.
using NodePaths = std::map<int, std::optional<Keys>>;
using Inserted =
    std::variant<std::map<double, Positions>, std::vector<std::pair<double, Positions>>>;

/// Keyword arguments, each taken once; what is left at the end nobody knows.
class Keywords {
 public:
  explicit Keywords(const py::kwargs& given) : left_(given) {}

  template <typename T>
  [[nodiscard]] std::optional<T> take(const char* name, const char* meaning) {
    if (!left_.contains(name)) return std::nullopt;
    const py::object value = left_.attr("pop")(name);
    if (value.is_none()) return std::nullopt;
    return as<T>(value, name, meaning);
  }

  template <typename T>
  [[nodiscard]] static T as(const py::object& value, const char* name, const char* meaning) {
    try {
      return value.cast<T>();
    } catch (const py::cast_error&) {
      throw py::type_error(std::string("interpolate: ") + name + " is " + meaning);
    }
  }

  void refuse_the_rest() const {
    for (const auto& entry : left_) {
      throw py::type_error("interpolate: unknown argument " + entry.first.cast<std::string>() +
                           ", see help(limber.interpolate)");
    }
  }

 private:
  py::dict left_;
};

constexpr const char* kNumbers = "a number, one a mode, or a curve {mode index: value}";

ModeCurve curve_of(const Numbers& numbers) {
  if (const double* one = std::get_if<double>(&numbers)) return ModeCurve(*one);
  if (const auto* points = std::get_if<std::map<double, double>>(&numbers)) {
    return ModeCurve::spline({points->begin(), points->end()});
  }
  return ModeCurve(std::get<std::vector<double>>(numbers));
}

Path path_of(const Keys& keys, const std::string& where) {
  std::vector<Vec3> points;
  for (Eigen::Index k = 0; k < keys.second.rows(); ++k) {
    points.emplace_back(keys.second.row(k).transpose());
  }
  return {keys.first, std::move(points), Interpolation::smooth, where};
}

/// Calls use(node, path).
template <typename Use>
void each_node(Keywords& keywords, const char* name, int node_count, Use&& use) {
  const char* const meaning = "node numbers, a mask, or {node: None or (times, targets)}";
  const auto given = keywords.take<Nodes>(name, meaning);
  if (!given) return;
  if (!py::isinstance<py::dict>(given->given)) {
    for (const int node : node_numbers(*given, node_count, name)) use(node, std::optional<Path>());
    return;
  }
  for (const auto& [node, keys] : Keywords::as<NodePaths>(given->given, name, meaning)) {
    use(node, keys ? std::optional<Path>(path_of(*keys, name)) : std::nullopt);
  }
}

void take_controls(Keywords& keywords, MotionControls& controls) {
  if (const auto eta = keywords.take<Numbers>("frequency", kNumbers)) {
    controls.frequency = curve_of(*eta);
  }
  if (const auto mu = keywords.take<Numbers>("damping", kNumbers)) {
    controls.damping_ratio = curve_of(*mu);
  }
  if (const auto gamma = keywords.take<std::array<Numbers, 3>>(
          "weights", "three of: a number, one a mode, or a curve {mode index: value}")) {
    controls.velocity_weight = curve_of((*gamma)[0]);
    controls.frequency_weight = curve_of((*gamma)[1]);
    controls.damping_weight = curve_of((*gamma)[2]);
  }
  controls.damping = {keywords.take<double>("alpha_m", "a number").value_or(0),
                      keywords.take<double>("alpha_k", "a number").value_or(0)};
  controls.stiffness_scale = keywords.take<double>("stiffness_scale", "a number").value_or(1);
  controls.mass_scale = keywords.take<double>("mass_scale", "a number").value_or(1);
  controls.rest_shift = keywords.take<double>("rest_shift", "a number from 0 to 1");
  controls.adjust = keywords.take<bool>("adjust", "True or False").value_or(true);
}

BarycentreOptions take_barycentre(Keywords& keywords) {
  BarycentreOptions options;
  const auto kind = keywords.take<std::variant<std::string, Keys>>(
      "barycenter", "smooth, linear, ballistic, or (times, points)");
  if (const auto gravity = keywords.take<Vec3>("gravity", "three numbers")) {
    options.gravity = *gravity;
  }
  if (!kind) return options;
  if (const Keys* keys = std::get_if<Keys>(&*kind)) {
    options.kind = BarycentrePath::given;
    options.path = path_of(*keys, "barycenter");
    return options;
  }
  const auto& name = std::get<std::string>(*kind);
  if (name == "linear") {
    options.kind = BarycentrePath::linear;
  } else if (name == "ballistic") {
    options.kind = BarycentrePath::ballistic;
  } else if (name != "smooth") {
    throw Error("unknown path \"" + name + "\"", "barycenter",
                "smooth, linear, ballistic, or (times, points)");
  }
  return options;
}

Trajectory trajectory_of(const std::string& name) {
  if (name == "auto") return Trajectory::automatic;
  if (name == "free") return Trajectory::free;
  if (name == "wiggly") return Trajectory::wiggly;
  throw Error("unknown trajectory \"" + name + "\"", "interpolate", "auto, free or wiggly");
}

Residuals residuals_of(const std::string& name) {
  if (name == "coordinates") return Residuals::coordinates;
  if (name == "positions") return Residuals::positions;
  throw Error("unknown residuals \"" + name + "\"", "interpolate", "coordinates or positions");
}

void take_constraints(Keywords& keywords, const std::vector<int>& fixed, int node_count,
                      InterpolationOptions& motion) {
  for (const int node : fixed) motion.positions.push_back({node, {}});
  each_node(keywords, "hold", node_count, [&](int node, const std::optional<Path>& path) {
    motion.positions.push_back({node, path});
  });
  each_node(keywords, "turn", node_count, [&](int node, const std::optional<Path>& path) {
    motion.orientations.push_back({node, path});
  });
}

MotionFramesOptions take_motion(Keywords& keywords, const std::vector<int>& fixed, int node_count) {
  MotionFramesOptions options;
  take_controls(keywords, options.motion.controls);
  options.motion.barycentre = take_barycentre(keywords);
  take_constraints(keywords, fixed, node_count, options.motion);
  if (const auto name = keywords.take<std::string>("trajectory", "auto, free or wiggly")) {
    options.motion.trajectory = trajectory_of(*name);
  }
  if (const auto name = keywords.take<std::string>("residuals", "coordinates or positions")) {
    options.motion.residuals = residuals_of(*name);
  }
  options.motion.seed = keywords.take<int>("seed", "a number").value_or(-1);
  if (auto velocities = keywords.take<std::vector<std::optional<Positions>>>(
          "velocities", "a list of None or (n,3), one a pose")) {
    options.velocities = std::move(*velocities);
  }
  if (auto inserted = keywords.take<Inserted>("insert", "{time: pose} or (time, pose) pairs")) {
    if (auto* pairs = std::get_if<1>(&*inserted)) {
      options.inserted = std::move(*pairs);
    } else {
      const auto& by_time = std::get<0>(*inserted);
      options.inserted.assign(by_time.begin(), by_time.end());
    }
  }
  options.gamma = keywords.take<double>("gamma", "a number from 0 to 1");
  options.fps = keywords.take<double>("fps", "a number").value_or(30);
  options.after = keywords.take<double>("after", "a number").value_or(0);
  return options;
}

Array stacked_frames(const std::vector<Positions>& frames) {
  const auto nodes = static_cast<py::ssize_t>(frames.front().rows());
  Array result({static_cast<py::ssize_t>(frames.size()), nodes, py::ssize_t{3}});
  double* out = result.mutable_data();
  for (const Positions& frame : frames) out = std::copy_n(frame.data(), frame.size(), out);
  return result;
}

Array frames_of(const std::variant<TetMesh, TriMesh>& mesh, const std::vector<Positions>& poses,
                const std::vector<double>& times, int modes, const py::kwargs& arguments) {
  Keywords keywords(arguments);
  const TetMesh* const tets = std::get_if<TetMesh>(&mesh);
  const int node_count =
      tets != nullptr ? tets->node_count() : std::get<TriMesh>(mesh).vertex_count();
  const auto given = keywords.take<Nodes>("fixed", "node numbers, or a mask");
  const std::vector<int> fixed =
      given ? node_numbers(*given, node_count, "fixed") : std::vector<int>{};
  const MotionFramesOptions options = take_motion(keywords, fixed, node_count);
  std::vector<Positions> frames;
  if (tets != nullptr) {
    const Materials material =
        keywords.take<Materials>("material", "a Material, Materials or a dict")
            .value_or(Materials{});
    const auto surface = keywords.take<TriMesh>("surface", "a TriMesh");
    const double stiffness =
        keywords.take<double>("surface_stiffness", "a number").value_or(CarriedSurface{}.stiffness);
    keywords.refuse_the_rest();
    const py::gil_scoped_release release;
    const auto modal = pose_modes(*tets, {modes, material, fixed});
    frames = surface ? interpolate(modal, {*tets, *surface, stiffness}, poses, times, options)
                     : interpolate(modal, poses, times, options);
  } else {
    const Material material =
        keywords.take<Material>("material", "a Material or a dict").value_or(Material{});
    const double thickness = keywords.take<double>("thickness", "a number").value_or(0);
    keywords.refuse_the_rest();
    const py::gil_scoped_release release;
    frames =
        interpolate(shell_modes(std::get<TriMesh>(mesh), {modes, {material, thickness}, fixed}),
                    poses, times, options);
  }
  return stacked_frames(frames);
}

constexpr const char* kAbout =
    R"(interpolate(mesh, poses, times, modes=80, fps=30, *, frequency=None, damping=None, weights=None,
            alpha_m=0, alpha_k=0, stiffness_scale=1, mass_scale=1, rest_shift=None, adjust=True,
            trajectory='auto', after=0, insert=None, velocities=None, gamma=None, barycenter='smooth',
            gravity=None, fixed=(), hold=None, turn=None, material=Material(), thickness=0, surface=None,
            surface_stiffness=30, residuals='coordinates', seed=-1) -> (frames,n,3)

A living motion through poses of a body (Huang et al. 2011).

mesh: a TetMesh at rest, or a TriMesh that moves as a thin shell
poses, times: (n,3) each and their seconds, rising; two or more
modes, fps: vibration modes, frames a second

How it swings. Each of these is a number, one a mode, or a curve {mode index: value}:
frequency: eta in -1..1: -1 no swinging, 0 its own, towards 1 faster
damping: mu in -1..1: -1 none, 1 critical; instead of alpha_m, alpha_k (Rayleigh)
weights: three gammas of eq. 15: calm start, own frequency, own damping (0.5, 0.25, 0.25)
stiffness_scale, mass_scale: the whole body softer or heavier (1)
rest_shift: 0..1, swing about a shape between the first and the last pose
adjust: False leaves every mode its own frequency and damping
trajectory: "free" from key to key, "wiggly" splines through all keys, or "auto"
after: seconds to swing on behind the last pose (0)

What it passes:
insert: {time: pose}, corrections on the way that change the motion near them alone
velocities: one (n,3) in m/s or None a pose
gamma: 0..1, the poses are a motion already: add vibrations
barycenter: "smooth", "linear", "ballistic" (under `gravity`), or (times, (k,3) points)
fixed: nodes (numbers, or a mask) clamped in the modes and held along the keys
hold: nodes held along the keys, or {node: (times, (k,3) places)}
turn: nodes whose surroundings turn as in the keys, or {node: (times, (k,3) rotation vectors)}

The body: material; thickness of a shell; surface: a TriMesh at rest that the tets carry (poses and
frames are then its vertices), surface_stiffness how strongly its poses pull at the tets (30).
residuals: "coordinates" or "positions"; seed: the element where unwrapping starts.

>>> import limber
>>> bar = limber.bar([1, 0.12, 0.12], [12, 2, 2])
>>> bent = limber.bend(bar.V, 3.0, origin=[0, 0.06, 0.06])
>>> half = limber.bend(bar.V, 1.0, origin=[0, 0.06, 0.06])
>>> limber.interpolate(bar, [bar.V, bent], [0, 1.5], modes=20, damping={0: -0.9, 19: 0.5}).shape
(46, 117, 3)
>>> limber.interpolate(bar, [bar.V, bent], [0, 1], modes=20, fps=10, insert={0.3: half}).shape
(11, 117, 3)
)";

}  // namespace

void bind_motion(py::module_& module) {
  py::options options;
  options.disable_function_signatures();
  module.def(
      "interpolate",
      [](const std::variant<TetMesh, TriMesh>& mesh, const std::vector<Positions>& poses,
         const std::vector<double>& times, int modes, double fps, const py::kwargs& arguments) {
        py::kwargs all = arguments;
        all["fps"] = fps;
        return frames_of(mesh, poses, times, modes, all);
      },
      "mesh"_a, "poses"_a, "times"_a, "modes"_a = 80, "fps"_a = 30.0, kAbout);
}

}  // namespace limber::python
