// A scene of the library played by one to four methods at once.
#pragma once

#include <nlohmann/json.hpp>

#include "server/lane_body.h"
#include "server/simulation.h"

namespace limber::studio {

class WorldSimulation : public Simulation {
 public:
  /// What a scene is made of before lanes play it; shared with rebuilds on other threads.
  struct Parts {
    std::string title;
    nlohmann::json document;  // the scene file as it was read
    SceneDescription scene;
    std::vector<StudioBody> bodies;
    std::vector<std::string> methods;  // of the lanes
    std::shared_ptr<const void> kept;  // see keep()
    std::optional<Vec3> gravity;       // as the panel set it
  };

  /// `document` is a scene; its paths start at `folder`. Throws Error.
  WorldSimulation(std::string title, const nlohmann::json& document,
                  const std::filesystem::path& folder, const Progress& progress);
  explicit WorldSimulation(Parts parts);
  /// As it was: carry_over() takes no settings of another one.
  struct Version : SceneVersion {
    Parts parts;
  };

  [[nodiscard]] std::string title() const override { return parts_.title; }
  [[nodiscard]] double time() const override { return time_; }
  [[nodiscard]] double time_step() const override { return parts_.scene.time_step; }
  [[nodiscard]] Vec3 gravity() const override { return gravity_; }
  [[nodiscard]] std::vector<BodyState> bodies() const override;
  [[nodiscard]] std::vector<std::string> methods() const override;
  [[nodiscard]] std::vector<std::string> lanes() const override { return parts_.methods; }
  [[nodiscard]] std::string model() const override;
  /// Nodes on the ground, of all bodies in the first lane.
  [[nodiscard]] int contacts() const override;
  [[nodiscard]] std::vector<LaneFault> faults() const override;
  [[nodiscard]] std::vector<ObstacleState> obstacles() const override;
  [[nodiscard]] std::vector<JointState> joints() const override;
  [[nodiscard]] std::optional<double> ground() const override;
  void move_obstacle(int obstacle, const Vec3& position, bool let_go, bool paused) override;
  void show_contacts(bool shown) override { contacts_shown_ = shown; }
  void show_stress(bool shown) override { stress_shown_ = shown; }
  [[nodiscard]] std::shared_ptr<const SceneVersion> version() const override;
  void step() override;
  void write_frame(FrameWriter& frame, int truth) const override;
  void reset() override;
  void set_hands(std::span<const Hand> hands) override;
  void set_force(int body, int vertex, const Vec3& force) override;
  void hit(int body, int vertex, const Vec3& impulse) override;
  void put(int body, const Vec3& position, const Eigen::Vector4d& rotation) override;
  void throw_body(int body, const Vec3& velocity, const Vec3& spin) override;
  void let_fly(int body, const Vec3& velocity) override;
  void set_support(const Vec3& position, const Eigen::Vector4d& rotation) override;
  void set_gravity(const Vec3& acceleration) override;
  void set_damping(int body, double mass, double stiffness) override;
  [[nodiscard]] Job rebuild(const Change& change) const override;
  [[nodiscard]] CageJob cage(int body, int cells) const override;
  void carry_over(const Simulation& before) override;
  [[nodiscard]] std::vector<RecordedBody> recorded_bodies() const override;
  [[nodiscard]] std::vector<TriMesh> looks() const override;
  [[nodiscard]] std::vector<TriMesh> obstacle_surfaces() const override;
  [[nodiscard]] std::vector<Positions> surfaces() const override;
  [[nodiscard]] std::vector<BodyPlace> obstacle_places() const override {
    return places_in(lanes_.front());
  }
  [[nodiscard]] Positions pose() const override;
  [[nodiscard]] Positions pose_from_file(const std::filesystem::path& path) const override;
  [[nodiscard]] MotionJob make_motion(std::vector<Positions> poses, std::vector<double> times,
                                      int modes) const override;
  [[nodiscard]] std::string scene_file() const override;
  [[nodiscard]] SavedScene saved_scene() const override;
  [[nodiscard]] std::optional<SavedSession> take_saved_session() override {
    return std::exchange(saved_session_, std::nullopt);
  }
  void set_saved_session(SavedSession session) { saved_session_ = std::move(session); }
  void keep(std::shared_ptr<const void> thing) override { parts_.kept = std::move(thing); }
  [[nodiscard]] const StudioBody& body(std::size_t number) const { return parts_.bodies[number]; }

 private:
  /// A number among the contacts' participants, or a body of the world.
  struct LaneObstacle {
    int participant = kNobody;
    std::optional<BodyId> body;
  };
  /// The scene by one method: a world of its own.
  struct Lane {
    std::unique_ptr<World> world = std::make_unique<World>();
    std::vector<std::unique_ptr<LaneBody>> bodies;
    std::vector<LaneObstacle> obstacles;
    std::vector<bool> torn;  // joints that had broken when this scene replaced another
    double seconds = 0;      // of a step, smoothed
  };
  /// What hands do to an obstacle, in all lanes alike.
  struct HeldObstacle {
    ShakenSupport way;           // of one without a mass, off the scene's own
    std::optional<Vec3> target;  // of one with a mass while it is held
  };

  void make_lanes();
  [[nodiscard]] bool lane_touches(Method method, bool own) const;
  void find_obstacles(Lane& lane) const;
  void lead_obstacles(double h);
  [[nodiscard]] static std::vector<BodyPlace> places_in(const Lane& lane);
  void write_contacts(FrameWriter& frame) const;
  /// Energies, momentum and angular momentum.
  using MotionReading = std::array<float, 9>;
  [[nodiscard]] MotionReading motion_of(const LaneBody& body, const Vec3& centre) const;
  void write_motion(FrameWriter& frame) const;
  void write_stress(FrameWriter& frame) const;
  void write_joints(FrameWriter& frame) const;
  void carry_obstacles(const WorldSimulation& before);
  void carry_joints(const WorldSimulation& before);
  [[nodiscard]] SupportMotion scene_motion(std::size_t obstacle) const;
  /// From here on the scene has it there.
  void put_in_scene(std::size_t obstacle, const Vec3& position);
  void measure() const;
  [[nodiscard]] Surroundings around(std::size_t body) const;
  /// Throws Error when there is no such body.
  [[nodiscard]] const StudioBody& body_at(int body) const;
  /// The scene with what was changed here, hands apart.
  [[nodiscard]] nlohmann::json changed_document() const;
  /// The parts of an edited document; bodies that it left alone are not made again.
  [[nodiscard]] static Parts edited(Parts parts, nlohmann::json document, const Change& change,
                                    const Progress& progress);
  void add_hands(nlohmann::json& document) const;

  Parts parts_;
  std::vector<Lane> lanes_;
  double time_ = 0;
  Vec3 gravity_ = Vec3::Zero();  // as the panel shows it
  Surroundings around_;          // gravity and support; hands and pushes are kept by body below
  std::vector<Hand> hands_;
  std::optional<SavedSession> saved_session_;
  std::map<std::pair<int, int>, Vec3> pushes_;
  std::vector<HeldObstacle> held_obstacles_;
  bool contacts_shown_ = false, stress_shown_ = false;
  bool restored_ = false;  // from a version
  mutable std::shared_ptr<const Version> version_;

  // Readings that cost more than a step: taken now and then.
  struct Reading {
    double volume_ratio = 1;
    double error = 0;
    MotionReading motion{};
  };
  mutable std::vector<Reading> readings_;  // lane by lane, body by body
  mutable int frames_until_reading_ = 0;
  mutable int truth_ = 0;
};

/// What the support is turned about: the middle of all fixed nodes.
[[nodiscard]] Vec3 pivot_of(const std::vector<StudioBody>& bodies);

/// Names of the methods that this build can play.
[[nodiscard]] std::vector<std::string> playable_methods();

}  // namespace limber::studio
