// What all commands share: whether to be quiet, and the progress bar.
#pragma once

#include "limber/core/progress.h"

namespace limber {

struct Session {
  bool quiet = false;
  bool progress_lines = false;  ///< for programs that call this one
  bool always = false;  ///< a bar even where nobody may look

  /// On stderr: a bar for work that takes over a second, on a terminal and unless quiet; or lines
  /// "limber: progress: 0.52 modes", whatever stderr is.
  [[nodiscard]] Progress progress() const;
};

}  // namespace limber
