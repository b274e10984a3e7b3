#include "limber/study/ledger.h"

#include <fcntl.h>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <ctime>

#include "limber/core/error.h"
#include "limber/core/file.h"
#include "limber/scene/json_reader.h"
#include "limber/scene/json_writer.h"
#include "limber/study/stimulus.h"

namespace limber::study {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

std::string now() { return fmt::format("{:%FT%TZ}", fmt::gmtime(std::time(nullptr))); }

Json names_of(const std::vector<Factor>& factors, const std::vector<int>& levels) {
  Json names = Json::array();
  for (std::size_t f = 0; f < factors.size(); ++f) {
    names.push_back(factors[f].levels[static_cast<std::size_t>(levels[f])]);
  }
  return names;
}

Json factors_json(const std::vector<Factor>& factors) {
  Json list = Json::array();
  for (const Factor& factor : factors) {
    list.push_back({{"name", factor.name}, {"levels", factor.levels}});
  }
  return list;
}

Json new_record(const Plan& plan, int number, const std::string& key,
                const std::vector<Trial>& schedule) {
  Json record{{"limber_study", 1}, {"title", plan.title},   {"plan", plan.digest},
              {"seed", plan.seed}, {"participant", number}, {"key", key},
              {"consent", now()},  {"questions", nullptr}};
  for (const Experiment& experiment : plan.experiments) {
    record["experiments"].push_back(
        {{"name", experiment.name},
         {"kind", kind_names()[static_cast<std::size_t>(experiment.kind)]},
         {"repeats", experiment.repeats},
         {"compare", factors_json(experiment.compare_factors())},
         {"conditions", factors_json(experiment.condition_factors())}});
  }
  for (const Trial& trial : schedule) {
    const Experiment& experiment = plan.experiments[static_cast<std::size_t>(trial.experiment)];
    Json shown = Json::array();
    for (const auto& one : trial.shown)
      shown.push_back(names_of(experiment.compare_factors(), one));
    record["trials"].push_back(
        {{"experiment", experiment.name},
         {"condition", names_of(experiment.condition_factors(), trial.condition)},
         {"repeat", trial.repeat + 1},
         {"shown", shown},
         {"shots", shots_seed(plan, experiment, trial.condition, trial.repeat)},
         {"answer", nullptr}});
  }
  return record;
}

Json read_answer(const Question& question, const nlohmann::json& answers) {
  const JsonReader json(answers, "questions");
  const bool empty = !json.has(question.name.c_str()) || answers[question.name].is_null() ||
                     answers[question.name] == "";
  if (empty) {
    if (question.optional) return nullptr;
    throw Error("a question is not answered", question.name, question.text);
  }
  const JsonReader value = json.at(question.name.c_str());
  if (question.type == Question::Type::number) {
    const double number = value.number();
    if (number < question.least || number > question.most) {
      value.refuse("the number is out of range",
                   fmt::format("{} to {}", question.least, question.most));
    }
    return number;
  }
  if (question.type == Question::Type::choice) {
    return question.choices[value.choice(question.choices)];
  }
  const std::string text = value.string();
  if (text.size() > 10000) value.refuse("the text is too long", "write less");
  return text;
}

/// Places from 1, each of them once.
std::vector<int> read_ranking(const JsonReader& json, int places) {
  std::vector<int> ranking;
  for (const JsonReader& place : json.elements()) ranking.push_back(place.integer(1, places));
  std::vector<int> sorted = ranking;
  std::sort(sorted.begin(), sorted.end());
  const bool twice = std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end();
  if (twice || static_cast<int>(ranking.size()) != places) {
    json.refuse("every place is ranked once", "send all of them");
  }
  return ranking;
}

Json click_answer(const JsonReader& json, const Experiment& experiment,
                  const std::vector<double>& contacts) {
  std::vector<double> clicks;
  for (const JsonReader& click : json.at("clicks").elements())
    clicks.push_back(click.not_negative());
  if (clicks.size() > 10000) json.refuse("too many clicks", "send 10000 at most");
  const ClickScore score = score_clicks(contacts, clicks, experiment.window);
  Json reactions = Json::array();
  for (const double reaction : score.reactions) {
    reactions.push_back(reaction < 0 ? Json(nullptr) : Json(reaction));
  }
  return {{"clicks", clicks},
          {"contacts", contacts},
          {"reactions", reactions},
          {"seen", score.seen()},
          {"false_alarms", score.false_alarms}};
}

}  // namespace

Ledger::Ledger(const Plan& plan, fs::path folder) : plan_(plan), folder_(std::move(folder)) {
  std::error_code failed;
  fs::create_directories(folder_ / "participants", failed);
  lock_ = open(folder_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (lock_ < 0 || failed || access(folder_.c_str(), W_OK | X_OK) != 0) {
    if (lock_ >= 0) close(lock_);
    throw Error("the folder cannot be written", folder_.string(), "name another with --out");
  }
  if (flock(lock_, LOCK_EX | LOCK_NB) != 0) {
    close(lock_);
    throw Error("another server writes answers there", folder_.string(),
                "end it, or name another folder with --out", Error::Kind::work_failed);
  }
  try {
    read_back();
  } catch (...) {
    close(lock_);
    throw;
  }
}

Ledger::~Ledger() { close(lock_); }

void Ledger::read_back() {
  for (const fs::directory_entry& file : fs::directory_iterator(folder_ / "participants")) {
    if (file.path().extension() != ".json") continue;
    const FileBytes bytes(file.path());
    (void)parse_json(bytes.text(), file.path().string());
    Json record = Json::parse(bytes.text());
    if (record.value("plan", "") != plan_.digest) {
      throw Error("the folder holds answers to another plan", file.path().string(),
                  "name another folder with --out, or take the plan of then");
    }
    const int number = record.at("participant");
    by_key_[record.at("key").get<std::string>()] = number;
    records_[number] = {std::move(record), schedule_of(plan_, number)};
  }
}

void Ledger::begin(const std::string& key) {
  const int number = records_.empty() ? 1 : records_.rbegin()->first + 1;
  Entry entry;
  entry.schedule = schedule_of(plan_, number);
  entry.record = new_record(plan_, number, key, entry.schedule);
  if (plan_.questions.empty()) entry.record["questions"] = Json::object();
  write(entry);
  by_key_[key] = number;
  records_[number] = std::move(entry);
}

bool Ledger::knows(std::string_view key) const { return by_key_.find(key) != by_key_.end(); }

const Ledger::Entry& Ledger::entry(std::string_view key) const {
  const auto found = by_key_.find(key);
  if (found == by_key_.end()) throw Error("nobody has this key", "study", "begin anew");
  return records_.at(found->second);
}
Ledger::Entry& Ledger::entry(std::string_view key) {
  return const_cast<Entry&>(static_cast<const Ledger&>(*this).entry(key));
}

bool Ledger::asked(std::string_view key) const { return !entry(key).record["questions"].is_null(); }
const std::vector<Trial>& Ledger::schedule(std::string_view key) const {
  return entry(key).schedule;
}

int Ledger::next_trial(std::string_view key) const {
  const Json& trials = entry(key).record["trials"];
  const auto open = std::find_if(trials.begin(), trials.end(),
                                 [](const Json& trial) { return trial["answer"].is_null(); });
  return static_cast<int>(open - trials.begin());
}

void Ledger::answer_questions(std::string_view key, const nlohmann::json& answers) {
  Json read = Json::object();
  for (const Question& question : plan_.questions) {
    read[question.name] = read_answer(question, answers);
  }
  Entry& who = entry(key);
  who.record["questions"] = read;
  write(who);
}

void Ledger::answer(std::string_view key, const nlohmann::json& sent,
                    const std::vector<double>& contacts, const Json& extra) {
  Entry& who = entry(key);
  const int number = next_trial(key);
  if (number >= static_cast<int>(who.schedule.size())) {
    throw Error("there is nothing left to answer", "study", "thank you");
  }
  const Trial& trial = who.schedule[static_cast<std::size_t>(number)];
  const Experiment& experiment = plan_.experiments[static_cast<std::size_t>(trial.experiment)];
  const auto places = static_cast<int>(trial.shown.size());
  const JsonReader json(sent, "answer");
  Json answer;
  Json& record = who.record["trials"][static_cast<std::size_t>(number)];
  switch (experiment.kind) {
    case ExperimentKind::contacts:
      answer = click_answer(json, experiment, contacts);
      break;
    case ExperimentKind::rank:
      answer["ranking"] = read_ranking(json.at("ranking"), places);
      break;
    default:
      answer["choice"] = json.at("choice").integer(1, places);
      answer["chosen"] = record["shown"][answer["choice"].get<std::size_t>() - 1];
  }
  answer["seconds"] = json.at("seconds").not_negative();
  answer["time"] = now();
  answer.update(extra);
  record["answer"] = answer;
  try {
    write(who);
  } catch (...) {
    record["answer"] = nullptr;  // what is not on disk was not answered
    throw;
  }
  write_tables();
}

void Ledger::write(const Entry& entry) const {
  const fs::path path =
      folder_ / "participants" / fmt::format("{:04}.json", entry.record["participant"].get<int>());
  write_file(path, json_text(entry.record, path.string()) + "\n");
}

void Ledger::write_tables() const {
  std::vector<const Json*> records;
  for (const auto& [number, entry] : records_) records.push_back(&entry.record);
  for (std::size_t e = 0; e < plan_.experiments.size(); ++e) {
    write_file(folder_ / (plan_.experiments[e].name + ".csv"), answers_csv(plan_, e, records));
  }
}

}  // namespace limber::study
