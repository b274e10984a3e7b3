// Handles on an adaptive body: points of the finest mesh, held through the leaves that they are in.
// All levels are there around a held point, so that it is held as on the finest mesh.
//
// The body that moves for now is told where each handle is, never a path: it may be made anew at
// any time.
#pragma once

#include <functional>
#include <vector>

#include "limber/core/state_archive.h"
#include "limber/dynamics/adaptive/leaf_mesh.h"
#include "limber/dynamics/handles.h"

namespace limber {

class AdaptiveHandles final : public Handles {
 public:
  /// Calls `hold(points)` with all points that are held, before another one comes and after one has
  /// gone. `leaves` must outlive this.
  AdaptiveHandles(const LeafMesh& leaves, std::function<void(std::vector<BodyPoint>)> hold)
      : leaves_(leaves), hold_(std::move(hold)) {}

  /// The body that the handles act on from now on, at this time; it has none yet.
  void bind(Handles& inner, double time);
  /// The same where it has them already, as archived.
  void rebind(Handles& inner) { inner_ = &inner; }
  /// Where paths lead at the end of a step.
  void go_to(double time);
  /// The step is kept.
  void end_step();
  [[nodiscard]] std::vector<BodyPoint> points() const;

  int add(const Handle& handle) override;
  void move(int handle, const Vec3& target) override;
  void remove(int handle) override;
  [[nodiscard]] bool empty() const override { return inner_->empty(); }
  [[nodiscard]] HandleErrors errors() const override { return inner_->errors(); }
  [[nodiscard]] std::vector<HandleForce> forces() const override;

  void archive(StateArchive& state);

 private:
  struct Held {
    int which = -1;  // among all_
    int inner = -1;  // its number there; −1: it was removed
    bool moved = false;
    Vec3 target = Vec3::Zero();
    Vec3 reached = Vec3::Zero();  // the target at the end of the last step
  };

  [[nodiscard]] Held& find(int number);
  [[nodiscard]] const Handle& given(const Held& held) const {
    return all_[static_cast<std::size_t>(held.which)];
  }
  int add_inner(const Handle& handle, const Vec3& target);

  const LeafMesh& leaves_;
  std::function<void(std::vector<BodyPoint>)> hold_;
  Handles* inner_ = nullptr;
  double time_ = 0;
  std::vector<Handle> all_;  // ever: snapshots come back to them
  std::vector<Held> held_;   // by number
};

}  // namespace limber
