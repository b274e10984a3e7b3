#include "batch.h"

#include <fmt/core.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <fstream>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <thread>

#include "limber/core/error.h"
#include "limber/core/file.h"
#include "limber/core/output_unit.h"
#include "limber/core/stopwatch.h"
#include "limber/core/temporary.h"
#include "limber/mesh/netgen/child_process.h"
#include "limber/scene/json_writer.h"
#include "messages.h"
#include "sibling_program.h"

namespace limber {

namespace {

using Json = nlohmann::ordered_json;
using Status = BatchResult::Status;

const std::map<Status, const char*> kStatusNames{{Status::waiting, "waiting"},
                                                 {Status::done, "done"},
                                                 {Status::kept, "kept"},
                                                 {Status::failed, "failed"}};

/// A month: whoever wants less stops the batch and goes on later.
constexpr double kLongest = 30 * 86400.0;

/// What a program has said, as one line.
std::string last_line(const std::filesystem::path& log) {
  std::ifstream file(log);
  std::string line;
  std::string last;
  while (std::getline(file, line)) {
    if (!line.empty()) last = line;
  }
  return last;
}

/// What a report says is done, by lines; nothing where it is none of ours.
std::map<std::string, BatchResult> done_before(const std::filesystem::path& report) {
  std::map<std::string, BatchResult> done;
  std::ifstream file(report);
  const Json before = Json::parse(file, nullptr, false);
  if (!before.is_object() || !before.contains("bodies")) return done;
  try {
    for (const Json& body : before["bodies"]) {
      const std::string status = body.at("status");
      if (status != "done" && status != "kept") continue;
      done[body.at("arguments")] = {Status::kept, body.at("seconds"), body.at("message")};
    }
  } catch (const Json::exception&) {
    done.clear();
  }
  return done;
}

bool is_newer(const std::filesystem::path& a, const std::filesystem::path& b) {
  std::error_code problem;
  const auto time_a = std::filesystem::last_write_time(a, problem);
  if (problem) return false;
  const auto time_b = std::filesystem::last_write_time(b, problem);
  return problem || time_a > time_b;
}

}  // namespace

Batch::Batch(const std::filesystem::path& list, const std::filesystem::path& report)
    : report_(report), items_(read_batch_list(list)), results_(items_.size()) {
  const OutputUnit looked_at({report}, {list});
  recall_report();
}

void Batch::recall_report() {
  const std::map<std::string, BatchResult> done = done_before(report_);
  for (std::size_t k = 0; k < items_.size(); ++k) {
    const auto found = done.find(items_[k].text);
    const BatchItem& item = items_[k];
    if (found == done.end() || !std::filesystem::exists(item.output) ||
        is_newer(item.mesh, item.output)) {
      continue;
    }
    results_[k] = found->second;
  }
}

std::vector<int> Batch::to_do() const {
  std::vector<std::pair<std::uintmax_t, int>> by_size;
  for (int k = 0; k < size(); ++k) {
    if (results_[k].status != Status::waiting) continue;
    std::error_code ignored;
    const std::uintmax_t bytes = std::filesystem::file_size(items_[k].mesh, ignored);
    by_size.emplace_back(ignored ? 0 : bytes, k);
  }
  std::stable_sort(by_size.begin(), by_size.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<int> numbers;
  for (const auto& [bytes, k] : by_size) numbers.push_back(k);
  return numbers;
}

void Batch::finish(int k, const BatchResult& result) {
  results_[k] = result;
  write_report();
}

void Batch::write_report() const {
  Json bodies = Json::array();
  std::map<Status, int> counts;
  for (int k = 0; k < size(); ++k) {
    ++counts[results_[k].status];
    bodies.push_back({{"line", items_[k].line},
                      {"arguments", items_[k].text},
                      {"status", kStatusNames.at(results_[k].status)},
                      {"seconds", results_[k].seconds},
                      {"message", results_[k].message}});
  }
  Json report;
  for (const auto& [status, name] : kStatusNames) report[name] = counts[status];
  report["bodies"] = bodies;
  write_file(report_, json_text(report, report_.string()) + "\n");
}

void Batch::conclude() const {
  write_report();
  std::map<Status, int> counts;
  for (const BatchResult& result : results_) ++counts[result.status];
  fmt::print("{} bodies: {} baked, {} kept from before, {} failed; report in {}\n", size(),
             counts[Status::done], counts[Status::kept], counts[Status::failed], report_.string());
  if (counts[Status::failed] > 0) {
    throw Error(fmt::format("{} of {} bodies failed", counts[Status::failed], size()),
                report_.string(), "see the report, mend them and run the batch again",
                Error::Kind::work_failed);
  }
}

BatchResult bake_item(const std::filesystem::path& program, const std::filesystem::path& folder,
                      const BatchItem& item) {
  const Temporary folder_of_log(std::filesystem::temp_directory_path() / "limber-batch",
                                Temporary::Kind::folder);
  ChildProgram child;
  child.program = program;
  child.arguments = {"--quiet", "bake"};
  child.arguments.insert(child.arguments.end(), item.arguments.begin(), item.arguments.end());
  child.folder = folder;
  child.log = folder_of_log.path() / "log";
  child.environment = {{"OPENBLAS_NUM_THREADS", "1"}};  // the cores are shared out already
  child.seconds = kLongest;
  Stopwatch stopwatch;
  BatchResult result;
  const ChildEnd end = run_program(child, {});
  result.status = end == ChildEnd::done ? Status::done : Status::failed;
  result.seconds = stopwatch.lap();
  result.message = last_line(child.log);
  if (result.message.empty() && result.status == Status::failed) {
    result.message = "ended without a word, perhaps for want of memory";
  }
  return result;
}

void run_batch(const std::filesystem::path& list, const std::filesystem::path& report, int jobs) {
  Batch batch(list, report);
  const std::vector<int> to_do = batch.to_do();
  const std::filesystem::path folder = std::filesystem::absolute(list).parent_path();
  const std::filesystem::path program = this_program();
  std::atomic<std::size_t> next = 0;
  std::mutex one_at_a_time;
  const auto work = [&] {
    for (std::size_t k = next++; k < to_do.size(); k = next++) {
      const BatchResult result = bake_item(program, folder, batch.item(to_do[k]));
      const std::lock_guard lock(one_at_a_time);
      tell("{} of {}: {}", k + 1, to_do.size(), result.message);
      batch.finish(to_do[k], result);
    }
  };
  std::exception_ptr problem;
  const auto guarded_work = [&] {
    try {
      work();
    } catch (...) {
      next = to_do.size();
      const std::lock_guard lock(one_at_a_time);
      problem = std::current_exception();
    }
  };
  std::vector<std::thread> workers;
  for (int j = 1; j < jobs; ++j) workers.emplace_back(guarded_work);
  guarded_work();
  for (std::thread& worker : workers) worker.join();
  if (problem) std::rethrow_exception(problem);
  batch.conclude();
}

}  // namespace limber
