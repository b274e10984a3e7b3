#include "limber/modes/strain_ritz.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <numeric>
#include <vector>

namespace limber {

namespace {

// Vectors mix by their gram over the gap between them. Beyond this part of λ between them the
// mixing is below 1e-4 for grams off by 1e-7, and its square below 1e-8 of the gap.
constexpr double kClose = 1e-3;
// Solvers of one body agree to 1e-12 where rounding does not matter.
constexpr double kRounded = 1e-10;

int end_of_cluster(const Vector& eigenvalues, int first) {
  int end = first + 1;
  while (end < eigenvalues.size() &&
         eigenvalues[end] - eigenvalues[end - 1] <= kClose * eigenvalues[end])
    ++end;
  return end;
}

bool is_exact(const Eigen::MatrixXd& gram, const Eigen::Ref<const Vector>& eigenvalues) {
  const Eigen::MatrixXd off = gram - Eigen::MatrixXd(eigenvalues.asDiagonal());
  return off.cwiseAbs().maxCoeff() <= kRounded * eigenvalues.minCoeff();
}

void sort_ascending(EigenPairs& pairs) {
  const Vector values = pairs.eigenvalues;
  if (std::is_sorted(values.begin(), values.end())) return;
  std::vector<int> order(static_cast<std::size_t>(values.size()));
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return values[a] < values[b]; });
  pairs.eigenvalues = values(order);
  pairs.vectors = Eigen::MatrixXd(pairs.vectors(Eigen::all, order));
}

}  // namespace

void refine_by_strains(const StrainGram& gram, EigenPairs& pairs) {
  const auto modes = static_cast<int>(pairs.eigenvalues.size());
  for (int first = 0; first < modes;) {
    const int end = end_of_cluster(pairs.eigenvalues, first);
    const int count = end - first;
    const Eigen::MatrixXd G = gram(first, count);
    if (G.allFinite() && !is_exact(G, pairs.eigenvalues.segment(first, count))) {
      const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> ritz(G);
      pairs.eigenvalues.segment(first, count) = ritz.eigenvalues();
      if (count > 1) {
        pairs.vectors.middleCols(first, count) =
            Eigen::MatrixXd(pairs.vectors.middleCols(first, count) * ritz.eigenvectors());
      }
    }
    first = end;
  }
  sort_ascending(pairs);
}

}  // namespace limber
