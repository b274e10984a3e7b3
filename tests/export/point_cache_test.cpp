// .mdd and .pc2: bytes by their published layouts, and readers that survive damage.
#include "limber/export/point_cache.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "limber/core/error.h"
#include "limber/core/file.h"
#include "moving_bodies.h"
#include "test_folder.h"

namespace limber {
namespace {

using testing_support::lone_triangle;
using testing_support::TestFolder;

std::string big_endian(std::uint32_t value) {
  std::string bytes;
  for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(value >> shift);
  return bytes;
}
std::string big_endian(float value) { return big_endian(std::bit_cast<std::uint32_t>(value)); }
std::string little_endian(std::uint32_t value) {
  const std::string big = big_endian(value);
  return {big.rbegin(), big.rend()};
}
std::string little_endian(float value) {
  return little_endian(std::bit_cast<std::uint32_t>(value));
}

/// A triangle that rises by `time` metres.
std::string written(const std::filesystem::path& path, const std::vector<double>& times,
                    double fps) {
  const AnimatedBody body = lone_triangle("leaf");
  const auto writer = open_animation(path, {body}, fps);
  for (const double time : times) {
    BodyFrame frame{body.surface.V, {}, {}};
    frame.surface.col(1).array() += time;
    writer->add_frame(time, std::span(&frame, 1));
  }
  writer->finish();
  return std::string(FileBytes(path).text());
}

TEST(PointCache, MddHasTheBytesOfItsLayout) {
  const TestFolder folder;
  std::string expected = big_endian(2U) + big_endian(3U) + big_endian(0.0F) + big_endian(0.25F);
  for (const float rise : {0.0F, 0.25F}) {
    for (const float number : {0.0F, rise, 0.0F, 1.0F, rise, 0.0F, 0.0F, 1 + rise, 0.0F}) {
      expected += big_endian(number);
    }
  }
  EXPECT_EQ(written(folder / "a.mdd", {0, 0.25}, 4), expected);
}

TEST(PointCache, PointsAreThoseOfTheSurfacesFile) {
  const TestFolder folder;
  AnimatedBody body = lone_triangle("leaf");
  // The file has vertex 2 twice, once before all others.
  body.surface.file.vertex = {2, 0, 1, 2};
  body.surface.file.corners.resize(1, 3);
  body.surface.file.corners << 1, 2, 3;
  const auto writer = open_animation(folder / "a.mdd", {body}, 4);
  const BodyFrame frame{body.surface.V, {}, {}};
  writer->add_frame(0, std::span(&frame, 1));
  writer->finish();
  std::string expected = big_endian(1U) + big_endian(4U) + big_endian(0.0F);
  for (const int vertex : {2, 0, 1, 2}) {
    for (int c = 0; c < 3; ++c)
      expected += big_endian(static_cast<float>(frame.surface(vertex, c)));
  }
  EXPECT_EQ(std::string(FileBytes(folder / "a.mdd").text()), expected);
}

TEST(PointCache, Pc2HasTheBytesOfItsLayout) {
  const TestFolder folder;
  std::string expected = std::string("POINTCACHE2\0", 12) + little_endian(1U) + little_endian(3U) +
                         little_endian(2.0F) + little_endian(1.0F) + little_endian(2U);
  for (const float rise : {0.5F, 0.75F}) {
    for (const float number : {0.0F, rise, 0.0F, 1.0F, rise, 0.0F, 0.0F, 1 + rise, 0.0F}) {
      expected += little_endian(number);
    }
  }
  EXPECT_EQ(written(folder / "a.pc2", {0.5, 0.75}, 4), expected);
}

TEST(PointCache, Pc2RefusesUnevenFramesAndMddTakesThem) {
  const TestFolder folder;
  EXPECT_THROW(written(folder / "a.pc2", {0, 0.1, 0.3}, 10), Error);
  EXPECT_EQ(folder.entries(), 0);
  EXPECT_NO_THROW(written(folder / "a.mdd", {0, 0.1, 0.3}, 10));
}

TEST(PointCache, SeveralBodiesHaveAFileEach) {
  const TestFolder folder;
  const std::vector<AnimatedBody> bodies = {lone_triangle("leaf"), lone_triangle("a/b"),
                                            lone_triangle("leaf")};
  const auto writer = open_animation(folder / "scene.mdd", bodies, 30);
  const BodyFrame frame{bodies[0].surface.V, {}, {}};
  writer->add_frame(0, std::vector<BodyFrame>{frame, frame, frame});
  const auto files = writer->finish();
  ASSERT_EQ(files.size(), 3U);
  EXPECT_EQ(files[0], folder / "scene.leaf.mdd");
  EXPECT_EQ(files[1], folder / "scene.a_b.mdd");
  EXPECT_EQ(files[2], folder / "scene.leaf_2.mdd");
  EXPECT_EQ(folder.entries(), 3);
}

class PointCacheInfoOf : public testing::TestWithParam<const char*> {
 protected:
  [[nodiscard]] std::filesystem::path path() const {
    return folder_ / (std::string("a.") + GetParam());
  }
  PointCacheInfo read(const std::string& bytes) {
    write_file(path(), bytes);
    return read_point_cache_info(path());
  }
  TestFolder folder_;
};

TEST_P(PointCacheInfoOf, TellsCountsTimesAndBounds) {
  written(path(), {0, 0.5, 1, 1.5}, 2);
  const PointCacheInfo info = read_point_cache_info(path());
  EXPECT_EQ(info.format, GetParam());
  EXPECT_EQ(info.points, 3U);
  // Seconds in .mdd, frames in .pc2; at two frames a second the latter are twice as many.
  const double unit = info.format == "pc2" ? 2 : 1;
  EXPECT_EQ(info.times, (std::vector<double>{0, 0.5 * unit, unit, 1.5 * unit}));
  EXPECT_EQ(info.low, Vec3(0, 0, 0));
  EXPECT_EQ(info.high, Vec3(1, 2.5, 0));
}

TEST_P(PointCacheInfoOf, EveryCutOfTheFileIsRefused) {
  const std::string whole = written(path(), {0, 0.5, 1}, 2);
  for (std::size_t size = 0; size < whole.size(); ++size) {
    EXPECT_THROW(read(whole.substr(0, size)), Error) << size;
  }
  EXPECT_THROW(read(whole + "x"), Error);
  EXPECT_NO_THROW(read(whole));
}

TEST_P(PointCacheInfoOf, HugeAndNegativeCountsAreRefusedWithoutAllocating) {
  const std::string whole = written(path(), {0, 0.5, 1}, 2);
  const bool mdd = std::string(GetParam()) == "mdd";
  const std::vector<std::size_t> counts =
      mdd ? std::vector<std::size_t>{0, 4} : std::vector<std::size_t>{16, 28};
  for (const std::uint32_t value : {1'000'000'000U, 0x7FFFFFFFU, 0x80000000U, 0xFFFFFFFFU}) {
    std::string all = whole;
    for (const std::size_t offset : counts) {
      std::string damaged = whole;
      damaged.replace(offset, 4, mdd ? big_endian(value) : little_endian(value));
      EXPECT_THROW(read(damaged), Error) << value << " at " << offset;
      all.replace(offset, 4, mdd ? big_endian(value) : little_endian(value));
    }
    EXPECT_THROW(read(all), Error) << value << " in both counts";
  }
}

TEST_P(PointCacheInfoOf, NumbersThatAreNotFiniteAreRefused) {
  const std::string whole = written(path(), {0, 0.5, 1}, 2);
  const bool mdd = std::string(GetParam()) == "mdd";
  for (const float bad : {std::nanf(""), std::numeric_limits<float>::infinity()}) {
    std::string damaged = whole;
    damaged.replace(whole.size() - 4, 4, mdd ? big_endian(bad) : little_endian(bad));
    EXPECT_THROW(read(damaged), Error);
    damaged = whole;
    damaged.replace(mdd ? 8 : 20, 4, mdd ? big_endian(bad) : little_endian(bad));
    EXPECT_THROW(read(damaged), Error) << "as a time";
  }
}

INSTANTIATE_TEST_SUITE_P(Formats, PointCacheInfoOf, testing::Values("mdd", "pc2"),
                         [](const auto& format) { return std::string(format.param); });

TEST(PointCache, OtherFilesAreRefused) {
  const TestFolder folder;
  EXPECT_THROW((void)read_point_cache_info(folder / "missing.mdd"), Error);
  EXPECT_THROW((void)read_point_cache_info(folder.path()), Error);
  write_file(folder / "a.obj", "v 0 0 0");
  EXPECT_THROW((void)read_point_cache_info(folder / "a.obj"), Error);
  write_file(folder / "a.pc2", "POINTCACHE3" + std::string(40, '\0'));
  EXPECT_THROW((void)read_point_cache_info(folder / "a.pc2"), Error);
  EXPECT_TRUE(is_point_cache("A.MDD"));
  EXPECT_FALSE(is_point_cache("a.glb"));
}

}  // namespace
}  // namespace limber
