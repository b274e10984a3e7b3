#include "limber/dynamics/rings/corotational_detail.h"

#include <algorithm>

#include "limber/dynamics/modal/warp.h"

namespace limber {

CorotationalDetail::CorotationalDetail(const TetMesh& mesh, const Materials& materials,
                                       const ModalModel& model, ResidualModes modes,
                                       const LocalOptions& options, std::span<const int> excluded,
                                       MassKind mass)
    : model_(model),
      modes_(modes),
      rows_(mesh, materials, mass),
      field_(rows_, never_local(mesh, model, excluded), options, size_of(mesh)),
      flexibility_(mesh, materials, model, mass),
      linear_(std::move(modes), options, size_of(mesh)),
      elements_(mesh, materials, model, rows_),
      q_(Vector::Zero(model.mode_count())) {
  const int most = std::min(options.max_nodes, modes_.contact_node_count());
  s_.setZero(3 * most);
}

int CorotationalDetail::node_count() const {
  return std::max(linear_.node_count(), static_cast<int>(field_.nodes().size()));
}

void CorotationalDetail::set_damping(const Damping& damping) {
  linear_.set_damping(damping);
  field_.set_damping(damping);
}

/// The region follows the nodes that are awake.
void CorotationalDetail::follow(double h) {
  const bool changed = !std::ranges::equal(linear_.awake(), awake_);
  if (changed) find_columns();
  if (field_.update(seeds_, changed, h)) elements_.set_nodes(field_.local_nodes());
}

/// χ of nodes that have woken; those that stay keep theirs.
void CorotationalDetail::find_columns() {
  std::vector<Eigen::MatrixXd> columns;
  seeds_.clear();
  for (const int contact : linear_.awake()) {
    const std::int32_t node = modes_.contact_nodes[static_cast<std::size_t>(contact)];
    seeds_.push_back(node);
    const auto known = std::find(awake_.begin(), awake_.end(), contact);
    if (known != awake_.end()) {
      columns.push_back(std::move(columns_[static_cast<std::size_t>(known - awake_.begin())]));
      continue;
    }
    Eigen::MatrixXd X = flexibility_.unit_forces({&node, 1});
    flexibility_.apply(X);
    columns.push_back(flexibility_.free().expand(X));
  }
  columns_ = std::move(columns);
  awake_.assign(linear_.awake().begin(), linear_.awake().end());
}

void CorotationalDetail::find_forces() {
  const auto awake = static_cast<Eigen::Index>(awake_.size());
  linear_.find_amplitudes(s_.head(3 * awake));
  for (const int node : elements_.nodes()) {
    Vec3 u = node_Phi(model_, node) * q_ + field_.displacement(node);
    for (Eigen::Index k = 0; k < awake; ++k)
      u.noalias() +=
          columns_[static_cast<std::size_t>(k)].middleRows<3>(3 * node) * s_.segment<3>(3 * k);
    elements_.set_displacement(node, u);
  }
  elements_.law_difference(q_, field_.forces());
}

void CorotationalDetail::predict(double h) noexcept {
  follow(h);
  if (field_.local_count() > 0) find_forces();
  linear_.predict(h);
  field_.predict(h);
}

void CorotationalDetail::commit() noexcept {
  linear_.commit();
  if (!field_.commit()) elements_.set_nodes({});
}

void CorotationalDetail::cancel() noexcept {
  linear_.cancel();
  field_.cancel();
}

void CorotationalDetail::set_rows(std::span<const DetailRow> rows, double h, float* scaled,
                                  std::ptrdiff_t stride) noexcept {
  linear_.set_rows(rows, h, scaled, stride);
  follow(h);
}

void CorotationalDetail::stand_still() {
  linear_.stand_still();
  field_.stand_still();
}

void CorotationalDetail::clear() {
  linear_.clear();
  field_.clear();
  elements_.set_nodes({});
  awake_.clear();
  seeds_.clear();
  columns_.clear();
}

void CorotationalDetail::archive(StateArchive& state) {
  linear_.archive(state);
  field_.archive(state);
  state.numbers(q_);
  if (!state.is_loading()) return;
  if (!std::ranges::equal(linear_.awake(), awake_)) find_columns();
  elements_.set_nodes(field_.local_nodes());
}

}  // namespace limber
