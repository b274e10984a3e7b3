// One world: all that moves, moves in it. Programs, studio, scenes and bindings fill one and show
// it; none of them has a loop over bodies of its own.
//
// A step reads as its stages: detect → build rows → substeps of those that touch (predict → solve →
// commit) → the others fly → finish. It never throws and, once the numbers of contacts have been as
// large before, allocates nothing; a body that cannot go on is stopped where it is and marked, and
// the rest goes on.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "limber/contact/contacts.h"
#include "limber/dynamics/dynamic_body.h"
#include "limber/world/detail_budget.h"

namespace limber {

/// Names a body of a world for as long as the world lives: never used again once removed.
struct BodyId {
  std::uint32_t slot = 0;
  std::uint32_t generation = 0;

  friend bool operator==(const BodyId&, const BodyId&) = default;
};

/// A body of a world and how it fares.
struct WorldBody {
  BodyId id;
  std::string name;
  std::unique_ptr<DynamicBody> dynamics;
  Fault fault;            ///< why it was stopped; none while it moves
  double stopped_at = 0;  ///< s, of a stopped body
  int unconverged_steps = 0;
  double worst_residual = 0;
  long passes = 0;            ///< over its elements, in the last step of the world
  int participant = kNobody;  ///< in the world's contacts; kNobody: touches nothing
  BodyDetail detail;          ///< under a budget

  [[nodiscard]] bool stopped() const { return static_cast<bool>(fault); }
};

/// What bodies bounce off, and what moves by keys alone.
struct WorldObstacle {
  std::string name;
  int participant = kNobody;
};

/// How something can be touched.
struct ContactPart {
  Collider::Shared collider;  ///< null: it takes no part
  ContactMaterial material;
  CollisionFilter filter;
  std::optional<bool> self = {};  ///< of soft bodies: touches itself; none: as the options say
};

/// A saved state; fits the world that it was taken from while nothing is added or removed.
class WorldSnapshot {
 public:
  WorldSnapshot() = default;
  /// One that was kept elsewhere: the bytes and structure of another.
  WorldSnapshot(std::vector<std::byte> bytes, std::uint64_t structure)
      : bytes_(std::move(bytes)), structure_(structure) {}

  [[nodiscard]] std::size_t size() const { return bytes_.size(); }
  friend bool operator==(const WorldSnapshot&, const WorldSnapshot&) = default;
  [[nodiscard]] std::span<const std::byte> bytes() const { return bytes_; }
  /// Of the bodies that the world had.
  [[nodiscard]] std::uint64_t structure() const { return structure_; }

 private:
  friend class World;
  std::vector<std::byte> bytes_;
  std::uint64_t structure_ = 0;
};

class World {
 public:
  World();
  ~World();
  World(World&&) noexcept;
  World& operator=(World&&) noexcept;

  /// Takes the body over. Throws Error when the name is empty or taken.
  BodyId add(std::string name, std::unique_ptr<DynamicBody> body, const ContactPart& part = {});
  /// Throws Error for an id that is not in the world.
  void remove(BodyId id);
  [[nodiscard]] bool contains(BodyId id) const;
  /// Throws Error for an id that is not in the world.
  [[nodiscard]] WorldBody& body(BodyId id);
  [[nodiscard]] const WorldBody& body(BodyId id) const;
  /// Throws Error that lists the names when there is none of this one.
  [[nodiscard]] BodyId find(const std::string& name) const;

  /// In the order they were added.
  [[nodiscard]] std::vector<WorldBody>& bodies() { return bodies_; }
  [[nodiscard]] const std::vector<WorldBody>& bodies() const { return bodies_; }

  /// Fixed, or moved by keys. Returns its number among the participants of contacts(). Throws Error
  /// when the name is empty or taken.
  int add_obstacle(std::string name, const ContactPart& part, SupportMotion motion = {});
  /// Another way for it to go, from now on: in somebody's hand, say. Both throw Error for who is no
  /// obstacle of the world.
  void move_obstacle(int participant, SupportMotion motion);
  void remove_obstacle(int participant);
  [[nodiscard]] const std::vector<WorldObstacle>& obstacles() const { return obstacles_; }
  /// Between participants of contacts(), or one and the world (kTheWorld). Throws Error for what
  /// cannot be joined.
  int add_joint(const JointSpec& joint);
  void remove_joint(int joint);
  /// The number of a body among the participants. Throws Error for one that takes no part.
  [[nodiscard]] int participant(BodyId id) const;
  /// The body or obstacle of that number. Throws Error where there is none.
  [[nodiscard]] const std::string& name_of(int participant) const;
  /// Who touches whom, joints, events, casts, options.
  [[nodiscard]] Contacts& contacts() { return contacts_; }
  [[nodiscard]] const Contacts& contacts() const { return contacts_; }
  /// Something outside has changed for a body: it sleeps no more.
  void wake(BodyId id);

  /// From now on steps shall cost no more than this: bodies get modes, local nodes and forces by
  /// how much is seen of them. Without microseconds all have full detail again. Throws Error where
  /// a number is out of range.
  void set_budget(const DetailBudget& budget);
  [[nodiscard]] const DetailBudget& budget() const { return budget_; }
  /// The picture's view moves on.
  void set_view(const DetailView& view);
  /// 1 is as the body is seen, 2 as if it were twice as large. Throws Error unless it is positive.
  void set_importance(BodyId id, double importance);
  [[nodiscard]] const DetailStatus& detail_status() const { return detail_; }

  /// All bodies on by h seconds. A step that is not positive and finite is refused: nothing moves,
  /// and the fault says so.
  Fault step(double h) noexcept;
  /// All bodies to their equilibrium under the present loads: each by its own equations, and those
  /// that may touch others or are joined together, by letting them come to rest. Throws Error
  /// (work_failed) that names the body when one does not get there.
  void settle(const SettleOptions& options = {});
  /// s, since the world began.
  [[nodiscard]] double time() const { return time_; }

  /// A stopped body may go on: after its loads, handles or state were changed.
  void resume(BodyId id);

  /// Bit for bit: time, frames, shapes, last forces, handles, contacts, joints, who sleeps.
  /// Allocates only when the snapshot is new or the state has grown.
  void save(WorldSnapshot& snapshot) const;
  [[nodiscard]] WorldSnapshot snapshot() const;
  /// Throws Error, and changes nothing, for a snapshot of another world.
  void restore(const WorldSnapshot& snapshot);

 private:
  void settle_all(const SettleOptions& options);
  void settle_alone(WorldBody& body, const SettleOptions& options);
  void relax();
  [[nodiscard]] bool may_touch_others(const WorldBody& body) const;
  void give_all_detail();
  static void measure_size(WorldBody& body);
  [[nodiscard]] DetailRequest request_of(const WorldBody& body) const;
  [[nodiscard]] bool spends(const WorldBody& body) const;
  void count_contacts();
  void share_detail(double h) noexcept;
  void note_time(double seconds) noexcept;
  void step_parts(double h) noexcept;
  void step_part(double h) noexcept;
  void step_touching(double h) noexcept;
  void step_others(double h) noexcept;
  void note_status(WorldBody& body) noexcept;
  [[nodiscard]] static Fault check_cost(const WorldBody& body) noexcept;
  [[nodiscard]] bool touches(const WorldBody& body) const noexcept;
  void check_name(const std::string& name) const;
  void stop(WorldBody& body, const Fault& fault) noexcept;
  void archive(StateArchive& state);
  [[nodiscard]] std::size_t index_of(BodyId id) const;
  [[nodiscard]] std::vector<WorldObstacle>::const_iterator find_obstacle(int participant) const;

  std::vector<WorldBody> bodies_;
  std::vector<WorldObstacle> obstacles_;
  Contacts contacts_;
  std::vector<std::uint32_t> generations_;  // of each slot
  std::uint64_t structure_ = 0;             // changes with all that is added or removed
  double time_ = 0;
  DetailBudget budget_;
  DetailStatus detail_;
  std::vector<DetailRequest> requests_;
  std::vector<int> contacts_of_;  // each participant
};

}  // namespace limber
