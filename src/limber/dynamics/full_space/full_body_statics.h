// Static equilibrium of a full-resolution body, while it is looked for; private to FullBody.
//
// Solves f_elastic(x) + f_attached(x) + load · f_outer(x) = 0 for growing `load` by Newton's
// method. Elasticity with a potential goes downhill (full_body_statics_search.cpp). Stiffness
// warping has none and is led by the corotational method, its guide (full_body_statics_guide.cpp).
#pragma once

#include <memory>
#include <optional>

#include "limber/core/solvers/cholesky.h"
#include "limber/dynamics/full_space/full_body.h"

namespace limber {

struct FullBody::Statics {
  Statics(FullBody& owner, const SettleOptions& settle_options);

  /// Whether a rest has been found; else x is the best state on the way there.
  bool find_rest();
  /// Leaves the residual in r_ and returns its norm relative to the loads.
  double evaluate();
  void undo_slide();

  FullBody& body;
  const SettleOptions& options;
  FrameState frame;
  double load = 0;
  int iterations = 0;
  Positions x;

 private:
  struct GuideInPlace;
  class ForceDifferences;

  // Where to start (full_body_statics_start.cpp).
  void refuse_fall();
  void lay_down();
  void hang();

  [[nodiscard]] double holding_inertia(double part) const;
  [[nodiscard]] NodeMotion motion() const { return {x, x, body.v_, 0}; }
  bool solve(int most);
  bool follow();
  void keep_if_best();

  // Downhill (full_body_statics_search.cpp).
  bool factor_tangent(Tangent kind, double shift);
  void factor_best_tangent();
  void find_direction();
  bool search();
  double straighten(double value, double start, const Vector& left);
  [[nodiscard]] double potential();
  [[nodiscard]] double smallest_volume() const;

  // Without a potential (full_body_statics_guide.cpp).
  void find_direction_by_differences();
  bool search_by_level();
  [[nodiscard]] double level() const;
  bool follow_guide();
  bool settle_guide();

  double relative = 0;      // residual
  double rounding = 0;      // what it cannot fall below, N
  double least_volume = 0;  // of a tet, relative to its rest: below, the potential is infinite
  int most_iterations;
  Positions base;  // where a search starts
  Positions laid;  // a free body on the ground, before it was pressed flat
  Positions best;  // at the full load
  double best_relative;
  std::optional<Cholesky> factor;
  SparseMatrix matrix;
  std::unique_ptr<Elasticity> guide;
  Positions ghost;      // what the guide's forces lack, n×3
  bool guided = false;  // the guide stands in the method's place
};

}  // namespace limber
