// The static equilibrium of a modal body.
#include <algorithm>

#include "limber/core/error.h"
#include "limber/dynamics/modal/equilibrium.h"
#include "limber/dynamics/modal/modal_body.h"

namespace limber {

/// Always with the exact sum over nodes: cubature's floats would keep Newton from converging.
SettleStatus ModalBody::settle(const SettleOptions& options) {
  const bool held = correction_ && !correction_->empty();
  if (is_free() && held) {
    throw Error("a free modal body does not settle on handles", "body",
                "settle the world that it is in");
  }
  predicted_ = false;
  forget_history();
  move_all_modes();
  if (!is_free()) frame_ = support_.at(time_);
  const std::unique_ptr<ModalShape> shape = make_shape(false);
  shape->prepare_turning();
  shape->set_groups(loads_.forces);
  const Vector zero = Vector::Zero(model_.mode_count());
  next_ = start_ = present_;
  const SampledLoads loads = sample_loads({time_, time_}, zero);
  StaticLoads statics;
  statics.largest_rotation = [&](const Vector& q) { return largest_rotation(q); };
  statics.evaluate = [&](const Vector& q, Vector& f, Eigen::MatrixXd* df) {
    evaluate(loads, q, zero, *shape, f);
    if (nonlinear_) add_nonlinear_part(q, f, df);
    if (df == nullptr) return;
    shape->add_field_jacobian(loads.field, q, *df);
    for (std::size_t k = 0; k < loads_.forces.size(); ++k) {
      const NodeForce& load = loads_.forces[k];
      const double part = share(load.from, load.to, loads.span);
      if (part == 0) continue;
      shape->add_nodal_jacobian(static_cast<int>(k), loads.to_frame * (part * load.force), q, *df);
    }
  };
  const SettleStatus status =
      held ? correction_->settle(context(time_), statics, options, present_.q)
           : find_equilibrium(model_.eigenvalues(), statics, options, present_.q);
  present_.v = zero;
  update_frame();
  if (correction_) correction_->see(*shape_, present_, held_detail_, time_);
  forget_history();
  return status;
}

/// What a reduced body's force has beyond Λq, as if it were a load.
void ModalBody::add_nonlinear_part(const Vector& q, Vector& f, Eigen::MatrixXd* df) const {
  Vector g(q.size());
  Eigen::MatrixXd K(q.size(), q.size());
  nonlinear_->elastic(q, g, df != nullptr ? &K : nullptr);
  f += model_.eigenvalues().cwiseProduct(q) - g;
  if (df == nullptr) return;
  *df -= K;
  df->diagonal() += model_.eigenvalues();
}

double ModalBody::largest_rotation(const Vector& q) const {
  if (!shape_->turns() && !nonlinear_) return 0;
  double largest = 0;
  for (int i = 0; i < model_.node_count(); ++i) {
    largest = std::max(largest, (node_Psi(model_, i) * q).norm());
  }
  return largest;
}

}  // namespace limber
