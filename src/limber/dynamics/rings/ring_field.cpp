#include "limber/dynamics/rings/ring_field.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace limber {

namespace {

constexpr double kFadeTime = 0.2;  // s; what a change of the region leaves is seen to slide
constexpr double kLookTime = 0.1;  // s, between looks for nodes that have become calm

}  // namespace

RingField::RingField(const NodalRows& rows, std::span<const int> never,
                     const LocalOptions& options, double size)
    : rows_(rows),
      region_(rows, never),
      system_(rows),
      least_(kCalm * with_least_tolerance(options).tolerance * size),
      rings_(options.rings),
      places_(static_cast<std::size_t>(rows.node_count()), -1) {
  for (std::vector<int>* list : {&nodes_, &local_, &next_nodes_}) list->reserve(places_.size());
}

void RingField::set_damping(const Damping& damping) {
  damping_ = damping;
  if (!empty() && system_.h() > 0) system_.set_step(system_.h(), damping);
}

void RingField::set_rings(int rings) {
  fewer_rings_ = fewer_rings_ || rings < rings_;
  rings_ = rings;
  unchanged_ = std::numeric_limits<double>::infinity();  // look at once
}

bool RingField::is_calm(int node, double h) const {
  const int at = place(node);
  return at < 0 || (present_.d.segment<3>(3 * at).norm() <= least_ &&
                    h * present_.rate.segment<3>(3 * at).norm() <= least_);
}

// A step.

bool RingField::set_step(double h) {
  const bool same = system_.h() == h;
  system_.set_step(h, damping_);
  return !same;
}

void RingField::predict(double h) {
  predicted_ = true;
  step_ = h;
  if (empty()) return;
  const bool same_step = !set_step(h);
  if (!fresh_ && same_step) system_.factor();
  fresh_ = false;
  // At most a tenth in a step, however long it is.
  kept_ = std::max(std::exp(-h / kFadeTime), 0.9);
  const Eigen::Index local = local_size(), fading = present_.d.size() - local;
  fading_rate_ = (kept_ - 1) / h * present_.d.tail(fading);
  system_.left_over(present_.d, present_.rate, fading_rate_, load_);
  load_ += h * (kept_ * reaction_ + forces_);
  system_.solve(load_, present_.rate.head(local));
  next_.rate.head(local) = load_;
  next_.rate.tail(fading) = fading_rate_;
  next_.d = present_.d + h * next_.rate;
}

bool RingField::commit() {
  predicted_ = false;
  if (empty()) return true;
  present_.d.swap(next_.d);
  present_.rate.swap(next_.rate);
  reaction_ *= kept_;
  unchanged_ += step_;
  if (present_.d.allFinite() && present_.rate.allFinite()) return true;
  clear();
  return false;
}

void RingField::push(bool move) {
  system_.solve(load_);
  State& state = seen();
  state.rate.head(local_size()) += load_;
  if (move) state.d.head(local_size()) += system_.h() * load_;
}

// The region.

bool RingField::update(std::span<const int> seeds, bool seeds_changed, double h,
                       const std::function<Vec3(int)>& acts) {
  if (!seeds_changed && unchanged_ < kLookTime) return false;
  unchanged_ = 0;
  const std::span<const int> around = region_.around(seeds, rings_);
  local_.assign(around.begin(), around.end());
  if (!fewer_rings_) {
    for (const int node : local_nodes()) {
      if (!is_calm(node, h) && !std::binary_search(around.begin(), around.end(), node))
        local_.push_back(node);
    }
    std::sort(local_.begin(), local_.end());
  }
  fewer_rings_ = false;
  const bool faded = std::any_of(fading_nodes().begin(), fading_nodes().end(),
                                 [&](int node) { return is_calm(node, h); });
  if (!faded && std::ranges::equal(local_, local_nodes())) return false;
  change(local_, acts);
  return true;
}

/// The forces that hold nodes which join now: K d of what is around them, and what would act on
/// them.
void RingField::keep_reactions(std::span<const int> local,
                               const std::function<Vec3(int)>& acts) {
  load_.setZero(3 * static_cast<Eigen::Index>(local.size()));
  for (std::size_t k = 0; k < local.size(); ++k) {
    const int node = local[k];
    const auto at = 3 * static_cast<Eigen::Index>(k);
    if (place(node) >= 0 && place(node) < local_count()) {
      load_.segment<3>(at) = reaction_.segment<3>(3 * place(node));
      continue;
    }
    for (int entry = rows_.offset(node); entry < rows_.offset(node + 1); ++entry) {
      const int other = place(rows_.neighbour(entry));
      if (other >= 0) load_.segment<3>(at) += rows_.K(entry) * present_.d.segment<3>(3 * other);
    }
    if (acts) load_.segment<3>(at) -= acts(node);
  }
  reaction_ = load_;
}

void RingField::change(std::span<const int> local, const std::function<Vec3(int)>& acts) {
  keep_reactions(local, acts);
  next_nodes_.assign(local.begin(), local.end());
  for (const int node : nodes_) {
    if (std::binary_search(local.begin(), local.end(), node)) continue;
    if (present_.d.segment<3>(3 * place(node)).norm() > least_) next_nodes_.push_back(node);
  }
  std::sort(next_nodes_.begin() + static_cast<std::ptrdiff_t>(local.size()), next_nodes_.end());
  const auto size = 3 * static_cast<Eigen::Index>(next_nodes_.size());
  next_.d.setZero(size);
  next_.rate.setZero(size);
  for (std::size_t k = 0; k < next_nodes_.size(); ++k) {
    const int before = place(next_nodes_[k]);
    if (before < 0) continue;
    const auto at = 3 * static_cast<Eigen::Index>(k);
    next_.d.segment<3>(at) = present_.d.segment<3>(3 * before);
    next_.rate.segment<3>(at) = present_.rate.segment<3>(3 * before);
  }
  present_ = next_;
  for (const int node : nodes_) places_[static_cast<std::size_t>(node)] = -1;
  nodes_.swap(next_nodes_);
  set_places();
  system_.set_nodes(nodes_, static_cast<int>(local.size()));
  set_sizes();
  fresh_ = true;
}

void RingField::set_places() {
  for (std::size_t k = 0; k < nodes_.size(); ++k)
    places_[static_cast<std::size_t>(nodes_[k])] = static_cast<int>(k);
}

void RingField::set_sizes() {
  load_.setZero(local_size());
  forces_.setZero(local_size());
  fading_rate_.setZero(present_.d.size() - local_size());
}

void RingField::clear() {
  for (const int node : nodes_) places_[static_cast<std::size_t>(node)] = -1;
  nodes_.clear();
  system_.set_nodes({}, 0);
  for (State* state : {&present_, &next_}) {
    state->d.resize(0);
    state->rate.resize(0);
  }
  reaction_.resize(0);
  set_sizes();
  predicted_ = false;
}

// What is seen.

Vec3 RingField::displacement(int node) const {
  return place(node) < 0 ? Vec3(Vec3::Zero()) : Vec3(seen().d.segment<3>(3 * place(node)));
}

Vec3 RingField::velocity(int node) const {
  return place(node) < 0 ? Vec3(Vec3::Zero()) : Vec3(seen().rate.segment<3>(3 * place(node)));
}

double RingField::kinetic_energy() const {
  return empty() ? 0 : system_.kinetic_energy(seen().rate);
}

double RingField::elastic_energy() const { return empty() ? 0 : system_.elastic_energy(seen().d); }

/// A factor is made again where there was one.
void RingField::archive(StateArchive& state) {
  double h = system_.h();
  int local = local_count();
  bool factored = system_.is_factored();
  std::vector<int> nodes = nodes_;
  state.list(nodes);
  state.value(local);
  state.numbers(present_.d);
  state.numbers(present_.rate);
  state.numbers(reaction_);
  state.value(h);
  state.value(unchanged_);
  state.value(rings_);
  state.value(factored);
  state.value(fresh_);
  state.value(fewer_rings_);
  if (!state.is_loading()) return;
  predicted_ = false;
  if (nodes != nodes_ || local != local_count() || h != system_.h() ||
      factored != system_.is_factored()) {
    for (const int node : nodes_) places_[static_cast<std::size_t>(node)] = -1;
    nodes_ = nodes;
    set_places();
    system_.set_nodes(nodes_, local);
    if (h > 0) system_.set_step(h, damping_);
    if (factored) system_.factor();
  }
  next_ = present_;
  set_sizes();
}

}  // namespace limber
