// What one participant meets, in which order and on which side: drawn from the plan's seed and the
// participant's number, so that it can be drawn again.
#pragma once

#include <vector>

#include "limber/study/plan.h"

namespace limber::study {

struct Trial {
  int experiment = 0;
  std::vector<int> condition;           ///< levels of the experiment's conditions
  int repeat = 0;                       ///< from 0
  std::vector<std::vector<int>> shown;  ///< levels of what is compared, place by place
};

/// Experiments in the plan's order, trials within each shuffled. Of a pair, which one comes first
/// is a coin's choice in the first repeat of a condition and changes with every further repeat;
/// more than two are shuffled.
[[nodiscard]] std::vector<Trial> schedule_of(const Plan& plan, int participant);

}  // namespace limber::study
