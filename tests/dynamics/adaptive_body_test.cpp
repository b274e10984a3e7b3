// Adaptive detail (Debunne et al. 2001; Müller et al. 2002, 1.1): what stays when leaves change,
// and that detail is where it is needed.
#include "limber/dynamics/adaptive/adaptive_body.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "limber/core/error.h"
#include "limber/core/rotation.h"
#include "support/full_bodies.h"

namespace limber {
namespace {

std::shared_ptr<const TetTree> tree_of(const TetMesh& mesh, int levels) {
  return std::make_shared<const TetTree>(mesh, levels);
}

/// Detail neither comes nor goes by itself.
constexpr AdaptiveOptions kStill{1e3, 1e2, 1e9};

LevelMarks all_marks(const LeafMesh& leaves) {
  LevelMarks marks = leaves.no_marks();
  for (std::vector<char>& level : marks) std::fill(level.begin(), level.end(), char{1});
  return marks;
}

/// A third of the tets of each level whose parents are cut.
LevelMarks some_marks(const LeafMesh& leaves, unsigned seed) {
  std::mt19937 random(seed);
  LevelMarks marks = leaves.no_marks();
  for (std::size_t level = 0; level < marks.size(); ++level) {
    for (std::size_t tet = 0; tet < marks[level].size(); ++tet) {
      const bool below = level == 0 || marks[level - 1][tet / 8] != 0;
      marks[level][tet] = below && random() % 3 == 0 ? 1 : 0;
    }
  }
  return marks;
}

Positions positions_of(const DynamicBody& body) {
  Positions x(body.node_count(), 3);
  body.node_positions(x);
  return x;
}

Positions velocities_of(const DynamicBody& body) {
  Positions v(body.node_count(), 3);
  body.node_velocities(v);
  return v;
}

Vec3 mass_centre(const AdaptiveBody& body) {
  Positions x(body.inner().node_count(), 3);
  body.inner().node_positions(x);
  const Vector& mass = body.inner().simulated_mesh().node_mass();
  return (mass.transpose() * x).transpose() / mass.sum();
}

/// A block that is bent, twisted and swings, on all leaves.
void stir(AdaptiveBody& body) {
  Positions x = body.tree().finest().V, v = x;
  for (Eigen::Index k = 0; k < x.rows(); ++k) {
    const Vec3 X = x.row(k).transpose();
    x.row(k) += Vec3(0.1 * X.y() * X.z(), 0.2 * X.x() * X.x(), 0.3 * X.x() * X.y()).transpose();
    v.row(k) = Vec3(1 + X.y(), std::sin(5 * X.x()), X.x() * X.z() - 2 * X.y()).transpose();
  }
  body.set_node_state(x, v);
}

class Adaptive : public testing::TestWithParam<Method> {};
INSTANTIATE_TEST_SUITE_P(Methods, Adaptive, testing::ValuesIn(kAllFullMethods));

/// With all leaves there, it is the same body: the same mesh in the same order.
TEST_P(Adaptive, WithAllLeavesItIsTheOrdinaryBodyOfTheFinestMesh) {
  const auto tree = tree_of(small_bar(), 1);
  const std::vector<int> fixed = clamped_end(tree->finest());
  AdaptiveBody adaptive(tree, kRubber, fixed, kStill, with(GetParam()), gravity(2));
  adaptive.set_leaves(all_marks(adaptive.leaves()));
  FullBody ordinary(tree->finest(), kRubber, fixed, with(GetParam()), gravity(2));
  ASSERT_EQ(adaptive.inner().node_count(), ordinary.node_count());
  for (int k = 0; k < 10; ++k) {
    step(adaptive, 0.01);
    step(ordinary, 0.01);
    // The state went through the world's coordinates once: a rounding of lengths of 1 m.
    EXPECT_LT((positions_of(adaptive) - positions_of(ordinary)).cwiseAbs().maxCoeff(), 1e-12) << k;
  }
}

/// Linear fields on leaves of all sizes: no force on any node inside, K being of the order
/// E · length = 2e5 · 0.4 N/m and the field of 0.1 m; turned as a whole none at all.
TEST_P(Adaptive, LeavesOfDifferentSizesPassThePatchTest) {
  const auto tree = tree_of(bar_five_tets({0.6, 0.4, 0.4}, {3, 2, 2}), 2);
  LeafMesh leaves(*tree);
  ASSERT_TRUE(leaves.cut(some_marks(leaves, 3)));
  const TetMesh& mesh = leaves.mesh();
  ASSERT_LT(mesh.tet_count(), tree->finest().tet_count() * 2 / 3);
  const SimulatedMesh simulated(mesh, kRubber, {}, MassKind::lumped);
  const auto elasticity = make_elasticity(simulated, with(GetParam()));
  Mat3 F;
  F << 1.1, 0.05, 0, 0.05, 0.9, 0.1, 0, 0.1, 1.05;  // symmetric: nodes do not turn
  Positions x = mesh.V * F.transpose();
  Positions forces = Positions::Zero(x.rows(), 3);
  elasticity->linearise(x);
  elasticity->add_forces(x, forces);
  for (int node = 0; node < mesh.node_count(); ++node) {
    const Vec3 X = mesh.V.row(node).transpose();
    const bool inside =
        (X.array() > 1e-9).all() && X.x() < 0.6 - 1e-9 && X.y() < 0.4 - 1e-9 && X.z() < 0.4 - 1e-9;
    if (inside) EXPECT_LT(forces.row(node).norm(), 1e-10 * 2e5 * 0.4 * 0.1) << node;
  }
  if (GetParam() == Method::linear) return;
  x = mesh.V * rotation_exp(Vec3(0.3, -1, 0.5)).transpose();
  forces.setZero();
  elasticity->linearise(x);
  elasticity->add_forces(x, forces);
  EXPECT_LT(forces.cwiseAbs().maxCoeff(), 1e-10 * 2e5 * 0.4 * 0.1);
}

/// Nodes that come lie in the middle of others: the field is the same function, and so are its
/// energies with consistent masses; momenta to the rounding of 48 kg at some m/s and half a metre.
TEST_P(Adaptive, RefiningChangesNeitherTheFieldNorEnergiesNorMomenta) {
  const auto tree = tree_of(bar({0.6, 0.4, 0.2}, {3, 2, 1}), 2);
  FullBodyOptions options = with(GetParam());
  options.mass = MassKind::consistent;
  AdaptiveBody body(tree, kRubber, {}, kStill, options);
  stir(body);
  const Positions x = positions_of(body), v = velocities_of(body);
  const double kinetic = body.kinetic_energy(), elastic = body.elastic_energy();
  const Momentum momentum = body.momentum();
  body.set_leaves(some_marks(body.leaves(), 5));
  ASSERT_GT(body.inner().node_count(), tree->coarse_nodes());
  EXPECT_LT((positions_of(body) - x).cwiseAbs().maxCoeff(), 1e-13);
  EXPECT_LT((velocities_of(body) - v).cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_NEAR(body.kinetic_energy(), kinetic, 1e-12 * kinetic);
  EXPECT_NEAR(body.elastic_energy(), elastic, 1e-9 * elastic);
  EXPECT_LT((body.momentum().linear - momentum.linear).norm(), 1e-12 * 100);
  EXPECT_LT((body.momentum().angular - momentum.angular).norm(), 1e-12 * 100);
}

/// Whatever goes: the mass centre and both momenta of a free body, to rounding as above.
TEST_P(Adaptive, ChangesBackAndForthKeepMassCentreAndMomenta) {
  const auto tree = tree_of(bar({0.6, 0.4, 0.2}, {3, 2, 1}), 2);
  AdaptiveBody body(tree, kRubber, {}, kStill, with(GetParam()));
  body.set_leaves(all_marks(body.leaves()));
  stir(body);
  const Vec3 centre = mass_centre(body);
  const Momentum momentum = body.momentum();
  for (unsigned seed = 1; seed < 6; ++seed) {
    body.set_leaves(some_marks(body.leaves(), seed));
    EXPECT_LT((mass_centre(body) - centre).norm(), 1e-13) << seed;
    EXPECT_LT((body.momentum().linear - momentum.linear).norm(), 1e-11) << seed;
    EXPECT_LT((body.momentum().angular - momentum.angular).norm(), 1e-11) << seed;
  }
}

/// What goes is at most the deviation from the straight line of the nodes that go, times how much
/// of a node's mass hung on others: all levels go, each by no more than its own deviation.
TEST(AdaptiveBody, CoarseningMovesTheNodesByWhatTheCoarseMeshCannotShow) {
  const auto tree = tree_of(bar({0.6, 0.4, 0.2}, {3, 2, 1}), 1);
  AdaptiveBody body(tree, kRubber, {}, kStill, with(Method::corotational));
  body.set_leaves(all_marks(body.leaves()));
  stir(body);
  const Positions before = positions_of(body);
  double missed = 0;
  for (int node = tree->coarse_nodes(); node < tree->finest().node_count(); ++node) {
    const auto& ends = tree->ends(node);
    missed = std::max(missed,
                      (before.row(node) - (before.row(ends[0]) + before.row(ends[1])) / 2).norm());
  }
  body.set_leaves(body.leaves().no_marks());
  ASSERT_EQ(body.inner().node_count(), tree->coarse_nodes());
  const double jump = (positions_of(body) - before).rowwise().norm().maxCoeff();
  EXPECT_GT(missed, 1e-3);
  EXPECT_LT(jump, 2 * missed);  // the node's own, and a mean of its neighbours'
}

/// A rigid motion is linear: nothing is lost of it, in whatever way leaves come and go.
TEST(AdaptiveBody, RigidMotionGoesOnWhateverTheLeaves) {
  const auto tree = tree_of(bar({0.6, 0.4, 0.2}, {3, 2, 1}), 2);
  AdaptiveBody body(tree, kRubber, {}, kStill, with(Method::corotational));
  const Mat3 turn = rotation_exp(Vec3(1, 2, -0.5));
  const Vec3 spin(3, -1, 2);
  Positions x = tree->finest().V * turn.transpose(), v = x;
  for (Eigen::Index k = 0; k < x.rows(); ++k)
    v.row(k) = (Vec3(1, 2, 3) + spin.cross(Vec3(x.row(k).transpose()))).transpose();
  body.set_leaves(all_marks(body.leaves()));
  body.set_node_state(x, v);
  for (unsigned seed = 1; seed < 5; ++seed) {
    body.set_leaves(some_marks(body.leaves(), seed));
    EXPECT_LT((positions_of(body) - x).cwiseAbs().maxCoeff(), 1e-13);
    EXPECT_LT((velocities_of(body) - v).cwiseAbs().maxCoeff(), 1e-12);
  }
}

TEST(AdaptiveBody, WhatNeitherBendsNorTouchesStaysCoarse) {
  const auto tree = tree_of(small_bar(), 2);
  AdaptiveBody body(tree, kRubber, {}, {}, with(Method::corotational), gravity(9.8));
  body.set_velocity({1, 0, 0}, {0, 0, 0});
  for (int k = 0; k < 30; ++k) step(body, 0.01);
  EXPECT_EQ(body.inner().node_count(), tree->coarse_nodes());
}

/// From where it is held, and back again after it has been calm.
TEST(AdaptiveBody, DetailComesWhereANodeIsHeldAndGoesWhenItIsLetGo) {
  const auto tree = tree_of(small_bar(), 2);
  AdaptiveOptions adaptive;
  adaptive.calm = 0.05;
  AdaptiveBody body(tree, kRubber, {}, adaptive, with(Method::corotational));
  const int held = 17;
  Handle handle;
  handle.point = BodyPoint::at_node(held);
  handle.target = Path({0}, {Vec3(tree->finest().V.row(held).transpose())});
  const int number = body.handles().add(handle);
  const TetMesh& finest = tree->finest();
  for (int t = 0; t < finest.tet_count(); ++t) {
    for (int k = 0; k < 4; ++k) {
      if (finest.T(t, k) != held) continue;
      for (int other = 0; other < 4; ++other)
        EXPECT_GE(body.leaves().own(finest.T(t, other)), 0) << t;
    }
  }
  EXPECT_LT(body.inner().node_count(), body.node_count() / 2);
  for (int k = 0; k < 20; ++k) step(body, 0.01);
  EXPECT_GT(body.inner().node_count(), tree->coarse_nodes());
  body.handles().remove(number);
  for (int k = 0; k < 20; ++k) step(body, 0.01);
  EXPECT_EQ(body.inner().node_count(), tree->coarse_nodes());
}

/// A bar that hangs from its clamp, where it bends most. Its coarse elements are too stiff by 42 %;
/// with less than half of the finest tets, where they are needed, a tenth of that error is left.
TEST(AdaptiveBody, ABentBarIsNearlyAsGoodWithLessThanHalfOfTheTets) {
  const auto tree = tree_of(bar({1, 0.2, 0.2}, {10, 2, 2}), 2);
  const std::vector<int> fixed = clamped_end(tree->finest());
  const auto settled = [&](const AdaptiveOptions& adaptive, bool all) {
    AdaptiveBody body(tree, kRubber, fixed, adaptive, with(Method::corotational), gravity(3));
    if (all) body.set_leaves(all_marks(body.leaves()));
    EXPECT_TRUE(body.settle().converged);
    return std::pair(positions_of(body), body.leaves().mesh().tet_count());
  };
  const auto [truth, most] = settled(kStill, true);
  const auto [coarse, least] = settled(kStill, false);
  const auto [chosen, some] = settled({}, false);
  EXPECT_EQ(most, 15360);
  EXPECT_EQ(least, 240);
  EXPECT_LT(some, 0.45 * most);
  EXPECT_LT((chosen - truth).norm(), 0.1 * (coarse - truth).norm());
}

/// Forces on nodes that hang act on those they hang on: momentum is force times time.
TEST(AdaptiveBody, ForcesAndImpulsesOnHangingNodesGiveTheirMomentum) {
  const auto tree = tree_of(small_bar(), 2);
  Loads loads;
  const int hanging = tree->finest().node_count() - 1;
  loads.forces.push_back({{0, hanging - 7, hanging}, Vec3(1, 2, 3)});
  AdaptiveBody body(tree, kRubber, {}, kStill, with(Method::corotational), loads);
  ASSERT_LT(body.leaves().own(hanging), 0);
  for (int k = 0; k < 10; ++k) step(body, 0.01);
  EXPECT_LT((body.momentum().linear - 0.1 * 3 * Vec3(1, 2, 3)).norm(), 1e-12);
  body.set_loads({});
  const Momentum before = body.momentum();
  body.apply_impulse(BodyPoint::at_node(hanging), {0, 0, 5});
  EXPECT_LT((body.momentum().linear - before.linear - Vec3(0, 0, 5)).norm(), 1e-10);
  EXPECT_GE(body.leaves().own(hanging), 0);  // touched
}

/// A fixed node that would hang between free ones is there at all times.
TEST(AdaptiveBody, FixedNodesStayWhereTheyAre) {
  const auto tree = tree_of(small_bar(), 1);
  const int alone = tree->finest().node_count() - 1;
  std::vector<int> fixed = clamped_end(tree->finest());
  fixed.push_back(alone);
  AdaptiveOptions adaptive;
  adaptive.calm = 0;
  AdaptiveBody body(tree, kRubber, fixed, adaptive, with(Method::corotational), gravity(9.8));
  for (int k = 0; k < 40; ++k) {
    step(body, 0.02);
    const Positions x = positions_of(body);
    for (const int node : fixed)
      ASSERT_LT((x.row(node) - tree->finest().V.row(node)).norm(), 1e-14) << node;
  }
}

/// Detail comes and goes in between; handles come, move and go; all goes back and forth.
TEST(AdaptiveBody, SnapshotsComeBackToTheSameBits) {
  const auto tree = tree_of(small_bar(), 2);
  AdaptiveOptions adaptive;
  adaptive.refine = 4e-4;
  adaptive.coarsen = 2e-4;
  adaptive.calm = 0.02;
  AdaptiveBody body(tree, kRubber, {}, adaptive, with(Method::corotational), gravity(1));
  body.set_ground(GroundPlane{Vec3::UnitY(), -0.01, 0.3});
  const auto play = [&](int k) {
    if (k == 2 || k == 7) {
      Handle handle;
      handle.kind = HandleKind::spring;
      handle.stiffness = 300;
      handle.point = BodyPoint::at_node(30 + k);
      handle.target = Path({0, 0.3}, {Vec3(0.5, 0, 0), Vec3(0.5, 0.2, 0.1)});
      body.handles().add(handle);
    }
    if (k == 9) body.handles().remove(0);
    step(body, 0.01);
  };
  const auto saved = [&] {
    std::vector<std::byte> bytes;
    StateArchive archive = StateArchive::saving(bytes);
    body.archive(archive);
    return bytes;
  };
  std::vector<std::vector<std::byte>> states;
  std::vector<Positions> expected;
  std::vector<int> nodes;
  for (int k = 0; k < 20; ++k) {
    states.push_back(saved());
    play(k);
    expected.push_back(positions_of(body));
    nodes.push_back(body.inner().node_count());
  }
  EXPECT_NE(*std::max_element(nodes.begin(), nodes.end()),
            *std::min_element(nodes.begin(), nodes.end()));
  for (const int back : {0, 8, 12, 3, 15}) {
    StateArchive archive = StateArchive::loading(states[static_cast<std::size_t>(back)]);
    body.archive(archive);
    for (int k = back; k < 20; ++k) {
      play(k);
      ASSERT_EQ(positions_of(body), expected[static_cast<std::size_t>(k)]) << back << " " << k;
    }
  }
}

TEST(AdaptiveBody, RefusesCoresAndChoicesThatMakeNoSense) {
  const auto tree = tree_of(small_bar(), 1);
  FullBodyOptions options = with(Method::corotational);
  options.core.nodes = {0, 1, 2, 3};
  EXPECT_THROW(AdaptiveBody(tree, kRubber, {}, {}, options), Error);
  for (const AdaptiveOptions& bad :
       {AdaptiveOptions{0, 1e-4, 0.1}, AdaptiveOptions{1e-3, 1e-3, 0.1},
        AdaptiveOptions{1e-3, 1e-4, -1}}) {
    EXPECT_THROW(AdaptiveBody(tree, kRubber, {}, bad, with(Method::corotational)), Error);
  }
  EXPECT_THROW(
      AdaptiveBody(tree, kRubber, {tree->finest().node_count()}, {}, with(Method::corotational)),
      Error);
  EXPECT_THROW(AdaptiveBody(nullptr, kRubber, {}, {}, with(Method::corotational)), Error);
}

}  // namespace
}  // namespace limber
