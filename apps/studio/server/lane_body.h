// One body played by one method, with hands, pushes and a support that is thrown around.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <vector>

#include "limber/constraint/constraint_set.h"
#include "limber/dynamics/modal/modal_body.h"
#include "server/full_hands.h"
#include "server/shaken_support.h"
#include "server/studio_body.h"

namespace limber::studio {

/// What acts on a body from outside beside the scene: the same for all lanes.
struct Surroundings {
  Vec3 gravity = Vec3::Zero();  // m/s², as the scene or the panel says
  ShakenSupport support;        // over the step to come
  std::map<int, Vec3> pushes;   // force on a vertex, N, world
  std::vector<Hand> hands;      // of this body, world
};

/// A vertex of the surface as the handles know it. Throws Error when there is no such vertex.
[[nodiscard]] HandlePoint handle_point(const StudioBody& body, int vertex);

class LaneBody {
 public:
  /// Throws Error where the method cannot play the body.
  LaneBody(const StudioBody& body, const std::string& method, const SceneDescription& scene);

  void step(double h, const Surroundings& around);
  void set_damping(const Damping& damping);
  /// Shape and motion of another lane's body, as far as the method can take them over.
  void carry_over(const LaneBody& before);

  /// n×3, world.
  [[nodiscard]] Positions nodes() const;
  [[nodiscard]] Positions surface() const;
  /// n×3, as seen from the support; of a free body in the world.
  [[nodiscard]] Positions pose() const;
  void write(FrameWriter& frame, double volume_ratio, double error) const;
  /// Nodes that touch the ground.
  [[nodiscard]] int contacts() const;
  [[nodiscard]] const StudioBody& body() const { return body_; }

 private:
  struct Held {
    Hand::Kind kind;
    int vertex;
    int position = -1;  // numbers in the constraint set
    int orientation = -1;
    Vec3 target = Vec3::Zero(), rotation = Vec3::Zero();  // where the hand has come; frame
  };

  void make();
  void apply_support(double h, const Surroundings& around);
  void apply_loads(const Surroundings& around);
  void apply_hands(double h, const Surroundings& around);
  /// Hands in the coordinates of the body's frame at the end of the step.
  [[nodiscard]] std::vector<Hand> hands_in_frame(double h, const Surroundings& around) const;
  [[nodiscard]] Held take(const Hand& hand);
  void follow(const Hand& hand, Held& held);
  void add_pull(const Hand& hand, Loads& loads) const;
  [[nodiscard]] const SupportMotion& support() const;
  [[nodiscard]] bool hangs() const { return body_.source->modes.rigid_modes == 0; }
  [[nodiscard]] bool is_free() const { return modal_ != nullptr && modal_->is_free(); }

  StudioBody body_;
  SceneDescription scene_;
  Loads scene_loads_;
  std::unique_ptr<DynamicBody> dynamics_;
  ModalBody* modal_ = nullptr;  // its oscillators, where it has some
  FullBody* full_ = nullptr;    // dynamics_ where it is one
  bool page_warps_ = false;     // the page makes the shape from the amplitudes
  FullHands full_hands_;
  std::shared_ptr<ConstraintSet> constraints_;  // the scene's and the hands'; may be none
  std::map<int, Held> held_;                    // by the hand's id
  SupportMotion scene_support_;
  bool shaken_ = false;
  bool loads_set_ = false;
  Surroundings applied_;
};

}  // namespace limber::studio
