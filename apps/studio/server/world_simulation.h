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
  };

  /// `document` is a scene; its paths start at `folder`. Throws Error.
  WorldSimulation(std::string title, const nlohmann::json& document,
                  const std::filesystem::path& folder, const Progress& progress);
  explicit WorldSimulation(Parts parts);

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
  void step() override;
  void write_frame(FrameWriter& frame, int truth) const override;
  void reset() override;
  void set_hands(std::span<const Hand> hands) override;
  void set_force(int body, int vertex, const Vec3& force) override;
  void hit(int body, int vertex, const Vec3& impulse) override;
  void put(int body, const Vec3& position, const Eigen::Vector4d& rotation) override;
  void throw_body(int body, const Vec3& velocity, const Vec3& spin) override;
  void set_support(const Vec3& position, const Eigen::Vector4d& rotation) override;
  void set_gravity(const Vec3& acceleration) override;
  void set_damping(int body, double mass, double stiffness) override;
  [[nodiscard]] Job rebuild(const Change& change) const override;
  void carry_over(const Simulation& before) override;
  [[nodiscard]] std::vector<RecordedBody> recorded_bodies() const override;
  [[nodiscard]] std::vector<Positions> surfaces() const override;
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
  /// The scene by one method: a world of its own.
  struct Lane {
    std::unique_ptr<World> world = std::make_unique<World>();
    std::vector<std::unique_ptr<LaneBody>> bodies;
  };

  void make_lanes();
  void measure() const;
  [[nodiscard]] Surroundings around(std::size_t body) const;
  /// Throws Error when there is no such body.
  [[nodiscard]] const StudioBody& body_at(int body) const;
  /// The scene with what was changed here, hands apart.
  [[nodiscard]] nlohmann::json changed_document() const;
  void add_hands(nlohmann::json& document) const;

  Parts parts_;
  std::vector<Lane> lanes_;
  double time_ = 0;
  Vec3 gravity_ = Vec3::Zero();  // as the panel shows it
  Surroundings around_;          // gravity and support; hands and pushes are kept by body below
  std::vector<Hand> hands_;
  std::optional<SavedSession> saved_session_;
  std::map<std::pair<int, int>, Vec3> pushes_;

  // Readings that cost more than a step: taken now and then.
  struct Reading {
    double volume_ratio = 1;
    double error = 0;
  };
  mutable std::vector<Reading> readings_;  // lane by lane, body by body
  mutable int frames_until_reading_ = 0;
  mutable int truth_ = 0;
};

/// Names of the methods that this build can play.
[[nodiscard]] std::vector<std::string> playable_methods();

}  // namespace limber::studio
