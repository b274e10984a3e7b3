#include "limber/study/answers.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "limber/core/error.h"
#include "limber/core/file.h"
#include "limber/scene/json_reader.h"
#include "limber/study/experiment_size.h"

namespace limber::study {

namespace {

namespace fs = std::filesystem;

std::vector<fs::path> participant_files(const std::vector<fs::path>& paths) {
  std::vector<fs::path> files;
  for (const fs::path& path : paths) {
    if (!fs::is_directory(path)) {
      files.push_back(path);
      continue;
    }
    const std::size_t before = files.size();
    const fs::path folder = fs::is_directory(path / "participants") ? path / "participants" : path;
    for (const fs::directory_entry& file : fs::directory_iterator(folder)) {
      if (file.path().extension() == ".json") files.push_back(file.path());
    }
    if (files.size() == before) {
      throw Error("there are no participants", path.string(), "name the --out folder of a study");
    }
    std::sort(files.begin() + static_cast<std::ptrdiff_t>(before), files.end());
  }
  return files;
}

std::vector<Factor> read_factor_list(const JsonReader& json) {
  std::vector<Factor> factors;
  for (const JsonReader& item : json.elements()) {
    Factor factor{item.at("name").string(), {}};
    for (const JsonReader& level : item.at("levels").elements()) {
      factor.levels.push_back(level.string());
    }
    if (factor.levels.size() < 2) item.refuse("a factor of one level", "take the file as it was");
    factors.push_back(std::move(factor));
  }
  return factors;
}

std::vector<ExperimentAnswers> read_experiments(const JsonReader& json) {
  std::vector<ExperimentAnswers> experiments;
  for (const JsonReader& item : json.elements()) {
    ExperimentAnswers experiment;
    experiment.name = item.at("name").string();
    experiment.kind = static_cast<ExperimentKind>(item.at("kind").choice(kind_names()));
    experiment.repeats = item.at("repeats").integer(1, 100);
    experiment.compare = read_factor_list(item.at("compare"));
    experiment.conditions = read_factor_list(item.at("conditions"));
    check_size({experiment.kind, experiment.compare, experiment.conditions, experiment.repeats},
               item);
    experiments.push_back(std::move(experiment));
  }
  return experiments;
}

std::vector<int> read_levels(const JsonReader& json, const std::vector<Factor>& factors) {
  const auto names = json.elements();
  if (names.size() != factors.size()) json.refuse("not as many levels as factors", "mend the file");
  std::vector<int> levels;
  for (std::size_t f = 0; f < factors.size(); ++f) {
    levels.push_back(static_cast<int>(names[f].choice(factors[f].levels)));
  }
  return levels;
}

Answer read_answer_of(const JsonReader& trial, const ExperimentAnswers& experiment,
                      int participant) {
  Answer answer;
  answer.participant = participant;
  answer.condition = read_levels(trial.at("condition"), experiment.conditions);
  answer.repeat = trial.at("repeat").integer(1, experiment.repeats) - 1;
  for (const JsonReader& one : trial.at("shown").elements()) {
    answer.shown.push_back(read_levels(one, experiment.compare));
  }
  const std::vector<std::vector<int>> compared = combinations(experiment.compare);
  if (!std::is_permutation(answer.shown.begin(), answer.shown.end(), compared.begin(),
                           compared.end())) {
    trial.at("shown").refuse("not everything that is compared, each once", "mend the file");
  }
  const auto places = static_cast<int>(answer.shown.size());
  const JsonReader given = trial.at("answer");
  if (experiment.kind == ExperimentKind::contacts) {
    answer.contacts = static_cast<int>(given.at("contacts").elements().size());
    answer.seen = given.at("seen").integer(0, answer.contacts);
    answer.false_alarms = static_cast<int>(given.at("false_alarms").elements().size());
  } else if (experiment.kind == ExperimentKind::rank) {
    for (const JsonReader& place : given.at("ranking").elements()) {
      answer.ranking.push_back(place.integer(1, places) - 1);
    }
    std::vector<int> sorted = answer.ranking;
    std::sort(sorted.begin(), sorted.end());
    for (int k = 0; k < places; ++k) {
      if (static_cast<int>(sorted.size()) != places || sorted[static_cast<std::size_t>(k)] != k) {
        given.refuse("the ranking does not name every place once", "mend the file");
      }
    }
  } else {
    answer.choice = given.at("choice").integer(1, places) - 1;
  }
  return answer;
}

}  // namespace

std::vector<ExperimentAnswers> read_answers(const std::vector<fs::path>& paths) {
  std::vector<ExperimentAnswers> experiments;
  std::string plan;
  int participant = 0;
  for (const fs::path& path : participant_files(paths)) {
    const FileBytes file(path);
    const nlohmann::json document = parse_json(file.text(), path.string());
    const JsonReader json(document, path.string());
    (void)json.at("limber_study").integer(1, 1);
    if (participant == 0) {
      plan = json.at("plan").string();
      experiments = read_experiments(json.at("experiments"));
    } else if (json.at("plan").string() != plan) {
      json.refuse("it answers another plan than the files before it", "analyse them apart");
    }
    std::vector<std::string> names;
    for (const ExperimentAnswers& one : experiments) names.push_back(one.name);
    std::set<std::tuple<std::size_t, std::vector<int>, int>> answered;
    for (const JsonReader& trial : json.at("trials").elements()) {
      const std::size_t number = trial.at("experiment").choice(names);
      ExperimentAnswers& experiment = experiments[number];
      if (trial.at("answer").is_null()) continue;
      const Answer answer = read_answer_of(trial, experiment, participant);
      if (!answered.emplace(number, answer.condition, answer.repeat).second) {
        trial.refuse("this trial is answered twice", "mend the file");
      }
      experiment.answers.push_back(answer);
    }
    ++participant;
  }
  for (ExperimentAnswers& experiment : experiments) experiment.participants = participant;
  return experiments;
}

}  // namespace limber::study
