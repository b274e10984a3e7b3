#include "limber/dynamics/local/global_local_body.h"

#include <algorithm>

#include "limber/core/rotation.h"
#include "limber/core/stopwatch.h"

namespace limber {

namespace {

ModalBodyOptions with_warping(ModalBodyOptions options) {
  options.method = Method::modal_warping;
  return options;
}

/// Adds the seconds of a scope.
class Timed {
 public:
  explicit Timed(double& seconds) : seconds_(seconds) {}
  ~Timed() { seconds_ += stopwatch_.lap(); }
  Timed(const Timed&) = delete;
  Timed& operator=(const Timed&) = delete;

 private:
  double& seconds_;
  Stopwatch stopwatch_;
};

}  // namespace

GlobalLocalBody::GlobalLocalBody(ModalModel model, std::unique_ptr<LocalDetail> detail,
                                 const ModalBodyOptions& options, Loads loads,
                                 SupportMotion support)
    : ModalBody(std::move(model), with_warping(options), std::move(loads), std::move(support)),
      detail_(std::move(detail)) {
  if (!detail_) return;
  detail_->set_damping(options.damping);
  if (ResidualDetail* const residual = detail_->residual()) {
    hold_ = std::make_unique<ResidualHold>(this->model(), *residual);
    set_held_detail(hold_.get());
  }
}

void GlobalLocalBody::follow_handles() {
  if (!hold_ || correction() == nullptr || correction()->layout() == held_layout_) return;
  held_layout_ = correction()->layout();
  held_points_.clear();
  correction()->dented_points(held_points_);
  hold_->hold(held_points_);
}

/// Detail first: handles correct both. Rows of contacts are about the nodes that were awake when
/// they were set, so that others wake between them only.
Fault GlobalLocalBody::predict(double h, StepKind kind) noexcept {
  if (!detail_) return ModalBody::predict(h, kind);
  if (!(h >= kShortestPart && h <= kLongestStep)) return {Fault::Kind::bad_step, h};
  follow_handles();
  if (hold_ && kind == StepKind::flight) hold_->wake(h);
  const bool local = has_detail();
  if (local) {
    const Timed timed(seconds_);
    detail_->see(q());
    detail_->predict(h);
  }
  const Fault fault = ModalBody::predict(h, kind);
  predicted_ = !fault;
  if (fault && local) detail_->cancel();
  return fault;
}

Fault GlobalLocalBody::commit() noexcept {
  const Fault fault = ModalBody::commit();
  if (!predicted_) return fault;
  predicted_ = false;
  if (fault) {
    detail_->cancel();
  } else {
    detail_->commit();
  }
  return fault;
}

Mat3 GlobalLocalBody::warp(int node) const { return mean_rotation(node_Psi(model(), node) * q()); }

PointState GlobalLocalBody::turned_detail(int node) const noexcept {
  const Vec3 d = detail_->displacement(node);
  if (d.isZero(0)) return {};
  const NodeRows Psi = node_Psi(model(), node);
  const Vec3 w = Psi * q();
  const Mat3 turn = frame().rotation * mean_rotation(w);
  PointState turned;
  turned.position = turn * d;
  turned.velocity = frame().angular_velocity.cross(turned.position) +
                    turn * detail_->velocity(node) +
                    frame().rotation * (mean_rotation_derivative(w, d) * (Psi * v()));
  return turned;
}

void GlobalLocalBody::point_states(std::span<const BodyPoint> points,
                                   std::span<PointState> states) const noexcept {
  ModalBody::point_states(points, states);
  if (!has_detail()) return;
  const Timed timed(seconds_);
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (std::size_t k = 0; k < 4; ++k) {
      const double weight = points[i].weights[k];
      if (weight == 0) continue;
      const PointState turned = turned_detail(points[i].nodes[k]);
      states[i].position += weight * turned.position;
      states[i].velocity += weight * turned.velocity;
    }
  }
}

void GlobalLocalBody::reserve_rows(int rows) {
  ModalBody::reserve_rows(rows);
  if (!detail_) return;
  rows_.reserve(static_cast<std::size_t>(rows));
  detail_->reserve_rows(rows);
}

int GlobalLocalBody::row_length(int rows) const noexcept {
  return modal_length() + (detail_ ? detail_->row_length(rows) : 0);
}

void GlobalLocalBody::set_rows(std::span<const BodyRow> rows, double h, float* scaled,
                               std::ptrdiff_t stride) noexcept {
  ModalBody::set_rows(rows, h, scaled, stride);
  if (!detail_) return;
  follow_handles();
  const Timed timed(seconds_);
  const Mat3 to_frame = frame().rotation.transpose();
  rows_.clear();
  const BodyPoint* last = nullptr;
  std::array<Mat3, 4> back;  // weight · R~ᵀ Rᵀ of the point's nodes
  for (const BodyRow& row : rows) {
    const bool same =
        last != nullptr && last->nodes == row.point.nodes && last->weights == row.point.weights;
    last = &row.point;
    DetailRow& detail = rows_.emplace_back();
    detail.nodes = row.point.nodes;
    for (std::size_t k = 0; k < 4; ++k) {
      if (!same) {
        back[k].setZero();
        if (row.point.weights[k] != 0)
          back[k] = row.point.weights[k] * warp(row.point.nodes[k]).transpose() * to_frame;
      }
      if (!row.angular) detail.gradients[k] = back[k] * row.direction;
    }
  }
  detail_->set_rows(rows_, h, scaled + modal_length(), stride);
  if (hold_ && correction() != nullptr && correction()->held_row_count() > 0)
    project_held(h, scaled, stride);
}

/// Scaled, modes and detail have a metric of one: the handles' rows are orthogonal to what contacts
/// may move.
void GlobalLocalBody::project_held(double h, float* scaled, std::ptrdiff_t stride) {
  const Eigen::Index modes = modal_length(), detail = hold_->length();
  const Eigen::Index held = correction()->held_row_count();
  held_rows_.resize(held, modes + detail);
  held_rows_.setZero();
  held_modal_rows(h, held_rows_.leftCols(modes));
  held_points_.clear();
  correction()->held_points(held_points_);
  for (std::size_t k = 0; k < held_points_.size() && detail > 0; ++k) {
    auto rows = held_rows_.middleRows<3>(static_cast<Eigen::Index>(3 * k)).rightCols(detail);
    hold_->point_rows(held_points_[k], q(), rows);
    for (Eigen::Index j = 0; j < detail && is_free(); ++j) {
      const Vec3 column = rows.col(j);
      rows.col(j) = frame().rotation * column;
    }
  }
  auto modal = modal_rows().scaled();
  auto local = detail_->residual()->contact_rows();
  joint_rows_.resize(modal.rows(), modes + detail);
  joint_rows_ << modal, local;
  take_out(held_rows_, joint_rows_);
  modal = joint_rows_.leftCols(modes);
  local = joint_rows_.rightCols(detail);
  for (Eigen::Index i = 0; i < joint_rows_.rows(); ++i) {
    for (Eigen::Index k = 0; k < modes + detail; ++k)
      scaled[i * stride + k] = static_cast<float>(joint_rows_(i, k));
  }
}

void GlobalLocalBody::scaled_motion(float* velocity, float* displacement) const noexcept {
  ModalBody::scaled_motion(velocity, displacement);
  if (detail_) detail_->scaled_motion(velocity + modal_length(), displacement + modal_length());
}

void GlobalLocalBody::apply(std::span<const double> impulses, bool move,
                            std::span<const Vec3> carried) noexcept {
  ModalBody::apply(impulses, move, carried);
  if (!has_detail()) return;
  const Timed timed(seconds_);
  detail_->apply(impulses, move);
}

void GlobalLocalBody::set_damping(const Damping& damping) {
  ModalBody::set_damping(damping);
  if (detail_) detail_->set_damping(damping);
}

void GlobalLocalBody::set_velocity(const Vec3& velocity, const Vec3& angular_velocity) {
  ModalBody::set_velocity(velocity, angular_velocity);
  if (detail_) detail_->stand_still();
}

void GlobalLocalBody::set_node_state(const Positions& positions, const Positions& velocities) {
  if (detail_) detail_->clear();
  ModalBody::set_node_state(positions, velocities);
}

void GlobalLocalBody::set_modal(std::span<const double> amplitudes,
                                std::span<const double> velocities) {
  ModalBody::set_modal(amplitudes, velocities);
  const bool still =
      std::all_of(velocities.begin(), velocities.end(), [](double v) { return v == 0; });
  if (detail_ && still) detail_->stand_still();
}

/// By its own equations, without contacts: there is no detail then but that of handles.
SettleStatus GlobalLocalBody::settle(const SettleOptions& options) {
  constexpr double kAnyStep = 1.0 / 60;  // until a step is made, amplitudes are kept by one
  if (detail_) detail_->clear();
  follow_handles();
  if (hold_) hold_->wake(kAnyStep);
  return ModalBody::settle(options);
}

DetailSize GlobalLocalBody::detail_size() const {
  DetailSize size = ModalBody::detail_size();
  if (detail_) size.full.local_nodes = detail_->most_nodes();
  return size;
}

/// Rings and elements inside them have their nodes whatever happens.
DetailChoice GlobalLocalBody::detail_choice() const {
  DetailChoice choice = ModalBody::detail_choice();
  choice.local_nodes = choice.modes && detail_ && detail_->most_nodes() > 0;
  return choice;
}

DetailLevel GlobalLocalBody::detail_now() const {
  DetailLevel level = ModalBody::detail_now();
  level.local_nodes = local_nodes();
  return level;
}

void GlobalLocalBody::want_detail(const DetailLevel& level) noexcept {
  const DetailChoice choice = detail_choice();
  ModalBody::want_detail(level);
  if (detail_) detail_->want_nodes(choice.local_nodes ? level.local_nodes : detail_->most_nodes());
}

void GlobalLocalBody::fade_detail(double h) noexcept {
  ModalBody::fade_detail(h);
  if (detail_) detail_->fade(h);
}

void GlobalLocalBody::node_positions(Eigen::Ref<Positions> positions) const {
  ModalBody::node_positions(positions);
  if (!has_detail()) return;
  for (int i = 0; i < node_count(); ++i) positions.row(i) += turned_detail(i).position.transpose();
}

void GlobalLocalBody::node_velocities(Eigen::Ref<Positions> velocities) const {
  ModalBody::node_velocities(velocities);
  if (!has_detail()) return;
  for (int i = 0; i < node_count(); ++i) velocities.row(i) += turned_detail(i).velocity.transpose();
}

double GlobalLocalBody::kinetic_energy() const {
  return ModalBody::kinetic_energy() + (has_detail() ? detail_->kinetic_energy() : 0);
}

double GlobalLocalBody::elastic_energy() const {
  return ModalBody::elastic_energy() + (has_detail() ? detail_->elastic_energy() : 0);
}

void GlobalLocalBody::archive(StateArchive& state) {
  ModalBody::archive(state);
  if (!detail_) return;
  detail_->archive(state);
  if (state.is_loading()) predicted_ = false;
}

}  // namespace limber
