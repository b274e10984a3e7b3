// Outputs: what is there is replaced whole or not at all, several as one, and nothing is left over.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <thread>

#include "limber/core/error.h"
#include "limber/core/file.h"
#include "limber/core/output_unit.h"

namespace limber {
namespace {

namespace fs = std::filesystem;

class Output : public testing::Test {
 protected:
  void SetUp() override {
    folder_ =
        fs::temp_directory_path() / ("limber_output_test_" + std::to_string(::getpid()) + "_" +
                                     testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  [[nodiscard]] std::ptrdiff_t entries() const {
    return std::distance(fs::directory_iterator(folder_), {});
  }
  [[nodiscard]] std::string contents(const std::string& name) const {
    return std::string(FileBytes(folder_ / name).text());
  }
  static mode_t mode(const fs::path& path) {
    struct stat status {};
    EXPECT_EQ(::stat(path.c_str(), &status), 0);
    return status.st_mode & 07777;
  }

  fs::path folder_;
};

TEST_F(Output, PermissionsOfTheOldFileStay) {
  write_file(folder_ / "a", "old");
  ASSERT_EQ(::chmod((folder_ / "a").c_str(), 0640), 0);
  write_file(folder_ / "a", "new");
  EXPECT_EQ(contents("a"), "new");
  EXPECT_EQ(mode(folder_ / "a"), 0640);
}

TEST_F(Output, NewFilesFollowTheUmask) {
  const mode_t before = ::umask(027);
  write_file(folder_ / "a", "x");
  ::umask(before);
  EXPECT_EQ(mode(folder_ / "a"), 0640);
}

TEST_F(Output, SymbolicLinksAreFollowedAndStay) {
  write_file(folder_ / "real", "old");
  fs::create_symlink("real", folder_ / "link");
  write_file(folder_ / "link", "new");
  EXPECT_TRUE(fs::is_symlink(folder_ / "link"));
  EXPECT_EQ(contents("real"), "new");
  fs::create_symlink("missing", folder_ / "dangling");
  write_file(folder_ / "dangling", "made");
  EXPECT_EQ(contents("missing"), "made");
  fs::create_symlink("circle", folder_ / "circle");
  EXPECT_THROW(write_file(folder_ / "circle", "x"), Error);
}

TEST_F(Output, ReadOnlyFilesAreRefused) {
  write_file(folder_ / "a", "precious");
  ASSERT_EQ(::chmod((folder_ / "a").c_str(), 0444), 0);
  EXPECT_THROW(write_file(folder_ / "a", "x"), Error);
  EXPECT_EQ(contents("a"), "precious");
  EXPECT_EQ(entries(), 1);
}

TEST_F(Output, DevicesAreWrittenThroughAndStay) {
  write_file("/dev/null", "gone");
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
  EXPECT_THROW(write_file("/dev/full", "x"), Error);
  EXPECT_TRUE(fs::is_character_file("/dev/full"));
}

TEST_F(Output, PipesGetEverything) {
  const fs::path pipe = folder_ / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  std::string received;
  std::thread reader([&] {
    std::ifstream in(pipe, std::ios::binary);
    received.assign(std::istreambuf_iterator<char>(in), {});
  });
  const std::string sent(200'000, 'x');
  write_file(pipe, sent);
  reader.join();
  EXPECT_EQ(received, sent);
  EXPECT_TRUE(fs::is_fifo(pipe));
}

TEST_F(Output, LongestNamesWorkAndLongerOnesAreNamed) {
  const std::string longest(255, 'n');
  write_file(folder_ / longest, "x");
  EXPECT_EQ(contents(longest), "x");
  try {
    write_file(folder_ / std::string(300, 'n'), "x");
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("name is too long (300"), std::string::npos);
  }
}

TEST_F(Output, LeftOversOfKilledRunsAreRemovedByTheNext) {
  // As a killed process leaves it: the file is there, nobody holds its lock.
  std::string left;
  {
    Temporary temporary(folder_ / "a.txt", Temporary::Kind::file);
    left = temporary.path().string();
    Temporary other(folder_ / "b.txt", Temporary::Kind::file);
    fs::copy_file(left, left + "copy");
    fs::copy_file(other.path(), other.path().string() + "copy");
  }
  EXPECT_EQ(entries(), 2);
  write_file(folder_ / "a.txt", "x");
  EXPECT_EQ(entries(), 2) << "only what belongs to a.txt goes";
  write_file(folder_ / "b.txt", "x");
  EXPECT_EQ(entries(), 2);
}

TEST_F(Output, TemporariesOfRunsAtWorkStay) {
  AtomicFile first(folder_ / "a.txt");
  first.write("first");
  write_file(folder_ / "a.txt", "second");
  EXPECT_EQ(entries(), 2);
  first.commit();
  EXPECT_EQ(contents("a.txt"), "first");
  EXPECT_EQ(entries(), 1);
}

TEST_F(Output, FoldersMadeSideBySideAreNoLeftOversOfEachOther) {
  // Each takes unlocked folders of this name for left-overs, also one that is just being made.
  const auto make_many = [&] {
    for (int k = 0; k < 400; ++k) {
      const Temporary temporary(folder_ / "log", Temporary::Kind::folder);
      EXPECT_TRUE(std::filesystem::is_directory(temporary.path()));
    }
  };
  std::thread other([&] { EXPECT_NO_THROW(make_many()); });
  EXPECT_NO_THROW(make_many());
  other.join();
}

TEST_F(Output, UnitAppearsWhenItCommits) {
  write_file(folder_ / "a", "old");
  {
    OutputUnit unit;
    write_file(folder_ / "a", "new");
    write_file(folder_ / "b", "new");
    EXPECT_EQ(contents("a"), "old");
    EXPECT_FALSE(fs::exists(folder_ / "b"));
    unit.commit();
  }
  EXPECT_EQ(contents("a"), "new");
  EXPECT_EQ(contents("b"), "new");
  EXPECT_EQ(entries(), 2);
}

TEST_F(Output, UnitWithoutCommitLeavesEverythingAsItWas) {
  write_file(folder_ / "a", "old");
  {
    OutputUnit unit;
    write_file(folder_ / "a", "new");
    OutputUnit inner;
    write_file(folder_ / "b", "new");
    inner.commit();
  }
  EXPECT_EQ(contents("a"), "old");
  EXPECT_EQ(entries(), 1);
}

TEST_F(Output, UnitThatFailsHalfWayIsTakenBack) {
  write_file(folder_ / "a", "old");
  fs::create_directory(folder_ / "late");
  {
    OutputUnit unit;
    write_file(folder_ / "a", "new");
    write_file(folder_ / "b", "new");
    write_file(folder_ / "late" / "c", "new");
    fs::rename(folder_ / "late", folder_ / "moved");  // the third has no place any more
    EXPECT_THROW(unit.commit(), Error);
  }
  EXPECT_EQ(contents("a"), "old");
  EXPECT_FALSE(fs::exists(folder_ / "b"));
  fs::remove_all(folder_ / "moved");
  EXPECT_EQ(entries(), 1);
}

TEST_F(Output, FolderTakesThePlaceOfAFolder) {
  fs::create_directory(folder_ / "frames");
  write_file(folder_ / "frames" / "old", "x");
  Temporary temporary(folder_ / "frames", Temporary::Kind::folder);
  write_within(temporary, "new", "y");
  put_in_place(StagedOutput{folder_target(folder_ / "frames"), std::move(temporary)});
  EXPECT_TRUE(fs::exists(folder_ / "frames" / "new"));
  EXPECT_FALSE(fs::exists(folder_ / "frames" / "old"));
  EXPECT_EQ(entries(), 1);
}

TEST_F(Output, SameFileTwiceOrAnInputIsRefusedBeforeTheWork) {
  write_file(folder_ / "a", "input");
  fs::create_hard_link(folder_ / "a", folder_ / "other name");
  fs::create_symlink("new", folder_ / "link");
  EXPECT_THROW(OutputUnit({folder_ / "new", folder_ / "." / "new"}), Error);
  EXPECT_THROW(OutputUnit({folder_ / "new", folder_ / "link"}), Error);
  EXPECT_THROW(OutputUnit({folder_ / "other name"}, {folder_ / "a"}), Error);
  EXPECT_NO_THROW(OutputUnit({"/dev/null", "/dev/null"}));
  OutputUnit unit;
  write_file(folder_ / "new", "1");
  EXPECT_THROW(write_file(folder_ / "link", "2"), Error);
}

TEST_F(Output, WhatIsNotWrittenYetIsKnown) {
  EXPECT_STREQ(unwritten_outputs(), "");
  {
    OutputUnit unit({folder_ / "a.glb"});
    EXPECT_NE(std::string(unwritten_outputs()).find("a.glb"), std::string::npos);
    write_file(folder_ / "a.glb", "x");
    unit.commit();
    EXPECT_STREQ(unwritten_outputs(), "");
  }
}

TEST_F(Output, FileShortenedByOthersStaysReadable) {
  write_file(folder_ / "a", std::string(100'000, 'x'));
  const FileBytes bytes(folder_ / "a");
  ASSERT_EQ(::truncate((folder_ / "a").c_str(), 0), 0);
  EXPECT_EQ(std::count(bytes.text().begin(), bytes.text().end(), 'x'), 100'000);
}

}  // namespace
}  // namespace limber
