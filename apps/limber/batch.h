// Many bodies baked after one list, by several workers, with one report.
//
// The report is written anew after every body, so that a batch that was stopped goes on where it
// was: bodies that it says are done, whose line is the same, whose mesh is not newer and whose file
// is there are left as they are.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "batch_list.h"

namespace limber {

struct BatchResult {
  enum class Status { waiting, done, kept, failed };
  Status status = Status::waiting;
  double seconds = 0;
  std::string message;  ///< what the program said: the body's line, or the error
};

class Batch {
 public:
  /// Throws Error as read_batch_list() does, and for a report that cannot be written.
  Batch(const std::filesystem::path& list, const std::filesystem::path& report);

  [[nodiscard]] int size() const { return static_cast<int>(items_.size()); }
  [[nodiscard]] const BatchItem& item(int k) const { return items_[k]; }
  /// Numbers of those not yet done, largest mesh first: the last ones are then short.
  [[nodiscard]] std::vector<int> to_do() const;

  /// Notes a result and writes the report. Not to be called by two at once.
  void finish(int k, const BatchResult& result);
  /// One line about all; throws Error (work_failed) when any failed.
  void conclude() const;

 private:
  void recall_report();
  void write_report() const;

  std::filesystem::path report_;
  std::vector<BatchItem> items_;
  std::vector<BatchResult> results_;
};

/// Bakes one by `program` as a process of its own in the list's folder, so that nothing that goes
/// wrong there reaches other bodies.
[[nodiscard]] BatchResult bake_item(const std::filesystem::path& program,
                                    const std::filesystem::path& folder, const BatchItem& item);

/// Bakes all on `jobs` cores of this machine.
void run_batch(const std::filesystem::path& list, const std::filesystem::path& report, int jobs);

}  // namespace limber
