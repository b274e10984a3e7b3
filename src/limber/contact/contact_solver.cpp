#include "limber/contact/contact_solver.h"

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <numbers>

namespace limber {

namespace {

/// Soft contacts: as fast as a substep can follow, strongly damped, so that overlap is undone
/// without a bounce. At 60 Hz a stack of ten stiff cubes leans by 5.1 % of an edge, here by 4.6 %;
/// at 90 it sways.
constexpr double kFrequency = 63;  // Hz
constexpr double kShareOfStep = 0.25;
constexpr double kDamping = 10;

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
  Slot& slot = slots_.emplace_back();
  slot.body = &body;
  slot.capacity = &row_capacity;
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
int ContactSolver::take_rows(int slot, const BodyPoint& point, const Place& place) {
  if (slot < 0) return -1;
  Slot& own = slots_[slot];
  const int first = own.first + own.filled;
  for (int r = 0; r < 3; ++r)
    rows_[first + r] = {point, place.directions[static_cast<std::size_t>(r)], place.at,
                        place.angular};
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
    place.at = c.place;
    place.slot_a = c.a;
    place.slot_b = c.b;
    place.a = take_rows(c.a, c.point_a, place);
    place.b = take_rows(c.b, c.point_b, place);
    contact_places_.push_back(place);
  }
  for (const JointInput& j : joints_) {
    Place place;
    place.directions = j.directions;
    place.rows = j.rows;
    place.angular = j.angular;
    place.at = j.place;
    place.slot_a = j.a;
    place.slot_b = j.b;
    place.a = take_rows(j.a, j.point_a, place);
    place.b = take_rows(j.b, j.point_b, place);
    joint_places_.push_back(place);
  }
  impulses_.resize(rows_.size());
  carried_.assign(rows_.size(), Vec3::Zero());
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
    vector += 2 * static_cast<std::size_t>(slot.length);
  }
  matrix_.resize(matrix);
  for (std::vector<float>* one : {&motion_, &before_, &change_, &warm_}) one->assign(vector, 0);
  look_ = 0;
  for (Slot& slot : slots_) {
    float* rows = matrix_.data() + slot.matrix;
    slot.body->set_rows(std::span(rows_).subspan(slot.first, slot.rows), h_, rows, slot.length);
    slot.takes_sums = slot.body->takes_sums();
    slot.sum.about = slot.body->frame().position;
    const int used = slot.body->row_length(slot.rows);
    for (int r = 0; r < slot.rows; ++r, rows += slot.length)
      std::fill(rows + used, rows + slot.length, 0.0F);
  }
}

ConstraintSide ContactSolver::side(int slot, int row) {
  if (slot < 0) return {};
  const Slot& own = slots_[slot];
  return {matrix_.data() + own.matrix + static_cast<std::ptrdiff_t>(row - own.first) * own.length,
          motion_.data() + own.vector, own.length};
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

/// Of a body that touches itself: its two places move against each other along the rows of the one
/// less those of the other. What they share, the motion of the body as a whole, is nothing then.
void ContactSolver::join_rows(int slot, int row, int other) {
  const Slot& own = slots_[slot];
  float* const rows =
      matrix_.data() + own.matrix + static_cast<std::ptrdiff_t>(row - own.first) * own.length;
  const std::ptrdiff_t further = static_cast<std::ptrdiff_t>(other - row) * own.length;
  for (int k = 0; k < 3 * own.length; ++k) rows[k] -= rows[further + k];
}

void ContactSolver::make_contacts() {
  contact_rows_.resize(contacts_.size());
  totals_.assign(contacts_.size(), Vec3::Zero());
  joint_totals_.assign(joints_.size(), Vec3::Zero());
  for (std::size_t k = 0; k < contacts_.size(); ++k) {
    const ContactInput& input = contacts_[k];
    const Place& place = contact_places_[k];
    ContactConstraint& c = contact_rows_[k];
    // Of both places, as between two bodies, though a body that touches itself has one rigid
    // motion.
    const double rigid = rigid_part(input.a, place.a) + rigid_part(input.b, place.b);
    const bool self = input.a >= 0 && input.a == input.b;
    if (self) join_rows(input.a, place.a, place.b);
    c.a = side(input.a, place.a);
    c.b = self ? ConstraintSide{} : side(input.b, place.b);
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
    c.beta = static_cast<float>(rate / (2 * kDamping + h_ * rate));
    c.gamma = static_cast<float>(rigid / (h_ * rate * (2 * kDamping + h_ * rate)));
    c.slop = static_cast<float>(input.slop);
    // At rest −β·gap = γp: what carried a heavy load last step is made stiffer.
    if (c.gamma * input.normal_impulse > c.beta * input.sag)
      c.gamma = static_cast<float>(c.beta * input.sag / input.normal_impulse);
    c.friction = static_cast<float>(input.friction);
    c.restitution = static_cast<float>(input.restitution);
    c.first_gap = c.gap = static_cast<float>(input.gap);
    for (int r = 0; r < 3; ++r) c.handed[r] = c.shift[r] = 0;
    c.shifted_at = 0;
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
  joint_shifts_.assign(3 * joints_.size(), 0);
  joint_handed_.assign(3 * joints_.size(), 0);
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
  result.total = joint_totals_[joint];
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
