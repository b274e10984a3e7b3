#include "limber/dynamics/modal/modal_body.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "limber/core/error.h"
#include "limber/core/rotation.h"
#include "limber/dynamics/no_handles.h"

namespace limber {

namespace {

/// Of the shape functions' linear field, exact for a rigid turn.
RigidFrame rigid_frame_of(ModalShape& shape, const ModalModel& model, const FrameState& start) {
  const Vector rest = Vector::Zero(model.mode_count());
  const double mass = std::accumulate(model.mass.row_sums.begin(), model.mass.row_sums.end(), 0.0);
  Vec3 centre = Vec3::Zero();
  for (int i = 0; i < model.node_count(); ++i) {
    centre += model.mass.row_sums[i] / mass * model.rest_positions().row(i).transpose();
  }
  return RigidFrame(mass, centre, shape.mass_motion(rest, rest).inertia, start);
}

Vector mode_sizes(const ModalModel& model) {
  Vector sizes = Vector::Zero(model.mode_count());
  for (int i = 0; i < model.node_count(); ++i) {
    sizes = sizes.cwiseMax(node_Phi(model, i).colwise().norm().transpose());
  }
  return sizes;
}

/// Modes are shapes about one frame: what can move without deforming has a frame of its own.
void require_clamped_or_free(const ModalModel& model) {
  const int rigid = model.rigid_modes;
  if (rigid == 0 || (rigid == 6 && model.fixed_nodes.empty())) return;
  if (rigid < 6) {
    throw Error("the body swings freely about the nodes that are fixed", "modal body",
                "fix three nodes that are not in a line, or leave it free and hold it by handles");
  }
  throw Error("the body is of several pieces that share no node", "modal body",
              "make a body of each, or glue them");
}

}  // namespace

ModalBody::ModalBody(ModalModel model, const ModalBodyOptions& options, Loads loads,
                     SupportMotion support, ShapeMaker make_shape)
    : model_(options.method == Method::reduced ? in_reduced_space(model) : std::move(model)),
      options_(options),
      support_(std::move(support)),
      make_shape_(std::move(make_shape)),
      fade_(model_.mode_count()) {
  if (model_.mode_count() == 0) throw Error("the body has no modes", "body", "bake it with some");
  require_clamped_or_free(model_);
  ModalBody::set_damping(options.damping);
  const Vector zero = Vector::Zero(model_.mode_count());
  for (Vector* vector : {&present_.q, &present_.v, &f_, &constraint_f_, &middle_q_, &middle_v_,
                         &scratch_, &interval_.end_q, &interval_.end_v, &interval_.before_f}) {
    *vector = zero;
  }
  mass_ = std::accumulate(model_.mass.row_sums.begin(), model_.mass.row_sums.end(), 0.0);
  const Eigen::Map<const Positions> X = model_.rest_positions();
  size_ = (X.colwise().maxCoeff() - X.colwise().minCoeff()).norm();
  mode_sizes_ = mode_sizes(model_);
  set_step_coefficients(interval_.coefficients, model_.eigenvalues(), {}, 1, Integrator::exact);
  shape_ = this->make_shape(options_.fast);
  if (options_.method == Method::reduced) {
    nonlinear_ = std::make_unique<NonlinearStep>(
        ReducedElements(model_.rest_positions(), model_.tets(), model_.Phi(),
                        model_.reduced.weighted_tets(options_.law)),
        options_.law, model_.eigenvalues());
  }
  frame_ = support_.at(0);
  if (model_.rigid_modes == 6) {
    present_.rigid.emplace(rigid_frame_of(*shape_, model_, frame_));
    update_frame();
  }
  tangent_.reserve(model_.mode_count());
  shape_->reserve_still();
  next_ = start_ = present_;
  before_drift_ = present_.rigid;
  if (is_free() || support_.turns() || options_.coriolis) shape_->prepare_turning();
  set_loads(std::move(loads));
}

std::unique_ptr<ModalShape> ModalBody::make_shape(bool fast) const {
  if (!make_shape_) return make_modal_shape(model_, options_.method, options_.loads, fast);
  ModalBodyOptions options = options_;
  options.fast = fast;
  return make_shape_(model_, options);
}

void ModalBody::set_loads(Loads loads) {
  check(loads, model_.node_count());
  loads_ = std::move(loads);
  shape_->set_groups(loads_.forces);
  forget_history();
}

void ModalBody::forget_history() {
  f_known_ = false;
  break_interval();
}

void ModalBody::set_support(SupportMotion support) {
  if (is_free()) {
    throw Error("a free body has no support", "body", "place it or set its velocity instead");
  }
  support_ = std::move(support);
  if (support_.turns()) shape_->prepare_turning();
  frame_ = support_.at(time_);
}

void ModalBody::set_damping(const Damping& damping) {
  static_cast<void>(  // throws
      step_coefficients(model_.eigenvalues(), damping, 1, Integrator::semi_implicit));
  options_.damping = damping;
  h_ = interval_.coefficients_span = kNoStep;
}

void ModalBody::set_state(const Vector& q, const Vector& v) {
  if (q.size() != model_.mode_count() || v.size() != model_.mode_count()) {
    throw Error("the state has " + std::to_string(q.size()) + " and " + std::to_string(v.size()) +
                    " numbers",
                "modal state", "give one number for each of the body's modes");
  }
  if (!q.allFinite() || !v.allFinite()) {
    throw Error("a number is not finite", "modal state", "give finite amplitudes and velocities");
  }
  present_.q = q;
  present_.v = v;
  move_all_modes();
  forget_history();
  update_frame();
}

void ModalBody::set_correction(std::unique_ptr<StepCorrection> correction) {
  correction_ = std::move(correction);
  constraint_f_.setZero();
}

Handles& ModalBody::handles() {
  if (correction_) return *correction_;
  return no_handles();
}

const Handles& ModalBody::handles() const {
  if (correction_) return *correction_;
  return no_handles();
}

/// Steps that touch something go by the tangent of their first state.
MassMotion ModalBody::mass_motion(const ModalState& state) {
  return frozen_ && predicted_ ? tangent_.at(state.q, state.v)
                               : shape_mass_motion(state.q, state.v);
}

MassMotion ModalBody::shape_mass_motion(const Vector& q, const Vector& v) {
  MassMotion motion = shape_->mass_motion(q, v);
  motion.shift += interval_.offset();
  return motion;
}

void ModalBody::update_frame() {
  ModalState& state = seen();
  if (!state.rigid) return;
  state.rigid->set_mass_motion(mass_motion(state));
  frame_ = state.rigid->state(Vec3::Zero(), {});
}

void ModalBody::point_states(std::span<const BodyPoint> points,
                             std::span<PointState> states) const noexcept {
  constexpr std::size_t kFew = 64;
  std::array<PlaceAndRate, kFew> motion;
  const ModalState& state = seen();
  for (std::size_t first = 0; first < points.size(); first += kFew) {
    const std::size_t count = std::min(kFew, points.size() - first);
    shape_->motion(points.subspan(first, count), state.q, state.v, std::span(motion).first(count));
    for (std::size_t i = 0; i < count; ++i) {
      const Vec3 arm = frame_.rotation * motion[i].place;
      const Vec3 own = frame_.rotation * motion[i].rate;
      states[first + i] = {frame_.position + arm,
                           frame_.velocity + frame_.angular_velocity.cross(arm) + own};
    }
  }
}

Vec3 ModalBody::point_turn(const BodyPoint& point) const {
  const Vec3 w = shape_->turn(point, seen().q);
  return is_free() ? rotation_log(frame_.rotation * rotation_exp(w)) : w;
}

void ModalBody::node_positions(Eigen::Ref<Positions> positions) const {
  shape_->positions(seen().q, positions);
  for (int i = 0; i < model_.node_count(); ++i) {
    const Vec3 x = positions.row(i);
    positions.row(i) = frame_.to_world(x);
  }
}

void ModalBody::node_velocities(Eigen::Ref<Positions> velocities) const {
  const ModalState& state = seen();
  Positions places(model_.node_count(), 3);
  shape_->positions(state.q, places);
  shape_->velocities(state.q, state.v, velocities);
  for (int i = 0; i < model_.node_count(); ++i) {
    const Vec3 arm = frame_.rotation * places.row(i).transpose();
    const Vec3 relative = velocities.row(i);
    velocities.row(i) =
        frame_.velocity + frame_.angular_velocity.cross(arm) + frame_.rotation * relative;
  }
}

double ModalBody::kinetic_energy() const {
  const ModalState& state = seen();
  return state.v.squaredNorm() / 2 + (state.rigid ? state.rigid->kinetic_energy() : 0);
}

double ModalBody::elastic_energy() const {
  if (nonlinear_) return nonlinear_->energy(seen().q);
  return seen().q.cwiseAbs2().dot(model_.eigenvalues()) / 2;
}

Momentum ModalBody::momentum() const {
  const ModalState& state = seen();
  Momentum momentum;
  if (state.rigid) {
    momentum.linear = mass_ * state.rigid->velocity();
    momentum.angular =
        state.rigid->angular_momentum() + state.rigid->mass_centre().cross(momentum.linear);
    return momentum;
  }
  Positions x(model_.node_count(), 3);
  Positions v(model_.node_count(), 3);
  node_positions(x);
  node_velocities(v);
  const NodalMass& mass = model_.mass;
  for (int i = 0; i < model_.node_count(); ++i) {
    Vec3 own = Vec3::Zero();
    for (int entry = mass.offsets[i]; entry < mass.offsets[i + 1]; ++entry) {
      own += mass.values[entry] * v.row(mass.columns[entry]).transpose();
    }
    momentum.linear += own;
    momentum.angular += Vec3(x.row(i).transpose()).cross(own);
  }
  return momentum;
}

std::span<const double> ModalBody::modal() const {
  const Vector& q = seen().q;
  return {q.data(), static_cast<std::size_t>(q.size())};
}

std::span<const double> ModalBody::modal_velocities() const {
  const Vector& v = seen().v;
  return {v.data(), static_cast<std::size_t>(v.size())};
}

void ModalBody::set_modal(std::span<const double> amplitudes, std::span<const double> velocities) {
  Vector q = Vector::Zero(model_.mode_count());
  Vector v = q;
  for (std::size_t k = 0; k < std::min<std::size_t>(amplitudes.size(), q.size()); ++k) {
    q[static_cast<Eigen::Index>(k)] = amplitudes[k];
    v[static_cast<Eigen::Index>(k)] = velocities[k];
  }
  set_state(q, v);
}

void ModalBody::archive(StateArchive& state) {
  state.value(time_);
  for (Vector* vector : {&present_.q, &present_.v, &f_, &constraint_f_}) state.numbers(*vector);
  state.value(f_known_);
  if (present_.rigid) present_.rigid->archive(state);
  fade_.archive(state);
  interval_.archive(state);
  if (correction_) correction_->archive(state);
  if (!state.is_loading()) return;
  predicted_ = frozen_ = false;
  set_active(fade_.active(), present_);
  if (present_.rigid) {
    frame_ = present_.rigid->state(Vec3::Zero(), {});
  } else {
    frame_ = support_.at(time_);
  }
}

}  // namespace limber
