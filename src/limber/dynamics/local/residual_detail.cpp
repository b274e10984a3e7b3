#include "limber/dynamics/local/residual_detail.h"

#include <algorithm>
#include <cmath>

#include "limber/core/error.h"

namespace limber {

ResidualDetail::ResidualDetail(ResidualModes modes, const LocalOptions& options, double size)
    : modes_(std::move(modes)),
      options_((check(options), with_least_tolerance(options))),
      size_(size),
      awake_(modes_.contact_node_count(), options),
      system_(modes_, std::min(options.max_nodes, modes_.contact_node_count())) {
  const int count = modes_.contact_node_count();
  options_.max_nodes = std::min(options.max_nodes, count);
  for (Vector* vector : {&present_.y, &present_.rate, &next_.y, &next_.rate, &before_.y,
                         &before_.rate, &start_, &change_, &scratch_, &s_, &s_rate_}) {
    vector->setZero(3 * options_.max_nodes);
  }
  const auto all = static_cast<std::size_t>(count);
  field_.assign(all, Vec3::Zero());
  field_rates_.assign(all, Vec3::Zero());
  touch_weights_.assign(all, 0);
  left_.assign(all, Vec3::Zero());
  nodes_before_.reserve(static_cast<std::size_t>(options_.max_nodes));
  calm_.reserve(static_cast<std::size_t>(options_.max_nodes));
  kept_.reserve(static_cast<std::size_t>(options_.max_nodes));
  // Pairs by their second node: counted, then filled.
  lower_offsets_.assign(all + 1, 0);
  for (int i = 0; i < count; ++i) {
    for (auto pair = modes_.offsets[i] + 1; pair < modes_.offsets[i + 1]; ++pair)
      ++lower_offsets_[static_cast<std::size_t>(modes_.columns[pair]) + 1];
  }
  for (std::size_t j = 0; j < all; ++j) lower_offsets_[j + 1] += lower_offsets_[j];
  lower_pairs_.resize(static_cast<std::size_t>(lower_offsets_.back()));
  lower_rows_.resize(lower_pairs_.size());
  std::vector<std::int32_t> filled(lower_offsets_.begin(), lower_offsets_.end() - 1);
  for (int i = 0; i < count; ++i) {
    for (auto pair = modes_.offsets[i] + 1; pair < modes_.offsets[i + 1]; ++pair) {
      const auto at =
          static_cast<std::size_t>(filled[static_cast<std::size_t>(modes_.columns[pair])]++);
      lower_pairs_[at] = pair;
      lower_rows_[at] = i;
    }
  }
}

void ResidualDetail::set_damping(const Damping& damping) {
  damping_ = damping;
  if (awake_.size() > 0) carry_over(h_);
}

Vector ResidualDetail::amplitudes() const {
  Vector s(3 * awake_.size());
  find_amplitudes(s);
  return s;
}

void ResidualDetail::find_amplitudes(Eigen::Ref<Vector> s) const {
  if (s.size() == 0) return;
  s = used(seen().y);
  system_.to_amplitudes(s);
}

/// The state is kept as y = Lᵀs, which belongs to one length of step.
void ResidualDetail::prepare(double h) {
  if (h == h_ || awake_.size() == 0) return;
  carry_over(h);
}

/// The same amplitudes s for the nodes that stay, with the matrices of the nodes that there are now
/// and of steps of h seconds. kept_ is their former place, or empty where the nodes are the same.
void ResidualDetail::carry_over(double h) {
  State& state = present_;
  const Eigen::Index old_size = system_.size();
  if (old_size > 0) {
    system_.to_amplitudes(state.y.head(old_size));
    system_.to_amplitudes(state.rate.head(old_size));
  }
  if (!kept_.empty()) {
    before_ = state;
    for (std::size_t k = 0; k < kept_.size(); ++k) {
      const auto to = 3 * static_cast<Eigen::Index>(k),
                 from = 3 * static_cast<Eigen::Index>(kept_[k]);
      for (auto [now, then] :
           {std::pair(&state.y, &before_.y), std::pair(&state.rate, &before_.rate)}) {
        if (kept_[k] < 0) {
          now->segment<3>(to).setZero();
        } else {
          now->segment<3>(to) = then->segment<3>(from);
        }
      }
    }
  }
  kept_.clear();
  const Eigen::Index size = 3 * awake_.size();
  for (Vector* vector : {&state.y, &state.rate}) vector->tail(vector->size() - size).setZero();
  h_ = h;
  system_.set(awake_.nodes(), h, damping_);
  if (size == 0) return;
  system_.from_amplitudes(used(state.y), scratch_.head(size));
  system_.from_amplitudes(used(state.rate), scratch_.head(size));
}

/// Rows come no more when nothing touches: then nodes rest by themselves.
void ResidualDetail::rest_untouched(double h) {
  if (awake_.size() == 0 || untouched_ < std::max(options_.release_time, kLongestFrame)) return;
  find_calm();
  if (awake_.update({}, calm_, awake_.size(), kept_)) {
    carry_over(h);
    field_known_ = false;
  }
  kept_.clear();
}

void ResidualDetail::predict(double h) noexcept {
  rest_untouched(h);
  predicted_ = true;
  step_ = h;
  prepare(h);
  next_ = present_;
  if (awake_.size() == 0) return;
  system_.advance(used(next_.y), used(next_.rate), scratch_.head(3 * awake_.size()));
  field_known_ = false;
}

void ResidualDetail::commit() noexcept {
  predicted_ = false;
  room_ = -1;
  untouched_ += step_;
  if (awake_.size() == 0) return;
  std::swap(present_.y, next_.y);
  std::swap(present_.rate, next_.rate);
  awake_.pass(step_);
}

void ResidualDetail::cancel() noexcept {
  predicted_ = false;
  room_ = -1;
  field_known_ = false;
}

void ResidualDetail::reserve_rows(int rows) {
  rows_.setZero(std::max<Eigen::Index>(rows, rows_.rows()), 3 * options_.max_nodes);
  // Four nodes a row, four sources each; the three rows of a contact share them.
  touched_.reserve(16 * static_cast<std::size_t>(rows));
}

/// Contact nodes by how much of the rows they carry.
void ResidualDetail::choose(std::span<const DetailRow> rows, int room, double h) {
  touched_.clear();
  for (const DetailRow& row : rows) {
    for (std::size_t k = 0; k < 4; ++k) {
      const double share = row.gradients[k].squaredNorm();
      if (share == 0) continue;
      const auto first = static_cast<std::size_t>(ResidualModes::kSources) *
                         static_cast<std::size_t>(row.nodes[k]);
      for (std::size_t source = 0; source < ResidualModes::kSources; ++source) {
        const std::int32_t node = modes_.sources[first + source];
        if (node < 0) break;
        double& weight = touch_weights_[static_cast<std::size_t>(node)];
        if (weight == 0) touched_.push_back({node, 0});
        weight += share * modes_.weights[first + source];
      }
    }
  }
  for (TouchedNode& one : touched_)
    one.weight = std::exchange(touch_weights_[static_cast<std::size_t>(one.node)], 0);
  find_calm();
  if (awake_.update(touched_, calm_, room, kept_)) {
    carry_over(h);
    field_known_ = false;
  } else {
    kept_.clear();
    prepare(h);
  }
}

void ResidualDetail::find_calm() {
  const auto size = static_cast<std::size_t>(awake_.size());
  calm_.assign(size, 0);
  if (size == 0) return;
  s_.head(system_.size()) = used(present_.y);
  s_rate_.head(system_.size()) = used(present_.rate);
  system_.to_amplitudes(s_.head(system_.size()));
  system_.to_amplitudes(s_rate_.head(system_.size()));
  const double least = kCalm * options_.tolerance * size_;
  for (std::size_t k = 0; k < size; ++k) {
    const int node = awake_.nodes()[k];
    const auto K = modes_.K_block(modes_.offsets[static_cast<std::size_t>(node)]);
    const auto at = 3 * static_cast<Eigen::Index>(k);
    const Vec3 d = K * s_.segment<3>(at), rate = K * s_rate_.segment<3>(at);
    calm_[k] = d.norm() <= least && h_ * rate.norm() <= least;
  }
}

void ResidualDetail::write_row(const DetailRow& row, Eigen::Ref<Vector> result) const {
  result.setZero();
  bool others = false;  // nodes that have no modes of their own
  scratch_.head(result.size()).setZero();
  for (std::size_t k = 0; k < 4; ++k) {
    if (row.gradients[k].isZero(0)) continue;
    const auto first =
        static_cast<std::size_t>(ResidualModes::kSources) * static_cast<std::size_t>(row.nodes[k]);
    for (std::size_t source = 0; source < ResidualModes::kSources; ++source) {
      const std::int32_t node = modes_.sources[first + source];
      if (node < 0) break;
      const Vec3 g = modes_.weights[first + source] * row.gradients[k];
      if (const int at = awake_.place(node); at >= 0) {
        result.noalias() += system_.T().middleRows<3>(3 * at).transpose() * g;
        continue;
      }
      others = true;
      for (int other = 0; other < awake_.size(); ++other) {
        const int awake = awake_.nodes()[static_cast<std::size_t>(other)];
        const std::ptrdiff_t pair = modes_.find(std::min(node, awake), std::max(node, awake));
        if (pair < 0) continue;
        const auto K = modes_.K_block(pair);
        if (node < awake) {
          scratch_.segment<3>(3 * other) += K.transpose() * g;
        } else {
          scratch_.segment<3>(3 * other) += K * g;
        }
      }
    }
  }
  if (!others) return;
  system_.to_scaled(scratch_.head(result.size()));
  result += scratch_.head(result.size());
}

void ResidualDetail::set_rows(std::span<const DetailRow> rows, double h, float* scaled,
                              std::ptrdiff_t stride) noexcept {
  untouched_ = 0;
  room_ = row_length(static_cast<int>(rows.size())) / 3;
  choose(rows, room_, h);
  row_count_ = static_cast<int>(rows.size());
  start_ = seen().y;
  const Eigen::Index size = 3 * awake_.size();
  for (int i = 0; i < row_count_; ++i) {
    float* const out = scaled + i * stride;
    if (size > 0) write_row(rows[static_cast<std::size_t>(i)], change_.head(size));
    rows_.row(i).head(size) = change_.head(size).transpose();
    for (Eigen::Index k = 0; k < size; ++k) out[k] = static_cast<float>(change_[k]);
    std::fill(out + size, out + 3 * room_, 0.0F);
  }
}

void ResidualDetail::scaled_motion(float* velocity, float* displacement) const noexcept {
  const State& state = seen();
  for (Eigen::Index k = 0; k < 3 * awake_.size(); ++k) {
    velocity[k] = static_cast<float>(state.rate[k]);
    displacement[k] = static_cast<float>(state.y[k] - start_[k]);
  }
}

void ResidualDetail::apply(std::span<const double> impulses, bool move) noexcept {
  if (awake_.size() == 0) return;
  const Eigen::Index size = 3 * awake_.size();
  auto change = change_.head(size);
  change.setZero();
  for (int i = 0; i < row_count_; ++i) {
    const double p = impulses[static_cast<std::size_t>(i)];
    if (p != 0) change += p * rows_.row(i).head(size).transpose();
  }
  State& state = seen();
  used(state.rate) += change;
  if (move) used(state.y) += h_ * change;
  field_known_ = false;
}

/// d of all contact nodes: Σ_j χ_j s_j.
void ResidualDetail::update_field() const {
  if (field_known_) return;
  field_known_ = true;
  if (!shows() && field_zero_) return;
  std::copy(left_.begin(), left_.end(), field_.begin());
  std::fill(field_rates_.begin(), field_rates_.end(), Vec3::Zero());
  field_zero_ = !shows();
  if (awake_.size() == 0) return;
  const Eigen::Index size = system_.size();
  s_.head(size) = used(seen().y);
  s_rate_.head(size) = used(seen().rate);
  system_.to_amplitudes(s_.head(size));
  system_.to_amplitudes(s_rate_.head(size));
  for (int k = 0; k < awake_.size(); ++k) {
    const auto j = static_cast<std::size_t>(awake_.nodes()[static_cast<std::size_t>(k)]);
    const Vec3 s = s_.segment<3>(3 * k), rate = s_rate_.segment<3>(3 * k);
    add_field(static_cast<int>(j), s, field_);
    add_field(static_cast<int>(j), rate, field_rates_);
  }
}

/// χ_j s.
void ResidualDetail::add_field(int contact_node, const Vec3& s, std::vector<Vec3>& field) const {
  const auto j = static_cast<std::size_t>(contact_node);
  for (auto pair = modes_.offsets[j]; pair < modes_.offsets[j + 1]; ++pair) {
    const auto i = static_cast<std::size_t>(modes_.columns[static_cast<std::size_t>(pair)]);
    field[i] += modes_.K_block(pair).transpose() * s;
  }
  for (auto entry = static_cast<std::size_t>(lower_offsets_[j]);
       entry < static_cast<std::size_t>(lower_offsets_[j + 1]); ++entry) {
    field[static_cast<std::size_t>(lower_rows_[entry])] += modes_.K_block(lower_pairs_[entry]) * s;
  }
}

void ResidualDetail::fade(double h) noexcept {
  constexpr double kFadeTime = 0.2;  // s
  constexpr double kMost = 0.1;      // a step
  if (has_left_) {
    double longest = 0;
    for (Vec3& d : left_) {
      d *= 1 - std::min(h / kFadeTime, kMost);
      longest = std::max(longest, d.squaredNorm());
    }
    has_left_ = std::sqrt(longest) > kCalm * options_.tolerance * size_;
    if (!has_left_) std::fill(left_.begin(), left_.end(), Vec3::Zero());
    field_known_ = false;
  }
  if (awake_.size() > awake_.most()) shed();
}

/// Nodes beyond the most that there may be leave at once; what they displaced stays, to fade.
void ResidualDetail::shed() {
  nodes_before_.assign(awake_.nodes().begin(), awake_.nodes().end());
  const Eigen::Index size = system_.size();
  s_.head(size) = present_.y.head(size);
  system_.to_amplitudes(s_.head(size));
  if (!awake_.drop_beyond(kept_)) return;
  std::size_t stays = 0;  // kept_ is in order
  for (std::size_t k = 0; k < nodes_before_.size(); ++k) {
    if (stays < kept_.size() && kept_[stays] == static_cast<int>(k)) {
      ++stays;
    } else {
      add_field(nodes_before_[k], s_.segment<3>(3 * static_cast<Eigen::Index>(k)), left_);
      has_left_ = true;
    }
  }
  carry_over(h_);
  field_known_ = false;
}

namespace {

Vec3 from_sources(const ResidualModes& modes, int node, const std::vector<Vec3>& field) {
  Vec3 sum = Vec3::Zero();
  const auto first =
      static_cast<std::size_t>(ResidualModes::kSources) * static_cast<std::size_t>(node);
  for (std::size_t k = first; k < first + ResidualModes::kSources; ++k) {
    if (modes.sources[k] < 0) break;
    sum += modes.weights[k] * field[static_cast<std::size_t>(modes.sources[k])];
  }
  return sum;
}

}  // namespace

Vec3 ResidualDetail::displacement(int node) const noexcept {
  update_field();
  return from_sources(modes_, node, field_);
}

Vec3 ResidualDetail::velocity(int node) const noexcept {
  update_field();
  return from_sources(modes_, node, field_rates_);
}

double ResidualDetail::kinetic_energy() const {
  return awake_.size() == 0 ? 0 : system_.kinetic_energy(used(seen().rate));
}

double ResidualDetail::elastic_energy() const {
  return awake_.size() == 0 ? 0 : system_.elastic_energy(used(seen().y));
}

void ResidualDetail::stand_still() {
  seen().rate.setZero();
  field_known_ = false;
}

void ResidualDetail::clear() {
  awake_.clear();
  kept_.clear();
  for (State* state : {&present_, &next_}) {
    state->y.setZero();
    state->rate.setZero();
  }
  system_.set({}, h_, damping_);
  std::fill(left_.begin(), left_.end(), Vec3::Zero());
  has_left_ = false;
  row_count_ = 0;
  room_ = -1;
  field_known_ = false;
}

void ResidualDetail::archive(StateArchive& state) {
  awake_.archive(state);
  state.value(h_);
  state.value(untouched_);
  state.numbers(present_.y);
  state.numbers(present_.rate);
  state.value(has_left_);
  if (has_left_) {
    state.list(left_);
  } else if (state.is_loading()) {
    std::fill(left_.begin(), left_.end(), Vec3::Zero());
  }
  if (!state.is_loading()) return;
  predicted_ = false;
  row_count_ = 0;
  room_ = -1;
  system_.set(awake_.nodes(), h_, damping_);
  field_known_ = false;
}

}  // namespace limber
