// Taking fixed nodes out and putting solutions back.
#include "limber/fem/fixed_dofs.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "limber/core/error.h"

namespace limber {
namespace {

TEST(FreeDofs, ReducesMatricesAndFieldsToTheFreeNodes) {
  const FreeDofs free(4, {2, 0, 2});
  EXPECT_EQ(free.nodes(), (std::vector<int>{1, 3}));
  EXPECT_EQ(free.fixed_nodes(), (std::vector<int>{0, 2}));
  const Eigen::MatrixXd dense = Eigen::MatrixXd::Random(12, 12);
  const Eigen::MatrixXd reduced = free.reduce(SparseMatrix(dense.sparseView()), 3);
  const std::vector<int> kept{3, 4, 5, 9, 10, 11};
  EXPECT_EQ(reduced, Eigen::MatrixXd(dense(kept, kept)));
  const Eigen::MatrixXd field = Eigen::MatrixXd::Random(12, 2);
  EXPECT_EQ(free.reduce(field), Eigen::MatrixXd(field(kept, Eigen::all)));
}

TEST(FreeDofs, ExpandingPutsZerosAtFixedNodes) {
  const FreeDofs free(3, {1});
  const Eigen::MatrixXd field = free.expand(Eigen::MatrixXd::Ones(6, 1));
  EXPECT_EQ(field.sum(), 6);
  EXPECT_EQ(field.middleRows(3, 3).norm(), 0);
}

TEST(FreeDofs, RefusesNodesThatDoNotExistAndNothingLeft) {
  EXPECT_THROW(FreeDofs(3, {3}), Error);
  EXPECT_THROW(FreeDofs(3, {-1}), Error);
  EXPECT_THROW(FreeDofs(2, {0, 1}), Error);
}

}  // namespace
}  // namespace limber
