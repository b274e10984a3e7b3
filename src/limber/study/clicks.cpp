#include "limber/study/clicks.h"

#include <algorithm>

namespace limber::study {

int ClickScore::seen() const {
  return static_cast<int>(
      std::count_if(reactions.begin(), reactions.end(), [](double value) { return value >= 0; }));
}

ClickScore score_clicks(const std::vector<double>& contacts, std::vector<double> clicks,
                        const ReactionWindow& window) {
  std::sort(clicks.begin(), clicks.end());
  ClickScore score;
  score.reactions.assign(contacts.size(), -1);
  std::size_t next = 0;
  for (const double click : clicks) {
    while (next < contacts.size() && contacts[next] + window.most < click) ++next;
    if (next < contacts.size() && contacts[next] + window.least <= click) {
      score.reactions[next] = click - contacts[next];
      ++next;
    } else {
      score.false_alarms.push_back(click);
    }
  }
  return score;
}

}  // namespace limber::study
