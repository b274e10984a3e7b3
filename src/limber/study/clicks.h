// Which collisions were seen: clicks against the times of contact.
#pragma once

#include <vector>

namespace limber::study {

/// A click counts for a contact that came at least `least` and at most `most` seconds before it.
struct ReactionWindow {
  double least = 0;
  double most = 1;
};

struct ClickScore {
  std::vector<double> reactions;  ///< s, of each contact; negative where it was missed
  std::vector<double>
      false_alarms;  ///< s, clicks that no contact explains: anticipated or invented

  [[nodiscard]] int seen() const;
};

/// Both ascending. Each click explains one contact at most, the earliest that is still unexplained:
/// with windows of equal length no other pairing explains more.
[[nodiscard]] ClickScore score_clicks(const std::vector<double>& contacts,
                                      std::vector<double> clicks, const ReactionWindow& window);

}  // namespace limber::study
