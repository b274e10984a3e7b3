// A budget of time for a world's steps, and what came of it. Who gets what: detail_policy.h.
#pragma once

#include "limber/world/detail_policy.h"

namespace limber {

struct DetailBudget {
  double microseconds = 0;  ///< a step; 0: none, all have full detail
  DetailView view;
  DetailCosts costs;
};

/// Throws Error where a number is out of range.
void check(const DetailBudget& budget);

/// Of a body, under a budget.
struct BodyDetail {
  double importance = 1;      ///< of the host: it is seen as so many times larger
  double seen = 0;            ///< rad, at the last step
  int rung = 0;               ///< of the ladder: 0 has all
  double could_be_finer = 0;  ///< s, since when the budget has had room for more
  Vec3 rest_centre = Vec3::Zero();
  double rest_radius = 0;  // m, of its rest shape
};

/// Of all steps under a budget so far.
struct DetailStatus {
  long long steps = 0;
  long long refused = 0;   ///< steps that the model says cost too much even with the least detail
  long long exceeded = 0;  ///< steps that took longer than the budget by the processor's clock
  double estimated = 0;    ///< µs, of the last step by the model
  double measured = 0;     ///< µs of the processor, of the last step
  double estimated_sum = 0, measured_sum = 0, worst_measured = 0;
  double allowed = 0;  ///< rad: what is seen smaller than half of this has been cut, last step
  int choosing = 0;    ///< bodies that have a cheaper version of themselves at present
  int fixed = 0;       ///< bodies that have none
};

}  // namespace limber
