// Snapshots of bodies at full resolution: the same bits afterwards.
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "support/full_bodies.h"

namespace limber {
namespace {

class Snapshot : public testing::TestWithParam<Method> {};
INSTANTIATE_TEST_SUITE_P(Methods, Snapshot, testing::ValuesIn(kAllFullMethods));

std::vector<std::byte> saved(FullBody& body) {
  std::vector<std::byte> bytes;
  StateArchive archive = StateArchive::saving(bytes);
  body.archive(archive);
  return bytes;
}

void restore(FullBody& body, const std::vector<std::byte>& bytes) {
  StateArchive archive = StateArchive::loading(bytes);
  body.archive(archive);
}

/// Changing steps, a handle that comes, moves and goes, a ground, a push by rows.
void play(FullBody& body, int k) {
  const int tip = body.node_count() - 1;
  const Vec3 start = body.simulated_mesh().mesh().V.row(tip).transpose();
  if (k == 3) hold(body, tip, start, 200, 1);
  if (k > 3 && k < 9) body.handles().move(0, start + Vec3(0, 0.01 * k, 0));
  if (k == 9) body.handles().remove(0);
  const double h = 0.01 * (1 + 0.1 * (k % 4)) * (k == 6 ? 0.2 : 1);
  const BodyRow row{BodyPoint::at_node(k % tip), Vec3::UnitZ(), start, false};
  float scaled = 0;
  body.set_rows({&row, 1}, h, &scaled, 1);
  ASSERT_FALSE(body.predict(h, StepKind::touching));
  const double push = 0.01;
  body.apply({&push, 1}, true);
  ASSERT_FALSE(body.commit());
}

TEST_P(Snapshot, GoingBackAndForthEndsInTheSameBits) {
  const TetMesh mesh = bar({0.6, 0.2, 0.2}, {3, 1, 1});
  FullBodyOptions options = with(GetParam());
  options.damping = {0.5, 0.001};
  const auto make = [&] {
    auto body =
        std::make_unique<FullBody>(mesh, kRubber, std::vector<int>{}, options, gravity(9.8));
    body->set_ground(GroundPlane{Vec3::UnitY(), -0.02, 0.3});
    body->reserve_rows(1);
    return body;
  };
  const auto straight = make();
  std::vector<Positions> expected;
  for (int k = 0; k < 14; ++k) {
    play(*straight, k);
    expected.push_back(straight->positions());
  }
  const auto body = make();
  std::vector<std::vector<std::byte>> snapshots;
  for (int k = 0; k < 14; ++k) {
    snapshots.push_back(saved(*body));
    play(*body, k);
    if (k % 3 == 2) {
      restore(*body, snapshots[k - 2]);  // three steps back, and again
      EXPECT_TRUE(saved(*body) == snapshots[k - 2]) << k;
      for (int again = k - 2; again <= k; ++again) play(*body, again);
    }
    EXPECT_EQ(body->positions(), expected[k]) << k;
  }
}

/// The compliance of two nodes for a step of any of five lengths, three of which have a factor at
/// any time: J̃ as it is written, since the order in which nodes were learnt decides its last bits.
std::array<float, 4> answer(FullBody& body, int k) {
  if (k == 9) body.reserve_rows(4);  // as when more touch than ever before
  const double h = 0.01 * std::pow(1.6, k * k % 5);
  std::array<BodyRow, 2> rows;
  for (int i = 0; i < 2; ++i) {
    const int node = (5 * k + 3 * i) % body.node_count();
    rows[i] = {BodyPoint::at_node(node), Vec3(1, 2, 3 - i).normalized(), Vec3::Zero(), false};
  }
  std::array<float, 4> scaled{};
  body.set_rows(rows, h, scaled.data(), 2);
  EXPECT_FALSE(body.predict(h, StepKind::touching));
  EXPECT_FALSE(body.commit());
  return scaled;
}

TEST_P(Snapshot, WhatTheFactorsKnewComesBackInItsOrder) {
  const TetMesh mesh = bar({0.6, 0.2, 0.2}, {3, 1, 1});
  FullBody body(mesh, kRubber, std::vector<int>{}, with(GetParam()), gravity(9.8));
  body.reserve_rows(2);
  constexpr int kSteps = 20;
  std::vector<std::vector<std::byte>> snapshots;
  std::vector<std::array<float, 4>> expected;
  for (int k = 0; k < kSteps; ++k) {
    snapshots.push_back(saved(body));
    expected.push_back(answer(body, k));
  }
  for (int from = 0; from < kSteps; from += 3) {
    restore(body, snapshots[from]);
    EXPECT_TRUE(saved(body) == snapshots[from]) << from;
    for (int k = from; k < kSteps; ++k) EXPECT_EQ(answer(body, k), expected[k]) << from << " " << k;
  }
}

}  // namespace
}  // namespace limber
