// --batch and --report: a list of bodies in place of one.
#pragma once

#include <CLI/App.hpp>
#include <filesystem>
#include <string>
#include <vector>

namespace limber {

struct BatchOptions {
  std::filesystem::path list;
  std::filesystem::path report;

  /// All options that `command` has by now are those of one body. Returns --batch.
  CLI::Option* add_to(CLI::App& command, const std::string& about);
  [[nodiscard]] bool given() const { return !list.empty(); }
  [[nodiscard]] std::filesystem::path report_path() const;
  /// Throws CLI::ExcludesError beside options of one body. (CLI11's own way to say so would repeat
  /// it in the help of each of them.)
  void refuse_options_of_one_body() const;

 private:
  std::vector<const CLI::Option*> of_one_body_;
};

}  // namespace limber
