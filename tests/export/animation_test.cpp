// What every animation format promises: nothing before finish(), nothing after a failure, errors
// in one line.
#include "limber/export/animation.h"

#include <gtest/gtest.h>

#include <limits>

#include "limber/core/error.h"
#include "limber/core/file.h"
#include "moving_bodies.h"
#include "test_folder.h"

namespace limber {
namespace {

using testing_support::lone_triangle;
using testing_support::Sample;
using testing_support::sample_of;
using testing_support::swaying;
using testing_support::TestFolder;

std::vector<BodyFrame> frame_of(const AnimatedBody& body) {
  return {{body.surface.V, body.tets.V, {}}};
}

class EveryFormat : public testing::TestWithParam<const char*> {
 protected:
  std::unique_ptr<AnimationWriter> open(const std::vector<AnimatedBody>& bodies) {
    return open_animation(folder_ / (std::string("a.") + GetParam()), bodies, 30);
  }

  TestFolder folder_;
  Sample bar_ = sample_of("bar", bar({1, 0.2, 0.2}, {4, 1, 1}));
};

TEST_P(EveryFormat, NothingAppearsBeforeFinish) {
  const auto name = folder_ / (std::string("a.") + GetParam());
  const auto writer = open({bar_.body});
  writer->add_frame(0, frame_of(bar_.body));
  EXPECT_FALSE(std::filesystem::exists(name));
  const auto files = writer->finish();
  ASSERT_FALSE(files.empty());
  EXPECT_EQ(files.front(), name);
  for (const auto& file : files) EXPECT_TRUE(std::filesystem::exists(file)) << file;
}

TEST_P(EveryFormat, AbandonedAnimationLeavesNothing) {
  {
    const auto writer = open({bar_.body});
    writer->add_frame(0, frame_of(bar_.body));
  }
  EXPECT_EQ(folder_.entries(), 0);
}

TEST_P(EveryFormat, NoFrameIsRefusedAndLeavesNothing) {
  EXPECT_THROW(open({bar_.body})->finish(), Error);
  EXPECT_EQ(folder_.entries(), 0);
}

TEST_P(EveryFormat, FrameWithNumbersThatAreNotFiniteIsRefused) {
  for (const double bad :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(), 1e39}) {
    const auto writer = open({bar_.body});
    std::vector<BodyFrame> frame = frame_of(bar_.body);
    frame[0].surface(3, 1) = bad;
    EXPECT_THROW(writer->add_frame(0, frame), Error) << bad;
    frame = frame_of(bar_.body);
    frame[0].nodes(3, 1) = bad;
    EXPECT_THROW(writer->add_frame(0, frame), Error) << bad;
  }
}

TEST_P(EveryFormat, RefusedFrameLeavesTheWriterAsItWas) {
  const auto writer = open({bar_.body});
  writer->add_frame(0, frame_of(bar_.body));
  std::vector<BodyFrame> bad = frame_of(bar_.body);
  bad[0].surface.conservativeResize(bad[0].surface.rows() - 1, 3);
  EXPECT_THROW(writer->add_frame(0.1, bad), Error);
  EXPECT_EQ(writer->frame_count(), 1U);
  writer->add_frame(0.1, frame_of(bar_.body));
  EXPECT_FALSE(writer->finish().empty());
}

TEST_P(EveryFormat, FramesMustComeInOrderOfTime) {
  const auto writer = open({bar_.body});
  writer->add_frame(0.5, frame_of(bar_.body));
  EXPECT_THROW(writer->add_frame(0.5, frame_of(bar_.body)), Error);
  EXPECT_THROW(writer->add_frame(0.25, frame_of(bar_.body)), Error);
  EXPECT_THROW(writer->add_frame(std::nan(""), frame_of(bar_.body)), Error);
  EXPECT_THROW(open({bar_.body})->add_frame(-1, frame_of(bar_.body)), Error);
}

TEST_P(EveryFormat, EveryBodyMustBeInEveryFrame) {
  const auto writer = open({bar_.body, lone_triangle("leaf")});
  EXPECT_THROW(writer->add_frame(0, frame_of(bar_.body)), Error);
}

TEST_P(EveryFormat, NodesMayBeMissingOnlyWhereTheyAreNotWanted) {
  const auto writer = open({bar_.body});
  std::vector<BodyFrame> frame = frame_of(bar_.body);
  frame[0].nodes.resize(0, 3);
  if (writer->wants_nodes()) {
    EXPECT_THROW(writer->add_frame(0, frame), Error);
  } else {
    EXPECT_NO_THROW(writer->add_frame(0, frame));
  }
}

TEST_P(EveryFormat, FolderThatIsMissingIsToldAtOnce) {
  const auto path = folder_ / "no" / (std::string("a.") + GetParam());
  try {
    (void)open_animation(path, {bar_.body}, 30);
    FAIL() << "opened a file in a folder that does not exist";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), Error::Kind::work_failed);
    EXPECT_NE(std::string(error.what()).find((folder_ / "no").string()), std::string::npos);
  }
}

TEST_P(EveryFormat, DirectoryOfThatNameIsRefused) {
  std::filesystem::create_directory(folder_ / (std::string("a.") + GetParam()));
  EXPECT_THROW((void)open({bar_.body}), Error);
}

TEST_P(EveryFormat, OldFileStaysUntilTheNewOneIsWhole) {
  const auto path = folder_ / (std::string("a.") + GetParam());
  write_file(path, "old");
  {
    const auto writer = open({bar_.body});
    writer->add_frame(0, frame_of(bar_.body));
  }
  EXPECT_EQ(FileBytes(path).text(), "old");
}

TEST_P(EveryFormat, BodiesThatCannotBeDrawnAreRefused) {
  AnimatedBody body = lone_triangle("leaf");
  body.surface.F(0, 2) = 3;
  EXPECT_THROW((void)open({body}), Error);
  body = lone_triangle("leaf");
  body.surface.V(0, 0) = std::nan("");
  EXPECT_THROW((void)open({body}), Error);
  body = lone_triangle("leaf");
  body.surface.colours.resize(2, 3);
  body.surface.colours.setZero();
  EXPECT_THROW((void)open({body}), Error);
  body = bar_.body;
  body.tets.T(0, 0) = body.tets.node_count();
  EXPECT_THROW((void)open({body}), Error);
  EXPECT_THROW((void)open({AnimatedBody{}}), Error);
  EXPECT_THROW((void)open({}), Error);
  EXPECT_EQ(folder_.entries(), 0);
}

TEST_P(EveryFormat, SameFramesGiveTheSameBytes) {
  std::string first;
  for (int run = 0; run < 2; ++run) {
    const auto writer = open({bar_.body});
    for (int i = 0; i < 3; ++i) {
      writer->add_frame(0.1 * i, std::vector<BodyFrame>{swaying(bar_, 0.1 * i)});
    }
    writer->finish();
    const std::string bytes = folder_.contents();
    if (run == 0) first = bytes;
    EXPECT_EQ(bytes, first);
  }
}

TEST_P(EveryFormat, ProgressGrowsFromZeroToOne) {
  const auto writer = open({bar_.body});
  for (int i = 0; i < 3; ++i) writer->add_frame(i, frame_of(bar_.body));
  double last = 0;
  writer->finish([&](std::string_view, double fraction) {
    EXPECT_GE(fraction, last);
    EXPECT_LE(fraction, 1);
    last = fraction;
  });
}

INSTANTIATE_TEST_SUITE_P(Formats, EveryFormat,
                         testing::Values("glb", "mdd", "pc2", "pvd", "usda", "npz"),
                         [](const auto& format) { return std::string(format.param); });

TEST(Animation, FormatIsKnownByItsEnding) {
  for (const char* name : {"a.glb", "b.MDD", "c.pc2", "d.pvd", "e.usda", "f.Npz"}) {
    EXPECT_TRUE(is_animation_format(name)) << name;
  }
  for (const char* name : {"a.obj", "glb", "", "a.glb.txt"}) {
    EXPECT_FALSE(is_animation_format(name)) << name;
  }
  EXPECT_THROW((void)open_animation("a.obj", {lone_triangle("leaf")}, 30), Error);
}

TEST(Animation, FramesPerSecondMustBePositive) {
  const TestFolder folder;
  for (const double fps : {0.0, -30.0, std::nan(""), std::numeric_limits<double>::infinity()}) {
    EXPECT_THROW((void)open_animation(folder / "a.glb", {lone_triangle("leaf")}, fps), Error);
  }
}

}  // namespace
}  // namespace limber
