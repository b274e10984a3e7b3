// A comparison as files: tables, charts, pictures of the shapes, and a page that shows them.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "limber/compare/comparison.h"
#include "limber/render/renderer.h"

namespace limber {

/// What is the same in all files.
struct ComparisonPage {
  std::string scene;  // its name, for titles
  std::string truth;  // the method that errors are against; empty: none
  std::vector<MethodRun> runs;
  std::vector<MethodSummary> summaries;
};

/// rest and motion in one table; a row a method.
[[nodiscard]] std::string summary_csv(const ComparisonPage& page);
/// A row a method and frame, probes included.
[[nodiscard]] std::string frames_csv(const ComparisonPage& page);
[[nodiscard]] std::string comparison_json(const ComparisonPage& page);
/// The summary as aligned text for a terminal.
[[nodiscard]] std::string summary_text(const ComparisonPage& page);

/// Charts as SVG and PNG; returns the names of those written, without endings.
std::vector<std::string> write_charts(const ComparisonPage& page,
                                      const std::filesystem::path& folder);
/// Shapes at rest, and at the time of the truth's largest displacement: overlaid, or `apart`, side
/// by side.
std::vector<std::string> write_pictures(const ComparisonPage& page,
                                        const std::filesystem::path& folder,
                                        const RenderOptions& options, bool apart,
                                        const Progress& progress);
/// README.md with the table and all pictures.
[[nodiscard]] std::string comparison_page(const ComparisonPage& page,
                                          const std::vector<std::string>& images);

}  // namespace limber
