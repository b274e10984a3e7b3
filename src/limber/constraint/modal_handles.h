// Handles on a modal body: hard ones by position, orientation, velocity or acceleration, and
// springs (handle_solver.h, spring_solver.h).
#pragma once

#include <memory>
#include <vector>

#include "limber/constraint/handle_solver.h"
#include "limber/constraint/spring_solver.h"
#include "limber/dynamics/modal/modal_body.h"

namespace limber {

class ModalHandles final : public StepCorrection {
 public:
  /// Which of position and orientation comes first where both cannot be met.
  enum class Priority { position, orientation };

  /// Orientations, w = Ψq, mean nothing where large turns are sums of displacements.
  enum class Turns { held, refused };

  explicit ModalHandles(ModalModel model, Priority priority = Priority::position,
                        Turns turns = Turns::held);

  int add(const Handle& handle) override;
  void move(int handle, const Vec3& target) override;
  void remove(int handle) override;
  [[nodiscard]] bool empty() const override { return hard_.empty() && springs_.empty(); }
  [[nodiscard]] HandleErrors errors() const override { return errors_; }
  [[nodiscard]] std::vector<HandleForce> forces() const override;
  [[nodiscard]] double seconds() const override { return seconds_; }

  void prepare(const StepContext& step) override;
  void correct(const StepContext& step, ModalState& end, Vector& force) override;
  [[nodiscard]] double growth(const StepContext& step) override;
  [[nodiscard]] int held_row_count() const override;
  void held_rows(ModalShape& shape, const ModalState& state,
                 Eigen::Ref<ModeMatrix> rows) const override;
  void held_points(std::vector<BodyPoint>& points) const override;
  [[nodiscard]] std::uint64_t layout() const override { return layout_; }
  void dented_points(std::vector<BodyPoint>& points) const override;
  void see(ModalShape& shape, const ModalState& state, const HeldDetail* detail,
           double time) override;
  SettleStatus settle(const StepContext& step, const StaticLoads& loads,
                      const SettleOptions& options, Vector& q) override;
  void archive(StateArchive& state) override;

 private:
  [[nodiscard]] Path& target_of(int handle);
  void forget_solvers();

  ModalModel model_;
  Priority priority_;
  Turns turns_;
  int next_number_ = 0;
  std::vector<HeldPoint> hard_;
  std::vector<HeldPoint> springs_;
  std::unique_ptr<HandleSolver> hard_solver_;  // none until the first step after a change
  std::unique_ptr<SpringSolver> spring_solver_;
  std::uint64_t layout_ = 0;  // of the handles; a new number with every change
  std::uint64_t last_layout_ = 0;
  bool in_place_ = false;  // forces of the last step are known
  Vector hard_forces_;     // of all exercised points, N, 3 each
  Vector spring_forces_;
  double growth_ = -1;                // of growth_step_; unknown when negative
  double growth_step_ = 0;            // s
  std::optional<HandleSpace> space_;  // of see()
  HandlePose pose_;
  HandleErrors errors_;
  double seconds_ = 0;
};

/// A modal body that can be held.
[[nodiscard]] std::unique_ptr<ModalBody> make_modal_body(
    ModalModel model, const ModalBodyOptions& options = {}, Loads loads = {},
    SupportMotion support = {}, ModalHandles::Priority priority = ModalHandles::Priority::position,
    ShapeMaker make_shape = {});

}  // namespace limber
