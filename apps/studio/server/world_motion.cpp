// Key poses of a scene's first body, and the motion between them (Huang et al. 2011).
#include <fmt/format.h>

#include "limber/core/error.h"
#include "limber/interpolate/motion/surface_interpolation.h"
#include "limber/mesh/read_mesh.h"
#include "server/world_simulation.h"

namespace limber::studio {

namespace {

ModeCurve sampled(const Curve& curve, int modes) {
  std::vector<double> values;
  for (int mode = 0; mode < modes; ++mode) {
    values.push_back(curve(modes > 1 ? static_cast<double>(mode) / (modes - 1) : 0.0));
  }
  return ModeCurve(std::move(values));
}

class BodyMotion : public PoseMotion {
 public:
  BodyMotion(std::shared_ptr<const PoseModes> modes, SurfaceBinding binding,
             std::vector<int> held_nodes, std::vector<Positions> poses, std::vector<double> times)
      : modes_(std::move(modes)), binding_(std::move(binding)), poses_(std::move(poses)) {
    for (const int node : held_nodes) options_.positions.push_back({node, std::nullopt});
    set_times(times);
  }

  [[nodiscard]] int mode_count() const override { return modes_->mode_count(); }

  void set_curves(const MotionCurves& curves) override {
    MotionControls& controls = options_.controls;
    controls.frequency = sampled(curves.frequency, mode_count());
    controls.damping_ratio = sampled(curves.damping, mode_count());
    controls.velocity_weight = sampled(curves.weight, mode_count());
    // γ_z + γ_ω + γ_α = 1 for every mode: what does not go into velocities is shared.
    std::vector<double> frequency, damping;
    for (int mode = 0; mode < mode_count(); ++mode) {
      const double at = mode_count() > 1 ? static_cast<double>(mode) / (mode_count() - 1) : 0.0;
      const double rest = 1 - curves.weight(at);
      frequency.push_back(rest * curves.share(at));
      damping.push_back(rest - frequency.back());
    }
    controls.frequency_weight = ModeCurve(std::move(frequency));
    controls.damping_weight = ModeCurve(std::move(damping));
    motion_->set_controls(controls);
  }

  void set_times(const std::vector<double>& times) override {
    std::vector<limber::KeyPose> keys;
    for (std::size_t k = 0; k < poses_.size(); ++k) keys.push_back({times[k], poses_[k], {}});
    motion_.emplace(modes_, keys, options_);
  }

  [[nodiscard]] Positions nodes(double time) override {
    motion_->evaluate(time, nodes_);
    return nodes_;
  }

  [[nodiscard]] Positions surface(double time) override {
    motion_->evaluate(time, nodes_);
    return bound_positions(binding_, nodes_);
  }

  [[nodiscard]] double amplitude(int mode, double time) const override {
    Vector z(mode_count());
    motion_->motion().at(time, z);
    return z[mode];
  }

  [[nodiscard]] std::vector<double> key_amplitudes(int mode) const override {
    std::vector<double> values;
    for (const ModalPose& pose : motion_->modal_keys()) values.push_back(pose.z[mode]);
    return values;
  }

 private:
  std::shared_ptr<const PoseModes> modes_;
  SurfaceBinding binding_;
  std::vector<Positions> poses_;
  InterpolationOptions options_;
  std::optional<ShapeInterpolation> motion_;
  Positions nodes_;
};

/// The body's own modes where they are enough, else new ones.
std::shared_ptr<const PoseModes> modes_for(const StudioBody& body, int wanted,
                                           const Progress& progress) {
  const ModalModel& own = body.source->modes;
  if (own.mode_count() < wanted && !body.source->baked) {
    PoseModesOptions options;
    options.modes = wanted;
    options.materials = body.description.materials;
    options.fixed_nodes = body.source->fixed_nodes;
    return pose_modes(body.source->mesh, options, progress);
  }
  const int count = std::min(wanted, own.mode_count());
  auto elements = std::make_shared<const Elements>(elements_of(body.source->mesh));
  return std::make_shared<const PoseModes>(std::move(elements), own.Phi().leftCols(count),
                                           own.eigenvalues().head(count), own.rigid_modes > 0);
}

}  // namespace

Positions WorldSimulation::pose_from_file(const std::filesystem::path& path) const {
  const StudioBody& body = parts_.bodies.front();
  const std::string name = path.filename().string();
  const auto wrong_count = [&](Eigen::Index found, Eigen::Index wanted, const char* what) {
    return Error(fmt::format("the pose has {} {} where the body has {}", found, what, wanted), name,
                 "a pose is the same mesh with its points moved");
  };
  if (is_tet_format(path)) {
    Positions nodes = read_tet_mesh(path).V;
    const Eigen::Index wanted = body.source->mesh.V.rows();
    if (nodes.rows() != wanted) throw wrong_count(nodes.rows(), wanted, "nodes");
    return nodes;
  }
  const Positions surface = read_surface(path).V;
  const TriMesh& rest = body.source->surface;
  if (surface.rows() != rest.V.rows()) {
    throw wrong_count(surface.rows(), rest.V.rows(), "vertices");
  }
  auto elements = std::make_shared<const Elements>(elements_of(body.source->mesh));
  SurfacePoser poser(std::move(elements), rest, body.source->binding);
  return poser.pose(surface, name).nodes;
}

Simulation::MotionJob WorldSimulation::make_motion(std::vector<Positions> poses,
                                                   std::vector<double> times, int modes) const {
  return [body = parts_.bodies.front(), poses = std::move(poses), times = std::move(times),
          modes](const Progress& progress) -> std::unique_ptr<PoseMotion> {
    return std::make_unique<BodyMotion>(modes_for(body, modes, progress), body.surface().binding,
                                        body.source->fixed_nodes, poses, times);
  };
}

}  // namespace limber::studio
