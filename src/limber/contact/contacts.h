// All that touches or is joined in a world: who takes part, what they do to each other in a step,
// what came of it, who sleeps. Knows bodies only as points, rows and responses (DynamicBody).
//
// A world's step of h seconds reads, for each of parts(t, h) parts:
//   detect(t, h)                              pairs, contacts, who wakes
//   build(h / substeps)                       rows of contacts and joints
//   substeps times:
//     predict(touching) every body that touches()
//     substep()                               impulses
//     commit() them
//   advance(body, h) every other body that is awake
//   finish()                                  memory, events, joints that break, who sleeps
// Nothing allocates once the numbers of contacts have been as large before.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "limber/contact/broad_phase.h"
#include "limber/contact/contact_memory.h"
#include "limber/contact/contact_solver.h"
#include "limber/contact/joint.h"
#include "limber/contact/narrow_phase.h"
#include "limber/contact/participant.h"
#include "limber/contact/self_contact.h"
#include "limber/core/stopwatch.h"

namespace limber {

struct ContactOptions {
  /// Small ones are worth more than many sweeps: bounces and soft modes gain from them too.
  int substeps = 16;
  SolverSettings solver;
  bool sleeping = true;
  bool self = false;          ///< soft bodies that do not say touch themselves
  double sleep_after = 0.5;   ///< s at rest
  double sleep_speed = 0.05;  ///< sizes a second, root mean square: slower is at rest
};

/// A contact of the last step, or of its last part where it was cut, as data.
struct ContactRecord {
  int a = 0, b = 0;
  std::uint32_t feature = 0;
  Vec3 point = Vec3::Zero();
  Vec3 normal = Vec3::UnitY();  ///< from b to a
  Vec3 impulse = Vec3::Zero();  ///< on a, N s
  double depth = 0;             ///< m, negative where there is still a gap

  void archive(StateArchive& state);
};

struct ContactEvent {
  enum class Kind { begin, end };
  Kind kind = Kind::begin;
  int a = 0, b = 0;
};

/// Pairs that were found with the middle of one inside the other, and are being pushed apart.
struct DeepPair {
  int a = 0, b = 0;
  double depth = 0;  // m
};

class Contacts {
 public:
  Contacts() = default;
  Contacts(const Contacts&) = delete;
  Contacts& operator=(const Contacts&) = delete;
  Contacts(Contacts&&) = default;
  Contacts& operator=(Contacts&&) = default;

  // Who takes part. Numbers stay valid until remove(); those of removed ones are used again.

  /// Throws Error when options are out of range, or a body cannot touch itself.
  void set_options(const ContactOptions& options);
  [[nodiscard]] const ContactOptions& options() const { return options_; }
  /// The body must outlive its part here. `self`: whether it touches itself; none: as the options
  /// say. Throws Error where it should and has no closed soft surface.
  int add_body(DynamicBody& body, Collider::Shared collider, const ContactMaterial& material = {},
               const CollisionFilter& filter = {}, std::optional<bool> self = {});
  /// Fixed, or moved by keys.
  int add_obstacle(Collider::Shared collider, SupportMotion motion,
                   const ContactMaterial& material = {}, const CollisionFilter& filter = {});
  void remove(int who);
  /// Another way for an obstacle to go, from now on; who rests on it wakes.
  void set_motion(int who, SupportMotion motion);
  /// The two never touch each other.
  void exclude(int a, int b);
  [[nodiscard]] const Participant& participant(int who) const { return people_[who]; }
  [[nodiscard]] int participant_count() const { return static_cast<int>(people_.size()); }
  /// Whether filters and excluded pairs let the two touch.
  [[nodiscard]] bool meet(int a, int b) const;
  /// A body that cannot go on: from now on an obstacle that stands still.
  void stop(int who);
  void resume(int who);

  /// Throws Error for what cannot be joined.
  int add_joint(const JointSpec& spec);
  void remove_joint(int joint);
  [[nodiscard]] const Joint& joint(int number) const { return joints_[number].joint; }
  [[nodiscard]] int joint_count() const { return static_cast<int>(joints_.size()); }
  void set_motor(int joint, double speed, double torque);

  // A step, in the order of its stages.

  /// How many equal parts a step of h seconds from time t must have, so that nothing fast passes
  /// through anything.
  [[nodiscard]] int parts(double time, double h);
  void detect(double time, double h);
  void build(double h);
  void substep(bool last);
  void finish();

  /// Whether the body takes substeps: something is near, or a joint holds it.
  [[nodiscard]] bool touches(int who) const { return people_[who].slot >= 0; }
  [[nodiscard]] bool asleep(int who) const { return people_[who].asleep; }
  /// Something outside has changed: a load, a push, a hand.
  void wake(int who);
  void wake_all();

  /// Seconds spent so far.
  struct Seconds {
    double detection = 0, solve = 0;
  };
  [[nodiscard]] const Seconds& seconds() const { return seconds_; }

  // What came of the last step.

  [[nodiscard]] std::span<const ContactRecord> contacts() const { return records_; }
  [[nodiscard]] std::span<const ContactEvent> events() const { return events_; }
  [[nodiscard]] std::span<const DeepPair> deep_pairs() const { return deep_; }
  /// On a participant, the sum over the last step, N.
  [[nodiscard]] const Vec3& contact_force(int who) const { return people_[who].force; }
  [[nodiscard]] int contact_count(int who) const;

  /// All that later steps depend on, besides the bodies themselves.
  void archive(StateArchive& state);

  /// Everything where it stands now, for the casts of contact_queries.h: between steps.
  void refresh(double time);

 private:
  struct JointSlot {
    Joint joint;
    bool alive = true;
  };
  struct PairKey {
    std::int32_t a, b;
    bool operator==(const PairKey&) const = default;
    auto operator<=>(const PairKey&) const = default;
  };

  int add(Participant participant);
  [[nodiscard]] std::shared_ptr<const SelfShape> self_shape(const Participant& participant,
                                                            bool usually) const;
  [[nodiscard]] bool excluded(int a, int b) const;
  [[nodiscard]] bool moves(int who) const;
  [[nodiscard]] bool may_touch(int a, int b) const;
  void pose(double time, double h);
  void find_pairs();
  void find_contacts(double h);
  void find_self_contacts(double h);
  [[nodiscard]] bool wake_touched();
  [[nodiscard]] bool is_deep(int a, int b, bool first_seen, const PairReach& reach);
  [[nodiscard]] Vec3 apart_direction(int a, int b) const;
  [[nodiscard]] double overlap_along(int a, int b, const Vec3& direction) const;
  void push_apart(int a, int b);
  [[nodiscard]] PairReach reach_of(int a, int b, double h) const;
  [[nodiscard]] int slot_of(int who);
  void build_contacts();
  void build_joints(double h);
  [[nodiscard]] JointPose pose_of(const Joint& joint) const;
  [[nodiscard]] std::array<BodyPoint, 3> anchors(int who, const std::array<Vec3, 3>& places) const;
  void remember_and_record();
  void find_events();
  void find_islands();
  int island_of(int who);
  void join_islands(int a, int b);
  void fall_asleep();
  void wake_island(int island);
  void wake_disturbed();

  ContactOptions options_;
  std::vector<Participant> people_;
  std::vector<JointSlot> joints_;
  std::vector<PairKey> excluded_;  // sorted
  BroadPhase broad_;
  NarrowPhase narrow_;
  SelfContact self_contact_;
  ContactMemory memory_;
  ContactSolver solver_;
  Seconds seconds_;
  double h_ = 0;         // of the part of the step
  double step_h_ = 0;    // of the whole step
  bool looked_ = false;  // parts() has left boxes and pairs of one part, the whole step

  std::vector<Bounds> boxes_;
  std::vector<OverlapPair> pairs_;
  std::vector<Contact> found_;
  std::vector<ContactRecord> records_;
  std::vector<PairKey> touching_, touched_before_;
  std::vector<ContactEvent> events_;
  std::vector<DeepPair> deep_;
  std::vector<PairKey> deep_pairs_;  // sorted
  std::vector<int> island_parents_;
  std::vector<double> island_still_;
  std::int32_t next_island_ = 0;
};

}  // namespace limber
