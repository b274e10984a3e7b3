#include "limber/dynamics/adaptive/leaf_mesh.h"

#include <algorithm>
#include <cmath>

namespace limber {

namespace {

/// Σ of points, node by node; room for the four nodes of four points.
class PointSum {
 public:
  void add(double factor, const BodyPoint& point) {
    for (std::size_t k = 0; k < 4; ++k) {
      const double weight = factor * point.weights[k];
      if (weight == 0) continue;
      std::size_t slot = 0;
      while (slot < count_ && nodes_[slot] != point.nodes[k]) ++slot;
      if (slot == count_) {
        nodes_[count_] = point.nodes[k];
        weights_[count_++] = 0;
      }
      weights_[slot] += weight;
    }
  }

  [[nodiscard]] BodyPoint point() {
    for (std::size_t k = 0; count_ > 4 && k < 4; ++k) {
      std::size_t heaviest = k;
      for (std::size_t other = k + 1; other < count_; ++other) {
        if (std::abs(weights_[other]) > std::abs(weights_[heaviest])) heaviest = other;
      }
      std::swap(nodes_[k], nodes_[heaviest]);
      std::swap(weights_[k], weights_[heaviest]);
    }
    BodyPoint sum;
    double all = 0, kept = 0;
    for (std::size_t k = 0; k < count_; ++k) all += weights_[k];
    for (std::size_t k = 0; k < 4; ++k) {
      sum.nodes[k] = k < count_ ? nodes_[k] : nodes_[0];
      sum.weights[k] = k < count_ ? weights_[k] : 0;
      kept += sum.weights[k];
    }
    if (count_ > 4 && kept != 0) {
      for (double& weight : sum.weights) weight *= all / kept;
    }
    return sum;
  }

 private:
  std::array<std::int32_t, 16> nodes_{};
  std::array<double, 16> weights_{};
  std::size_t count_ = 0;
};

}  // namespace

LeafMesh::LeafMesh(const TetTree& tree)
    : tree_(tree),
      present_(static_cast<std::size_t>(tree.finest().node_count()), 0),
      own_(present_.size(), -1),
      at_(present_.size()) {
  for (int g = 0; g < tree.generations(); ++g) {
    cut_.emplace_back(static_cast<std::size_t>(tree.tet_count(g)), char{0});
  }
  before_ = cut_;
  std::fill_n(present_.begin(), tree.coarse_nodes(), char{1});
  number();
}

LevelMarks LeafMesh::no_marks() const {
  LevelMarks marks;
  for (int level = 0; level < tree_.levels(); ++level) {
    marks.emplace_back(static_cast<std::size_t>(tree_.tet_count(TetTree::kGenerations * level)),
                       char{0});
  }
  return marks;
}

void LeafMesh::cut_tet(int generation, int tet) {
  cut_[static_cast<std::size_t>(generation)][static_cast<std::size_t>(tet)] = 1;
  present_[static_cast<std::size_t>(tree_.middle(generation, tet))] = 1;
}

bool LeafMesh::cut(const LevelMarks& marks) {
  cut_.swap(before_);
  for (std::vector<char>& generation : cut_) std::fill(generation.begin(), generation.end(), 0);
  std::fill(present_.begin() + tree_.coarse_nodes(), present_.end(), char{0});
  for (int level = 0; level < tree_.levels(); ++level) {
    const std::vector<char>& of_level = marks[static_cast<std::size_t>(level)];
    for (int tet = 0; tet < static_cast<int>(of_level.size()); ++tet) {
      if (of_level[static_cast<std::size_t>(tet)] == 0) continue;
      for (int deep = 0; deep < TetTree::kGenerations; ++deep) {
        for (int part = 0; part < 1 << deep; ++part) {
          cut_tet(TetTree::kGenerations * level + deep, (tet << deep) + part);
        }
      }
    }
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (int tet = 0; tet < tree_.coarse_tets(); ++tet) changed = close(0, tet) || changed;
  }
  if (cut_ == before_) return false;
  number();
  return true;
}

/// Cuts leaves below this tet that have a node in the middle of an edge.
bool LeafMesh::close(int generation, int tet) {
  if (generation == tree_.generations()) return false;
  bool changed = false;
  if (!is_cut(generation, tet)) {
    const auto& middles = tree_.middles(generation, tet);
    const bool hangs = std::any_of(middles.begin(), middles.end(), [&](int node) {
      return node >= 0 && present_[static_cast<std::size_t>(node)] != 0;
    });
    if (!hangs) return false;
    cut_tet(generation, tet);
    changed = true;
  }
  for (int part = 0; part < 2; ++part) changed = close(generation + 1, 2 * tet + part) || changed;
  return changed;
}

void LeafMesh::collect(int generation, int tet, std::vector<std::array<std::int32_t, 4>>& tets) {
  if (generation < tree_.generations() && is_cut(generation, tet)) {
    for (int part = 0; part < 2; ++part) collect(generation + 1, 2 * tet + part, tets);
    return;
  }
  tets.push_back(tree_.nodes(generation, tet));
  if (!tree_.finest().regions.empty()) mesh_.regions.push_back(tree_.region(generation, tet));
}

void LeafMesh::number() {
  nodes_.clear();
  mesh_.regions.clear();
  for (int node = 0; node < static_cast<int>(own_.size()); ++node) {
    const auto n = static_cast<std::size_t>(node);
    own_[n] = present_[n] != 0 ? static_cast<int>(nodes_.size()) : -1;
    if (present_[n] != 0) {
      nodes_.push_back(node);
      at_[n] = BodyPoint::at_node(own_[n]);
      continue;
    }
    PointSum sum;
    for (const int end : tree_.ends(node)) sum.add(0.5, at(end));
    at_[n] = sum.point();
  }
  std::vector<std::array<std::int32_t, 4>> tets;
  for (int tet = 0; tet < tree_.coarse_tets(); ++tet) collect(0, tet, tets);
  mesh_.T.resize(static_cast<Eigen::Index>(tets.size()), 4);
  for (std::size_t t = 0; t < tets.size(); ++t) {
    for (std::size_t k = 0; k < 4; ++k)
      mesh_.T(static_cast<Eigen::Index>(t), static_cast<Eigen::Index>(k)) = own(tets[t][k]);
  }
  mesh_.V.resize(static_cast<Eigen::Index>(nodes_.size()), 3);
  pick(tree_.finest().V, mesh_.V);
}

BodyPoint LeafMesh::point(const BodyPoint& fine) const {
  PointSum sum;
  for (std::size_t k = 0; k < 4; ++k) {
    if (fine.weights[k] != 0) sum.add(fine.weights[k], at(fine.nodes[k]));
  }
  return sum.point();
}

BodyPoint LeafMesh::back(const BodyPoint& leaf) const {
  BodyPoint point = leaf;
  for (std::int32_t& node : point.nodes) node = nodes_[static_cast<std::size_t>(node)];
  return point;
}

void LeafMesh::spread(const Positions& leaf, Eigen::Ref<Positions> fine) const {
  for (int node = 0; node < static_cast<int>(own_.size()); ++node) {
    if (own(node) >= 0) {
      fine.row(node) = leaf.row(own(node));
    } else {
      fine.row(node) = (fine.row(tree_.ends(node)[0]) + fine.row(tree_.ends(node)[1])) / 2;
    }
  }
}

void LeafMesh::pick(const Positions& fine, Positions& leaf) const {
  for (std::size_t k = 0; k < nodes_.size(); ++k) {
    leaf.row(static_cast<Eigen::Index>(k)) = fine.row(nodes_[k]);
  }
}

}  // namespace limber
