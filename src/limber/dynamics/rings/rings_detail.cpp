#include "limber/dynamics/rings/rings_detail.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <utility>

namespace limber {

RingsDetail::RingsDetail(const TetMesh& mesh, const Materials& materials, const ModalModel& model,
                         const LocalOptions& options, std::span<const int> excluded, MassKind mass)
    : rows_((check(options), mesh), materials, mass),
      options_(options),
      seeds_(mesh.node_count(), options),
      field_(rows_, never_local(mesh, model, excluded), options, size_of(mesh)),
      share_(rows_, model),
      touch_weights_(static_cast<std::size_t>(mesh.node_count()), 0) {
  options_.max_nodes = std::min(options.max_nodes, mesh.node_count());
  const Eigen::Index most = 3 * options_.max_nodes;
  along_.setZero(most, share_.count());
  W_.setZero(most, most);
  start_.setZero(most);
  seed_values_.setZero(most);
  modal_.setZero(share_.count());
  taken_.setZero(share_.count());
  kept_.reserve(static_cast<std::size_t>(options_.max_nodes));
  calm_.reserve(static_cast<std::size_t>(options_.max_nodes));
}

void RingsDetail::set_damping(const Damping& damping) {
  field_.set_damping(damping);
  compliance_known_ = false;
}

void RingsDetail::set_rings(int rings) {
  LocalOptions options = options_;
  options.rings = rings;
  check(options);
  field_.set_rings(rings);
}

// A step.

void RingsDetail::predict(double h) noexcept {
  step_ = h;
  rest_untouched(h);
  taken_.setZero();
  if (field_.system().h() != h) compliance_known_ = false;
  field_.predict(h);
}

void RingsDetail::commit() noexcept {
  room_ = -1;
  if (!field_.commit()) seeds_.clear();  // the modes go on alone
  seeds_.pass(step_);
  untouched_ += step_;
}

void RingsDetail::cancel() noexcept {
  field_.cancel();
  room_ = -1;
}

// Who is local.

void RingsDetail::reserve_rows(int rows) {
  detail_rows_.reserve(static_cast<std::size_t>(rows));
  touched_.reserve(4 * static_cast<std::size_t>(rows));
}

void RingsDetail::choose(std::span<const DetailRow> rows, int room, double h) {
  touched_.clear();
  for (const DetailRow& row : rows) {
    for (std::size_t k = 0; k < 4; ++k) {
      const double share = row.gradients[k].squaredNorm();
      if (share == 0 || !field_.may_be_local(row.nodes[k])) continue;
      double& weight = touch_weights_[static_cast<std::size_t>(row.nodes[k])];
      if (weight == 0) touched_.push_back({row.nodes[k], 0});
      weight += share;
    }
  }
  for (TouchedNode& one : touched_)
    one.weight = std::exchange(touch_weights_[static_cast<std::size_t>(one.node)], 0);
  update_region(touched_, room, h);
}

void RingsDetail::update_region(std::span<TouchedNode> touched, int room, double h) {
  calm_.clear();
  for (const int node : seeds_.nodes()) calm_.push_back(field_.is_calm(node, h) ? 1 : 0);
  const bool seeds_changed = seeds_.update(touched, calm_, room, kept_);
  const auto acts = [this](int node) { return Vec3(-share_.MPhi(node) * taken_); };
  if (field_.update(seeds_.nodes(), seeds_changed, h, acts) || seeds_changed)
    compliance_known_ = false;
}

/// Rows come no more when nothing touches: then the region rests by itself. Rows may be set for all
/// substeps of a frame, so this waits for longer than a frame.
void RingsDetail::rest_untouched(double h) {
  if (untouched_ < std::max(options_.release_time, kLongestFrame)) return;
  update_region({}, seeds_.size(), h);
}

// What contacts see.

void RingsDetail::update_compliance() {
  if (compliance_known_) return;
  compliance_known_ = true;
  RingSystem& system = field_.system();
  system.factor();  // three solves a seed: more than it costs
  for (int j = 0; j < seeds_.size(); ++j) {
    system.solve_unit(field_.place(seed(j)), columns_);
    auto along = along_.middleRows<3>(3 * j);
    along.setZero();
    for (int i = 0; i < field_.local_count(); ++i) {
      const int node = field_.nodes()[static_cast<std::size_t>(i)];
      along += columns_.middleRows<3>(3 * i).transpose() * share_.MPhi(node);
    }
    for (int i = 0; i < seeds_.size(); ++i)
      W_.block<3, 3>(3 * i, 3 * j) = columns_.middleRows<3>(3 * field_.place(seed(i)));
  }
  for (int j = 0; j < seeds_.size(); ++j) {
    for (int i = 0; i < seeds_.size(); ++i)
      W_.block<3, 3>(3 * i, 3 * j) -= along_.middleRows<3>(3 * i) * share_.Phi(seed(j)).transpose();
  }
  factor_compliance();
}

/// Of the symmetric part; what the modes take may leave it slightly indefinite, and a little more
/// on its diagonal then serves. Where the modes leave nothing at all, it is zero.
void RingsDetail::factor_compliance() {
  constexpr double kFirstShift = 1e-9;
  const Eigen::Index size = 3 * seeds_.size();
  if (size == 0) return;
  auto L = W_.topLeftCorner(size, size);
  const Eigen::MatrixXd W = (L + L.transpose()) / 2;
  const double largest = W.diagonal().maxCoeff();
  L.setZero();
  if (!(largest > 0) || !field_.system().is_factored()) return;
  for (double shift = kFirstShift; shift < 1; shift *= 10) {
    const Eigen::LLT<Eigen::MatrixXd> llt(W + shift * largest *
                                                  Eigen::MatrixXd::Identity(size, size));
    if (llt.info() != Eigen::Success) continue;
    L = llt.matrixL();
    return;
  }
}

void RingsDetail::set_rows(std::span<const DetailRow> rows, double h, float* scaled,
                           std::ptrdiff_t stride) noexcept {
  untouched_ = 0;
  room_ = row_length(static_cast<int>(rows.size())) / 3;
  choose(rows, room_, h);
  if (field_.set_step(h) || !is_factored()) compliance_known_ = false;
  update_compliance();
  detail_rows_.assign(rows.begin(), rows.end());
  const Eigen::Index size = 3 * seeds_.size();
  const auto L = W_.topLeftCorner(size, size);
  auto along = seed_values_.head(size);
  float* out = scaled;
  for (const DetailRow& row : rows) {
    along.setZero();
    for (std::size_t k = 0; k < 4; ++k) {
      const int at = seeds_.place(row.nodes[k]);
      if (at >= 0 && !row.gradients[k].isZero(0))
        along.noalias() += L.middleRows<3>(3 * at).transpose() * row.gradients[k];
    }
    for (Eigen::Index k = 0; k < size; ++k) out[k] = static_cast<float>(along[k]);
    std::fill(out + size, out + 3 * room_, 0.0F);
    out += stride;
  }
  for (int k = 0; k < seeds_.size(); ++k) start_.segment<3>(3 * k) = displacement(seed(k));
}

/// L⁻¹ of what the seeds do.
void RingsDetail::scaled_motion(float* velocity, float* displacement) const noexcept {
  const Eigen::Index size = 3 * seeds_.size();
  if (size == 0) return;
  const auto L = W_.topLeftCorner(size, size);
  auto values = seed_values_.head(size);
  const auto write = [&](float* out) {
    if (L(0, 0) == 0) {
      values.setZero();  // the modes leave nothing out
    } else {
      L.triangularView<Eigen::Lower>().solveInPlace(values);
    }
    for (Eigen::Index k = 0; k < size; ++k) out[k] = static_cast<float>(values[k]);
  };
  for (int k = 0; k < seeds_.size(); ++k) values.segment<3>(3 * k) = field_.velocity(seed(k));
  write(velocity);
  for (int k = 0; k < seeds_.size(); ++k)
    values.segment<3>(3 * k) = field_.displacement(seed(k)) - start_.segment<3>(3 * k);
  write(displacement);
}

/// r = f − MΦ(Φᵀf) on the local nodes.
void RingsDetail::apply(std::span<const double> impulses, bool move) noexcept {
  if (seeds_.size() == 0) return;
  Vector& load = field_.load();
  load.setZero();
  modal_.setZero();
  bool any = false;
  for (std::size_t i = 0; i < detail_rows_.size(); ++i) {
    if (impulses[i] == 0) continue;
    const DetailRow& row = detail_rows_[i];
    for (std::size_t k = 0; k < 4; ++k) {
      if (row.gradients[k].isZero(0) || seeds_.place(row.nodes[k]) < 0) continue;
      const Vec3 f = impulses[i] * row.gradients[k];
      load.segment<3>(3 * field_.place(row.nodes[k])) += f;
      modal_.noalias() += share_.Phi(row.nodes[k]).transpose() * f;
      any = true;
    }
  }
  if (!any) return;
  taken_ += modal_ / field_.system().h();
  for (int i = 0; i < field_.local_count(); ++i)
    load.segment<3>(3 * i).noalias() -=
        share_.MPhi(field_.nodes()[static_cast<std::size_t>(i)]) * modal_;
  field_.push(move);
}

void RingsDetail::clear() {
  seeds_.clear();
  field_.clear();
  taken_.setZero();
  detail_rows_.clear();
  compliance_known_ = false;
  room_ = -1;
}

void RingsDetail::archive(StateArchive& state) {
  bool known = compliance_known_;
  seeds_.archive(state);
  field_.archive(state);
  state.numbers(taken_);
  state.value(untouched_);
  state.value(known);
  if (!state.is_loading()) return;
  detail_rows_.clear();
  room_ = -1;
  compliance_known_ = false;
  if (known && is_factored()) update_compliance();
}

}  // namespace limber
