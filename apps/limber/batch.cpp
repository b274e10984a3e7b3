#include "batch.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <fstream>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <sstream>
#include <thread>

#include "limber/core/error.h"
#include "limber/core/file.h"
#include "limber/core/stopwatch.h"
#include "limber/mesh/netgen/child_process.h"
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

[[noreturn]] void refuse_line(const std::filesystem::path& list, int line,
                              const std::string& what) {
  throw Error(what, fmt::format("{}, line {}", list.string(), line),
              "write MESH -o OUT.limber and the options of `limber bake`");
}

/// Words as a shell would cut them; # begins a comment.
std::vector<std::string> words_of(const std::string& text, const std::filesystem::path& list,
                                  int line) {
  std::vector<std::string> words;
  std::string word;
  bool begun = false;
  char quote = 0;
  for (const char c : text) {
    if (quote != 0) {
      if (c == quote) {
        quote = 0;
      } else {
        word += c;
      }
    } else if (c == '\'' || c == '"') {
      quote = c;
      begun = true;
    } else if (c == '#' && !begun) {
      break;
    } else if (c == ' ' || c == '\t' || c == '\r') {
      if (begun) words.push_back(std::exchange(word, {}));
      begun = false;
    } else {
      word += c;
      begun = true;
    }
  }
  if (quote != 0) refuse_line(list, line, "a quote is not closed");
  if (begun) words.push_back(word);
  return words;
}

/// The output and the mesh: options of `bake` all take a value, what is left is the mesh.
void find_files(BatchItem& item, const std::filesystem::path& list) {
  for (std::size_t k = 0; k < item.arguments.size(); ++k) {
    const std::string& word = item.arguments[k];
    const bool has_value = word.starts_with("-") && word.find('=') == std::string::npos;
    if (has_value && (word == "-o" || word == "--output") && k + 1 < item.arguments.size()) {
      item.output = item.arguments[k + 1];
    } else if (word.starts_with("--output=")) {
      item.output = word.substr(9);
    } else if (!word.starts_with("-")) {
      if (!item.mesh.empty()) refuse_line(list, item.line, "two meshes");
      item.mesh = word;
    }
    if (has_value) ++k;
  }
  if (item.mesh.empty()) refuse_line(list, item.line, "no mesh");
  if (item.output.empty()) refuse_line(list, item.line, "no output");
  const std::filesystem::path folder = std::filesystem::absolute(list).parent_path();
  item.mesh = folder / item.mesh;
  item.output = folder / item.output;
}

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

bool is_newer(const std::filesystem::path& a, const std::filesystem::path& b) {
  std::error_code problem;
  const auto time_a = std::filesystem::last_write_time(a, problem);
  if (problem) return false;
  const auto time_b = std::filesystem::last_write_time(b, problem);
  return problem || time_a > time_b;
}

}  // namespace

Batch::Batch(const std::filesystem::path& list, const std::filesystem::path& report)
    : report_(report) {
  const MappedFile file(list);
  std::istringstream lines{std::string(file.text())};
  std::map<std::filesystem::path, int> line_of_output;
  std::string text;
  for (int line = 1; std::getline(lines, text); ++line) {
    BatchItem item{line, text, words_of(text, list, line), {}, {}};
    if (item.arguments.empty()) continue;
    find_files(item, list);
    const auto [other, is_new] = line_of_output.emplace(item.output, line);
    if (!is_new) {
      refuse_line(list, line, fmt::format("the same output as line {}", other->second));
    }
    items_.push_back(std::move(item));
  }
  if (items_.empty()) {
    throw Error("has no bodies", list.string(), "write a line of `limber bake` options for each");
  }
  results_.resize(items_.size());
  recall_report();
}

void Batch::recall_report() {
  std::ifstream file(report_);
  const Json before = Json::parse(file, nullptr, false);
  if (!before.is_object() || !before.contains("bodies")) return;
  std::map<std::string, Json> done;
  for (const Json& body : before["bodies"]) {
    const std::string status = body.value("status", "");
    if (status == "done" || status == "kept") done[body.value("arguments", "")] = body;
  }
  for (std::size_t k = 0; k < items_.size(); ++k) {
    const auto found = done.find(items_[k].text);
    const BatchItem& item = items_[k];
    if (found == done.end() || !std::filesystem::exists(item.output) ||
        is_newer(item.mesh, item.output)) {
      continue;
    }
    results_[k] = {Status::kept, found->second.value("seconds", 0.0),
                   found->second.value("message", "")};
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
  write_file(report_, report.dump(1) + "\n");
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
  const std::filesystem::path log = std::filesystem::temp_directory_path() /
                                    fmt::format("limber-batch-{}-{}.log", ::getpid(), item.line);
  ChildProgram child;
  child.program = program;
  child.arguments = {"--quiet", "bake"};
  child.arguments.insert(child.arguments.end(), item.arguments.begin(), item.arguments.end());
  child.folder = folder;
  child.log = log;
  child.environment = {{"OPENBLAS_NUM_THREADS", "1"}};  // the cores are shared out already
  child.seconds = kLongest;
  Stopwatch stopwatch;
  BatchResult result;
  const ChildEnd end = run_program(child, {});
  result.status = end == ChildEnd::done ? Status::done : Status::failed;
  result.seconds = stopwatch.lap();
  result.message = last_line(log);
  if (result.message.empty() && result.status == Status::failed) {
    result.message = "ended without a word, perhaps for want of memory";
  }
  std::error_code ignored;
  std::filesystem::remove(log, ignored);
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
      fmt::print(stderr, "limber: {} of {}: {}\n", k + 1, to_do.size(), result.message);
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
