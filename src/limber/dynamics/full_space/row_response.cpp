#include "limber/dynamics/full_space/row_response.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "limber/core/rotation.h"

namespace limber {

namespace {

constexpr int kMostAttached = 384;  // columns of B that W knows of
constexpr int kMostEntries = 32;    // nodes of a row: an angular one has all around its point

}  // namespace

RowResponse::RowResponse(FullSystem& system, StepSystem& linear)
    : system_(system), linear_(linear) {}

void RowResponse::reserve(int rows) {
  if (rows <= most_rows_) return;
  most_rows_ = rows;
  linear_.reserve_rows(3 * rows + 64);  // a contact's three rows share three nodes
  entries_.reserve(static_cast<std::size_t>(kMostEntries) * (rows + kMostAttached));
  attached_.reserve(kMostAttached);
  rows_.reserve(rows);
  small_.resize(rows + kMostAttached, rows + kMostAttached);
  values_.resize(rows + kMostAttached);
  loads_.resize(3 * system_.mesh.free_count());
  moved_.resize(loads_.size());
  x_ = system_.mesh.mesh().V;
  blocks_.reserve(2 * static_cast<std::size_t>(system_.mesh.free_count()));
}

void RowResponse::set(std::span<const BodyRow> rows, const FrameState& frame, const Positions& x) {
  frame_ = frame;
  x_ = x;
  entries_.clear();
  attached_.clear();
  rows_.clear();
  if (rows.empty()) return;
  if (system_.free_body) find_mass_centre(x);
  for (const BodyRow& given : rows) {
    Row row;
    row.point = given.point;
    row.angular = given.angular;
    row.world = given.direction;
    given.angular ? add_angular(given, row) : add_linear(given, row);
    rows_.push_back(row);
  }
  if (system_.attached()) add_attached();

  StepFactor& factor = linear_.factor();
  known_ = &linear_.row_compliance();
  const NodeRotations* rotations = system_.elasticity->node_rotations();
  factor.preconditioner->set_rotations(nullptr);
  for (int attempt = 0; attempt < 2; ++attempt) {
    bool all = true;
    for (Column& column : attached_) find_slots(column, linear_.at_rest(), rotations);
    for (Row& row : rows_) {
      find_slots(row.column, linear_.at_rest(), rotations);
      all &= row.column.known;
    }
    if (all) break;
    if (attempt == 0) known_->forget();  // full, with nodes of long ago
  }
  factor.preconditioner->set_rotations(rotations);
  this->factor();
}

void RowResponse::add_entry(int node, const Vec3& part, Column& column) {
  const int row = system_.mesh.free().free_index(node);
  if (row < 0) return;
  for (int k = 0; k < column.count; ++k) {
    if (entries_[column.first + k].row != row) continue;
    entries_[column.first + k].present += part;
    return;
  }
  entries_.push_back({row, -1, part, part});
  ++column.count;
}

void RowResponse::add_linear(const BodyRow& given, Row& row) {
  const Vec3 direction = frame_.rotation.transpose() * given.direction;
  row.column.first = static_cast<int>(entries_.size());
  for (std::size_t k = 0; k < 4; ++k) {
    if (given.point.weights[k] == 0) continue;
    add_entry(given.point.nodes[k], given.point.weights[k] * direction, row.column);
  }
  row.force = direction;
  row.place = frame_.rotation.transpose() * (given.place - frame_.position);
  row.couple = (row.place - centre_).cross(direction);
  row.point_couple = (given.point.sum(x_) - centre_).cross(direction);
}

/// ω = (Σ |a|²I − a aᵀ)⁻¹ Σ a×(v_j − v_c) over the edges a from the point's node c; in the other
/// direction a couple, no force.
void RowResponse::add_angular(const BodyRow& given, Row& row) {
  const Vec3 axis = frame_.rotation.transpose() * given.direction;
  const auto heaviest = std::max_element(given.point.weights.begin(), given.point.weights.end());
  const int centre = given.point.nodes[heaviest - given.point.weights.begin()];
  const auto around = system_.mesh.graph().neighbours(centre);
  Mat3 inertia = Mat3::Zero();
  for (const int node : around) {
    const Vec3 arm = (x_.row(node) - x_.row(centre)).transpose();
    inertia += arm.squaredNorm() * Mat3::Identity() - arm * arm.transpose();
  }
  const Vec3 spin = inertia.inverse() * axis;
  row.column.first = static_cast<int>(entries_.size());
  int taken = 0;
  for (const int node : around) {
    if (node == centre || ++taken >= kMostEntries) continue;
    const Vec3 arm = (x_.row(node) - x_.row(centre)).transpose();
    add_entry(node, spin.cross(arm), row.column);
    add_entry(centre, -spin.cross(arm), row.column);
  }
  row.force = Vec3::Zero();
  row.place = Vec3::Zero();
  row.couple = row.point_couple = axis;
}

/// What handles and the ground add to A, as columns B with B Bᵀ.
void RowResponse::add_attached() {
  system_.collect_blocks(linear_.h() * linear_.h(), linear_.h(), blocks_);
  Eigen::SelfAdjointEigenSolver<Mat3> own;
  for (const AttachedBlock& block : blocks_) {
    own.computeDirect(block.matrix);
    for (int c = 0; c < 3; ++c) {
      if (!(own.eigenvalues()[c] > 1e-9 * own.eigenvalues()[2])) continue;
      if (static_cast<int>(attached_.size()) == kMostAttached) return;
      Column column;
      column.first = static_cast<int>(entries_.size());
      const Vec3 direction = std::sqrt(own.eigenvalues()[c]) * own.eigenvectors().col(c);
      for (int k = 0; k < block.count; ++k) {
        const Vec3 part = block.weights[k] * direction;
        entries_.push_back({block.rows[k], -1, part, part});
        ++column.count;
      }
      attached_.push_back(column);
    }
  }
}

void RowResponse::find_slots(Column& column, const Preconditioner& rest,
                             const NodeRotations* rotations) {
  column.known = true;
  for (int k = 0; k < column.count; ++k) {
    Entry& entry = entries_[column.first + k];
    entry.slot = known_->slot_of(entry.row, rest);
    column.known &= entry.slot >= 0;
    entry.rest = rotations != nullptr ? Vec3((*rotations)[entry.row].transpose() * entry.present)
                                      : entry.present;
  }
}

void RowResponse::find_mass_centre(const Positions& x) {
  const Vector& mass = system_.mesh.node_mass();
  centre_ = (mass.transpose() * x).transpose() / mass.sum();
  inverse_inertia_ = system_.keeper.inertia(x).inverse();
}

/// aᵀ P b. Columns that the compliance has no room for stand alone, as points with the mass of
/// their nodes.
double RowResponse::compliance(const Column& a, const Column& b) const {
  if (!a.known || !b.known) {
    if (&a != &b) return 0;
    double sum = 0;
    for (int k = 0; k < a.count; ++k) {
      const Entry& entry = entries_[a.first + k];
      const int node = system_.mesh.free().nodes()[entry.row];
      sum += entry.present.squaredNorm() / system_.mesh.node_mass()[node];
    }
    return sum;
  }
  double sum = 0;
  for (int k = 0; k < a.count; ++k) {
    const Entry& mine = entries_[a.first + k];
    for (int l = 0; l < b.count; ++l) {
      const Entry& other = entries_[b.first + l];
      sum += mine.rest.dot((*known_)(mine.slot, other.slot) * other.rest);
    }
  }
  return sum;
}

/// The rigid part of the response, at the impulses' own places rather than those of the points.
double RowResponse::rigid_change(const Row& a, const Row& b) const {
  const double damped = 1 + linear_.h() * system_.options.damping.mass;
  const double shift = a.force.dot(b.force) / system_.mesh.total_mass();
  const double turn = a.couple.dot(inverse_inertia_ * b.couple);
  const double point_turn = a.point_couple.dot(inverse_inertia_ * b.point_couple);
  return shift + turn - (shift + point_turn) / damped;
}

/// Cholesky of [I + BᵀPB, BᵀPJᵀ; JPB, JPJᵀ]: what it leaves for J is the factor of W.
void RowResponse::factor() {
  constexpr double kLeast = 1e-6;  // of a row's own W: single precision knows no smaller pivots
  const int held = static_cast<int>(attached_.size());
  const int all = held + count();
  const auto column = [&](int i) -> const Column& {
    return i < held ? attached_[i] : rows_[i - held].column;
  };
  const double lightest = kLeast / system_.mesh.total_mass();
  for (int i = 0; i < all; ++i) {
    double own = 0;
    for (int j = 0; j <= i; ++j) {
      double value = compliance(column(i), column(j));
      if (j >= held && has_rigid_part()) value += rigid_change(rows_[i - held], rows_[j - held]);
      if (i == j) own = i < held ? value + 1 : value;
      if (i == j && i < held) value += 1;
      value -= small_.col(i).head(j).dot(small_.col(j).head(j));
      small_(j, i) = j < i ? value / small_(j, j) : value;
    }
    small_(i, i) = std::sqrt(std::max({small_(i, i), kLeast * own, lightest}));
  }
}

void RowResponse::write(float* scaled, std::ptrdiff_t stride) const {
  const int held = static_cast<int>(attached_.size());
  for (int i = 0; i < count(); ++i) {
    float* const row = scaled + i * stride;
    for (int j = 0; j < count(); ++j) {
      row[j] = j <= i ? static_cast<float>(small_(held + j, held + i)) : 0.0F;
    }
  }
}

/// J field, without the couples that the rows' places add.
double RowResponse::row_sum(const Row& row, const Positions& field) const {
  double sum = 0;
  for (int k = 0; k < row.column.count; ++k) {
    const Entry& entry = entries_[row.column.first + k];
    sum += entry.present.dot(field.row(system_.mesh.free().nodes()[entry.row]).transpose());
  }
  return sum;
}

/// out = L⁻¹ values_.
void RowResponse::solve_triangular(float* out) {
  const int held = static_cast<int>(attached_.size());
  for (int i = 0; i < count(); ++i) {
    const double known = small_.col(held + i).segment(held, i).dot(values_.head(i));
    values_[i] = (values_[i] - known) / small_(held + i, held + i);
    out[i] = static_cast<float>(values_[i]);
  }
}

void RowResponse::write_velocity(const FrameState& frame, const Positions& x, const Positions& v,
                                 float* scaled) {
  Vec3 spin = Vec3::Zero();
  if (has_rigid_part()) {
    const Momentum momentum = system_.keeper.momentum(x_, v);
    spin = inverse_inertia_ * (momentum.angular - centre_.cross(momentum.linear));
  }
  for (int i = 0; i < count(); ++i) {
    const Row& row = rows_[i];
    values_[i] = row_sum(row, v) + (row.couple - row.point_couple).dot(spin);
    if (system_.free_body) continue;
    const Vec3 arm = frame.rotation * row.point.sum(x);
    const Vec3 carried = row.angular ? frame.angular_velocity
                                     : Vec3(frame.velocity + frame.angular_velocity.cross(arm));
    values_[i] += row.world.dot(carried);
  }
  solve_triangular(scaled);
}

void RowResponse::write_displacement(const FrameState& frame, const Positions& x, float* scaled) {
  Vec3 turn = Vec3::Zero();
  if (has_rigid_part()) {
    const Momentum after = system_.keeper.momentum(x_, x), before = system_.keeper.momentum(x_, x_);
    const Vec3 angular = after.angular - before.angular;
    turn = inverse_inertia_ * (angular - centre_.cross(after.linear - before.linear));
  }
  for (int i = 0; i < count(); ++i) {
    const Row& row = rows_[i];
    values_[i] = row_sum(row, x) - row_sum(row, x_) + (row.couple - row.point_couple).dot(turn);
    if (system_.free_body) continue;
    const Vec3 point = row.point.sum(x_);
    const Vec3 carried = row.angular ? rotation_log(frame.rotation * frame_.rotation.transpose())
                                     : Vec3(frame.to_world(point) - frame_.to_world(point));
    values_[i] += row.world.dot(carried);
  }
  solve_triangular(scaled);
}

double RowResponse::respond(std::span<const double> impulses, std::span<const Vec3> carried,
                            const Positions& arms, const Positions& v, Positions& change) {
  constexpr double kTolerance = 1e-9;  // of the impulses; each digit costs an iteration or two
  loads_.setZero();
  Momentum given;
  for (int i = 0; i < count(); ++i) {
    const Row& row = rows_[i];
    for (int k = 0; k < row.column.count; ++k) {
      const Entry& entry = entries_[row.column.first + k];
      loads_.segment<3>(3 * entry.row) += impulses[i] * entry.present;
    }
    given.linear += impulses[i] * row.force;
    Vec3 place = row.place;
    if (!carried.empty()) place += frame_.rotation.transpose() * carried[i];
    given.angular += impulses[i] * (row.angular ? row.couple : Vec3(place.cross(row.force)));
  }
  iterations_ = linear_.solve(kTolerance * loads_.norm(), moved_, loads_).iterations;
  change.setZero();
  system_.mesh.add_scattered(1, moved_, change);
  if (system_.free_body) {
    // What handles answer to it is an impulse too.
    loads_.setZero();
    for (const AttachedBlock& block : linear_.blocks()) block.add_product(-1, moved_, loads_);
    for (int i = 0; i < system_.mesh.free_count(); ++i) {
      const Vec3 answer = loads_.segment<3>(3 * i);
      const int node = system_.mesh.free().nodes()[i];
      given.linear += answer;
      given.angular += Vec3(arms.row(node).transpose()).cross(answer);
    }
    system_.keeper.set_momentum(given, arms, change);
  }
  double work = 0;
  for (int i = 0; i < count(); ++i) {
    work += impulses[i] * (row_sum(rows_[i], v) + row_sum(rows_[i], change));
  }
  return work;
}

}  // namespace limber
