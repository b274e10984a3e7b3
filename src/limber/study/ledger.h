// The answers of a study on disk. Each participant has a file of JSON that says all: who, when,
// what was shown in which order, what was answered. It is written anew, whole or not at all, with
// every answer; the tables (one CSV for each experiment) follow from these files. What was answered
// stays whatever happens to browser or server.
#pragma once

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "limber/study/schedule.h"

namespace limber::study {

class Ledger {
 public:
  /// Makes the folder, or goes on with the one that is there. Throws Error when it holds answers to
  /// another plan, or another server writes there now. `plan` outlives this.
  Ledger(const Plan& plan, std::filesystem::path folder);
  ~Ledger();
  Ledger(const Ledger&) = delete;
  Ledger& operator=(const Ledger&) = delete;

  /// A new participant, known by `key` from now on.
  void begin(const std::string& key);
  [[nodiscard]] bool knows(std::string_view key) const;
  [[nodiscard]] int participant_count() const { return static_cast<int>(records_.size()); }
  /// Whether all questions about the person are answered.
  [[nodiscard]] bool asked(std::string_view key) const;
  [[nodiscard]] const std::vector<Trial>& schedule(std::string_view key) const;
  /// The first trial without an answer; as many as there are when all have one.
  [[nodiscard]] int next_trial(std::string_view key) const;

  /// Throws Error for an answer that is missing or does not fit its question.
  void answer_questions(std::string_view key, const nlohmann::json& answers);
  /// What a page has sent, for the next trial: "choice" or "ranking" (places from 1), or "clicks"
  /// (s, to be held against `contacts`), and "seconds". `extra` is kept beside it. Throws Error for
  /// what is no answer.
  void answer(std::string_view key, const nlohmann::json& sent, const std::vector<double>& contacts,
              const nlohmann::ordered_json& extra);

 private:
  struct Entry {
    nlohmann::ordered_json record;
    std::vector<Trial> schedule;
  };

  void read_back();
  void write(const Entry& entry) const;
  void write_tables() const;
  [[nodiscard]] Entry& entry(std::string_view key);
  [[nodiscard]] const Entry& entry(std::string_view key) const;

  const Plan& plan_;
  std::filesystem::path folder_;
  int lock_ = -1;
  std::map<int, Entry> records_;  // by the participant's number
  std::map<std::string, int, std::less<>> by_key_;
};

/// The answers to one experiment as a table.
[[nodiscard]] std::string answers_csv(const Plan& plan, std::size_t experiment,
                                      const std::vector<const nlohmann::ordered_json*>& records);

}  // namespace limber::study
