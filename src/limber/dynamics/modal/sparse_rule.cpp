#include "limber/dynamics/modal/sparse_rule.h"

#include <algorithm>
#include <numeric>
#include <random>

#include "limber/core/nonnegative.h"

namespace limber {

namespace {

/// Candidates one by one: the one whose column points most along what is missing.
class GreedySearch {
 public:
  GreedySearch(const Vector& target, int candidates,
               const std::function<void(int, Vector&)>& fill_column)
      : target_(target),
        candidates_(candidates),
        fill_column_(fill_column),
        missing_(target),
        column_(target.size()) {}

  SparseRule find(int count) {
    constexpr int kTried = 100;  // at each turn, as An et al. do
    std::mt19937 random(1);
    std::vector<int> places(candidates_);
    std::iota(places.begin(), places.end(), 0);
    // One whose weight falls to zero leaves again; the bound ends a search that runs in circles.
    for (int turn = 0; turn < 3 * count && std::ssize(rule_.places) < count; ++turn) {
      std::vector<int> tried;
      std::sample(places.begin(), places.end(), std::back_inserter(tried), kTried, random);
      const int best = best_of(tried);
      if (best >= 0) add(best);
    }
    return rule_;
  }

 private:
  int best_of(const std::vector<int>& tried) {
    int best = -1;
    double best_match = 0;
    for (const int place : tried) {
      if (std::find(rule_.places.begin(), rule_.places.end(), place) != rule_.places.end())
        continue;
      fill_column_(place, column_);
      const double match = column_.dot(missing_) / std::max(column_.norm(), 1e-300);
      if (match <= best_match) continue;
      best_match = match;
      best = place;
    }
    return best;
  }

  void add(int place) {
    fill_column_(place, column_);
    rule_.places.push_back(place);
    columns_.conservativeResize(target_.size(), std::ssize(rule_.places));
    columns_.rightCols<1>() = column_;
    Eigen::MatrixXd G = columns_.transpose() * columns_;
    G.diagonal().array() += 1e-12 * G.trace();  // nodes side by side have nearly equal columns
    const Vector weights = nonnegative_least_squares(G, columns_.transpose() * target_);
    std::vector<int> kept;
    std::vector<int> kept_places;
    for (int k = 0; k < std::ssize(rule_.places); ++k) {
      if (weights[k] <= 0) continue;
      kept.push_back(k);
      kept_places.push_back(rule_.places[k]);
    }
    rule_.places = kept_places;
    rule_.weights = weights(kept);
    columns_ = Eigen::MatrixXd(columns_(Eigen::all, kept));
    missing_ = target_ - columns_ * rule_.weights;
  }

  const Vector& target_;  // both live as long as find_sparse_rule()
  int candidates_;
  const std::function<void(int, Vector&)>& fill_column_;
  Vector missing_;
  Vector column_;
  SparseRule rule_;
  Eigen::MatrixXd columns_;  // one a place
};

}  // namespace

SparseRule find_sparse_rule(const Vector& target, int candidates, int count,
                            const std::function<void(int, Vector&)>& fill_column) {
  return GreedySearch(target, candidates, fill_column).find(count);
}

}  // namespace limber
