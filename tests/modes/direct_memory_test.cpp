// The size of a factor, known before it is made.
#include "limber/modes/direct_memory.h"

#include <gtest/gtest.h>

#include "limber/core/solvers/cholesky.h"
#include "limber/fem/mass.h"
#include "limber/fem/stiffness.h"
#include "limber/mesh/sample_shapes.h"

namespace limber {
namespace {

SparseMatrix definite(const TetMesh& mesh) {
  const Material material;
  return stiffness(mesh, material) + 1e3 * mass(mesh, material);
}

TEST(DirectMemory, IsTheSizeOfTheFactorThatIsThenMade) {
  for (const TetMesh& mesh : {bar({1, 0.2, 0.2}, {30, 6, 6}), bar({1, 1, 1}, {14, 14, 14})}) {
    const Cholesky factor(definite(mesh), {Cholesky::Backend::simplicial, 3});
    // Of each diagonal block only the lower half is stored: 6 of 9 numbers.
    const double diagonal = 3.0 * mesh.node_count();
    EXPECT_NEAR(factor_numbers(mesh) - diagonal, factor.factor_nonzeros(),
                1e-3 * factor.factor_nonzeros());
  }
}

TEST(DirectMemory, BoundHoldsForCompactAndSlenderBodies) {
  for (const TetMesh& mesh : {bar({1, 0.2, 0.2}, {40, 8, 8}), bar({1, 1, 1}, {16, 16, 16}),
                              bar({1, 0.02, 0.02}, {200, 4, 4})}) {
    EXPECT_LT(factor_numbers(mesh), most_factor_numbers(mesh.node_count()));
  }
}

}  // namespace
}  // namespace limber
