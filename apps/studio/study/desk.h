// The desk where participants of a study report: what each meets next, films, games, answers. Knows
// requests and replies, nothing of the network.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <string>

#include "limber/core/progress.h"
#include "limber/study/ledger.h"
#include "limber/study/shooting.h"
#include "server/access.h"

namespace limber::studio {

struct DeskRequest {
  std::string method;
  Target target;
  std::string body;
};

struct DeskReply {
  unsigned status = 200;
  std::string type = "application/json";
  std::string body;
};

class Desk {
 public:
  /// Makes every film of the plan, or takes those that an earlier run has left in the folder.
  /// Throws Error for a stimulus that cannot be built. `plan` outlives this.
  Desk(const study::Plan& plan, const std::filesystem::path& folder, const Progress& progress);

  /// Of paths that begin with "/api/". Errors are replies: 400 what was sent is wrong, 404 no such
  /// thing, 409 not what comes next.
  [[nodiscard]] DeskReply handle(const DeskRequest& request);

 private:
  struct Game {
    std::string key;
    int trial = 0;
    int place = 0;
    std::unique_ptr<study::Shooting> shooting;
    nlohmann::ordered_json hand = nlohmann::ordered_json::array();  // time, vertex, target
    std::map<int, nlohmann::ordered_json> played;                   // by place: hits and hand
  };

  void make_films(const Progress& progress);
  [[nodiscard]] study::Stimulus stimulus_of(const study::Trial& trial, std::size_t place) const;
  [[nodiscard]] DeskReply dispatch(const DeskRequest& request);
  [[nodiscard]] DeskReply describe_plan() const;
  [[nodiscard]] DeskReply next(const std::string& key) const;
  [[nodiscard]] DeskReply take_answer(const std::string& key, const nlohmann::json& sent);
  [[nodiscard]] DeskReply film(const std::string& identity) const;
  [[nodiscard]] DeskReply start_game(const std::string& key, const nlohmann::json& sent);
  [[nodiscard]] DeskReply step_game(const std::string& key, const nlohmann::json& sent);
  [[nodiscard]] Game* game_of(const std::string& key);
  [[nodiscard]] const study::Trial& trial_of(const std::string& key,
                                             const nlohmann::json& sent) const;

  const study::Plan& plan_;
  std::filesystem::path folder_;
  study::Ledger ledger_;
  std::map<std::string, std::vector<double>> films_;  // contacts by identity
  std::deque<Game> games_;                            // the oldest first
};

}  // namespace limber::studio
