#include "limber/study/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

#include "limber/core/file.h"
#include "limber/scene/json_reader.h"
#include "limber/study/experiment_size.h"
#include "limber/study/random.h"

namespace limber::study {

namespace {

/// Names become columns of tables and parts of file names.
std::string read_name(const JsonReader& json) {
  const std::string name = json.string();
  const auto fits = [](unsigned char c) { return std::isalnum(c) != 0 || c == '-' || c == '_'; };
  if (name.empty() || name.size() > 60 || !std::all_of(name.begin(), name.end(), fits)) {
    json.refuse(fmt::format("\"{}\" cannot be a name", name),
                "use letters, digits, - and _, 60 at most");
  }
  return name;
}

template <class Items>
void refuse_doubles(const Items& items, const JsonReader& json) {
  std::set<std::string> seen;
  for (const auto& item : items) {
    if (!seen.insert(item.name).second) {
      json.refuse(fmt::format("\"{}\" stands twice", item.name), "give each a name of its own");
    }
  }
}

/// One text, or a list of paragraphs.
std::vector<std::string> read_paragraphs(const JsonReader& json) {
  if (!json.is_array()) return {json.string()};
  std::vector<std::string> paragraphs;
  for (const JsonReader& item : json.elements()) paragraphs.push_back(item.string());
  return paragraphs;
}

Question read_question(const JsonReader& json) {
  json.only({"name", "text", "type", "least", "most", "choices", "optional"});
  Question question;
  question.name = read_name(json.at("name"));
  question.text = json.at("text").string();
  question.type = static_cast<Question::Type>(json.at("type").choice({"number", "choice", "text"}));
  json.optional("optional", [&](const JsonReader& value) { question.optional = value.boolean(); });
  if (question.type == Question::Type::number) {
    question.least = json.at("least").number();
    question.most = json.at("most").number();
    if (question.least > question.most) json.refuse("least is above most", "exchange them");
  } else if (json.has("least") || json.has("most")) {
    json.refuse("only numbers have a least and a most", "leave them out");
  }
  if (question.type == Question::Type::choice) {
    for (const JsonReader& item : json.at("choices").elements()) {
      question.choices.push_back(item.string());
    }
    if (question.choices.size() < 2) json.refuse("there is nothing to choose", "give two choices");
  } else if (json.has("choices")) {
    json.refuse("only a question of type \"choice\" has choices", "leave them out");
  }
  return question;
}

PlanFactor read_factor(const JsonReader& json, const nlohmann::json& value) {
  json.only({"name", "levels"});
  PlanFactor factor;
  factor.name = read_name(json.at("name"));
  std::size_t k = 0;
  for (const JsonReader& item : json.at("levels").elements()) {
    item.only({"name", "text", "set"});
    PlanLevel level;
    level.name = read_name(item.at("name"));
    item.optional("text", [&](const JsonReader& text) { level.text = text.string(); });
    if (!item.at("set").is_object()) item.at("set").refuse("an object is expected", "write { … }");
    level.set = value["levels"][k++]["set"];
    factor.levels.push_back(std::move(level));
  }
  if (factor.levels.size() < 2) json.refuse("a factor has two levels at least", "add one");
  refuse_doubles(factor.levels, json);
  return factor;
}

std::vector<PlanFactor> read_factors(const JsonReader& experiment, const char* key,
                                     const nlohmann::json& value) {
  std::vector<PlanFactor> factors;
  experiment.optional(key, [&](const JsonReader& list) {
    std::size_t k = 0;
    for (const JsonReader& item : list.elements()) {
      factors.push_back(read_factor(item, value[key][k++]));
    }
  });
  return factors;
}

/// The keys of a patch down to its leaves, as in "body.material.young".
void leaves_of(const nlohmann::json& value, const std::string& place,
               std::set<std::string>& found) {
  if (!value.is_object() || value.empty()) {
    found.insert(place);
    return;
  }
  for (const auto& [key, member] : value.items()) {
    leaves_of(member, place.empty() ? key : place + "." + key, found);
  }
}

/// Two factors that set the same thing would undo each other.
void refuse_clashes(const Experiment& experiment, const JsonReader& json) {
  std::map<std::string, std::string> owner;
  for (const auto* list : {&experiment.conditions, &experiment.compare}) {
    for (const PlanFactor& factor : *list) {
      std::set<std::string> leaves;
      for (const PlanLevel& level : factor.levels) leaves_of(level.set, "", leaves);
      for (const std::string& leaf : leaves) {
        const auto [known, fresh] = owner.emplace(leaf, factor.name);
        if (!fresh) {
          json.refuse(fmt::format("factors \"{}\" and \"{}\" both set \"{}\"", known->second,
                                  factor.name, leaf),
                      "let one of them do it");
        }
      }
    }
  }
}

Experiment read_experiment(const JsonReader& json, const nlohmann::json& value) {
  json.only({"name", "title", "kind", "text", "question", "repeats", "show", "compare",
             "conditions", "shots_vary_with", "window", "stimulus"});
  Experiment experiment;
  experiment.name = read_name(json.at("name"));
  experiment.title = experiment.name;
  json.optional("title", [&](const JsonReader& text) { experiment.title = text.string(); });
  experiment.kind = static_cast<ExperimentKind>(json.at("kind").choice(kind_names()));
  experiment.text = json.at("text").string();
  experiment.question = json.at("question").string();
  json.optional("repeats", [&](const JsonReader& n) { experiment.repeats = n.integer(1, 100); });
  json.optional("show", [&](const JsonReader& show) {
    if (experiment.kind != ExperimentKind::film_pairs) {
      show.refuse("only pairs of films can be shown so or so", "leave it out");
    }
    experiment.together = show.choice({"one-after-another", "together"}) == 1;
  });
  experiment.compare = read_factors(json, "compare", value);
  experiment.conditions = read_factors(json, "conditions", value);
  std::vector<PlanFactor> all = experiment.conditions;
  all.insert(all.end(), experiment.compare.begin(), experiment.compare.end());
  refuse_doubles(all, json);
  json.optional("shots_vary_with", [&](const JsonReader& list) {
    std::vector<std::string> names;
    for (const PlanFactor& factor : experiment.conditions) names.push_back(factor.name);
    for (const JsonReader& item : list.elements()) {
      experiment.shots_vary_with.push_back(static_cast<int>(item.choice(names)));
    }
  });
  json.optional("window", [&](const JsonReader& list) {
    if (experiment.kind != ExperimentKind::contacts) {
      list.refuse("only clicks at contacts have a window", "leave it out");
    }
    const auto ends = list.elements();
    if (ends.size() != 2) list.refuse("two numbers are expected", "write [least, most] in seconds");
    experiment.window = {ends[0].not_negative(), ends[1].positive()};
    if (experiment.window.least >= experiment.window.most)
      list.refuse("the window is empty", "[0, 1]");
  });
  if (!json.at("stimulus").is_object())
    json.at("stimulus").refuse("an object is expected", "{ … }");
  experiment.stimulus = value["stimulus"];
  check_size({experiment.kind, experiment.compare_factors(), experiment.condition_factors(),
              experiment.repeats},
             json);
  refuse_clashes(experiment, json);
  return experiment;
}

std::vector<Factor> plain(const std::vector<PlanFactor>& factors) {
  std::vector<Factor> result;
  for (const PlanFactor& factor : factors) result.push_back(factor.factor());
  return result;
}

}  // namespace

const std::vector<std::string>& kind_names() {
  static const std::vector<std::string> names{"play-pairs", "film-pairs", "rank", "contacts"};
  return names;
}

Factor PlanFactor::factor() const {
  Factor factor{name, {}};
  for (const PlanLevel& level : levels) factor.levels.push_back(level.name);
  return factor;
}

std::vector<Factor> Experiment::compare_factors() const { return plain(compare); }
std::vector<Factor> Experiment::condition_factors() const { return plain(conditions); }

std::vector<std::vector<int>> combinations(const std::vector<Factor>& factors) {
  std::vector<std::vector<int>> all{{}};
  for (const Factor& factor : factors) {
    std::vector<std::vector<int>> longer;
    for (const std::vector<int>& one : all) {
      for (std::size_t level = 0; level < factor.levels.size(); ++level) {
        longer.push_back(one);
        longer.back().push_back(static_cast<int>(level));
      }
    }
    all = std::move(longer);
  }
  return all;
}

Plan parse_plan(const std::string& text, const std::filesystem::path& folder,
                const std::string& name) {
  const nlohmann::json document = parse_json(text, name);
  const JsonReader json(document, name);
  json.only({"limber_study", "title", "seed", "consent", "thanks", "questions", "experiments"});
  if (json.at("limber_study").integer(1, 1) != 1) json.refuse("unknown version", "write 1");
  Plan plan;
  plan.folder = folder;
  plan.name = name;
  plan.digest = fmt::format("{:016x}", mixed_seed(1, document.dump()));
  plan.title = json.at("title").string();
  json.optional("seed", [&](const JsonReader& value) {
    plan.seed = static_cast<std::uint64_t>(value.integer(0, 2147483647));
  });
  plan.consent = read_paragraphs(json.at("consent"));
  plan.thanks = "Thank you for taking part.";
  json.optional("thanks", [&](const JsonReader& value) { plan.thanks = value.string(); });
  json.optional("questions", [&](const JsonReader& list) {
    for (const JsonReader& item : list.elements()) plan.questions.push_back(read_question(item));
    refuse_doubles(plan.questions, list);
  });
  const JsonReader experiments = json.at("experiments");
  std::size_t k = 0;
  for (const JsonReader& item : experiments.elements()) {
    plan.experiments.push_back(read_experiment(item, document["experiments"][k++]));
  }
  if (plan.experiments.empty()) experiments.refuse("there is no experiment", "add one");
  refuse_doubles(plan.experiments, experiments);
  return plan;
}

Plan read_plan(const std::filesystem::path& path) {
  const FileBytes file(path);
  return parse_plan(std::string(file.text()), path.parent_path(), path.string());
}

}  // namespace limber::study
