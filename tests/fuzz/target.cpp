#include "fuzz/target.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>

#include "limber/core/error.h"
#include "limber/core/printable.h"

namespace limber::fuzz {

namespace {

std::map<std::string, Target, std::less<>>& registered() {
  static std::map<std::string, Target, std::less<>> all;
  return all;
}

[[noreturn]] void report_finding(const Target& target, const std::string& what) {
  std::fprintf(stderr, "fuzz: %s: %s\n", target.name.c_str(), what.c_str());
  std::abort();
}

/// Removed with the process.
struct OwnFolder {
  std::filesystem::path path;
  OwnFolder() {
    const std::filesystem::path in_memory = "/dev/shm";
    const bool has = ::access(in_memory.c_str(), W_OK) == 0;
    path = (has ? in_memory : std::filesystem::temp_directory_path()) /
           ("limber-fuzz-" + std::to_string(::getpid()));
    std::filesystem::create_directories(path);
  }
  ~OwnFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
};

}  // namespace

Register::Register(Target target) {
  std::string name = target.name;
  registered().emplace(std::move(name), std::move(target));
}

std::vector<const Target*> targets() {
  std::vector<const Target*> all;
  for (const auto& [name, target] : registered()) all.push_back(&target);
  return all;
}

const Target* find_target(std::string_view name) {
  const auto found = registered().find(name);
  return found == registered().end() ? nullptr : &found->second;
}

void run(const Target& target, std::string_view bytes) {
  try {
    target.read(bytes);
  } catch (const Error& error) {
    const std::string_view text = error.what();
    if (text.empty() || printable(text) != text) {
      report_finding(target, "an error that is not one printable line");
    }
  } catch (const std::exception& error) {
    report_finding(target, std::string("an exception that is no Error: ") + error.what());
  }
}

std::string file_holding(std::string_view bytes, const std::string& ending) {
  static const OwnFolder folder;
  const std::filesystem::path path = folder.path / ("input" + ending);
  std::ofstream(path, std::ios::binary | std::ios::trunc).write(bytes.data(), std::ssize(bytes));
  return path.string();
}

}  // namespace limber::fuzz
