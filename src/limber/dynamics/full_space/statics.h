// Static equilibrium of a full-resolution body, while it is looked for.
//
// Solves f_elastic(x) + f_attached(x) + load · f_outer(x) = 0 for growing `load` by Newton's
// method. Elasticity with a potential goes downhill (statics_search.cpp). Stiffness warping has
// none and is led by the corotational method, its guide (statics_guide.cpp).
#pragma once

#include <memory>
#include <optional>

#include "limber/core/solvers/cholesky.h"
#include "limber/dynamics/full_space/full_system.h"
#include "limber/dynamics/full_space/krylov.h"

namespace limber {

class Statics {
 public:
  /// At the present time and frame, all handles' targets set; `system` must outlive this. Throws
  /// Error where nothing holds the body, or numbers are too large.
  Statics(FullSystem& system, const NodeState& now, const SettleOptions& options);

  /// The best state found in x(). Throws Error as above.
  [[nodiscard]] SettleStatus find_rest();
  [[nodiscard]] const Positions& x() const { return x_; }
  [[nodiscard]] const FrameState& frame() const { return frame_; }

 private:
  struct GuideInPlace;
  class ForceDifferences;

  /// Leaves the residual in r_ and returns its norm relative to the loads.
  double evaluate();
  void refuse_overflow(double norm) const;
  void refuse_underflow(double norm) const;
  void set_outer_forces();

  // Where to start and end (statics_start.cpp).
  void refuse_fall();
  void lay_down();
  void hang();
  void undo_slide();

  [[nodiscard]] double holding_inertia(double part) const;
  [[nodiscard]] NodeMotion motion() const { return {x_, x_, still_, 0}; }
  bool solve(int most);
  bool follow();
  bool find_balance();
  void keep_if_best();

  // Downhill (statics_search.cpp).
  bool factor_tangent(Tangent kind, double shift);
  void factor_best_tangent();
  void find_direction();
  bool search();
  double straighten(double value, double start, const Vector& left);
  [[nodiscard]] double potential();
  [[nodiscard]] double smallest_volume() const;

  // Without a potential (statics_guide.cpp).
  void find_direction_by_differences();
  bool search_by_level();
  [[nodiscard]] double level() const;
  bool follow_guide();
  bool settle_guide();

  FullSystem& system_;
  SettleOptions options_;
  double time_;
  FrameState frame_;
  double load_ = 0;
  int iterations_ = 0;
  Positions x_;
  Positions still_;          // no velocities
  double relative_ = 0;      // residual
  double rounding_ = 0;      // what it cannot fall below, N
  double least_volume_ = 0;  // of a tet, relative to its rest: below, the potential is infinite
  int most_iterations_;
  Positions base_;  // where a search starts
  Positions laid_;  // a free body on the ground, before it was pressed flat
  Positions best_;  // at the full load
  double best_relative_;
  BlockMatrix A_;
  std::optional<Cholesky> factor_;
  SparseMatrix matrix_;
  std::vector<AttachedBlock> blocks_;
  Krylov krylov_;
  Vector r_, direction_;
  Positions outer_, forces_, scratch_;
  std::unique_ptr<Elasticity> guide_;
  Positions ghost_;      // what the guide's forces lack, n×3
  bool guided_ = false;  // the guide stands in the method's place
};

}  // namespace limber
