#include "limber/interpolate/poses/elastic_pose.h"

#include <Eigen/QR>
#include <deque>

#include "limber/core/error.h"
#include "limber/core/rotation.h"

namespace limber {

namespace {

double body_size(const Elements& elements) {
  return (elements.rest.colwise().maxCoeff() - elements.rest.colwise().minCoeff()).norm();
}

/// Anderson mixing of a fixed-point iteration x → g(x): the combination of the last few images
/// whose steps cancel best.
class Mixing {
 public:
  [[nodiscard]] Positions next(const Positions& x, const Positions& image) {
    const Positions step = image - x;
    if (!last_step_.size()) {
      remember(image, step);
      return image;
    }
    step_changes_.push_back(step - last_step_);
    image_changes_.push_back(image - last_image_);
    if (step_changes_.size() > kWindow) {
      step_changes_.pop_front();
      image_changes_.pop_front();
    }
    remember(image, step);
    Eigen::MatrixXd D(step.size(), step_changes_.size());
    for (std::size_t k = 0; k < step_changes_.size(); ++k) D.col(k) = stacked(step_changes_[k]);
    const Vector shares = D.colPivHouseholderQr().solve(Vector(stacked(last_step_)));
    Positions mixed = image;
    for (std::size_t k = 0; k < step_changes_.size(); ++k) mixed -= shares[k] * image_changes_[k];
    return mixed;
  }

  void forget() {
    step_changes_.clear();
    image_changes_.clear();
    last_step_.resize(0, 3);
  }

 private:
  static constexpr std::size_t kWindow = 6;

  void remember(const Positions& image, const Positions& step) {
    last_image_ = image;
    last_step_ = step;
  }

  std::deque<Positions> step_changes_;
  std::deque<Positions> image_changes_;
  Positions last_image_;
  Positions last_step_;
};

}  // namespace

ElasticPose::ElasticPose(std::shared_ptr<const Elements> elements,
                         ReconstructionConstraints constraints)
    : reconstruction_(std::move(elements), std::move(constraints)),
      rotations_(reconstruction_.elements().element_count()) {}

double ElasticPose::local_step(const Positions& x, const ReconstructionTargets& targets) {
  const Elements& elements = reconstruction_.elements();
  double energy = 0;
  for (int element = 0; element < elements.element_count(); ++element) {
    const Mat3 F = elements.deformation_gradient(x, element);
    rotations_[element] = polar_rotation(F);
    energy += reconstruction_.element_weight(element) * (F - rotations_[element]).squaredNorm();
  }
  const std::vector<ReconstructionSpring>& springs = reconstruction_.constraints().springs;
  for (std::size_t k = 0; k < springs.size(); ++k) {
    Vec3 point = Vec3::Zero();
    for (int i = 0; i < 4; ++i) {
      point += springs[k].weights[i] * x.row(springs[k].nodes[i]).transpose();
    }
    energy += springs[k].stiffness * (point - targets.springs.row(k).transpose()).squaredNorm();
  }
  return energy;
}

ElasticPoseResult ElasticPose::solve(const Positions& start, const ReconstructionTargets& targets,
                                     const ElasticPoseOptions& options) {
  local_step(start, targets);
  return solve(std::vector<Mat3>(rotations_), targets, options);
}

ElasticPoseResult ElasticPose::solve(const std::vector<Mat3>& rotations,
                                     const ReconstructionTargets& targets,
                                     const ElasticPoseOptions& options) {
  const double enough = options.tolerance * body_size(reconstruction_.elements());
  ElasticPoseResult result;
  Positions x;
  Positions image;
  reconstruction_.solve(rotations, targets, x);
  Positions plain = x;  // the last image, where a mixture that went uphill returns to
  double last_energy = std::numeric_limits<double>::infinity();
  Mixing mixing;
  while (result.iterations < options.most_iterations) {
    double energy = local_step(x, targets);
    if (energy > last_energy) {
      mixing.forget();
      x = plain;
      energy = local_step(x, targets);
    }
    last_energy = energy;
    reconstruction_.solve(rotations_, targets, image);
    ++result.iterations;
    result.last_step = (image - x).rowwise().norm().maxCoeff();
    plain = image;
    result.converged = result.last_step <= enough;
    if (result.converged) break;
    x = mixing.next(x, image);
  }
  result.energy = local_step(plain, targets);
  result.positions = std::move(plain);
  return result;
}

ElasticPoseResult drag(std::shared_ptr<const Elements> elements, const Positions& pose,
                       const std::vector<DragHandle>& handles, const std::vector<int>& fixed_nodes,
                       const ElasticPoseOptions& options) {
  check_pose(*elements, pose, "pose");
  if (handles.empty()) throw Error("no handle", "drag", "name a node and where it goes");
  ReconstructionConstraints constraints;
  for (const DragHandle& handle : handles) {
    constraints.held_nodes.push_back(handle.node);
    if (!handle.target.allFinite()) {
      throw Error("a target that is not finite", "drag", "give three numbers");
    }
  }
  for (const int node : fixed_nodes) constraints.held_nodes.push_back(node);
  ElasticPose solver(std::move(elements), std::move(constraints));
  ReconstructionTargets targets = solver.reconstruction().targets_at(pose);
  for (std::size_t k = 0; k < handles.size(); ++k) {
    targets.held.row(k) = handles[k].target.transpose();
  }
  return solver.solve(pose, targets, options);
}

}  // namespace limber
