// What a study's plan file says, checked: docs/study.schema.json in C++.
//
// An experiment shows stimuli: a scene with a cannon and a camera, changed by the levels of
// factors. `compare` varies within a trial (what is chosen between or ranked), `conditions` from
// trial to trial. Everything a psychologist may want to change stands in the file.
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "limber/study/clicks.h"
#include "limber/study/terms.h"

namespace limber::study {

enum class ExperimentKind {
  play_pairs,  ///< a game by each of two models, then a choice (García et al. 2010, experiment 1)
  film_pairs,  ///< two films, then a choice (experiment 2)
  rank,        ///< films at once, then an order (experiment 3)
  contacts     ///< a click at each contact of a film (experiment 4)
};
[[nodiscard]] const std::vector<std::string>& kind_names();

struct PlanLevel {
  std::string name;
  std::string text;    ///< told to participants where it is a condition; may be empty
  nlohmann::json set;  ///< what it changes in the stimulus, a merge patch (RFC 7396)
};

struct PlanFactor {
  std::string name;
  std::vector<PlanLevel> levels;

  [[nodiscard]] Factor factor() const;
};

struct Question {
  enum class Type { number, choice, text };
  std::string name;
  std::string text;
  Type type = Type::text;
  double least = 0, most = 0;  // of numbers
  std::vector<std::string> choices;
  bool optional = false;
};

struct Experiment {
  std::string name;
  std::string title;
  ExperimentKind kind = ExperimentKind::film_pairs;
  std::string text;      // instructions
  std::string question;  // asked at each trial
  int repeats = 1;
  bool together = false;  // pairs of films: side by side, not one after the other
  std::vector<PlanFactor> compare;
  std::vector<PlanFactor> conditions;
  std::vector<int> shots_vary_with;  // conditions, by number
  ReactionWindow window;             // of contacts
  nlohmann::json stimulus;

  [[nodiscard]] std::vector<Factor> compare_factors() const;
  [[nodiscard]] std::vector<Factor> condition_factors() const;
};

struct Plan {
  std::filesystem::path folder;  // paths in the file start here
  std::string name;              // of the file, in errors
  std::string digest;            // of its text
  std::string title;
  std::uint64_t seed = 1;
  std::vector<std::string> consent;  // paragraphs
  std::string thanks;
  std::vector<Question> questions;
  std::vector<Experiment> experiments;
};

/// Throws Error that names the place in the file, and for an unknown key the nearest known one.
/// Does not look at the stimuli: see stimulus.h.
[[nodiscard]] Plan read_plan(const std::filesystem::path& path);
[[nodiscard]] Plan parse_plan(const std::string& text, const std::filesystem::path& folder,
                              const std::string& name);

/// All combinations of the factors' levels, the last factor fastest.
[[nodiscard]] std::vector<std::vector<int>> combinations(const std::vector<Factor>& factors);

}  // namespace limber::study
