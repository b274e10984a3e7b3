#include "server/history.h"

namespace limber::studio {

namespace {

constexpr std::size_t kMostEntries = 200;
// A slider that rests for so long was let go.
constexpr std::chrono::milliseconds kPause{1500};

}  // namespace

bool History::begins(const HistoryLabel& label, Clock::time_point now) const {
  return label.group.empty() || label.group != group_ || now - last_ > kPause || done_.empty();
}

void History::remember(const HistoryLabel& label, ProjectVersion before, Clock::time_point now) {
  const bool new_entry = begins(label, now);
  group_ = label.group;
  last_ = now;
  undone_.clear();
  if (!new_entry) return;
  done_.push_back({label.name, std::move(before)});
  if (done_.size() > kMostEntries) done_.erase(done_.begin());
}

std::optional<ProjectVersion> History::step(std::vector<Entry>& from, std::vector<Entry>& to,
                                            ProjectVersion now) {
  if (from.empty()) return std::nullopt;
  Entry entry = std::move(from.back());
  from.pop_back();
  to.push_back({entry.name, std::move(now)});
  return std::move(entry.version);
}

std::optional<ProjectVersion> History::back(ProjectVersion now) {
  group_.clear();
  return step(done_, undone_, std::move(now));
}

std::optional<ProjectVersion> History::on(ProjectVersion now) {
  group_.clear();
  return step(undone_, done_, std::move(now));
}

void History::clear() { *this = History(); }

std::vector<std::string> History::done() const {
  std::vector<std::string> names;
  for (auto entry = done_.rbegin(); entry != done_.rend(); ++entry) names.push_back(entry->name);
  return names;
}

std::vector<std::string> History::undone() const {
  std::vector<std::string> names;
  for (auto entry = undone_.rbegin(); entry != undone_.rend(); ++entry) {
    names.push_back(entry->name);
  }
  return names;
}

}  // namespace limber::studio
