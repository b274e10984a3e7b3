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
  if (detail_) detail_->set_damping(options.damping);
}

Fault GlobalLocalBody::predict(double h, StepKind kind) noexcept {
  if (has_detail()) detail_->see(q());
  const Fault fault = ModalBody::predict(h, kind);
  if (fault || !detail_) return fault;
  predicted_ = true;
  if (!has_detail()) return {};
  const Timed timed(seconds_);
  detail_->predict(h);
  return {};
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

/// By its own equations, without contacts: there is no detail then.
SettleStatus GlobalLocalBody::settle(const SettleOptions& options) {
  if (detail_) detail_->clear();
  return ModalBody::settle(options);
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
