// What all commands share: whether to be quiet, and the progress bar.
#pragma once

#include "limber/core/progress.h"

namespace limber {

struct Session {
  bool quiet = false;
  bool always = false;  ///< a bar even where nobody may look

  /// A bar on stderr for work that takes over a second; nothing when quiet or not on a terminal.
  [[nodiscard]] Progress progress() const;
};

}  // namespace limber
