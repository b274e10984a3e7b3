// What was done to the project, with names, so that it can be undone: each entry is all of the
// project as it was before. Versions share what they have in common.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "server/recorder.h"
#include "server/simulation.h"

namespace limber::studio {

struct ProjectVersion {
  std::shared_ptr<const SceneVersion> scene;
  SavedSession session;
};

/// How an entry is called. One with the `group` of the entry before it, made soon after that, is a
/// part of it: a slider that is drawn is one thing to undo.
struct HistoryLabel {
  std::string name;
  std::string group;
};

class History {
 public:
  using Clock = std::chrono::steady_clock;

  /// `before` is what there is before the thing of that name is done.
  void remember(const HistoryLabel& label, ProjectVersion before, Clock::time_point now);
  /// Whether remember() would begin a new entry.
  [[nodiscard]] bool begins(const HistoryLabel& label, Clock::time_point now) const;
  /// One step back or on from `now`; none where there is no more.
  [[nodiscard]] std::optional<ProjectVersion> back(ProjectVersion now);
  [[nodiscard]] std::optional<ProjectVersion> on(ProjectVersion now);
  void clear();

  /// Names, the next to be undone or redone first.
  [[nodiscard]] std::vector<std::string> done() const;
  [[nodiscard]] std::vector<std::string> undone() const;

 private:
  struct Entry {
    std::string name;
    ProjectVersion version;
  };
  static std::optional<ProjectVersion> step(std::vector<Entry>& from, std::vector<Entry>& to,
                                            ProjectVersion now);

  std::vector<Entry> done_, undone_;
  std::string group_;
  Clock::time_point last_{};
};

}  // namespace limber::studio
