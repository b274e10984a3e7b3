#include "limber/mesh/bisection.h"

#include <algorithm>
#include <string>
#include <tuple>
#include <unordered_map>

#include "limber/core/error.h"
#include "limber/mesh/checks.h"

namespace limber {

namespace {

int edge_between(int a, int b) {
  constexpr std::array<std::array<std::int8_t, 4>, 4> kEdge{
      {{-1, 0, 1, 2}, {0, -1, 3, 4}, {1, 3, -1, 5}, {2, 4, 5, -1}}};
  return kEdge[static_cast<std::size_t>(a)][static_cast<std::size_t>(b)];
}

/// The end of the edge that is not this corner, or −1 where it has no such end.
int other_end(int edge, int corner) {
  const auto& ends = kEdgesOfTet[static_cast<std::size_t>(edge)];
  return ends[0] == corner ? ends[1] : ends[1] == corner ? ends[0] : -1;
}

const TetMesh& checked_coarse(const TetMesh& coarse, int levels) {
  if (levels < 1 || levels > TetTree::kMostLevels) {
    throw Error(std::to_string(levels) + " levels of subdivision", "mesh",
                "give 1 to " + std::to_string(TetTree::kMostLevels));
  }
  check(coarse);
  const double finest = static_cast<double>(coarse.tet_count()) *
                        static_cast<double>(1 << (TetTree::kGenerations * levels));
  if (finest > TetTree::kMostTets) {
    throw Error("subdividing would make " + short_number(finest) + " tets", "mesh",
                "take fewer levels or a coarser mesh: " + std::to_string(TetTree::kMostTets) +
                    " are the most");
  }
  return coarse;
}

}  // namespace

/// The nodes in the middle of edges, made where they are first asked for.
class TetTree::Middles {
 public:
  explicit Middles(TetTree& tree) : tree_(tree) {}

  int make(int a, int b) {
    const auto [found, fresh] =
        nodes_.try_emplace(key(a, b), tree_.coarse_nodes_ + static_cast<int>(tree_.ends_.size()));
    if (fresh) tree_.ends_.push_back({std::min(a, b), std::max(a, b)});
    return found->second;
  }
  [[nodiscard]] int find(int a, int b) const {
    const auto found = nodes_.find(key(a, b));
    return found == nodes_.end() ? -1 : found->second;
  }

 private:
  static std::uint64_t key(int a, int b) {
    return (static_cast<std::uint64_t>(std::min(a, b)) << 32U) |
           static_cast<std::uint64_t>(std::max(a, b));
  }

  TetTree& tree_;
  std::unordered_map<std::uint64_t, int> nodes_;
};

TetTree::TetTree(const TetMesh& coarse, int levels)
    : levels_(levels),
      coarse_nodes_(checked_coarse(coarse, levels).node_count()),
      regions_(coarse.regions) {
  mark_coarse(coarse);
  Middles middles(*this);
  for (int g = 0; g < generations(); ++g) {
    std::vector<Tet>& wholes = trees_.back();
    std::vector<Tet> halves;
    halves.reserve(2 * wholes.size());
    for (const Tet& whole : wholes) {
      const auto [a, b] = kEdgesOfTet[static_cast<std::size_t>(whole.cut)];
      const int node = middles.make(whole.nodes[static_cast<std::size_t>(a)],
                                    whole.nodes[static_cast<std::size_t>(b)]);
      halves.push_back(half(whole, a, b, node));
      halves.push_back(half(whole, b, a, node));
    }
    trees_.push_back(std::move(halves));
  }
  for (std::vector<Tet>& tets : trees_) {
    for (Tet& tet : tets) {
      for (std::size_t e = 0; e < 6; ++e) {
        const auto [a, b] = kEdgesOfTet[e];
        tet.middles[e] = middles.find(tet.nodes[static_cast<std::size_t>(a)],
                                      tet.nodes[static_cast<std::size_t>(b)]);
      }
    }
  }
  finest_.V.resize(coarse_nodes_ + static_cast<int>(ends_.size()), 3);
  finest_.V.topRows(coarse_nodes_) = coarse.V;
  for (int node = coarse_nodes_; node < finest_.node_count(); ++node) {
    finest_.V.row(node) = (finest_.V.row(ends(node)[0]) + finest_.V.row(ends(node)[1])) / 2;
  }
  finest_.T.resize(tet_count(generations()), 4);
  for (int tet = 0; tet < finest_.tet_count(); ++tet) {
    for (int k = 0; k < 4; ++k)
      finest_.T(tet, k) = nodes(generations(), tet)[static_cast<std::size_t>(k)];
    if (!regions_.empty()) finest_.regions.push_back(region(generations(), tet));
  }
}

/// Faces by their longest edge; of equally long ones that of the smallest numbers, so that both
/// tets at a face agree.
void TetTree::mark_coarse(const TetMesh& coarse) {
  std::vector<Tet> tets(static_cast<std::size_t>(coarse.tet_count()));
  for (int t = 0; t < coarse.tet_count(); ++t) {
    Tet& tet = tets[static_cast<std::size_t>(t)];
    for (int k = 0; k < 4; ++k) tet.nodes[static_cast<std::size_t>(k)] = coarse.T(t, k);
    const auto rank = [&](int edge) {
      const auto [i, j] = kEdgesOfTet[static_cast<std::size_t>(edge)];
      const int low = std::min(coarse.T(t, i), coarse.T(t, j));
      const int high = std::max(coarse.T(t, i), coarse.T(t, j));
      return std::tuple((coarse.V.row(low) - coarse.V.row(high)).squaredNorm(), -low, -high);
    };
    const auto longest = [&](int left_out) {
      int best = -1;
      for (int edge = 0; edge < 6; ++edge) {
        if (left_out >= 0 && other_end(edge, left_out) >= 0) continue;
        if (best < 0 || rank(edge) > rank(best)) best = edge;
      }
      return static_cast<std::int8_t>(best);
    };
    tet.cut = longest(-1);
    for (int k = 0; k < 4; ++k) tet.marks[static_cast<std::size_t>(k)] = longest(k);
  }
  trees_.push_back(std::move(tets));
}

/// The half that keeps one end of the cut edge; `node` takes the place of the other (algorithm
/// BisectTet of the paper).
TetTree::Tet TetTree::half(const Tet& whole, int kept, int lost, int node) {
  int c = 0;
  while (c == kept || c == lost) ++c;
  const int d = 6 - kept - lost - c;
  const auto mark = [&](int corner) { return whole.marks[static_cast<std::size_t>(corner)]; };
  // Planar: the marks of the two faces beside the cut edge meet it in one plane.
  const int meeting = other_end(mark(kept), lost);
  const bool planar = meeting >= 0 && meeting == other_end(mark(lost), kept);
  Tet half;
  half.nodes = whole.nodes;
  half.nodes[static_cast<std::size_t>(lost)] = node;
  const auto set = [&](int corner, int edge) {
    half.marks[static_cast<std::size_t>(corner)] = static_cast<std::int8_t>(edge);
  };
  set(lost, mark(lost));  // the face that the half had before
  half.cut = mark(lost);
  set(c, edge_between(kept, d));  // faces that were cut: opposite to the new node
  set(d, edge_between(kept, c));
  set(kept, planar && whole.flagged ? edge_between(lost, meeting) : edge_between(c, d));
  half.flagged = planar && !whole.flagged;
  return half;
}

}  // namespace limber
