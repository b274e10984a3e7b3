// How much an experiment may show and ask for, wherever its factors come from: a plan, or a file of
// answers, which anybody may have written.
#pragma once

#include "limber/scene/json_reader.h"
#include "limber/study/plan.h"

namespace limber::study {

struct ExperimentSize {
  ExperimentKind kind;
  const std::vector<Factor>& compare;
  const std::vector<Factor>& conditions;
  int repeats;
};

/// Throws Error at this place of the file for pairs that are none, too many films at once, too many
/// trials. Counts before it lists anything.
void check_size(const ExperimentSize& size, const JsonReader& json);

}  // namespace limber::study
