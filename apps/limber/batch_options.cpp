#include "batch_options.h"

#include <CLI/CLI.hpp>

namespace limber {

CLI::Option* BatchOptions::add_to(CLI::App& command, const std::string& about) {
  for (const CLI::Option* const option : command.get_options()) {
    if (option != command.get_help_ptr()) of_one_body_.push_back(option);
  }
  CLI::Option* const batch = command.add_option("--batch", list, about);
  command.add_option("--report", report, "For --batch: JSON [LIST.report.json]")->needs(batch);
  return batch;
}

std::filesystem::path BatchOptions::report_path() const {
  return report.empty() ? std::filesystem::path(list.string() + ".report.json") : report;
}

void BatchOptions::refuse_options_of_one_body() const {
  for (const CLI::Option* const option : of_one_body_) {
    if (option->count() > 0) throw CLI::ExcludesError("--batch", option->get_name());
  }
}

}  // namespace limber
