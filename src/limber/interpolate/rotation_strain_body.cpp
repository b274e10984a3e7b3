#include "limber/interpolate/rotation_strain_body.h"

#include <utility>

#include "limber/core/rotation.h"
#include "limber/interpolate/rotation_strain_shape.h"

namespace limber {

namespace {

ModalBodyOptions as_printed(ModalBodyOptions options) {
  options.method = Method::modal_warping;
  options.loads = LoadLaw::rotated;
  return options;
}

ReconstructionConstraints constraints_of(const ModalModel& body, const Elements& elements,
                                         const std::vector<HeldNode>& held) {
  ReconstructionConstraints constraints;
  for (const HeldNode& node : held) constraints.held_nodes.push_back(node.node);
  for (const int node : body.fixed_nodes) {
    if (elements.parts[node] >= 0) constraints.held_nodes.push_back(node);
  }
  return constraints;
}

}  // namespace

RotationStrainBody::RotationStrainBody(ModalModel body, ModalBodyOptions options, Loads loads,
                                       SupportMotion support, std::vector<HeldNode> held)
    : ModalBody(std::move(body), as_printed(options), std::move(loads), std::move(support)),
      held_(std::move(held)),
      elements_(std::make_shared<const Elements>(elements_of(rest_mesh(model())))),
      modes_(Eigen::MatrixXd(model().Phi())),
      reconstruction_(elements_, constraints_of(model(), *elements_, held_)),
      targets_(reconstruction_.targets_at(elements_->rest)),
      u_(modes_.padded_rows()),
      u_rate_(modes_.padded_rows()),
      local_(elements_->node_count(), 3),
      gradients_(elements_->element_count()),
      kernel_(reconstruction_) {}

void RotationStrainBody::set_targets(bool velocities) const {
  if (velocities) {
    targets_.barycentres.setZero();
    targets_.held.setZero();
  } else {
    const Positions& rest = elements_->rest;
    const std::vector<int>& nodes = reconstruction_.constraints().held_nodes;
    targets_.barycentres.setZero();
    for (std::size_t k = held_.size(); k < nodes.size(); ++k) {
      targets_.held.row(static_cast<Eigen::Index>(k)) = rest.row(nodes[k]);
    }
  }
  for (std::size_t k = 0; k < held_.size(); ++k) {
    const Path::Sample sample = held_[k].path.at(time());
    targets_.held.row(static_cast<Eigen::Index>(k)) =
        (velocities ? sample.velocity : sample.value).transpose();
  }
}

void RotationStrainBody::centre_mass(const Vec3& centre, Positions& positions) const {
  if (!is_free() || !held_.empty()) return;
  const SharedArray<double>& masses = model().mass.row_sums;
  Vec3 sum = Vec3::Zero();
  double total = 0;
  for (int node = 0; node < node_count(); ++node) {
    sum += masses[node] * positions.row(node).transpose();
    total += masses[node];
  }
  const Vec3 shift = centre - sum / total;
  for (int node = 0; node < node_count(); ++node) positions.row(node) += shift.transpose();
}

void RotationStrainBody::node_positions(Eigen::Ref<Positions> positions) const {
  modes_.multiply(q().data(), u_.data());
  reconstruction_.clear();
  kernel_.accumulate(u_.data(), Vec3::Zero(), {}, reconstruction_.rows());
  set_targets(false);
  reconstruction_.finish(targets_, local_);
  centre_mass(is_free() ? rigid_frame()->local_centre() : Vec3::Zero(), local_);
  for (int node = 0; node < node_count(); ++node) {
    const Vec3 x = local_.row(node);
    positions.row(node) = frame().to_world(x).transpose();
  }
}

/// The reconstruction is linear in the gradients, and their rates are
/// Ḟ = [R~(w) ẇ]× R (I + S) + R Ṡ with R = exp(w).
void RotationStrainBody::node_velocities(Eigen::Ref<Positions> velocities) const {
  node_positions(velocities);  // leaves the shape in local_, and u_
  const Positions shape = local_;
  modes_.multiply(v().data(), u_rate_.data());
  for (int element = 0; element < elements_->element_count(); ++element) {
    const Mat3 A = elements_->gradient_change(u_.data(), element);
    const Mat3 rate = elements_->gradient_change(u_rate_.data(), element);
    const Vec3 w = axial(A);
    const Mat3 R = rotation_exp(w);
    const Mat3 stretch = Mat3::Identity() + 0.5 * (A + A.transpose());
    gradients_[element] =
        skew(mean_rotation(w) * axial(rate)) * R * stretch + R * (0.5 * (rate + rate.transpose()));
  }
  set_targets(true);
  reconstruction_.solve(gradients_, targets_, local_);
  centre_mass(is_free() ? rigid_frame()->local_centre_rate() : Vec3::Zero(), local_);
  const FrameState& state = frame();
  for (int node = 0; node < node_count(); ++node) {
    const bool still = elements_->parts[node] < 0;
    const Vec3 relative = still ? Vec3::Zero() : Vec3(local_.row(node).transpose());
    const Vec3 x = shape.row(node);
    velocities.row(node) = (state.velocity + state.angular_velocity.cross(state.rotation * x) +
                            state.rotation * relative)
                               .transpose();
  }
}

}  // namespace limber
