#include "limber/dynamics/adaptive/leaf_choice.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>

#include "limber/core/error.h"
#include "limber/mesh/tet_geometry.h"

namespace limber {

namespace {

constexpr int kLess = 7;         // eight tets become one
constexpr int kWorthwhile = 10;  // a tenth of the leaves
constexpr double kNever = -std::numeric_limits<double>::infinity();

/// Edges from the first corner, by columns.
Mat3 edges_of(const std::array<std::int32_t, 4>& nodes, const Positions& x) {
  Mat3 edges;
  for (int k = 0; k < 3; ++k) {
    edges.col(k) = (x.row(nodes[static_cast<std::size_t>(k) + 1]) - x.row(nodes[0])).transpose();
  }
  return edges;
}

}  // namespace

void check(const AdaptiveOptions& options, const char* where) {
  const auto positive = [](double value) { return value > 0 && std::isfinite(value); };
  if (!positive(options.refine) || !positive(options.coarsen)) {
    throw Error("\"refine\" and \"coarsen\" must be positive", where,
                "give parts of the body's size, for example 0.001 and 0.00025");
  }
  if (options.coarsen > options.refine / 2) {
    throw Error("\"coarsen\" is more than half of \"refine\"", where,
                "give a quarter of it, or detail comes and goes without end");
  }
  if (!(options.calm >= 0 && std::isfinite(options.calm))) {
    throw Error("\"calm\" must not be negative", where, "give seconds, for example 0.5");
  }
}

LeafChoice::LeafChoice(const TetTree& tree, const AdaptiveOptions& options,
                           const std::vector<int>& lasting)
    : tree_(tree),
      options_(options),
      first_(static_cast<std::size_t>(tree.finest().node_count()) + 1, 0),
      around_(4 * static_cast<std::size_t>(tree.finest().tet_count())),
      lasting_(lasting),
      touched_(first_.size() - 1, kNever),
      F_(touched_.size(), Mat3::Zero()),
      volume_(touched_.size(), 0) {
  check(options, "adaptive");
  const TetMesh& finest = tree.finest();
  size_ = (finest.V.colwise().maxCoeff() - finest.V.colwise().minCoeff()).maxCoeff();
  const auto corners = [&](auto&& visit) {
    for (int tet = 0; tet < finest.tet_count(); ++tet) {
      for (int k = 0; k < 4; ++k) visit(static_cast<std::size_t>(finest.T(tet, k)), tet);
    }
  };
  corners([&](std::size_t node, int) { ++first_[node + 1]; });
  for (std::size_t node = 1; node < first_.size(); ++node) first_[node] += first_[node - 1];
  std::vector<int> next(first_.begin(), first_.end() - 1);
  corners(
      [&](std::size_t node, int tet) { around_[static_cast<std::size_t>(next[node]++)] = tet; });
  marks_ = LeafMesh(tree).no_marks();
  next_ = forced_ = marks_;
  for (const std::vector<char>& level : marks_) lively_.emplace_back(level.size(), kNever);
  misses_ = lively_;
}

void LeafChoice::touch(const BodyPoint& fine, double time) {
  for (std::size_t k = 0; k < 4; ++k) {
    if (fine.weights[k] != 0) touched_[static_cast<std::size_t>(fine.nodes[k])] = time;
  }
}

void LeafChoice::hold(std::span<const BodyPoint> fine) { held_.assign(fine.begin(), fine.end()); }

void LeafChoice::force_around(int node) {
  const auto n = static_cast<std::size_t>(node);
  for (int k = first_[n]; k < first_[n + 1]; ++k) {
    for (int level = 0; level < tree_.levels(); ++level) {
      const int above = TetTree::kGenerations * (tree_.levels() - level);
      forced_[static_cast<std::size_t>(level)]
             [static_cast<std::size_t>(around_[static_cast<std::size_t>(k)] >> above)] = 1;
    }
  }
}

void LeafChoice::force_around(const BodyPoint& fine) {
  for (std::size_t k = 0; k < 4; ++k) {
    if (fine.weights[k] != 0) force_around(fine.nodes[k]);
  }
}

const LevelMarks& LeafChoice::choose(double time, const LeafMesh& leaves, const Positions& x) {
  for (std::vector<char>& level : forced_) std::fill(level.begin(), level.end(), char{0});
  for (const int node : lasting_) force_around(node);
  for (const BodyPoint& point : held_) force_around(point);
  for (std::size_t node = 0; node < touched_.size(); ++node) {
    if (time - touched_[node] <= options_.calm) force_around(static_cast<int>(node));
  }
  find_gradients(leaves, x);
  for (std::size_t level = 0; level < next_.size(); ++level) {
    std::copy(forced_[level].begin(), forced_[level].end(), next_[level].begin());
  }
  must_cut_ = false;
  going_ = 0;
  for (int tet = 0; tet < tree_.coarse_tets(); ++tet) measure(0, tet, time, leaves, x);
  for (int tet = 0; tet < tree_.coarse_tets(); ++tet) visit(0, tet, time);
  if (must_cut_ || kWorthwhile * kLess * going_ >= leaves.mesh().tet_count()) marks_.swap(next_);
  return marks_;
}

void LeafChoice::take(const LevelMarks& marks, double time) {
  marks_ = marks;
  for (std::size_t level = 0; level < marks.size(); ++level) {
    for (std::size_t tet = 0; tet < marks[level].size(); ++tet) {
      if (marks[level][tet] != 0) lively_[level][tet] = time;
    }
  }
}

/// Means over the leaves around each node, by volume.
void LeafChoice::find_gradients(const LeafMesh& leaves, const Positions& x) {
  for (const int node : leaves.nodes()) {
    F_[static_cast<std::size_t>(node)].setZero();
    volume_[static_cast<std::size_t>(node)] = 0;
  }
  const Tets& tets = leaves.mesh().T;
  for (Eigen::Index t = 0; t < tets.rows(); ++t) {
    std::array<std::int32_t, 4> nodes{};
    for (std::size_t k = 0; k < 4; ++k) {
      nodes[k] = leaves.nodes()[static_cast<std::size_t>(tets(t, static_cast<Eigen::Index>(k)))];
    }
    const Mat3 rest = edges_of(nodes, tree_.finest().V);
    const double volume = rest.determinant() / 6;
    const Mat3 F = volume * (edges_of(nodes, x) * rest.inverse());
    for (const std::int32_t node : nodes) {
      F_[static_cast<std::size_t>(node)] += F;
      volume_[static_cast<std::size_t>(node)] += volume;
    }
  }
}

void LeafChoice::measure(int level, int tet, double time, const LeafMesh& leaves,
                           const Positions& x) {
  const auto l = static_cast<std::size_t>(level), t = static_cast<std::size_t>(tet);
  const double misses = missed(TetTree::kGenerations * level, tet, leaves, x);
  misses_[l][t] = misses;
  const bool forced = forced_[l][t] != 0;
  if (marks_[l][t] == 0) {
    if (forced || misses > options_.refine * size_) must_cut_ = true;
    return;
  }
  if (forced || misses > options_.coarsen * size_) lively_[l][t] = time;
  if (level + 1 == tree_.levels()) return;
  for (int part = 0; part < 8; ++part) measure(level + 1, 8 * tet + part, time, leaves, x);
}

/// Says whether the tet will be cut.
bool LeafChoice::visit(int level, int tet, double time) {
  const auto l = static_cast<std::size_t>(level), t = static_cast<std::size_t>(tet);
  char& wanted = next_[l][t];  // 1 where it is forced
  if (marks_[l][t] == 0) {
    if (must_cut_ && misses_[l][t] > options_.refine / 2 * size_) wanted = 1;
    if (wanted != 0) lively_[l][t] = time;
    return wanted != 0;
  }
  if (level + 1 < tree_.levels()) {
    for (int part = 0; part < 8; ++part) {
      if (visit(level + 1, 8 * tet + part, time)) wanted = 1;
    }
  }
  if (time - lively_[l][t] < options_.calm) wanted = 1;
  if (wanted == 0) ++going_;
  return wanted != 0;
}

double LeafChoice::missed(int generation, int tet, const LeafMesh& leaves,
                            const Positions& x) const {
  const auto& nodes = tree_.nodes(generation, tet);
  const auto& middles = tree_.middles(generation, tet);
  const Positions& X = tree_.finest().V;
  double most = 0;
  for (std::size_t e = 0; e < 6; ++e) {
    const auto a = static_cast<std::size_t>(nodes[static_cast<std::size_t>(kEdgesOfTet[e][0])]);
    const auto b = static_cast<std::size_t>(nodes[static_cast<std::size_t>(kEdgesOfTet[e][1])]);
    if (leaves.own(middles[e]) >= 0) {
      most = std::max(most, (x.row(middles[e]) - (x.row(a) + x.row(b)) / 2).norm());
    } else {
      const Vec3 edge = (X.row(b) - X.row(a)).transpose();
      most = std::max(most, ((F_[b] / volume_[b] - F_[a] / volume_[a]) * edge).norm() / 8);
    }
  }
  return most;
}

void LeafChoice::archive(StateArchive& state) {
  state.list(touched_);
  for (std::vector<char>& level : marks_) state.list(level);
  for (std::vector<double>& level : lively_) state.list(level);
}

}  // namespace limber
