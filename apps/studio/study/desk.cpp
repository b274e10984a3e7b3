#include "study/desk.h"

#include <fmt/format.h>

#include <algorithm>

#include "limber/core/error.h"
#include "limber/core/file.h"
#include "limber/scene/json_reader.h"
#include "limber/scene/json_writer.h"

namespace limber::studio {

namespace {

using Json = nlohmann::ordered_json;
using study::Experiment;
using study::ExperimentKind;

constexpr std::size_t kMostGames = 32;  // at once; the oldest makes room
constexpr int kMostPictures = 8;  // of a game in one request: a page that slept catches up no more

/// Not what comes next for this participant: the page asks again.
struct OutOfTurn : Error {
  explicit OutOfTurn(const std::string& what) : Error(what, "study", "ask what comes next") {}
};

DeskReply reply(const Json& json) {
  return {200, "application/json", json_text(json, "study", -1)};
}

}  // namespace

Desk::Desk(const study::Plan& plan, const std::filesystem::path& folder, const Progress& progress)
    : plan_(plan), folder_(folder), ledger_(plan, folder) {
  make_films(progress);
}

study::Stimulus Desk::stimulus_of(const study::Trial& trial, std::size_t place) const {
  const Experiment& experiment = plan_.experiments[static_cast<std::size_t>(trial.experiment)];
  return study::make_stimulus(plan_, experiment,
                              {trial.condition, trial.shown[place], trial.repeat});
}

void Desk::make_films(const Progress& progress) {
  std::filesystem::create_directories(folder_ / "films");
  const std::vector<study::Trial> all =
      study::schedule_of(plan_, 0);  // the same things for everybody
  double done = 0;
  for (const study::Trial& trial : all) {
    const ExperimentKind kind = plan_.experiments[static_cast<std::size_t>(trial.experiment)].kind;
    for (std::size_t place = 0; place < trial.shown.size(); ++place) {
      study::Stimulus stimulus = stimulus_of(trial, place);
      if (kind == ExperimentKind::play_pairs) continue;  // looked at, so that it can be built later
      const std::string identity = stimulus.identity;
      const std::filesystem::path path = folder_ / "films" / (identity + ".film");
      if (!std::filesystem::exists(path)) write_file(path, study::film_bytes(std::move(stimulus)));
      const FileBytes bytes(path);
      films_[identity] = study::contacts_of_film(bytes.text());
    }
    report(progress, "films", ++done / static_cast<double>(all.size()));
  }
}

DeskReply Desk::handle(const DeskRequest& request) try {
  return dispatch(request);
} catch (const OutOfTurn& error) {
  return {409, "text/plain; charset=utf-8", error.what()};
} catch (const Error& error) {
  const unsigned status = error.kind() == Error::Kind::bad_input ? 400 : 500;
  return {status, "text/plain; charset=utf-8", error.what()};
} catch (const std::exception& error) {
  return {500, "text/plain; charset=utf-8", error.what()};
}

DeskReply Desk::dispatch(const DeskRequest& request) {
  const std::string& path = request.target.path;
  const std::string key(request.target.parameter("key"));
  if (request.method == "GET") {
    constexpr std::string_view kFilms = "/api/film/";
    if (path == "/api/plan") return describe_plan();
    if (path == "/api/next") return next(key);
    if (path.starts_with(kFilms)) return film(path.substr(kFilms.size()));
  } else if (request.method == "POST") {
    const nlohmann::json sent = parse_json(request.body, "request");
    const JsonReader json(sent, "request");
    if (path == "/api/begin") {
      if (!json.at("consent").boolean())
        throw Error("no consent", "study", "nobody has to take part");
      const std::string fresh = new_token();
      ledger_.begin(fresh);
      return reply({{"key", fresh}});
    }
    if (path == "/api/questions") {
      ledger_.answer_questions(key, sent);
      return next(key);
    }
    if (path == "/api/answer") return take_answer(key, sent);
    if (path == "/api/game") return start_game(key, sent);
    if (path == "/api/game/step") return step_game(key, sent);
  }
  return {404, "text/plain; charset=utf-8", "There is no such page."};
}

DeskReply Desk::describe_plan() const {
  Json questions = Json::array();
  for (const study::Question& question : plan_.questions) {
    const std::vector<std::string> types{"number", "choice", "text"};
    Json one{{"name", question.name},
             {"text", question.text},
             {"type", types[static_cast<std::size_t>(question.type)]},
             {"optional", question.optional},
             {"choices", question.choices}};
    if (question.type == study::Question::Type::number) {
      one["least"] = question.least;
      one["most"] = question.most;
    }
    questions.push_back(one);
  }
  return reply({{"title", plan_.title},
                {"consent", plan_.consent},
                {"thanks", plan_.thanks},
                {"questions", questions}});
}

/// Nothing in it tells which model is which.
DeskReply Desk::next(const std::string& key) const {
  if (!ledger_.knows(key)) return reply({{"stage", "consent"}});
  if (!ledger_.asked(key)) return reply({{"stage", "questions"}});
  const auto& schedule = ledger_.schedule(key);
  const int number = ledger_.next_trial(key);
  if (number >= static_cast<int>(schedule.size())) return reply({{"stage", "done"}});
  const study::Trial& trial = schedule[static_cast<std::size_t>(number)];
  const Experiment& experiment = plan_.experiments[static_cast<std::size_t>(trial.experiment)];
  int of = 0, before = 0;
  for (std::size_t k = 0; k < schedule.size(); ++k) {
    if (schedule[k].experiment != trial.experiment) continue;
    ++of;
    before += k < static_cast<std::size_t>(number) ? 1 : 0;
  }
  Json notes = Json::array();
  for (std::size_t f = 0; f < experiment.conditions.size(); ++f) {
    const auto& level =
        experiment.conditions[f].levels[static_cast<std::size_t>(trial.condition[f])];
    if (!level.text.empty()) notes.push_back(level.text);
  }
  Json films = Json::array();
  if (experiment.kind != ExperimentKind::play_pairs) {
    for (std::size_t place = 0; place < trial.shown.size(); ++place) {
      films.push_back(stimulus_of(trial, place).identity);
    }
  }
  return reply({{"stage", "trial"},
                {"trial", number},
                {"number", before + 1},
                {"of", of},
                {"kind", study::kind_names()[static_cast<std::size_t>(experiment.kind)]},
                {"title", experiment.title},
                {"text", experiment.text},
                {"question", experiment.question},
                {"notes", notes},
                {"places", trial.shown.size()},
                {"together", experiment.together},
                {"films", films}});
}

const study::Trial& Desk::trial_of(const std::string& key, const nlohmann::json& sent) const {
  if (!ledger_.knows(key) || !ledger_.asked(key)) throw OutOfTurn("the study has not begun");
  const int number = JsonReader(sent, "request").at("trial").integer(0, 1000000);
  const auto& schedule = ledger_.schedule(key);
  if (number != ledger_.next_trial(key) || number >= static_cast<int>(schedule.size())) {
    throw OutOfTurn("this trial is not the next one");
  }
  return schedule[static_cast<std::size_t>(number)];
}

DeskReply Desk::take_answer(const std::string& key, const nlohmann::json& sent) {
  const study::Trial& trial = trial_of(key, sent);
  const ExperimentKind kind = plan_.experiments[static_cast<std::size_t>(trial.experiment)].kind;
  std::vector<double> contacts;
  Json extra = Json::object();
  if (kind == ExperimentKind::contacts) {
    contacts = films_.at(stimulus_of(trial, 0).identity);
  } else if (kind == ExperimentKind::play_pairs) {
    const Game* game = game_of(key);
    const int number = ledger_.next_trial(key);
    if (game == nullptr || game->trial != number || game->played.size() != trial.shown.size()) {
      throw OutOfTurn("the games have not been played");
    }
    for (const auto& [place, played] : game->played) {
      extra["hits"].push_back(played["hits"]);
      extra["hands"].push_back(played["hand"]);
    }
  }
  ledger_.answer(key, sent, contacts, extra);
  std::erase_if(games_, [&](const Game& game) { return game.key == key; });
  return next(key);
}

DeskReply Desk::film(const std::string& identity) const {
  if (films_.find(identity) == films_.end()) {
    return {404, "text/plain; charset=utf-8", "There is no such film."};
  }
  const FileBytes bytes(folder_ / "films" / (identity + ".film"));
  return {200, "application/octet-stream", std::string(bytes.text())};
}

Desk::Game* Desk::game_of(const std::string& key) {
  const auto found =
      std::find_if(games_.begin(), games_.end(), [&](const Game& game) { return game.key == key; });
  return found == games_.end() ? nullptr : &*found;
}

DeskReply Desk::start_game(const std::string& key, const nlohmann::json& sent) {
  const study::Trial& trial = trial_of(key, sent);
  const ExperimentKind kind = plan_.experiments[static_cast<std::size_t>(trial.experiment)].kind;
  if (kind != ExperimentKind::play_pairs) throw OutOfTurn("this trial is no game");
  const int places = static_cast<int>(trial.shown.size());
  const int place = JsonReader(sent, "request").at("place").integer(1, places) - 1;
  const int number = ledger_.next_trial(key);
  Game* game = game_of(key);
  if (game == nullptr) {
    if (games_.size() >= kMostGames) games_.pop_front();
    games_.emplace_back();
    game = &games_.back();
    game->key = key;
  }
  if (game->trial != number) game->played.clear();
  game->trial = number;
  game->place = place;
  game->hand = Json::array();
  game->shooting =
      std::make_unique<study::Shooting>(stimulus_of(trial, static_cast<std::size_t>(place)));
  return {200, "application/octet-stream", study::game_bytes(*game->shooting)};
}

DeskReply Desk::step_game(const std::string& key, const nlohmann::json& sent) {
  Game* const game = game_of(key);
  if (game == nullptr || !game->shooting) throw OutOfTurn("there is no game");
  const JsonReader json(sent, "request");
  const int pictures = json.at("pictures").integer(0, 1000);
  const JsonReader pull = json.at("pull");
  study::Shooting& shooting = *game->shooting;
  if (pull.is_null()) {
    shooting.let_go();
  } else {
    const int vertex = pull.at("vertex").integer(0, 1 << 30);
    const Vec3 target = pull.at("target").vector3();
    try {
      shooting.pull(vertex, target);
      game->hand.push_back({shooting.time(), vertex, target[0], target[1], target[2]});
    } catch (const Error&) {
      shooting.let_go();  // where the body is fixed, pulling does nothing
    }
  }
  for (int k = 0; k < std::min(pictures, kMostPictures) && !shooting.over(); ++k)
    shooting.advance();
  if (shooting.over()) {
    game->played[game->place] = {{"hits", shooting.hits().size()}, {"hand", game->hand}};
  }
  return {200, "application/octet-stream", study::picture_bytes(shooting)};
}

}  // namespace limber::studio
