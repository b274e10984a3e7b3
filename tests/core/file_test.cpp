// Files appear whole or not at all, and unreadable ones are refused in one line.
#include "limber/core/file.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "limber/core/error.h"

namespace limber {
namespace {

class FileTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() /
              ("limber_file_test_" +
               std::string(testing::UnitTest::GetInstance()->current_test_info()->name()));
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  [[nodiscard]] std::ptrdiff_t files_in_folder() const {
    return std::distance(std::filesystem::directory_iterator(folder_), {});
  }

  std::filesystem::path folder_;
};

TEST_F(FileTest, WrittenFileReadsBackTheSame) {
  const std::string contents(3'000'000, 'x');
  write_file(folder_ / "a.txt", contents);
  EXPECT_EQ(FileBytes(folder_ / "a.txt").text(), contents);
}

TEST_F(FileTest, AbandonedFileLeavesNothingBehind) {
  { AtomicFile(folder_ / "b.txt").write("half"); }
  EXPECT_EQ(files_in_folder(), 0);
}

TEST_F(FileTest, AbandonedFileKeepsTheOldOne) {
  write_file(folder_ / "c.txt", "old");
  { AtomicFile(folder_ / "c.txt").write("new, but never finished"); }
  EXPECT_EQ(FileBytes(folder_ / "c.txt").text(), "old");
  EXPECT_EQ(files_in_folder(), 1);
}

TEST_F(FileTest, DirectoriesAndMissingFilesAreRefused) {
  EXPECT_THROW(FileBytes{folder_}, Error);
  EXPECT_THROW(FileBytes{folder_ / "missing"}, Error);
  EXPECT_THROW(AtomicFile{folder_}, Error);
  EXPECT_THROW(AtomicFile{folder_ / "no" / "such" / "folder"}, Error);
}

TEST_F(FileTest, EmptyFileIsEmpty) {
  write_file(folder_ / "empty", "");
  EXPECT_TRUE(FileBytes(folder_ / "empty").bytes().empty());
}

}  // namespace
}  // namespace limber
