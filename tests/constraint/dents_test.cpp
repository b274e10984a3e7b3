// Hands on bodies with local detail: held points dent as those of the linear body would.
#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "limber/constraint/modal_handles.h"
#include "limber/dynamics/local/global_local_body.h"
#include "limber/dynamics/local/residual_detail.h"
#include "limber/fem/fixed_dofs.h"
#include "limber/fem/stiffness.h"
#include "limber/mesh/sample_shapes.h"
#include "limber/mesh/select.h"
#include "limber/modes/bake.h"
#include "limber/modes/residual_analysis.h"

namespace limber::dents_tests {
namespace {

const Material kRubber{2e5, 0.3, 1000};
constexpr double kStep = 1.0 / 60;
/// So small that what is of second order in it, the turning of nodes, is some 1e-6 of it.
constexpr double kWay = 1e-7;  // m

struct Example {
  TetMesh mesh = bar({1, 0.3, 0.3}, {6, 2, 2});
  std::vector<int> fixed;
  ModalModel model;
  ResidualModes modes;
  Eigen::MatrixXd flexibility;  // K⁻¹ on all nodes (3n×3n), of a free body K⁺

  explicit Example(bool clamped) {
    if (clamped) fixed = select_nodes(mesh, "x<=0.01");
    model = bake(mesh, kRubber, fixed, {10});
    modes = residual_modes(mesh, kRubber, model);
    const FreeDofs free(mesh.node_count(), fixed);
    const Eigen::MatrixXd K = free.reduce(stiffness(mesh, kRubber), 3);
    // Eigenvalues of rigid motions are rounding, those of the bar at least 1e-4 of the largest.
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> pairs(K);
    Vector inverse = pairs.eigenvalues();
    for (double& value : inverse) value = value > 1e-9 * K.norm() ? 1 / value : 0;
    const Eigen::MatrixXd reduced =
        pairs.eigenvectors() * inverse.asDiagonal() * pairs.eigenvectors().transpose();
    flexibility = free.expand(Eigen::MatrixXd(free.expand(reduced).transpose()));
  }
};

const Example& example(bool clamped = true) {
  static const Example on_wall(true), in_air(false);
  return clamped ? on_wall : in_air;
}

std::unique_ptr<GlobalLocalBody> make_body(const Example& made, const LocalOptions& local = {}) {
  ModalBodyOptions options;
  options.damping = {6, 0.02};
  auto body = std::make_unique<GlobalLocalBody>(
      made.model, std::make_unique<ResidualDetail>(made.modes, local, 1), options);
  body->set_correction(std::make_unique<ModalHandles>(made.model));
  return body;
}

Handle hold(const BodyPoint& point, const Vec3& target, Treatment treatment = Treatment::previous) {
  Handle handle;
  handle.point = point;
  handle.target = Path({0.0}, {target});
  handle.treatment = treatment;
  return handle;
}

Vec3 rest(const Example& made, const BodyPoint& point) {
  return point.sum(made.model.rest_positions());
}

void run(GlobalLocalBody& body, double seconds) {
  for (int k = 0; k < static_cast<int>(seconds / kStep + 0.5); ++k)
    ASSERT_FALSE(advance(body, kStep));
}

/// Where contact nodes are off Φq + χs = K⁻¹f under the forces of the handles, of the largest
/// displacement.
double error_of_statics(const Example& made, const GlobalLocalBody& body) {
  Vector f = Vector::Zero(3 * made.mesh.node_count());
  for (const HandleForce& one : body.handles().forces()) {
    for (std::size_t k = 0; k < 4; ++k)
      f.segment<3>(3 * one.point.nodes[k]) += one.point.weights[k] * one.force;
  }
  const Vector exact = made.flexibility * f;
  Positions x(body.node_count(), 3);
  body.node_positions(x);
  double worst = 0;
  for (const int node : made.modes.contact_nodes.span()) {
    const Vec3 u = x.row(node) - made.mesh.V.row(node);
    worst = std::max(worst, (u - exact.segment<3>(3 * node)).norm());
  }
  return worst / exact.cwiseAbs().maxCoeff();
}

int tip(const Example& made) { return select_nodes(made.mesh, "x>=0.99&&y>=0.29&&z<=0.01")[0]; }
int side(const Example& made) {
  return select_nodes(made.mesh, "x>=0.49&&x<=0.51&&y>=0.29&&z>=0.14&&z<=0.16")[0];
}

TEST(Dents, HeldPointRestsWhereTheLinearBodyWould) {
  const Example& made = example();
  for (const Treatment treatment : {Treatment::previous, Treatment::predicted, Treatment::newton}) {
    const auto body = make_body(made);
    const BodyPoint point = BodyPoint::at_node(side(made));
    const Vec3 target = rest(made, point) + kWay * Vec3(0.3, -1, 0.5);
    body->handles().add(hold(point, target, treatment));
    run(*body, 6);
    EXPECT_LT(body->handles().errors().position, 1e-6 * kWay);
    EXPECT_LT(error_of_statics(made, *body), 1e-5);
    // The force is that of K⁻¹; modes alone would need more, on so coarse a mesh a sixth.
    const Mat3 whole = made.flexibility.block<3, 3>(3 * side(made), 3 * side(made));
    const Vec3 force = body->handles().forces()[0].force;
    const Vec3 exact = whole.inverse() * (target - rest(made, point));
    EXPECT_LT((force - exact).norm(), 1e-5 * exact.norm());
    const NodeRows Phi = node_Phi(made.model, side(made));
    const Mat3 modes = Phi * made.model.eigenvalues().cwiseInverse().asDiagonal() * Phi.transpose();
    EXPECT_GT((modes.inverse() * (target - rest(made, point))).norm(), 1.1 * exact.norm());
  }
}

TEST(Dents, OfSeveralHandsAndOfPointsBetweenNodes) {
  const Example& made = example();
  const auto body = make_body(made);
  const auto surface = select_nodes(made.mesh, "y>=0.29&&x>=0.6");
  BodyPoint between = BodyPoint::at_node(surface[0]);
  between.nodes[1] = surface[1];
  between.weights = {0.3, 0.7, 0, 0};
  for (const BodyPoint& point :
       {BodyPoint::at_node(side(made)), BodyPoint::at_node(tip(made)), between}) {
    const double sign = point.nodes[0] == side(made) ? -1 : 1;
    body->handles().add(hold(point, rest(made, point) + sign * kWay * Vec3(0.2, 1, 0)));
  }
  run(*body, 8);
  EXPECT_LT(body->handles().errors().position, 1e-5 * kWay);
  EXPECT_LT(error_of_statics(made, *body), 1e-5);
}

TEST(Dents, SettlingFindsTheSameRest) {
  const Example& made = example();
  const auto slow = make_body(made), at_once = make_body(made);
  const BodyPoint point = BodyPoint::at_node(side(made));
  const Vec3 target = rest(made, point) + Vec3(0, -0.04, 0.01);  // deep: nodes turn
  for (GlobalLocalBody* body : {slow.get(), at_once.get()})
    body->handles().add(hold(point, target));
  run(*slow, 8);
  EXPECT_TRUE(at_once->settle().converged);
  EXPECT_LT(at_once->handles().errors().position, 1e-9);
  Positions x(slow->node_count(), 3), y(x);
  slow->node_positions(x);
  at_once->node_positions(y);
  EXPECT_LT((x - y).cwiseAbs().maxCoeff(), 1e-6);
  run(*at_once, 1);  // and it stays there
  at_once->node_positions(x);
  EXPECT_LT((x - y).cwiseAbs().maxCoeff(), 1e-8);
}

TEST(Dents, AFreeBodyIsPulledLongerByTwoHands) {
  const Example& made = example(false);
  const auto body = make_body(made);
  const int left = select_nodes(made.mesh, "x<=0.01&&y>=0.14&&y<=0.16&&z>=0.14&&z<=0.16")[0];
  const int right = select_nodes(made.mesh, "x>=0.99&&y>=0.14&&y<=0.16&&z>=0.14&&z<=0.16")[0];
  for (const auto& [node, way] : {std::pair(left, -kWay), std::pair(right, kWay)}) {
    const BodyPoint point = BodyPoint::at_node(node);
    body->handles().add(hold(point, rest(made, point) + Vec3(way, 0, 0)));
  }
  run(*body, 8);
  EXPECT_LT(body->handles().errors().position, 1e-5 * kWay);
  Vector pull = Vector::Zero(3 * made.mesh.node_count());
  pull[3 * left] = -1;
  pull[3 * right] = 1;
  const Vec3 force = body->handles().forces()[1].force;
  EXPECT_NEAR(force.x(), 2 * kWay / pull.dot(made.flexibility * pull), 1e-4 * force.x());
}

TEST(Dents, CanBeSwitchedOff) {
  const Example& made = example();
  LocalOptions off;
  off.handles = false;
  const auto body = make_body(made, off);
  const BodyPoint point = BodyPoint::at_node(side(made));
  body->handles().add(hold(point, rest(made, point) + Vec3(0, -kWay, 0)));
  run(*body, 1);
  EXPECT_EQ(body->local_nodes(), 0);
}

TEST(Dents, HeldNodesStayAndRestOnceTheyAreLetGo) {
  const Example& made = example();
  const auto body = make_body(made);
  const BodyPoint point = BodyPoint::at_node(side(made));
  const int handle = body->handles().add(hold(point, rest(made, point)));
  run(*body, 1);
  EXPECT_EQ(body->local_nodes(), 1);  // although it is calm
  body->handles().move(handle, rest(made, point) + Vec3(0, -0.02, 0));
  run(*body, 1);
  body->handles().remove(handle);
  Vec3 last = Vec3::Zero();
  EXPECT_GT(body->detail()->displacement(side(made)).norm(), 1e-4);
  for (int k = 0; k < 400 && body->local_nodes() > 0; ++k) {
    last = body->detail()->displacement(side(made));
    run(*body, kStep);
  }
  EXPECT_EQ(body->local_nodes(), 0);
  EXPECT_LT(last.norm(), 1e-4);  // nothing jumps: twenty times smaller than what was held
}

}  // namespace
}  // namespace limber::dents_tests
