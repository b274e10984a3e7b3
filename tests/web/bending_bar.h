// A simulation simple enough to know by heart: a square bar clamped at x = 0 whose modes are
// φ_i(x) = x^(2 + i/2) in y or z by turns, each an undamped oscillator, and hands that it follows
// exactly. Stands in for scenes where the server, not the physics, is tested.
#pragma once

#include <map>

#include "server/session.h"

namespace limber::studio {

class BendingBar : public Simulation {
 public:
  BendingBar(int stations, int modes, std::vector<std::string> lanes = {"modal-warping"});

  [[nodiscard]] std::string title() const override { return title_; }
  [[nodiscard]] double time() const override { return time_; }
  [[nodiscard]] double time_step() const override { return time_step_; }
  [[nodiscard]] Vec3 gravity() const override { return gravity_; }
  [[nodiscard]] std::vector<BodyState> bodies() const override;
  [[nodiscard]] std::vector<std::string> methods() const override;
  [[nodiscard]] std::vector<std::string> lanes() const override { return lanes_; }
  [[nodiscard]] std::string model() const override;
  void step() override;
  void write_frame(FrameWriter& frame, int truth) const override;
  void reset() override;
  void set_hands(std::span<const Hand> hands) override;
  void set_force(int body, int vertex, const Vec3& force) override;
  void set_support(const Vec3& position, const Eigen::Vector4d& rotation) override;
  void hit(int body, int vertex, const Vec3& impulse) override;
  void put(int body, const Vec3& position, const Eigen::Vector4d& rotation) override;
  void throw_body(int body, const Vec3& velocity, const Vec3& spin) override;
  void set_gravity(const Vec3& acceleration) override { gravity_ = acceleration; }
  void set_damping(int body, double mass, double stiffness) override;
  [[nodiscard]] Job rebuild(const Change& change) const override;
  void carry_over(const Simulation& before) override;
  [[nodiscard]] std::vector<RecordedBody> recorded_bodies() const override;
  [[nodiscard]] std::vector<Positions> surfaces() const override;
  [[nodiscard]] Positions pose() const override { return surfaces().front(); }
  [[nodiscard]] Positions pose_from_file(const std::filesystem::path& path) const override;
  [[nodiscard]] MotionJob make_motion(std::vector<Positions> poses, std::vector<double> times,
                                      int modes) const override;
  [[nodiscard]] std::string scene_file() const override { return "{\"limber\": 1}\n"; }

  /// Steps from here on throw, as a diverged simulation does.
  void break_down() { broken_ = true; }
  [[nodiscard]] const Vector& amplitudes() const { return q_; }
  [[nodiscard]] Vec3 position(int vertex) const;

 private:
  [[nodiscard]] int vertex_count() const { return static_cast<int>(rest_.rows()); }

  std::string title_ = "Bending bar";
  std::vector<std::string> lanes_;
  Positions rest_;
  Triangles triangles_;
  ModeMatrix Phi_, Psi_;
  Vector omega_, q_, velocity_;
  std::vector<Hand> hands_;
  std::map<int, Vec3> forces_;
  Vec3 gravity_{0, -9.81, 0};
  BodyPlace place_;
  double time_ = 0;
  double time_step_ = 1.0 / 60;
  double damping_stiffness_ = 0;
  int modes_played_;
  bool broken_ = false;
};

/// Knows "bar" and "stiff bar"; files must be named bar.obj.
class BarLibrary : public Library {
 public:
  [[nodiscard]] std::vector<Sample> samples() const override;
  [[nodiscard]] std::unique_ptr<Simulation> open_sample(const std::string& name,
                                                        const Progress& progress) override;
  [[nodiscard]] std::unique_ptr<Simulation> open_file(const std::filesystem::path& path,
                                                      const Progress& progress) override;
};

}  // namespace limber::studio
