#include "web/bending_bar.h"

#include <Eigen/Dense>
#include <cmath>

#include "limber/core/error.h"
#include "limber/core/rotation.h"
#include "server/model_file.h"

namespace limber::studio {

namespace {

constexpr double kLength = 1;
constexpr double kHalfWidth = 0.08;
constexpr int kCorners = 4;

/// Straight from pose to pose; as if it had two modes, the way and its square.
class StraightMotion : public PoseMotion {
 public:
  StraightMotion(std::vector<Positions> poses, std::vector<double> times)
      : poses_(std::move(poses)), times_(std::move(times)) {}

  [[nodiscard]] int mode_count() const override { return 2; }
  void set_curves(const MotionCurves&) override {}
  void set_times(const std::vector<double>& times) override { times_ = times; }
  [[nodiscard]] Positions nodes(double time) override { return surface(time); }
  [[nodiscard]] Positions surface(double time) override {
    const double s = amplitude(0, time);
    const auto i = std::min(static_cast<std::size_t>(s), poses_.size() - 2);
    const double part = s - static_cast<double>(i);
    return (1 - part) * poses_[i] + part * poses_[i + 1];
  }
  [[nodiscard]] double amplitude(int mode, double time) const override {
    std::size_t i = 0;
    while (i + 2 < times_.size() && time > times_[i + 1]) ++i;
    const double s = static_cast<double>(i) + (time - times_[i]) / (times_[i + 1] - times_[i]);
    return mode == 0 ? s : s * s;
  }
  [[nodiscard]] std::vector<double> key_amplitudes(int mode) const override {
    std::vector<double> keys;
    for (const double time : times_) keys.push_back(amplitude(mode, time));
    return keys;
  }

 private:
  std::vector<Positions> poses_;
  std::vector<double> times_;
};

}  // namespace

BendingBar::BendingBar(int stations, int modes, std::vector<std::string> lanes)
    : lanes_(std::move(lanes)),
      rest_(stations * kCorners, 3),
      Phi_(ModeMatrix::Zero(3 * stations * kCorners, modes)),
      Psi_(ModeMatrix::Zero(3 * stations * kCorners, modes)),
      omega_(modes),
      q_(Vector::Zero(modes)),
      velocity_(Vector::Zero(modes)),
      modes_played_(modes) {
  std::vector<int> corners;
  for (int s = 0; s < stations; ++s) {
    const double x = kLength * s / (stations - 1);
    for (int c = 0; c < kCorners; ++c) {
      const int vertex = kCorners * s + c;
      rest_.row(vertex) << x, kHalfWidth * (c == 0 || c == 3 ? -1 : 1),
          kHalfWidth * (c < 2 ? 1 : -1);
      for (int i = 0; i < modes; ++i) {
        const double power = 2 + 0.5 * i;
        Phi_(3 * vertex + 1 + i % 2, i) = std::pow(x, power);
        // The curl of the displacement: half of it is rigid rotation about z or −y.
        Psi_(3 * vertex + 2 - i % 2, i) = (i % 2 == 0 ? 1 : -1) * power * std::pow(x, power - 1);
      }
      if (s == 0) continue;
      const int a = vertex, b = kCorners * s + (c + 1) % kCorners;
      for (const int v : {a, a - kCorners, b - kCorners, a, b - kCorners, b}) corners.push_back(v);
    }
  }
  const int end = kCorners * (stations - 1);
  for (const int v : {0, 1, 2, 0, 2, 3, end, end + 2, end + 1, end, end + 3, end + 2}) {
    corners.push_back(v);
  }
  triangles_ = Eigen::Map<Triangles>(corners.data(), static_cast<int>(corners.size()) / 3, 3);
  for (int i = 0; i < modes; ++i) omega_[i] = 2 * M_PI * (1 + i);
}

std::vector<BodyState> BendingBar::bodies() const {
  BodyState body;
  body.name = "bar";
  body.nodes = body.vertices = vertex_count();
  body.tets = 0;
  body.mass = 1;
  body.modes = modes_played_;
  body.modes_available = static_cast<int>(q_.size());
  body.young = 1e6;
  body.poisson = 0.33;
  body.density = 1000;
  body.damping_stiffness = damping_stiffness_;
  for (const double omega : omega_) body.frequencies_hz.push_back(omega / (2 * M_PI));
  return {body};
}

std::vector<std::string> BendingBar::methods() const {
  return {"linear-modal", "modal-warping", "stvk"};
}

std::string BendingBar::model() const {
  const auto floats = [](const auto& values) {
    return std::vector<float>(values.data(), values.data() + values.size());
  };
  ModelBody body;
  body.name = "bar";
  body.clamped = true;
  body.modes = static_cast<int>(q_.size());
  body.positions = floats(rest_);
  Positions normals = rest_;
  normals.col(0).setZero();
  normals.rowwise().normalize();
  body.normals = floats(normals);
  body.triangles.assign(triangles_.data(), triangles_.data() + triangles_.size());
  body.texels = mode_texels(floats(Phi_), floats(Psi_), vertex_count(), body.modes);
  body.fixed = {0, 1, 2, 3};
  return model_file(std::vector{body}, std::nullopt);
}

Vec3 BendingBar::position(int vertex) const {
  const Vec3 u = Phi_.middleRows<3>(3 * vertex) * q_;
  const Vec3 w = Psi_.middleRows<3>(3 * vertex) * q_;
  const bool warped = lanes_.front() != "linear-modal";
  return rest_.row(vertex).transpose() + (warped ? Vec3(mean_rotation(w) * u) : u);
}

void BendingBar::step() {
  if (broken_) throw Error("the simulation diverged", "bar", "use a smaller time step");
  Vector force = 0.02 * gravity_.y() * Phi_.row(Phi_.rows() - 2).transpose();
  for (const auto& [vertex, push] : forces_) {
    force += Phi_.middleRows<3>(3 * vertex).transpose() * push;
  }
  // Exact oscillators with the force constant over the step.
  for (int i = 0; i < q_.size(); ++i) {
    const double rest = force[i] / (omega_[i] * omega_[i]);
    const double damp = std::exp(-0.5 * damping_stiffness_ * omega_[i] * omega_[i] * time_step_);
    const double c = std::cos(omega_[i] * time_step_), s = std::sin(omega_[i] * time_step_);
    const double q = q_[i] - rest;
    q_[i] = rest + damp * (c * q + s * velocity_[i] / omega_[i]);
    velocity_[i] = damp * (c * velocity_[i] - s * omega_[i] * q);
  }
  for (const Hand& hand : hands_) {
    const auto Phi = Phi_.middleRows<3>(3 * hand.vertex);
    for (int iteration = 0; iteration < 8; ++iteration) {
      const Vec3 missing = hand.target - position(hand.vertex);
      const Eigen::Matrix3d A = Phi * Phi.transpose() + 1e-9 * Eigen::Matrix3d::Identity();
      q_ += Phi.transpose() * A.ldlt().solve(missing);
    }
    velocity_ *= 0.9;
  }
  time_ += time_step_;
}

void BendingBar::write_frame(FrameWriter& frame, int truth) const {
  for (std::size_t lane = 0; lane < lanes_.size(); ++lane) {
    const double error = static_cast<int>(lane) == truth ? 0 : 0.25;
    if (lanes_[lane] == "stvk") {
      std::vector<float> positions;
      for (int v = 0; v < vertex_count(); ++v) {
        const Vec3 p = position(v);
        for (const double c : p) positions.push_back(static_cast<float>(c));
      }
      frame.add_positions(positions, 1.0, error);
    } else {
      frame.add_modes({q_.data(), static_cast<std::size_t>(q_.size())},
                      lanes_[lane] != "linear-modal", place_, 1.0, error);
    }
  }
}

void BendingBar::reset() {
  q_.setZero();
  velocity_.setZero();
  time_ = 0;
  broken_ = false;
}

void BendingBar::set_hands(std::span<const Hand> hands) {
  for (const Hand& hand : hands) {
    if (hand.body != 0 || hand.vertex >= vertex_count()) {
      throw Error("there is no such vertex", "hand", "reload the page");
    }
  }
  hands_.assign(hands.begin(), hands.end());
}

void BendingBar::set_force(int body, int vertex, const Vec3& force) {
  if (body != 0 || vertex >= vertex_count()) {
    throw Error("there is no such vertex", "force", "reload the page");
  }
  if (force.isZero(0)) {
    forces_.erase(vertex);
  } else {
    forces_[vertex] = force;
  }
}

void BendingBar::hit(int body, int vertex, const Vec3& impulse) {
  if (body != 0 || vertex >= vertex_count()) {
    throw Error("there is no such vertex", "hit", "reload the page");
  }
  velocity_ += Phi_.middleRows<3>(3 * vertex).transpose() * impulse;
}

void BendingBar::put(int /*body*/, const Vec3& /*position*/, const Eigen::Vector4d& /*rotation*/) {
  throw Error("the body hangs on fixed nodes", "put", "hit it instead");
}

void BendingBar::throw_body(int /*body*/, const Vec3& /*velocity*/, const Vec3& /*spin*/) {
  throw Error("the body hangs on fixed nodes", "throw", "hit it instead");
}

void BendingBar::set_support(const Vec3& position, const Eigen::Vector4d& rotation) {
  place_ = {position, rotation};
}

void BendingBar::set_damping(int, double, double stiffness) { damping_stiffness_ = stiffness; }

Simulation::Job BendingBar::rebuild(const Change& change) const {
  if (change.body && change.body->body != 0) {
    throw Error("there is no such body", "change", "reload the page");
  }
  auto next = std::make_shared<BendingBar>(*this);
  if (change.lanes) next->lanes_ = *change.lanes;
  if (change.time_step) next->time_step_ = *change.time_step;
  if (change.body && change.body->modes) next->modes_played_ = *change.body->modes;
  return [next](const Progress& progress) -> std::unique_ptr<Simulation> {
    report(progress, "modes", 0.5);
    return std::make_unique<BendingBar>(*next);
  };
}

void BendingBar::carry_over(const Simulation& before) {
  if (const auto* bar = dynamic_cast<const BendingBar*>(&before)) {
    q_ = bar->q_;
    velocity_ = bar->velocity_;
    time_ = bar->time_;
  }
}

std::vector<RecordedBody> BendingBar::recorded_bodies() const {
  return {{"bar", triangles_, rest_}};
}

std::vector<Positions> BendingBar::surfaces() const {
  Positions now(vertex_count(), 3);
  for (int v = 0; v < vertex_count(); ++v) now.row(v) = position(v).transpose();
  return {now};
}

Positions BendingBar::pose_from_file(const std::filesystem::path& path) const {
  if (path.extension() != ".obj") throw Error("not a pose", path.filename(), "try another");
  return rest_;
}

Simulation::MotionJob BendingBar::make_motion(std::vector<Positions> poses,
                                              std::vector<double> times, int) const {
  return [poses, times](const Progress&) -> std::unique_ptr<PoseMotion> {
    return std::make_unique<StraightMotion>(poses, times);
  };
}

std::vector<Sample> BarLibrary::samples() const {
  return {{"bar", "Bar", "A bar that bends."}, {"stiff", "Long bar", "With more stations."}};
}

std::unique_ptr<Simulation> BarLibrary::open_sample(const std::string& name, const Progress&) {
  if (name == "bar") return std::make_unique<BendingBar>(24, 6);
  if (name == "stiff") return std::make_unique<BendingBar>(60, 10);
  throw Error("there is no such sample", name, "choose one of the gallery");
}

std::unique_ptr<Simulation> BarLibrary::open_file(const std::filesystem::path& path,
                                                  const Progress&) {
  if (path.filename() != "bar.obj") throw Error("not a mesh", path.filename(), "try another");
  return std::make_unique<BendingBar>(40, 4);
}

}  // namespace limber::studio
