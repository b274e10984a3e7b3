// Residual modes under handles.
#include <algorithm>

#include "limber/dynamics/local/residual_detail.h"

namespace limber {

namespace {

/// Calls visit(contact node, weight) for what a node of the body takes its detail from.
template <class Visit>
void for_each_source(const ResidualModes& modes, int node, const Visit& visit) {
  const auto first =
      static_cast<std::size_t>(ResidualModes::kSources) * static_cast<std::size_t>(node);
  for (std::size_t k = first; k < first + ResidualModes::kSources; ++k) {
    if (modes.sources[k] < 0) break;
    visit(modes.sources[k], modes.weights[k]);
  }
}

}  // namespace

void ResidualDetail::hold(std::span<const std::int32_t> nodes) {
  held_.clear();
  for (const std::int32_t node : nodes)
    for_each_source(modes_, node, [&](int contact, double) { held_.push_back(contact); });
  awake_.pin(held_);
}

void ResidualDetail::wake_held(double h) {
  if (awake_.has_pinned()) return;
  find_calm();
  if (awake_.update({}, calm_, options_.max_nodes, kept_)) {
    carry_over(h);
    field_known_ = false;
  }
  kept_.clear();
}

void ResidualDetail::push(const Eigen::Ref<const Vector>& change, bool move) noexcept {
  if (awake_.size() == 0) return;
  State& state = seen();
  used(state.rate) += change;
  if (move) used(state.y) += h_ * change;
  field_known_ = false;
}

/// Between nodes that have no modes of their own too: forces on them act on their sources.
Mat3 ResidualDetail::flexibility(int at, int from) const {
  Mat3 sum = Mat3::Zero();
  for_each_source(modes_, at, [&](int i, double at_weight) {
    for_each_source(modes_, from, [&](int j, double from_weight) {
      if (awake_.place(j) < 0) return;  // no room for it: its forces make no dent
      const std::ptrdiff_t pair = modes_.find(std::min(i, j), std::max(i, j));
      if (pair < 0) return;
      const Mat3 K = modes_.K_block(pair);
      sum += at_weight * from_weight * (i <= j ? K : Mat3(K.transpose()));
    });
  });
  return sum;
}

/// s = f, see residual_modes.h.
void ResidualDetail::rest_under(std::span<const std::int32_t> nodes, std::span<const Vec3> forces) {
  present_.y.setZero();
  present_.rate.setZero();
  predicted_ = false;
  field_known_ = false;
  if (awake_.size() == 0) return;
  for (std::size_t k = 0; k < nodes.size(); ++k) {
    for_each_source(modes_, nodes[k], [&](int contact, double weight) {
      if (const int place = awake_.place(contact); place >= 0)
        present_.y.segment<3>(3 * place) += weight * forces[k];
    });
  }
  system_.from_amplitudes(used(present_.y), scratch_.head(length()));
}

}  // namespace limber
