#include <gtest/gtest.h>

#include <cstring>
#include <nlohmann/json.hpp>

#include "limber/core/error.h"
#include "server/model_file.h"
#include "server/protocol.h"

namespace limber::studio {
namespace {

TEST(Commands, AreReadWithTheirNumbers) {
  const Command move =
      parse_command(R"({"do": "move", "id": 7, "target": [1, 2.5, -3], "rotation": [0, 0, 0.5],
                         "begins": true})");
  const auto& m = std::get<command::Move>(move);
  EXPECT_EQ(m.id, 7);
  EXPECT_EQ(m.target, Vec3(1, 2.5, -3));
  EXPECT_EQ(m.rotation, Vec3(0, 0, 0.5));
  EXPECT_TRUE(is_input(move));
  const Command lanes =
      parse_command(R"({"do": "lanes", "methods": ["stvk", "linear"], "truth": 1})");
  EXPECT_EQ(std::get<command::Lanes>(lanes).methods.size(), 2U);
  EXPECT_FALSE(is_input(lanes));
  const Command curves = parse_command(
      R"({"do": "curves", "frequency": {"at": [0, 1], "value": [0, 0.5]},
          "damping": {"at": [0], "value": [1]}, "weight": {"at": [0, 1], "value": [1, 1]}})");
  EXPECT_EQ(std::get<command::Curves>(curves).curves.frequency.value[1], 0.5);
}

TEST(Commands, ThatAreRubbishAreRefused) {
  for (
      const char* text : {
          "",
          "{",
          "[]",
          "null",
          "42",
          "\"do\"",
          "{}",
          R"({"do": 3})",
          R"({"do": "fly"})",
          R"({"do": "play"})",
          R"({"do": "play", "playing": 1})",
          R"({"do": "speed", "factor": 0})",
          R"({"do": "speed", "factor": 1e300})",
          R"({"do": "speed", "factor": "1"})",
          R"({"do": "time_step", "seconds": -1})",
          R"({"do": "gravity", "acceleration": [0, 1]})",
          R"({"do": "gravity", "acceleration": [0, 1, null]})",
          R"({"do": "gravity", "acceleration": [0, 1, 1e400]})",
          R"({"do": "lanes", "methods": [], "truth": 0})",
          R"({"do": "lanes", "methods": ["a", "b", "c", "d", "e"], "truth": 0})",
          R"({"do": "lanes", "methods": ["a"], "truth": 1})",
          R"({"do": "support", "position": [0, 0, 0], "rotation": [0, 0, 0, 0]})",
          R"({"do": "handle", "handle": {"id": 1}})",
          R"({"do": "move", "id": -1, "target": [0, 0, 0], "rotation": [0, 0, 0], "begins": false})",
          R"({"do": "curves", "frequency": {"at": [1, 0], "value": [0, 0]},
               "damping": {"at": [0], "value": [1]}, "weight": {"at": [0], "value": [1]}})",
      }) {
    EXPECT_THROW((void)parse_command(text), Error) << text;
  }
}

TEST(Commands, DeeplyNestedAreRefusedWithoutHarm) {
  // Below the size that the server lets through.
  const std::string nested(60000, '[');
  EXPECT_THROW((void)parse_command(nested), Error);
}

TEST(State, KeepsNamesThatAreNoText) {
  StudioState state;
  state.title = "bad \xff name";
  const auto json = nlohmann::json::parse(encode_state(state));
  EXPECT_EQ(json["type"], "state");
  EXPECT_TRUE(json["interpolation"]["poses"].is_array());
}

template <class T>
T at(const std::string& bytes, std::size_t offset) {
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof(T));
  return value;
}

TEST(Frames, OfSixtyFourModesNeedLessThanThreeHundredBytes) {
  FrameWriter frame({70000, 12, 3.5, 2e-6, 4, 9});
  const std::vector<double> q(64, 0.25);
  frame.add_modes(q, true, {}, 0.9, 0.1);
  const std::string bytes = frame.take();
  EXPECT_LE(bytes.size() + 4, 300U);  // and four bytes of a WebSocket's header
  EXPECT_EQ(at<std::uint16_t>(bytes, 2), 70000 % 65536);
  EXPECT_EQ(at<double>(bytes, 8), 3.5);
  EXPECT_FLOAT_EQ(at<float>(bytes, 16), 2.0F);
  EXPECT_EQ(at<std::uint16_t>(bytes, 26), 64);
  EXPECT_EQ(at<float>(bytes, 36 + 4 * 63), 0.25F);
}

TEST(Frames, CountMoreVerticesThanSixteenBitsHold) {
  FrameWriter frame(FrameHeader{});
  frame.add_positions(std::vector<float>(3 * 100000), 1, 0);
  const std::string bytes = frame.take();
  const int count = at<std::uint16_t>(bytes, 26) + 65536 * (at<std::uint8_t>(bytes, 25) >> 1);
  EXPECT_EQ(count, 100000);
  EXPECT_EQ(bytes.size(), 24U + 12U + 12U * 100000U);
}

TEST(Model, LaysTwoModesIntoThreeTexels) {
  constexpr int kVertices = 5, kModes = 3;
  std::vector<float> Phi(3 * kVertices * kModes), Psi(Phi.size());
  for (std::size_t i = 0; i < Phi.size(); ++i) {
    Phi[i] = static_cast<float>(i);
    Psi[i] = -static_cast<float>(i);
  }
  const std::vector<float> texels = mode_texels(Phi, Psi, kVertices, kModes);
  EXPECT_EQ(texels.size() % (4 * 4096), 0U);
  const auto number = [&](int pair, int k, int vertex, int c) {
    return texels[static_cast<std::size_t>(4 * ((3 * pair + k) * kVertices + vertex) + c)];
  };
  const auto row = [](int vertex, int c, int mode) {
    return static_cast<float>((3 * vertex + c) * kModes + mode);
  };
  // web/src/net/model.ts: φa.xyz φb.x | φb.yz ψa.xy | ψa.z ψb.xyz
  EXPECT_EQ(number(0, 0, 2, 0), row(2, 0, 0));
  EXPECT_EQ(number(0, 0, 2, 3), row(2, 0, 1));
  EXPECT_EQ(number(0, 1, 2, 1), row(2, 2, 1));
  EXPECT_EQ(number(0, 1, 2, 2), -row(2, 0, 0));
  EXPECT_EQ(number(0, 2, 2, 0), -row(2, 2, 0));
  EXPECT_EQ(number(0, 2, 2, 3), -row(2, 2, 1));
  EXPECT_EQ(number(1, 0, 4, 1), row(4, 1, 2));
  EXPECT_EQ(number(1, 0, 4, 3), 0.0F);  // there is no fourth mode
}

TEST(Curves, PassThroughTheirPointsAndStayBetweenThem) {
  const Curve curve{{0, 0.3, 0.6, 1}, {0, 1, 1, -1}};
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(curve(curve.at[i]), curve.value[i], 1e-14);
  for (double x = 0.3; x <= 0.6; x += 0.01) EXPECT_NEAR(curve(x), 1, 1e-14);
  EXPECT_EQ(curve(-1), 0);
  EXPECT_EQ(curve(2), -1);
}

}  // namespace
}  // namespace limber::studio
