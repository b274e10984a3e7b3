#include "limber/core/nonnegative.h"

#include <Eigen/Cholesky>
#include <limits>
#include <vector>

namespace limber {

namespace {

/// The unconstrained solution over the unknowns named in `free`, zero elsewhere.
Vector solve_free(const Eigen::MatrixXd& G, const Vector& g, const std::vector<int>& free) {
  const Eigen::MatrixXd free_G = G(free, free);
  const Vector free_g = g(free);
  const Vector free_x = free_G.ldlt().solve(free_g);
  Vector x = Vector::Zero(g.size());
  x(free) = free_x;
  return x;
}

/// Moves x towards `target` until the first unknown would turn negative, and drops that one.
void step_to_boundary(const Vector& target, Vector& x, std::vector<int>& free) {
  double length = 1;
  int blocking = -1;
  for (const int i : free) {
    if (target[i] > 0) continue;
    const double limit = x[i] / (x[i] - target[i]);
    if (blocking >= 0 && limit >= length) continue;
    length = limit;
    blocking = i;
  }
  x += length * (target - x);
  x[blocking] = 0;
  std::erase_if(free, [&](int i) { return i == blocking || x[i] <= 0; });
}

/// The unknown at zero whose growth would help most, or -1 when none would.
int most_wanted(const Eigen::MatrixXd& G, const Vector& g, const Vector& x,
                const std::vector<int>& free) {
  Vector gradient = g - G * x;
  for (const int i : free) gradient[i] = 0;
  Eigen::Index best = 0;
  const double largest = gradient.maxCoeff(&best);
  const double rounding = 1e-12 * g.cwiseAbs().maxCoeff();  // of sums of a few dozen products
  return largest > rounding ? static_cast<int>(best) : -1;
}

}  // namespace

Vector nonnegative_least_squares(const Eigen::MatrixXd& G, const Vector& g) {
  const int size = static_cast<int>(g.size());
  std::vector<int> free(size);
  for (int i = 0; i < size; ++i) free[i] = i;
  Vector x = Vector::Constant(size, std::numeric_limits<double>::min());  // inside, but at zero
  // Each round lowers the error, so sets cannot come back; the bound only guards against rounding.
  for (int round = 0; round < 10 * size; ++round) {
    Vector target = solve_free(G, g, free);
    while (!free.empty() && target(free).minCoeff() <= 0) {
      step_to_boundary(target, x, free);
      target = solve_free(G, g, free);
    }
    x = target;
    const int wanted = most_wanted(G, g, x, free);
    if (wanted < 0) break;
    free.push_back(wanted);
    x[wanted] = std::numeric_limits<double>::min();
  }
  return x.cwiseMax(0);
}

}  // namespace limber
