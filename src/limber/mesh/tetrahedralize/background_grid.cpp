#include "limber/mesh/tetrahedralize/background_grid.h"

#include <Eigen/Geometry>
#include <utility>

#include "limber/mesh/spatial/flat_map.h"

namespace limber {

namespace {
std::uint64_t place_key(const Place& p) {
  // 21 bits each: the forest is at most 2^21 units wide, which make_octree() sees to.
  return (static_cast<std::uint64_t>(p[0]) << 42) | (static_cast<std::uint64_t>(p[1]) << 21) |
         static_cast<std::uint64_t>(p[2]);
}

Place between(const Place& a, const Place& b) {
  return {(a[0] + b[0]) / 2, (a[1] + b[1]) / 2, (a[2] + b[2]) / 2};
}

class GridMaker {
 public:
  explicit GridMaker(const Octree& octree) : octree_(octree), corners_(octree.nodes().size()) {
    add_nodes();
    for (int leaf = 0; leaf < static_cast<int>(octree.nodes().size()); ++leaf) {
      if (!octree.nodes()[leaf].leaf()) continue;
      for (int axis = 0; axis < 3; ++axis) {
        add_face(leaf, axis, 0);
        add_face(leaf, axis, 1);
      }
    }
    list_tets_of_leaves();
  }

  BackgroundGrid take() { return std::move(grid_); }

 private:
  using Square = std::array<Place, 4>;  // corners in turn

  void add_nodes() {
    centre_of_.assign(octree_.nodes().size(), -1);
    for (std::size_t n = 0; n < octree_.nodes().size(); ++n) {
      const Octree::Node& node = octree_.nodes()[n];
      if (!node.leaf()) continue;
      centre_of_[n] = add_place(octree_.centre(node));
      const std::int32_t w = node.width();
      for (int i = 0; i < 8; ++i) {
        const Place corner = {node.low[0] + w * (i & 1), node.low[1] + w * ((i >> 1) & 1),
                              node.low[2] + w * (i >> 2)};
        bool added = false;
        corners_.insert(place_key(corner), static_cast<std::int32_t>(grid_.places.size()), added);
        if (added) add_place(corner);
      }
    }
  }

  std::int32_t add_place(const Place& place) {
    grid_.places.push_back(place);
    grid_.nodes.push_back(octree_.position(place));
    return static_cast<std::int32_t>(grid_.places.size()) - 1;
  }

  [[nodiscard]] std::int32_t corner(const Place& place) const {
    return corners_.find(place_key(place));
  }

  void add_tet(std::int32_t a, std::int32_t b, std::int32_t c, std::int32_t d) {
    const auto& x = grid_.nodes;
    if ((x[b] - x[a]).cross(x[c] - x[a]).dot(x[d] - x[a]) < 0) std::swap(c, d);
    grid_.tets.push_back({a, b, c, d});
  }

  static Square face_square(const Octree::Node& node, int axis, int side) {
    const std::int32_t w = node.width();
    const int u = (axis + 1) % 3;
    const int v = (axis + 2) % 3;
    Place p = node.low;
    p[axis] += side * w;
    Square square = {p, p, p, p};
    square[1][u] += w;
    square[2][u] += w;
    square[2][v] += w;
    square[3][v] += w;
    return square;
  }

  void add_face(int leaf, int axis, int side) {
    const Octree::Node& node = octree_.nodes()[leaf];
    Place beyond = node.low;
    beyond[axis] += side == 1 ? node.width() : -1;
    const int other = octree_.leaf_at(beyond);
    if (other < 0) return;
    const int difference = octree_.nodes()[other].level - node.level;
    const Square square = face_square(node, axis, side);
    if (difference == 0) {
      if (side == 1) add_equal(square, centre_of_[leaf], centre_of_[other]);
    } else if (difference > 0) {
      add_towards_larger(square, face_middle(octree_.nodes()[other], axis, 1 - side),
                         centre_of_[leaf]);
    } else {
      add_towards_smaller(square, centre_of_[leaf]);
    }
  }

  static Place face_middle(const Octree::Node& node, int axis, int side) {
    const Square square = face_square(node, axis, side);
    return between(square[0], square[2]);
  }

  void add_equal(const Square& square, std::int32_t c1, std::int32_t c2) {
    for (int i = 0; i < 4; ++i) {
      const Place& a = square[i];
      const Place& b = square[(i + 1) % 4];
      const std::int32_t middle = corner(between(a, b));
      if (middle < 0) {
        add_tet(corner(a), corner(b), c1, c2);
      } else {
        add_tet(corner(a), middle, c1, c2);
        add_tet(middle, corner(b), c1, c2);
      }
    }
  }

  /// The small side of a face: cut along the diagonal from the large face's middle.
  void add_towards_larger(const Square& square, const Place& large_middle, std::int32_t centre) {
    int at = 0;
    while (square[at] != large_middle) ++at;
    const std::int32_t m = corner(square[at]);
    const std::int32_t far = corner(square[(at + 2) % 4]);
    add_tet(m, corner(square[(at + 1) % 4]), far, centre);
    add_tet(m, far, corner(square[(at + 3) % 4]), centre);
  }

  /// The large side: eight triangles around the middle of the face.
  void add_towards_smaller(const Square& square, std::int32_t centre) {
    const std::int32_t m = corner(between(square[0], square[2]));
    for (int i = 0; i < 4; ++i) {
      const Place& a = square[i];
      const Place& b = square[(i + 1) % 4];
      const std::int32_t e = corner(between(a, b));
      add_tet(corner(a), e, m, centre);
      add_tet(e, corner(b), m, centre);
    }
  }

  void list_tets_of_leaves() {
    const std::size_t count = octree_.nodes().size();
    std::vector<std::int32_t> leaf_of(grid_.places.size(), -1);
    for (std::size_t n = 0; n < count; ++n) {
      if (centre_of_[n] >= 0) leaf_of[centre_of_[n]] = static_cast<std::int32_t>(n);
    }
    grid_.first_tet.assign(count + 1, 0);
    const auto for_each_leaf = [&](const auto& visit) {
      for (std::size_t t = 0; t < grid_.tets.size(); ++t) {
        for (const std::int32_t corner_node : grid_.tets[t]) {
          if (leaf_of[corner_node] >= 0) visit(leaf_of[corner_node], static_cast<std::int32_t>(t));
        }
      }
    };
    for_each_leaf([&](std::int32_t leaf, std::int32_t) { ++grid_.first_tet[leaf + 1]; });
    for (std::size_t n = 0; n < count; ++n) grid_.first_tet[n + 1] += grid_.first_tet[n];
    grid_.tets_of_leaf.resize(grid_.first_tet[count]);
    std::vector<std::int32_t> next(grid_.first_tet.begin(), grid_.first_tet.end() - 1);
    for_each_leaf([&](std::int32_t leaf, std::int32_t t) { grid_.tets_of_leaf[next[leaf]++] = t; });
  }

  const Octree& octree_;
  BackgroundGrid grid_;
  FlatMap corners_;
  std::vector<std::int32_t> centre_of_;  ///< node at each leaf's centre
};
}  // namespace

BackgroundGrid make_background_grid(const Octree& octree) { return GridMaker(octree).take(); }

}  // namespace limber
