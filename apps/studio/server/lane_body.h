// One body of a lane's world, with hands, pushes and a support that is thrown around.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "limber/dynamics/full_space/ground.h"
#include "limber/scene/build_contact.h"
#include "limber/world/world.h"
#include "server/full_hands.h"
#include "server/shaken_support.h"
#include "server/studio_body.h"

namespace limber::studio {

/// What acts on a body from outside beside the scene: the same for all lanes.
struct Surroundings {
  std::optional<Vec3> gravity;  // m/s², as the panel says; else the scene's own
  ShakenSupport support;        // over the step to come
  std::map<int, Vec3> pushes;   // force on a vertex, N, world
  std::vector<Hand> hands;      // of this body, world
};

/// A vertex of the surface as the handles know it. Throws Error when there is no such vertex.
[[nodiscard]] BodyPoint handle_point(const StudioBody& body, int vertex);

class LaneBody {
 public:
  /// Puts the body into the lane's world, which must outlive this. Throws Error where the method
  /// cannot play it.
  LaneBody(const StudioBody& body, Method method, const SceneDescription& scene, World& world,
           ContactBuilder& contact);

  /// What the world's next step of h seconds meets.
  void prepare(double h, const Surroundings& around);
  /// After that step: a body that was stopped is said to be so until it has moved for a while.
  void notice_faults();
  void hit(const BodyPoint& point, const Vec3& impulse);
  /// Of a free body: at rest there; and with this motion of its mass centre.
  void put(const Vec3& position, const Eigen::Quaterniond& rotation);
  void throw_it(const Vec3& velocity, const Vec3& spin);
  /// The same for the mass centre alone: swing and spin stay.
  void let_fly(const Vec3& velocity);
  void set_damping(const Damping& damping);
  /// Shape and motion of another lane's body, as far as the method can take them over.
  void carry_over(const LaneBody& before);

  /// n×3, world.
  [[nodiscard]] Positions nodes() const;
  [[nodiscard]] Positions surface() const;
  /// n×3, as seen from the support; of a free body in the world.
  [[nodiscard]] Positions pose() const;
  void write(FrameWriter& frame, double volume_ratio, double error) const;
  /// Points that touch something.
  [[nodiscard]] int contacts() const;
  /// Those on the ground that are a part of the body's own equations; elsewhere the world has them.
  [[nodiscard]] std::vector<GroundContact> ground_contacts() const;
  [[nodiscard]] const StudioBody& body() const { return body_; }
  [[nodiscard]] const DynamicBody& dynamics() const { return *world_.body(id_).dynamics; }
  /// Why it stands still, and since when (s); none while it moves.
  [[nodiscard]] const Fault& fault() const { return fault_; }
  [[nodiscard]] double stopped_at() const { return stopped_at_; }

 private:
  struct Held {
    Hand::Kind kind;
    int vertex;
    int position = -1;  // numbers among the handles
    int orientation = -1;
    Vec3 target = Vec3::Zero(), rotation = Vec3::Zero();  // where the hand has come
  };

  void recover(const Surroundings& around);
  void apply_support(double h, const Surroundings& around);
  void apply_loads(const Surroundings& around);
  void apply_hands(double h, const Surroundings& around);
  /// Hands in the coordinates of the handles' targets at the end of the step.
  [[nodiscard]] std::vector<Hand> hands_to_meet(double h, const Surroundings& around) const;
  [[nodiscard]] Held take(const Hand& hand);
  void follow(const Hand& hand, Held& held);
  [[nodiscard]] DynamicBody& dynamics() { return *world_.body(id_).dynamics; }

  StudioBody body_;
  Loads scene_loads_;
  World& world_;
  BodyId id_;
  FullHands full_hands_;
  std::map<int, Held> held_;  // by the hand's id
  SupportMotion scene_support_;
  bool shaken_ = false;
  bool loads_set_ = false;
  Surroundings applied_;
  Fault fault_;
  double stopped_at_ = 0;
  bool stopped_while_led_ = false;
  int steps_since_fault_ = 0;
};

}  // namespace limber::studio
