#include "limber/study/experiment_size.h"

#include <fmt/format.h>

namespace limber::study {

namespace {

constexpr std::size_t kMostTrials = 1000;
constexpr std::size_t kMostRanked = 6;

/// Of combinations(); where there are more than `most`, that and one more.
std::size_t count_up_to(std::size_t most, const std::vector<Factor>& factors) {
  std::size_t count = 1;
  for (const Factor& factor : factors) {
    count *= factor.levels.size();
    if (count > most) return most + 1;
  }
  return count;
}

}  // namespace

void check_size(const ExperimentSize& size, const JsonReader& json) {
  const std::size_t shown = count_up_to(kMostRanked, size.compare);
  if (size.kind == ExperimentKind::contacts) {
    if (!size.compare.empty()) {
      json.refuse("a film with clicks is shown alone", "make its factors conditions");
    }
  } else if (size.kind == ExperimentKind::rank) {
    if (size.compare.empty() || shown > kMostRanked) {
      json.refuse("two to six films are ranked at once", "change the levels of \"compare\"");
    }
  } else if (size.compare.size() != 1 || shown != 2) {
    json.refuse("a pair is one factor of two levels", "change \"compare\"");
  }
  const std::size_t trials =
      count_up_to(kMostTrials, size.conditions) * static_cast<std::size_t>(size.repeats);
  if (trials > kMostTrials) {
    json.refuse(fmt::format("there are more than {} trials", kMostTrials),
                "take fewer levels or repeats");
  }
}

}  // namespace limber::study
