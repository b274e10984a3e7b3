#include "limber/mesh/characters/surface_nets.h"

#include <cmath>
#include <unordered_map>

#include "limber/mesh/union_find.h"

namespace limber {

namespace {

constexpr int kBlock = 4;  // cells: a block is skipped whole when the surface is far
constexpr int kSamples = kBlock + 1;
/// Cells kept beyond the clip: relaxing feels an edge one cell farther a round, six times.
constexpr double kClipMargin = 9;

/// Corner c of a cell lies at (c & 1, c >> 1 & 1, c >> 2). Edge 4a + i runs along axis a from the
/// corner with the two other coordinates (i & 1 along axis a+1, i >> 1 along axis a+2).
int edge_start(int edge) {
  const int axis = edge / 4;
  const int i = edge % 4;
  return (i & 1) << (axis + 1) % 3 | (i >> 1) << (axis + 2) % 3;
}
int edge_end(int edge) { return edge_start(edge) | 1 << edge / 4; }

int edge_between(int corner, int other) {
  for (int edge = 0; edge < 12; ++edge) {
    const int a = edge_start(edge);
    const int b = edge_end(edge);
    if ((a == corner && b == other) || (a == other && b == corner)) return edge;
  }
  return -1;
}

bool inside(int mask, int corner) { return (mask >> corner & 1) != 0; }

/// For each sign pattern: which sheet crosses each edge (-1: none), and how many sheets there are.
struct Sheets {
  std::array<std::int8_t, 12> of_edge{};
  int count = 0;
};

Sheets sheets_of(int mask) {
  const auto crossed = [&](int edge) {
    return inside(mask, edge_start(edge)) != inside(mask, edge_end(edge));
  };
  UnionFind joined(12);
  for (int face = 0; face < 6; ++face) {
    const int axis = face / 2;
    const int base = (face % 2) << axis;
    const int u = 1 << (axis + 1) % 3;
    const int v = 1 << (axis + 2) % 3;
    const std::array<int, 4> corners{base, base | u, base | u | v, base | v};
    std::vector<int> crossings;
    std::array<int, 4> edges{};
    for (int i = 0; i < 4; ++i) {
      edges[i] = edge_between(corners[i], corners[(i + 1) % 4]);
      if (crossed(edges[i])) crossings.push_back(edges[i]);
    }
    if (crossings.size() == 2) joined.join(crossings[0], crossings[1]);
    for (int i = 0; i < 4 && crossings.size() == 4; ++i) {
      if (inside(mask, corners[i])) joined.join(edges[(i + 3) % 4], edges[i]);
    }
  }
  Sheets sheets;
  for (int edge = 0; edge < 12; ++edge) {
    const int root = joined.root(edge);
    sheets.of_edge[edge] = static_cast<std::int8_t>(!crossed(edge) ? -1
                                                    : root < edge  ? sheets.of_edge[root]
                                                                   : sheets.count++);
  }
  return sheets;
}

const Sheets& sheets(int mask) {
  static const std::array<Sheets, 256> table = [] {
    std::array<Sheets, 256> all;
    for (int corners = 0; corners < 256; ++corners) all[corners] = sheets_of(corners);
    return all;
  }();
  return table[mask];
}

using Index3 = std::array<int, 3>;

class Nets {
 public:
  Nets(const Implicit& solid, const Grid& grid, Trust trust)
      : solid_(solid), grid_(grid), trust_(trust) {}

  QuadMesh run() {
    for (int axis = 0; axis < 3; ++axis) {
      blocks_[axis] = (grid_.counts[axis] + kBlock - 1) / kBlock;
    }
    seen_.assign(static_cast<std::size_t>(blocks_[0]) * blocks_[1] * blocks_[2], 0);
    for (int k = 0; k < blocks_[2]; ++k)
      for (int j = 0; j < blocks_[1]; ++j)
        for (int i = 0; i < blocks_[0]; ++i)
          if (!beyond_clip({i, j, k}) && may_hold_surface({i, j, k})) visit({i, j, k});
    while (!waiting_.empty()) {
      const Index3 block = waiting_.back();
      waiting_.pop_back();
      add_block({kBlock * block[0], kBlock * block[1], kBlock * block[2]});
      follow_surface(block);
    }
    for (const Cell& cell : cells_) add_quads(cell);
    return std::move(result_);
  }

 private:
  struct Cell {
    Index3 at;
    int mask;
    int first_vertex;
  };

  [[nodiscard]] Vec3 corner_position(const Index3& at) const {
    return grid_.origin + grid_.cell * Vec3(at[0], at[1], at[2]);
  }

  static std::uint64_t key(const Index3& at) {
    return static_cast<std::uint64_t>(at[0]) | static_cast<std::uint64_t>(at[1]) << 20 |
           static_cast<std::uint64_t>(at[2]) << 40;
  }

  [[nodiscard]] bool may_hold_surface(const Index3& block) const {
    const double half = 0.5 * kBlock * grid_.cell;
    const Vec3 centre =
        corner_position({kBlock * block[0], kBlock * block[1], kBlock * block[2]}).array() + half;
    return std::abs(solid_.distance(centre)) <= solid_.steepness * half * std::sqrt(3.0);
  }

  /// Whether a block lies where the surface will be clipped away for certain.
  [[nodiscard]] bool beyond_clip(const Index3& block) const {
    if (!solid_.inside_clip) return false;
    const double half = 0.5 * kBlock * grid_.cell;
    const Vec3 centre =
        corner_position({kBlock * block[0], kBlock * block[1], kBlock * block[2]}).array() + half;
    return solid_.inside_clip(centre) > half * std::sqrt(3.0) + kClipMargin * grid_.cell;
  }

  void visit(const Index3& block) {
    for (int axis = 0; axis < 3; ++axis)
      if (block[axis] < 0 || block[axis] >= blocks_[axis]) return;
    char& seen = seen_[block[0] + static_cast<std::size_t>(blocks_[0]) *
                                      (block[1] + static_cast<std::size_t>(blocks_[1]) * block[2])];
    if (seen == 0 && !beyond_clip(block)) waiting_.push_back(block);
    seen = 1;
  }

  void add_block(const Index3& low) {
    std::array<char, kSamples * kSamples * kSamples> known{};
    const auto sample_at = [&](int i, int j, int k) {
      const int n = sample(i, j, k);
      if (known[n] == 0) {
        samples_[n] = solid_.distance(corner_position({low[0] + i, low[1] + j, low[2] + k}));
      }
      known[n] = 1;
      return samples_[n];
    };
    // A quarter's middle is a sample: where the surface is far from it, its sign is that of all.
    const double far = solid_.steepness * std::sqrt(3.0) * grid_.cell;
    std::array<bool, 8> crossed{};
    for (int q = 0; q < 8; ++q) {
      const double middle = sample_at(1 + 2 * (q & 1), 1 + (q & 2), 1 + (q >> 2) * 2);
      crossed[q] = trust_ == Trust::nothing || std::abs(middle) <= far;
    }
    for (const bool sampled : {true, false}) {
      for (int q = 0; q < 8; ++q) {
        if (crossed[q] != sampled) continue;
        const Index3 from{2 * (q & 1), q & 2, (q >> 2) * 2};
        const double middle = samples_[sample(from[0] + 1, from[1] + 1, from[2] + 1)];
        for (int n = 0; n < 27; ++n) {
          const Index3 at{from[0] + n % 3, from[1] + n / 3 % 3, from[2] + n / 9};
          if (sampled) sample_at(at[0], at[1], at[2]);
          if (known[sample(at[0], at[1], at[2])] == 0)
            samples_[sample(at[0], at[1], at[2])] = middle;
        }
      }
    }
    for (int k = 0; k < kBlock; ++k)
      for (int j = 0; j < kBlock; ++j)
        for (int i = 0; i < kBlock; ++i) add_cell(low, {i, j, k});
  }

  /// Distances may be steeper than said: where the surface leaves a block, it enters the next.
  void follow_surface(const Index3& block) {
    for (int face = 0; face < 6; ++face) {
      const int axis = face / 2;
      int inside_count = 0;
      for (int i = 0; i < kSamples * kSamples; ++i) {
        Index3 at{};
        at[axis] = face % 2 == 0 ? 0 : kBlock;
        at[(axis + 1) % 3] = i % kSamples;
        at[(axis + 2) % 3] = i / kSamples;
        if (samples_[sample(at[0], at[1], at[2])] < 0) ++inside_count;
      }
      if (inside_count == 0 || inside_count == kSamples * kSamples) continue;
      Index3 next = block;
      next[axis] += face % 2 == 0 ? -1 : 1;
      visit(next);
    }
  }

  static int sample(int i, int j, int k) { return i + kSamples * (j + kSamples * k); }

  void add_cell(const Index3& low, const Index3& in_block) {
    std::array<double, 8> f{};
    int mask = 0;
    for (int c = 0; c < 8; ++c) {
      f[c] = samples_[sample(in_block[0] + (c & 1), in_block[1] + (c >> 1 & 1),
                             in_block[2] + (c >> 2))];
      if (f[c] < 0) mask |= 1 << c;
    }
    if (mask == 0 || mask == 255) return;
    const Index3 at{low[0] + in_block[0], low[1] + in_block[1], low[2] + in_block[2]};
    number_.emplace(key(at), static_cast<int>(cells_.size()));
    cells_.push_back({at, mask, static_cast<int>(result_.vertices.size())});
    add_vertices(corner_position(at), f, sheets(mask));
  }

  /// One vertex a sheet: the mean of the points where it crosses the cell's edges.
  void add_vertices(const Vec3& corner, const std::array<double, 8>& f, const Sheets& in_cell) {
    for (int sheet = 0; sheet < in_cell.count; ++sheet) {
      Vec3 sum = Vec3::Zero();
      int count = 0;
      for (int edge = 0; edge < 12; ++edge) {
        if (in_cell.of_edge[edge] != sheet) continue;
        const int c = edge_start(edge);
        Vec3 local(c & 1, c >> 1 & 1, c >> 2);
        local[edge / 4] += f[c] / (f[c] - f[edge_end(edge)]);
        sum += local;
        ++count;
      }
      result_.vertices.push_back(corner + grid_.cell * sum / count);
    }
  }

  /// Quads around the three edges from the cell's first corner. All other edges are some other
  /// cell's.
  void add_quads(const Cell& cell) {
    for (int axis = 0; axis < 3; ++axis) {
      if (inside(cell.mask, 0) == inside(cell.mask, 1 << axis)) continue;
      std::array<std::int32_t, 4> quad{};
      if (!find_quad(cell, axis, quad)) continue;
      if (!inside(cell.mask, 0)) std::swap(quad[1], quad[3]);
      result_.quads.push_back(quad);
    }
  }

  /// Vertices around the edge along `axis`; false where a cell is missing: beyond the clip, or
  /// where the solid was steeper than it said.
  bool find_quad(const Cell& cell, int axis, std::array<std::int32_t, 4>& quad) const {
    const int b = (axis + 1) % 3;
    const int c = (axis + 2) % 3;
    // Cells around the edge, counter-clockwise about the axis; the edge's number in each.
    constexpr std::array<std::array<int, 2>, 4> kBack{{{0, 0}, {1, 0}, {1, 1}, {0, 1}}};
    for (int i = 0; i < 4; ++i) {
      Index3 at = cell.at;
      at[b] -= kBack[i][0];
      at[c] -= kBack[i][1];
      const auto found = number_.find(key(at));
      if (found == number_.end()) return false;
      const Cell& around = cells_[found->second];
      const int sheet = sheets(around.mask).of_edge[4 * axis + kBack[i][0] + 2 * kBack[i][1]];
      if (sheet < 0) return false;
      quad[i] = around.first_vertex + sheet;
    }
    return true;
  }

  const Implicit& solid_;
  Grid grid_;
  Trust trust_;
  std::array<double, kSamples * kSamples * kSamples> samples_{};
  Index3 blocks_{};
  std::vector<char> seen_;
  std::vector<Index3> waiting_;
  std::vector<Cell> cells_;
  std::unordered_map<std::uint64_t, int> number_;
  QuadMesh result_;
};

}  // namespace

QuadMesh surface_nets(const Implicit& solid, const Grid& grid, Trust trust) {
  return Nets(solid, grid, trust).run();
}

}  // namespace limber
