// Answers of a study, read back from the participants' files.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "limber/study/plan.h"

namespace limber::study {

struct Answer {
  int participant = 0;                  ///< from 0, in the order of the files
  std::vector<int> condition;           ///< levels
  int repeat = 0;                       ///< from 0
  std::vector<std::vector<int>> shown;  ///< levels of what was compared, place by place
  int choice = -1;                      ///< a place, from 0
  std::vector<int> ranking;             ///< places from 0, the best first
  int contacts = 0, seen = 0, false_alarms = 0;
};

struct ExperimentAnswers {
  std::string name;
  ExperimentKind kind = ExperimentKind::film_pairs;
  int repeats = 1;
  std::vector<Factor> compare, conditions;
  int participants = 0;  ///< of the whole study
  std::vector<Answer> answers;
};

/// From folders that `limber study` has written and from participants' files. Throws Error for what
/// is neither, or belongs to different plans.
[[nodiscard]] std::vector<ExperimentAnswers> read_answers(
    const std::vector<std::filesystem::path>& paths);

}  // namespace limber::study
