// How long work tells how far it has come.
#pragma once

#include <functional>
#include <string_view>

namespace limber {

/// Called from long work now and then with what is being done and how far it is, 0 to 1.
/// May throw to cancel. An empty function is allowed everywhere one is taken.
using Progress = std::function<void(std::string_view stage, double fraction)>;

inline void report(const Progress& progress, std::string_view stage, double fraction) {
  if (progress) progress(stage, fraction);
}

}  // namespace limber
