// Impulses of contacts and joints over a step of several substeps ("TGS soft": Macklin et al. 2019,
// "Small steps"; Catto's soft contacts in Box2D v3), in the bodies' scaled coordinates.
//
// Rows are set once a step; gaps follow the bodies to first order, gap = gap₀ + J̃·D̃. A substep:
//   bodies predict (outside) → warm start → sweeps → bodies move → relaxing sweep → commit
//   (outside).
// Rows are float, but both bodies get the same impulses in double, each at a place they share:
// momentum is kept to rounding.
//
// In a pile reading the rows is what costs: a substep reads those of a loaded contact once in each
// sweep, and of one that does not close the normal alone. The warm start of a substep is what the
// last one has added to Ṽ, the modes' share of an impulse is what the sweeps have added to it, and
// gaps are found where the relaxing sweep reads the rows anyway.
#pragma once

#include <array>
#include <vector>

#include "limber/contact/contact_kernel.h"
#include "limber/dynamics/dynamic_body.h"

namespace limber {

enum class Response {
  soft,    ///< soft contacts, solved together
  penalty  ///< a spring at each contact: Hauser et al. 2003, section 3.4.2; for comparison
};

struct SolverSettings {
  int sweeps = 0;             ///< a substep; 0: what tall stacks need with so few substeps
  int relaxing_sweeps = -1;   ///< what the bias adds must be taken out again; -1: as many
  double push_speed = 1;      ///< m/s, the most that overlap is undone with
  double bounce_speed = 0.5;  ///< m/s, slower contacts do not bounce
  Response response = Response::soft;
};

/// Slots are those of add_body(); b is -1 where the other side does not move by itself, and a where
/// a body touches itself.
struct ContactInput {
  int a = -1, b = -1;
  BodyPoint point_a, point_b;
  Vec3 normal, place;  // normal from b to a
  double gap = 0;
  double friction = 0, restitution = 0;
  double slop = 0;  // m
  double sag = 0;   // m, the most that a load at rest presses the two together

  Vec3 drift = Vec3::Zero();  // of b's material where it is an obstacle, m/s
  double normal_impulse = 0;  // of a substep, to start with
  Vec3 tangent_impulse = Vec3::Zero();
};

struct JointInput {
  int a = -1, b = -1;
  BodyPoint point_a, point_b;
  std::array<Vec3, 3> directions;  // orthonormal; the first `rows` of them act
  Vec3 place;
  int rows = 3;
  bool angular = false;
  Vec3 error = Vec3::Zero();    // a less b along the directions, m or rad
  Vec3 drift = Vec3::Zero();    // of an obstacle's material, m/s or rad/s
  Vec3 impulse = Vec3::Zero();  // along the directions, of a substep, to start with
  double lowest = -kForever, highest = kForever;  // of the impulse of a single row
  double target = 0;                              // of the velocity of a single row
  bool limit = false;                             // a single row: error ≥ 0 is free
};

class ContactSolver {
 public:
  void set(const SolverSettings& settings) { settings_ = settings; }
  [[nodiscard]] const SolverSettings& settings() const { return settings_; }

  // A step, in the order of its stages.

  void clear();
  /// `row_capacity`: what the body has reserved, kept by the caller from step to step. The body
  /// must live until the next clear().
  int add_body(DynamicBody& body, int& row_capacity);
  void add_contact(const ContactInput& contact) { contacts_.push_back(contact); }
  void add_joint(const JointInput& joint) { joints_.push_back(joint); }
  /// Asks the bodies for their rows, at the present state, for substeps of h seconds.
  void build(double h);
  /// The body of this slot cannot go on: it is pushed no more until the next clear().
  void stop(int slot) { slots_[static_cast<std::size_t>(slot)].stopped = true; }
  /// Between the bodies' predict() and commit(). `last`: of the step.
  void substep(bool last);

  // What came of it.

  [[nodiscard]] int contact_count() const { return static_cast<int>(contacts_.size()); }
  [[nodiscard]] int joint_count() const { return static_cast<int>(joints_.size()); }
  struct ContactResult {
    double normal_impulse = 0;  // of the last substep, N s
    Vec3 tangent_impulse = Vec3::Zero();
    Vec3 total = Vec3::Zero();  // on a, over all substeps, N s
    double gap = 0;             // at the end, m
  };
  [[nodiscard]] ContactResult contact_result(int contact) const;
  struct JointResult {
    Vec3 impulse = Vec3::Zero();  // of the last substep, along the directions
    Vec3 total = Vec3::Zero();    // over all substeps
    Vec3 error = Vec3::Zero();    // at the end
  };
  [[nodiscard]] JointResult joint_result(int joint) const;
  /// Since build(), s.
  [[nodiscard]] double elapsed() const { return elapsed_; }
  /// J̃ of a body's row, for tests.
  [[nodiscard]] std::span<const float> scaled_row(int slot, int row) const;

 private:
  struct Slot {
    DynamicBody* body;
    int* capacity;
    int rows = 0;   // asked for
    int first = 0;  // among all rows
    int filled = 0;
    int length = 0;  // of a row, a multiple of 8
    bool stopped = false;
    bool takes_sums = false;  // apply_sum() rather than apply()
    std::size_t matrix = 0;   // of its rows
    std::size_t vector = 0;   // of Ṽ, and D̃ behind it
    RowSum sum;               // of what is handed over
  };
  struct Place {        // of a constraint's rows
    int a = 0, b = -1;  // first row on each side, among all
    std::array<Vec3, 3> directions;
    Vec3 at;  // in the world, at the start of the step
    int slot_a = -1, slot_b = -1;
    int rows = 3;
    bool angular = false;
  };

  void lay_out_rows();
  int take_rows(int slot, const BodyPoint& point, const Place& place);
  void ask_bodies();
  void make_contacts();
  void join_rows(int slot, int row, int other);
  void make_joints();
  [[nodiscard]] ConstraintSide side(int slot, int row);
  [[nodiscard]] double rigid_part(int slot, int row) const;
  void read_motion(bool moved);
  void warm_start(bool first);
  void track_joints();
  void hand_over(bool move);
  void push(const Place& place, const float* impulse, float* handed, const float* shift);
  void push_side(int slot, int row, double sign, const Place& place, const double* change,
                 const Vec3& impulse, const Vec3& shift);
  void take_changes(bool move);
  void add_totals();
  [[nodiscard]] SweepSettings sweep_settings(bool relax, bool track) const;
  void sweep(bool relax, int times);
  void note_approach();
  void penalise();

  SolverSettings settings_;
  double h_ = 0;
  double elapsed_ = 0;  // since build()
  std::vector<Slot> slots_;
  std::vector<ContactInput> contacts_;
  std::vector<JointInput> joints_;

  std::vector<Place> contact_places_, joint_places_;
  std::vector<ContactConstraint> contact_rows_;
  std::vector<JointConstraint> joint_rows_;
  std::vector<Vec3> totals_, joint_totals_;
  std::vector<BodyRow> rows_;     // slot by slot
  std::vector<double> impulses_;  // a row, of bodies that take them one by one
  std::vector<Vec3> carried_;     // a row
  std::vector<float> matrix_;     // J̃, slot by slot
  std::vector<float> motion_;     // Ṽ and D̃, slot by slot
  std::vector<float> before_;     // Ṽ as the bodies gave it; laid out as motion_, and so are:
  std::vector<float> change_;     // Ṽ since then
  std::vector<float> warm_;       // Σ J̃ᵀp of the last substep
  std::vector<float> joint_shifts_, joint_handed_;  // 3 a joint
  int look_ = 0;                                    // how often the bodies have moved
};

}  // namespace limber
