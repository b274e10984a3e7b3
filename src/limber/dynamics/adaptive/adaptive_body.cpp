#include "limber/dynamics/adaptive/adaptive_body.h"

#include <algorithm>
#include <exception>
#include <map>

#include "limber/core/error.h"

namespace limber {

namespace {

constexpr double kChoices = 10;  // in the time that detail must be calm to go
constexpr const char* kWhere = "adaptive body";

const TetTree& known(const std::shared_ptr<const TetTree>& tree) {
  if (!tree) throw Error("there is no tree of tets", kWhere, "subdivide the mesh");
  return *tree;
}

std::vector<char> chosen(const std::vector<int>& nodes, int count) {
  std::vector<char> flags(static_cast<std::size_t>(count), 0);
  for (const int node : nodes) {
    if (node < 0 || node >= count) {
      throw Error("fixed node " + std::to_string(node) + " does not exist", kWhere,
                  "choose nodes of the finest mesh");
    }
    flags[static_cast<std::size_t>(node)] = 1;
  }
  return flags;
}

}  // namespace

AdaptiveBody::AdaptiveBody(std::shared_ptr<const TetTree> tree, Materials materials,
                           const std::vector<int>& fixed_nodes, const AdaptiveOptions& adaptive,
                           const FullBodyOptions& options, Loads loads, SupportMotion support)
    : tree_(std::move(tree)),
      materials_(std::move(materials)),
      fixed_(chosen(fixed_nodes, known(tree_).finest().node_count())),
      options_(options),
      support_(std::move(support)),
      interval_(adaptive.calm / kChoices),
      chosen_at_(0),
      leaves_(*tree_),
      choice_(*tree_, adaptive, lasting_nodes()),
      handles_(leaves_,
               [this](const std::vector<BodyPoint>& points) {
                 choice_.hold(points);
                 adapt();
               }),
      x_(tree_->finest().V),
      v_(Positions::Zero(x_.rows(), 3)) {
  if (!options.core.nodes.empty()) {
    throw Error("a core that moves by itself needs all of its nodes at all times", kWhere,
                "leave \"adaptive\" out, or move the core by its support");
  }
  check(loads, node_count());
  loads_ = std::move(loads);
  check(materials_);
  fine_mass_ = Vector::Zero(node_count());
  const TetMesh& finest = tree_->finest();
  const Vector volumes = element_geometry(finest).volumes;
  for (int tet = 0; tet < finest.tet_count(); ++tet) {
    const double quarter = materials_.of(finest.region(tet)).density * volumes[tet] / 4;
    for (int k = 0; k < 4; ++k) fine_mass_[finest.T(tet, k)] += quarter;
  }
  leaves_.cut(choice_.choose(0, leaves_, x_));
  inner_ = make_inner(support_);
  handles_.bind(inner_->handles(), 0);
}

/// Fixed nodes that would move if they hung between others.
std::vector<int> AdaptiveBody::lasting_nodes() const {
  std::vector<int> nodes;
  for (int node = tree_->coarse_nodes(); node < node_count(); ++node) {
    const auto& ends = tree_->ends(node);
    const bool held = std::all_of(ends.begin(), ends.end(), [&](int end) {
      return fixed_[static_cast<std::size_t>(end)] != 0;
    });
    if (fixed_[static_cast<std::size_t>(node)] != 0 && !held) nodes.push_back(node);
  }
  return nodes;
}

std::unique_ptr<FullBody> AdaptiveBody::make_inner(SupportMotion support) const {
  std::vector<int> fixed;
  for (const int node : leaves_.nodes()) {
    if (fixed_[static_cast<std::size_t>(node)] != 0) fixed.push_back(leaves_.own(node));
  }
  auto inner = std::make_unique<FullBody>(leaves_.mesh(), materials_, fixed, options_, leaf_loads(),
                                          std::move(support));
  inner->set_ground(ground_);
  inner->reserve_rows(most_rows_);
  return inner;
}

/// Forces on nodes that are not there act on those they hang on.
Loads AdaptiveBody::leaf_loads() const {
  Loads loads;
  loads.gravity = loads_.gravity;
  for (const NodeForce& force : loads_.forces) {
    std::map<int, double> shares;
    for (const int node : force.nodes) {
      const BodyPoint& point = leaves_.at(node);
      for (std::size_t k = 0; k < 4; ++k) {
        if (point.weights[k] != 0) shares[point.nodes[k]] += point.weights[k];
      }
    }
    std::map<double, std::vector<int>> alike;
    for (const auto& [node, share] : shares) alike[share].push_back(node);
    for (const auto& [share, nodes] : alike)
      loads.forces.push_back({nodes, share * force.force, force.from, force.to});
  }
  return loads;
}

bool AdaptiveBody::adapt() {
  node_positions(x_);
  node_velocities(v_);
  chosen_at_ = time();
  if (!leaves_.cut(choice_.choose(time(), leaves_, x_))) return false;
  move_to_new_leaves();
  return true;
}

void AdaptiveBody::set_leaves(const LevelMarks& marks) {
  node_positions(x_);
  node_velocities(v_);
  chosen_at_ = time();
  choice_.take(marks, time());
  if (leaves_.cut(marks)) move_to_new_leaves();
}

/// From x_ and v_.
void AdaptiveBody::move_to_new_leaves() {
  const bool free_body = inner_->is_free();
  const Momentum before = inner_->momentum();
  const FrameState frame = inner_->frame();
  std::unique_ptr<FullBody> next = make_inner(free_body ? SupportMotion() : support_);
  next->idle(inner_->time());
  if (free_body) {
    next->place(frame.position, frame.rotation);
  } else {
    next->set_support(support_);
  }
  const Vector& mass = next->simulated_mesh().node_mass();
  Positions x(next->node_count(), 3), v(next->node_count(), 3);
  restrict_field(x_, mass, x);
  restrict_field(v_, mass, v);
  if (free_body) MomentumKeeper(next->simulated_mesh()).set_momentum(before, x, v);
  next->set_node_state(x, v);
  inner_ = std::move(next);
  handles_.bind(inner_->handles(), inner_->time());
}

/// x' = x + (m')⁻¹ Pᵀ m (x − P x) at the nodes that are not fixed.
void AdaptiveBody::restrict_field(const Positions& fine, const Vector& mass, Positions& leaf) {
  leaves_.pick(fine, leaf);
  left_.resize(fine.rows(), 3);
  leaves_.spread(leaf, left_);
  left_ = fine - left_;
  for (int node = 0; node < node_count(); ++node) {
    if (leaves_.own(node) >= 0) continue;
    const BodyPoint& point = leaves_.at(node);
    for (std::size_t k = 0; k < 4; ++k) {
      const int own = point.nodes[k];
      const auto number = static_cast<std::size_t>(leaves_.nodes()[static_cast<std::size_t>(own)]);
      if (point.weights[k] == 0 || fixed_[number] != 0) continue;
      leaf.row(own) += point.weights[k] * fine_mass_[node] / mass[own] * left_.row(node);
    }
  }
}

Fault AdaptiveBody::predict(double h, StepKind kind) noexcept {
  if (fault_) return fault_;
  touching_ = kind == StepKind::touching;
  handles_.go_to(time() + h);
  return inner_->predict(h, kind);
}

Fault AdaptiveBody::commit() noexcept {
  if (const Fault fault = inner_->commit()) return fault;
  handles_.end_step();
  if (!touching_) adapt_after_step();
  return {};
}

void AdaptiveBody::end_touching() noexcept {
  inner_->end_touching();
  touching_ = false;
  adapt_after_step();
}

/// The next step tells what went wrong.
void AdaptiveBody::adapt_after_step() noexcept {
  if (time() < chosen_at_ + interval_) return;
  try {
    adapt();
  } catch (const std::exception&) {
    fault_ = {Fault::Kind::overflow};
  }
}

void AdaptiveBody::point_states(std::span<const BodyPoint> points,
                                std::span<PointState> states) const noexcept {
  for (std::size_t k = 0; k < points.size(); ++k) {
    const BodyPoint point = leaves_.point(points[k]);
    inner_->point_states({&point, 1}, states.subspan(k, 1));
  }
}

Vec3 AdaptiveBody::point_turn(const BodyPoint& point) const {
  return inner_->point_turn(leaves_.point(point));
}

void AdaptiveBody::reserve_rows(int rows) {
  most_rows_ = rows;
  rows_.reserve(static_cast<std::size_t>(rows));
  row_points_.reserve(static_cast<std::size_t>(rows));
  inner_->reserve_rows(rows);
}

void AdaptiveBody::set_rows(std::span<const BodyRow> rows, double h, float* scaled,
                            std::ptrdiff_t stride) noexcept {
  rows_.assign(rows.begin(), rows.end());
  row_points_.clear();
  for (BodyRow& row : rows_) {
    row_points_.push_back(row.point);
    row.point = leaves_.point(row.point);
  }
  inner_->set_rows(rows_, h, scaled, stride);
}

void AdaptiveBody::apply(std::span<const double> impulses, bool move,
                         std::span<const Vec3> carried) noexcept {
  for (std::size_t k = 0; k < std::min(impulses.size(), row_points_.size()); ++k) {
    if (impulses[k] != 0) choice_.touch(row_points_[k], time());
  }
  inner_->apply(impulses, move, carried);
}

void AdaptiveBody::set_loads(Loads loads) {
  check(loads, node_count());
  loads_ = std::move(loads);
  inner_->set_loads(leaf_loads());
}

void AdaptiveBody::set_support(SupportMotion support) {
  inner_->set_support(support);
  support_ = std::move(support);
}

void AdaptiveBody::set_damping(const Damping& damping) {
  inner_->set_damping(damping);
  options_.damping = damping;
}

void AdaptiveBody::set_ground(const std::optional<GroundPlane>& plane) {
  inner_->set_ground(plane);
  ground_ = plane;
}

void AdaptiveBody::apply_impulse(const BodyPoint& point, const Vec3& impulse) {
  check(point, node_count(), "impulse");
  choice_.touch(point, time());
  adapt();
  inner_->apply_impulse(leaves_.point(point), impulse);
}

void AdaptiveBody::set_node_state(const Positions& positions, const Positions& velocities) {
  if (positions.rows() != node_count() || velocities.rows() != node_count()) {
    throw Error("the state has " + std::to_string(positions.rows()) + " positions and " +
                    std::to_string(velocities.rows()) + " velocities",
                kWhere, "give one row for each of the finest mesh's nodes");
  }
  Positions x(inner_->node_count(), 3), v(inner_->node_count(), 3);
  leaves_.pick(positions, x);
  leaves_.pick(velocities, v);
  inner_->set_node_state(x, v);
}

SettleStatus AdaptiveBody::settle(const SettleOptions& options) {
  constexpr int kMostRounds = 12;  // a level a round, and as many again for what that unveils
  SettleStatus status = inner_->settle(options);
  for (int round = 0; status.converged && round < kMostRounds && adapt(); ++round) {
    const int before = status.iterations;
    status = inner_->settle(options);
    status.iterations += before;
  }
  return status;
}

void AdaptiveBody::node_positions(Eigen::Ref<Positions> positions) const {
  leaf_.resize(inner_->node_count(), 3);
  const Positions& x = inner_->positions();
  for (Eigen::Index node = 0; node < x.rows(); ++node)
    leaf_.row(node) = frame().to_world(x.row(node).transpose()).transpose();
  leaves_.spread(leaf_, positions);
}

void AdaptiveBody::node_velocities(Eigen::Ref<Positions> velocities) const {
  leaf_.resize(inner_->node_count(), 3);
  inner_->node_velocities(leaf_);
  leaves_.spread(leaf_, velocities);
}

void AdaptiveBody::archive(StateArchive& state) {
  choice_.archive(state);
  handles_.archive(state);
  choice_.hold(handles_.points());
  state.value(chosen_at_);
  state.value(fault_);
  if (state.is_loading() && leaves_.cut(choice_.marks())) {
    inner_ = make_inner(inner_->is_free() ? SupportMotion() : support_);
    handles_.rebind(inner_->handles());
  }
  inner_->archive(state);
  touching_ = false;
}

}  // namespace limber
