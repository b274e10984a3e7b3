// How a full-resolution body answers to impulses along rows: contacts and joints.
//
// Impulses p change velocities by Δv = A⁻¹ Jᵀ p, A the matrix of the implicit step (StepSystem), so
// that stiffness and handles answer within the step. That is one solve for all rows together.
// What the world's solver is told, W = J A⁻¹ Jᵀ, must not cost a solve a row: A is nearly the rest
// matrix turned node by node, of which NodeCompliance knows the inverse among a few nodes; handles
// are taken off by Woodbury's identity. Between rest and moderate strain both agree to some per
// cent, and what a step misses the next one sees.
//
// Free bodies keep their momenta exactly, whatever A does to turned bodies: the rigid part of Δv is
// that of a rigid body hit at `place`.
// Symbols: J (k×3f) rows, frame coordinates; L Lᵀ = W, J̃ = L.
#pragma once

#include <span>
#include <vector>

#include "limber/dynamics/dynamic_body.h"
#include "limber/dynamics/full_space/step_system.h"

namespace limber {

class RowResponse {
 public:
  /// Both must outlive this.
  RowResponse(FullSystem& system, StepSystem& linear);

  void reserve(int rows);
  /// When rows outgrow it, the body's compliance is learnt afresh: another order of its sums.
  void archive(StateArchive& state) { state.value(most_rows_); }
  /// `linear` is prepared for the steps that follow and the elasticity linearised at x.
  void set(std::span<const BodyRow> rows, const FrameState& frame, const Positions& x);
  [[nodiscard]] int count() const { return static_cast<int>(rows_.size()); }
  /// J̃, row by row.
  void write(float* scaled, std::ptrdiff_t stride) const;

  /// In the coordinates of J̃: of the rows' velocities, and of their displacements since set().
  void write_velocity(const FrameState& frame, const Positions& x, const Positions& v,
                      float* scaled);
  void write_displacement(const FrameState& frame, const Positions& x, float* scaled);

  /// Δv (n×3) of the impulses, `linear` being assembled. `arms`: what the momenta of free bodies
  /// are about. Returns the work that they do on velocities v.
  double respond(std::span<const double> impulses, std::span<const Vec3> carried,
                 const Positions& arms, const Positions& v, Positions& change);
  /// Of the solver, in the last respond().
  [[nodiscard]] int iterations() const { return iterations_; }

 private:
  struct Entry {
    int row = 0;    // among the free nodes
    int slot = -1;  // in the compliance
    Vec3 present;   // its part of J
    Vec3 rest;      // in the node's rest frame
  };
  struct Column {
    int first = 0, count = 0;  // of entries_
    bool known = true;         // its compliance
  };
  struct Row {
    Column column;
    BodyPoint point;
    bool angular = false;
    Vec3 world, force,
        place;          // the direction in the world; frame: what a unit impulse is, and where
    Vec3 couple;        // about the mass centre, of the impulse at its place
    Vec3 point_couple;  // and at the point, as the entries have it
  };

  void add_entry(int node, const Vec3& part, Column& column);
  void add_linear(const BodyRow& given, Row& row);
  void add_angular(const BodyRow& given, Row& row);
  void add_attached();
  void find_slots(Column& column, const Preconditioner& rest, const NodeRotations* rotations);
  void find_mass_centre(const Positions& x);
  [[nodiscard]] double compliance(const Column& a, const Column& b) const;
  [[nodiscard]] double rigid_change(const Row& a, const Row& b) const;
  void factor();
  [[nodiscard]] double row_sum(const Row& row, const Positions& field) const;
  void solve_triangular(float* out);
  [[nodiscard]] bool has_rigid_part() const { return system_.free_body && !system_.attached(); }

  FullSystem& system_;
  StepSystem& linear_;
  int most_rows_ = 0;
  int iterations_ = 0;
  std::vector<Entry> entries_;
  std::vector<Column> attached_;  // of B
  std::vector<Row> rows_;
  std::vector<AttachedBlock> blocks_;
  NodeCompliance* known_ = nullptr;
  Eigen::MatrixXd small_;  // the factor of I + BᵀPB, then L below it
  Vector values_, loads_, moved_;
  FrameState frame_;  // of set()
  Positions x_;
  Vec3 centre_ = Vec3::Zero();
  Mat3 inverse_inertia_ = Mat3::Zero();  // about it
};

}  // namespace limber
