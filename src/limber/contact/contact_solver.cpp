#include "limber/contact/contact_solver.h"

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <numbers>

namespace limber {

namespace {

/// Soft contacts: as fast as a substep can follow, strongly damped, so that overlap is undone
/// without a bounce.
constexpr double kFrequency = 60;  // Hz
constexpr double kShareOfStep = 0.25;
constexpr double kDamping = 10;
/// Joints are few and hold with equality: chains need more visits than contacts do.
constexpr int kJointPasses = 8;
/// Springs of the penalty response: a tenth of the fastest that stays stable.
constexpr double kPenaltyPhase = 0.3;  // rad a substep
constexpr double kPenaltyDamping = 0.5;

std::array<Vec3, 3> frame_around(const Vec3& normal) {
  const Vec3 across = std::abs(normal.x()) < 0.6 ? Vec3::UnitX() : Vec3::UnitZ();
  const Vec3 t = normal.cross(across).normalized();
  return {normal, t, normal.cross(t)};
}

int multiple_of_eight(int length) { return (length + 7) / 8 * 8; }

}  // namespace

void ContactSolver::clear() {
  slots_.clear();
  contacts_.clear();
  joints_.clear();
}

int ContactSolver::add_body(DynamicBody& body, int& row_capacity) {
  slots_.push_back({&body, &row_capacity});
  return static_cast<int>(slots_.size()) - 1;
}

void ContactSolver::build(double h) {
  h_ = h;
  elapsed_ = 0;
  lay_out_rows();
  ask_bodies();
  make_contacts();
  make_joints();
}

/// Appends the rows of a constraint to those of a body; the first one's number among all.
int ContactSolver::take_rows(int slot, const BodyPoint& point, const Place& place, const Vec3& at,
                             bool angular) {
  if (slot < 0) return -1;
  Slot& own = slots_[slot];
  const int first = own.first + own.filled;
  for (int r = 0; r < 3; ++r)
    rows_[first + r] = {point, place.directions[static_cast<std::size_t>(r)], at, angular};
  own.filled += 3;
  return first;
}

void ContactSolver::lay_out_rows() {
  const auto count = [&](int slot) {
    if (slot >= 0) slots_[slot].rows += 3;
  };
  for (const ContactInput& c : contacts_) count(c.a), count(c.b);
  for (const JointInput& j : joints_) count(j.a), count(j.b);
  int total = 0;
  for (Slot& slot : slots_) {
    slot.first = total;
    total += slot.rows;
  }
  rows_.resize(static_cast<std::size_t>(total));
  contact_places_.clear();
  joint_places_.clear();
  for (const ContactInput& c : contacts_) {
    Place place;
    place.directions = frame_around(c.normal);
    place.a = take_rows(c.a, c.point_a, place, c.place, false);
    place.b = take_rows(c.b, c.point_b, place, c.place, false);
    contact_places_.push_back(place);
  }
  for (const JointInput& j : joints_) {
    Place place;
    place.directions = j.directions;
    place.rows = j.rows;
    place.a = take_rows(j.a, j.point_a, place, j.place, j.angular);
    place.b = take_rows(j.b, j.point_b, place, j.place, j.angular);
    joint_places_.push_back(place);
  }
  impulses_.resize(rows_.size());
  carried_.resize(rows_.size());
}

void ContactSolver::ask_bodies() {
  std::size_t matrix = 0, vector = 0;
  for (Slot& slot : slots_) {
    if (slot.rows > *slot.capacity) {
      *slot.capacity = std::max(slot.rows, 2 * *slot.capacity);
      slot.body->reserve_rows(*slot.capacity);
    }
    slot.length = multiple_of_eight(slot.body->row_length(slot.rows));
    slot.matrix = matrix;
    slot.vector = vector;
    matrix += static_cast<std::size_t>(slot.length) * static_cast<std::size_t>(slot.rows);
    vector += static_cast<std::size_t>(slot.length);
  }
  matrix_.resize(matrix);
  velocity_.assign(vector, 0);
  displacement_.assign(vector, 0);
  unused_.resize(vector);
  for (Slot& slot : slots_) {
    float* rows = matrix_.data() + slot.matrix;
    slot.body->set_rows(std::span(rows_).subspan(slot.first, slot.rows), h_, rows, slot.length);
    const int used = slot.body->row_length(slot.rows);
    for (int r = 0; r < slot.rows; ++r, rows += slot.length)
      std::fill(rows + used, rows + slot.length, 0.0F);
  }
}

ConstraintSide ContactSolver::side(int slot, int row) {
  if (slot < 0) return {};
  const Slot& own = slots_[slot];
  return {matrix_.data() + own.matrix + static_cast<std::ptrdiff_t>(row - own.first) * own.length,
          velocity_.data() + own.vector, own.length};
}

/// Of W: what the body's rigid motion gives way. Where the method does not say, at most what a
/// corner of a free block of its mass would.
double ContactSolver::rigid_part(int slot, int row) const {
  if (slot < 0) return 0;
  const Slot& own = slots_[slot];
  const float* values =
      matrix_.data() + own.matrix + static_cast<std::ptrdiff_t>(row - own.first) * own.length;
  const int rigid = own.body->rigid_coordinates();
  double sum = 0;
  for (int k = 0; k < (rigid > 0 ? rigid : own.length); ++k) sum += values[k] * values[k];
  return rigid > 0 ? sum : std::min(sum, 4 / own.body->mass());
}

void ContactSolver::make_contacts() {
  contact_rows_.resize(contacts_.size());
  totals_.assign(contacts_.size(), Vec3::Zero());
  for (std::size_t k = 0; k < contacts_.size(); ++k) {
    const ContactInput& input = contacts_[k];
    const Place& place = contact_places_[k];
    ContactConstraint& c = contact_rows_[k];
    c.a = side(input.a, place.a);
    c.b = side(input.b, place.b);
    kernels::gram(c.a, c.b, 3, &c.W[0][0], 3);
    // Where nothing can move (all of it held), nothing is asked for.
    const float least = 1e-12F + 1e-6F * (c.W[0][0] + c.W[1][1] + c.W[2][2]);
    for (int r = 0; r < 3; ++r) c.W[r][r] = std::max(c.W[r][r], least);
    const float det = c.W[1][1] * c.W[2][2] - c.W[1][2] * c.W[1][2];
    c.tangent_inverse[0] = c.W[2][2] / det;
    c.tangent_inverse[1] = -c.W[1][2] / det;
    c.tangent_inverse[2] = c.W[1][1] / det;
    c.tangent_most =
        (c.W[1][1] + c.W[2][2]) / 2 + std::hypot((c.W[1][1] - c.W[2][2]) / 2, c.W[1][2]);
    const double rate =
        2 * std::numbers::pi * std::min(kFrequency, kShareOfStep / h_) * (input.b < 0 ? 2 : 1);
    const double rigid = rigid_part(input.a, place.a) + rigid_part(input.b, place.b);
    c.beta = static_cast<float>(rate / (2 * kDamping + h_ * rate));
    c.gamma = static_cast<float>(rigid / (h_ * rate * (2 * kDamping + h_ * rate)));
    c.slop = static_cast<float>(input.slop);
    // At rest −β·gap = γp: what carried a heavy load last step is made stiffer.
    if (c.gamma * input.normal_impulse > c.beta * input.sag)
      c.gamma = static_cast<float>(c.beta * input.sag / input.normal_impulse);
    c.friction = static_cast<float>(input.friction);
    c.restitution = static_cast<float>(input.restitution);
    c.gap = static_cast<float>(input.gap);
    c.impulse[0] = static_cast<float>(input.normal_impulse);
    for (std::size_t r = 0; r < 3; ++r) {
      c.drift[r] = static_cast<float>(place.directions[r].dot(input.drift));
      if (r > 0) c.impulse[r] = static_cast<float>(place.directions[r].dot(input.tangent_impulse));
    }
    c.approach = 0;
    c.most_impulse = 0;
  }
}

void ContactSolver::make_joints() {
  joint_rows_.resize(joints_.size());
  for (std::size_t k = 0; k < joints_.size(); ++k) {
    const JointInput& input = joints_[k];
    const Place& place = joint_places_[k];
    JointConstraint& j = joint_rows_[k];
    j.a = side(input.a, place.a);
    j.b = side(input.b, place.b);
    j.rows = input.rows;
    Eigen::Matrix3f W = Eigen::Matrix3f::Identity();
    kernels::gram(j.a, j.b, input.rows, W.data(), 3);
    // Rows that barely move anything (held bodies) would ask for endless impulses.
    Eigen::Matrix3d inverse = Eigen::Matrix3d::Identity();
    Eigen::Matrix3d block = W.cast<double>();
    const double largest = block.topLeftCorner(input.rows, input.rows).diagonal().maxCoeff();
    for (int r = 0; r < input.rows; ++r) block(r, r) += 1e-6 * largest + 1e-12;
    for (int r = input.rows; r < 3; ++r) block(r, r) = 1;
    inverse = block.inverse();
    for (int r = 0; r < 3; ++r) {
      for (int c = 0; c < 3; ++c) j.inverse[r][c] = static_cast<float>(inverse(r, c));
      j.drift[r] = static_cast<float>(input.drift[r]);
      j.error[r] = static_cast<float>(input.error[r]);
      j.impulse[r] = r < input.rows ? static_cast<float>(input.impulse[r]) : 0;
    }
    j.lowest = static_cast<float>(input.lowest);
    j.highest = static_cast<float>(input.highest);
    j.target = static_cast<float>(input.target);
    j.limit = input.limit;
  }
}

void ContactSolver::read_motion(bool displacement) {
  for (const Slot& slot : slots_) {
    float* moved = (displacement ? displacement_ : unused_).data() + slot.vector;
    slot.body->scaled_motion(velocity_.data() + slot.vector, moved);
  }
}

/// Gaps, errors and the places that impulses act at, for the bodies as they stand.
void ContactSolver::update_gaps() {
  const auto moved_by = [&](int slot, int row, float* result) {
    const ConstraintSide own = side(slot, row);
    const float* D = slot < 0 ? nullptr : displacement_.data() + slots_[slot].vector;
    kernels::relative(own, {}, D, nullptr, 3, result);
  };
  const auto carry = [&](const Place& place, const float* a, const float* b) {
    Vec3 shift = Vec3::Zero();
    for (std::size_t r = 0; r < 3; ++r)
      shift += (place.b < 0 ? a[r] : (a[r] + b[r]) / 2) * place.directions[r];
    for (int r = 0; r < 3; ++r) {
      carried_[place.a + r] = shift;
      if (place.b >= 0) carried_[place.b + r] = shift;
    }
  };
  const auto time = static_cast<float>(elapsed_);
  for (std::size_t k = 0; k < contacts_.size(); ++k) {
    float a[3] = {}, b[3] = {};
    moved_by(contacts_[k].a, contact_places_[k].a, a);
    if (contacts_[k].b >= 0) moved_by(contacts_[k].b, contact_places_[k].b, b);
    ContactConstraint& c = contact_rows_[k];
    c.gap = static_cast<float>(contacts_[k].gap) + a[0] - b[0] - c.drift[0] * time;
    carry(contact_places_[k], a, b);
  }
  for (std::size_t k = 0; k < joints_.size(); ++k) {
    float a[3] = {}, b[3] = {};
    moved_by(joints_[k].a, joint_places_[k].a, a);
    if (joints_[k].b >= 0) moved_by(joints_[k].b, joint_places_[k].b, b);
    JointConstraint& j = joint_rows_[k];
    for (int r = 0; r < j.rows; ++r)
      j.error[r] = static_cast<float>(joints_[k].error[r]) + a[r] - b[r] - j.drift[r] * time;
    if (joints_[k].angular) std::fill(std::begin(a), std::end(a), 0.0F);
    if (joints_[k].angular) std::fill(std::begin(b), std::end(b), 0.0F);
    carry(joint_places_[k], a, b);
  }
}

/// Gives the bodies what the impulses have grown by since the last time.
void ContactSolver::hand_over(bool move) {
  if (move) handed_over_.assign(3 * (contacts_.size() + joints_.size()), 0.0);
  std::size_t at = 0;
  const auto give = [&](const Place& place, float* impulse, int rows) {
    for (int r = 0; r < 3; ++r, ++at) {
      // What is no number (numbers beyond float's) must not spread to others.
      if (!std::isfinite(impulse[r])) impulse[r] = 0;
      const double now = r < rows ? static_cast<double>(impulse[r]) : 0.0;
      const double change = now - handed_over_[at];
      handed_over_[at] = now;
      impulses_[place.a + r] = change;
      if (place.b >= 0) impulses_[place.b + r] = -change;
    }
  };
  for (std::size_t k = 0; k < contacts_.size(); ++k)
    give(contact_places_[k], contact_rows_[k].impulse, 3);
  for (std::size_t k = 0; k < joints_.size(); ++k)
    give(joint_places_[k], joint_rows_[k].impulse, joint_rows_[k].rows);
  for (const Slot& slot : slots_) {
    if (slot.stopped) continue;
    const auto first = static_cast<std::size_t>(slot.first);
    const auto count = static_cast<std::size_t>(slot.rows);
    slot.body->apply(std::span(impulses_).subspan(first, count), move,
                     std::span(carried_).subspan(first, count));
  }
}

void ContactSolver::sweep(bool relax, int times) {
  const SweepSettings settings{static_cast<float>(h_), static_cast<float>(settings_.push_speed),
                               relax};
  for (int k = 0; k < times; ++k) {
    for (int pass = 0; pass < kJointPasses; ++pass)
      kernels::sweep_joints(joint_rows_.data(), joint_count(), settings);
    kernels::sweep_contacts(contact_rows_.data(), contact_count(), settings);
  }
}

void ContactSolver::substep(bool last) {
  if (contacts_.empty() && joints_.empty()) return;
  const bool first = elapsed_ == 0;
  read_motion(false);
  if (first) {
    update_gaps();
    note_approach();
  }
  if (settings_.response == Response::penalty) {
    penalise();
  } else {
    kernels::warm_start(contact_rows_.data(), contact_count(), joint_rows_.data(), joint_count());
    sweep(false, settings_.sweeps);
  }
  hand_over(true);
  elapsed_ += h_;
  read_motion(true);
  update_gaps();
  if (settings_.response == Response::soft) {
    sweep(true, settings_.relaxing_sweeps);
    if (last)
      kernels::restitute(contact_rows_.data(), contact_count(),
                         static_cast<float>(settings_.bounce_speed));
    hand_over(false);
  }
  for (std::size_t k = 0; k < contacts_.size(); ++k) {
    for (std::size_t r = 0; r < 3; ++r)
      totals_[k] += contact_rows_[k].impulse[r] * contact_places_[k].directions[r];
  }
}

/// How fast contacts close before anything acts: what bounces give back a share of.
void ContactSolver::note_approach() {
  for (ContactConstraint& c : contact_rows_) {
    kernels::relative(c.a, c.b, c.a.velocity, c.b.velocity, 1, &c.approach);
    c.approach -= c.drift[0];
  }
}

/// Springs at the contacts, each by itself; joints as ever.
void ContactSolver::penalise() {
  for (ContactConstraint& c : contact_rows_) std::fill(c.impulse, c.impulse + 3, 0.0F);
  kernels::warm_start(nullptr, 0, joint_rows_.data(), joint_count());
  kernels::penalise(contact_rows_.data(), contact_count(), static_cast<float>(h_),
                    static_cast<float>(kPenaltyPhase / h_), static_cast<float>(kPenaltyDamping));
  const SweepSettings settings{static_cast<float>(h_), static_cast<float>(settings_.push_speed),
                               false};
  for (int k = 0; k < settings_.sweeps; ++k)
    kernels::sweep_joints(joint_rows_.data(), joint_count(), settings);
}

ContactSolver::ContactResult ContactSolver::contact_result(int contact) const {
  const ContactConstraint& c = contact_rows_[contact];
  const Place& place = contact_places_[contact];
  ContactResult result;
  result.normal_impulse = c.impulse[0];
  result.tangent_impulse = c.impulse[1] * place.directions[1] + c.impulse[2] * place.directions[2];
  result.total = totals_[contact];
  result.gap = c.gap;
  return result;
}

ContactSolver::JointResult ContactSolver::joint_result(int joint) const {
  JointResult result;
  const JointConstraint& j = joint_rows_[joint];
  for (int r = 0; r < j.rows; ++r) {
    result.impulse[r] = j.impulse[r];
    result.error[r] = j.error[r];
  }
  return result;
}

std::span<const float> ContactSolver::scaled_row(int slot, int row) const {
  const Slot& own = slots_[slot];
  return std::span(matrix_).subspan(
      own.matrix + static_cast<std::size_t>(row) * static_cast<std::size_t>(own.length),
      static_cast<std::size_t>(own.length));
}

}  // namespace limber
