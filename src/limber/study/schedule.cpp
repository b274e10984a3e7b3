#include "limber/study/schedule.h"

#include <fmt/format.h>

#include <algorithm>

#include "limber/study/random.h"

namespace limber::study {

std::vector<Trial> schedule_of(const Plan& plan, int participant) {
  std::vector<Trial> schedule;
  for (std::size_t e = 0; e < plan.experiments.size(); ++e) {
    const Experiment& experiment = plan.experiments[e];
    Random random(mixed_seed(plan.seed, fmt::format("{}#{}", experiment.name, participant)));
    const auto compared = combinations(experiment.compare_factors());
    std::vector<Trial> trials;
    for (const std::vector<int>& condition : combinations(experiment.condition_factors())) {
      std::vector<std::vector<int>> order = compared;
      random.shuffle(order);
      for (int repeat = 0; repeat < experiment.repeats; ++repeat) {
        if (order.size() > 2 && repeat > 0) random.shuffle(order);
        trials.push_back({static_cast<int>(e), condition, repeat, order});
        std::reverse(order.begin(), order.end());
      }
    }
    random.shuffle(trials);
    schedule.insert(schedule.end(), trials.begin(), trials.end());
  }
  return schedule;
}

}  // namespace limber::study
