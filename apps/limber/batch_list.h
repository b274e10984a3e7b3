// The list of a batch: each line holds what one would write behind `limber bake`; quotes as in a
// shell, # for comments, and paths as seen from the list's folder:
//
//   bar.msh -o bar.limber --fix 'x<=0.001' --modes 20
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace limber {

struct BatchItem {
  int line = 0;  ///< in the list, from 1
  std::string text;
  std::vector<std::string> arguments;
  std::filesystem::path mesh;
  std::filesystem::path output;
};

/// Throws Error that names the line for lines without mesh or output, unclosed quotes, two lines
/// with the same output, and lists without bodies.
[[nodiscard]] std::vector<BatchItem> read_batch_list(const std::filesystem::path& list);

}  // namespace limber
