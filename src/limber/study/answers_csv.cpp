// Answers as a table that statistics programs read (RFC 4180).
#include <fmt/format.h>

#include "limber/study/ledger.h"

namespace limber::study {

namespace {

using Json = nlohmann::ordered_json;

std::string field(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

std::string plain_text(const Json& value) {
  if (value.is_null()) return "";
  return value.is_string() ? value.get<std::string>() : value.dump();
}

/// Numbers of a list with blanks between.
std::string joined(const Json& list) {
  std::string text;
  for (const Json& value : list) text += (text.empty() ? "" : " ") + plain_text(value);
  return text;
}

/// What was shown at each place, "global / global-local", or several factors "global+4 / …".
std::string shown_text(const Json& shown) {
  std::string text;
  for (const Json& one : shown) {
    std::string levels;
    for (const Json& level : one) levels += (levels.empty() ? "" : "+") + level.get<std::string>();
    text += (text.empty() ? "" : " / ") + levels;
  }
  return text;
}

}  // namespace

std::string answers_csv(const Plan& plan, std::size_t number,
                        const std::vector<const Json*>& records) {
  const Experiment& experiment = plan.experiments[number];
  std::string csv = "participant";
  for (const Question& question : plan.questions) csv += "," + question.name;
  csv += ",trial";
  for (const PlanFactor& factor : experiment.conditions) csv += "," + factor.name;
  csv += ",repeat,shown";
  const bool clicks = experiment.kind == ExperimentKind::contacts;
  csv += clicks                                    ? ",contacts,seen,clicks,reactions,false_alarms"
         : experiment.kind == ExperimentKind::rank ? ",ranking"
                                                   : ",choice,chosen";
  if (experiment.kind == ExperimentKind::play_pairs) csv += ",hits";
  csv += ",seconds,time\n";
  for (const Json* record : records) {
    int trial_number = 0;
    for (const Json& trial : (*record)["trials"]) {
      if (trial["experiment"] != experiment.name) continue;
      ++trial_number;
      const Json& answer = trial["answer"];
      if (answer.is_null()) continue;
      csv += plain_text((*record)["participant"]);
      for (const Question& question : plan.questions) {
        csv += "," + field(plain_text((*record)["questions"].value(question.name, Json())));
      }
      csv += fmt::format(",{}", trial_number);
      for (const Json& level : trial["condition"]) csv += "," + level.get<std::string>();
      csv += "," + plain_text(trial["repeat"]) + "," + shown_text(trial["shown"]);
      if (clicks) {
        csv += fmt::format(",{},{}", answer["contacts"].size(), answer["seen"].get<int>());
        csv += "," + joined(answer["clicks"]) + "," + joined(answer["reactions"]) + "," +
               joined(answer["false_alarms"]);
      } else if (experiment.kind == ExperimentKind::rank) {
        csv += "," + joined(answer["ranking"]);
      } else {
        csv += "," + plain_text(answer["choice"]) + "," + joined(answer["chosen"]);
      }
      if (experiment.kind == ExperimentKind::play_pairs) {
        csv += "," + joined(answer.value("hits", Json::array()));
      }
      csv += "," + plain_text(answer["seconds"]) + "," + plain_text(answer["time"]) + "\n";
    }
  }
  return csv;
}

}  // namespace limber::study
