// A folder of its own for each test, empty at the start and gone afterwards.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>

#include "limber/core/file.h"

namespace limber::testing_support {

class TestFolder {
 public:
  /// Named after the running test and the process, so that tests may run beside each other.
  TestFolder() {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    std::string name = std::string(test->test_suite_name()) + "." + test->name();
    std::replace(name.begin(), name.end(), '/', '.');
    path_ = std::filesystem::temp_directory_path() /
            ("limber_" + name + "." + std::to_string(::getpid()));
    std::filesystem::remove_all(path_);
    std::filesystem::create_directories(path_);
  }
  ~TestFolder() { std::filesystem::remove_all(path_); }
  TestFolder(const TestFolder&) = delete;
  TestFolder& operator=(const TestFolder&) = delete;

  [[nodiscard]] std::filesystem::path operator/(const std::string& name) const {
    return path_ / name;
  }
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  /// Files and folders anywhere inside.
  [[nodiscard]] std::ptrdiff_t entries() const {
    return std::distance(std::filesystem::recursive_directory_iterator(path_), {});
  }
  /// The bytes of all files, in the order of their names.
  [[nodiscard]] std::string contents() const {
    std::set<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(path_)) {
      if (entry.is_regular_file()) files.insert(entry.path());
    }
    std::string bytes;
    for (const auto& file : files) bytes += FileBytes(file).text();
    return bytes;
  }

 private:
  std::filesystem::path path_;
};

}  // namespace limber::testing_support
