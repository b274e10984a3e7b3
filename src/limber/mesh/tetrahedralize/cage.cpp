#include "limber/mesh/tetrahedralize/cage.h"

#include <algorithm>
#include <array>
#include <limits>

#include "limber/mesh/tet_geometry.h"
#include "limber/mesh/tetrahedralize/pieces.h"
#include "limber/mesh/union_find.h"

namespace limber {

namespace {
class CageBuilder {
 public:
  CageBuilder(const Soup& body, const Octree& octree, const BackgroundGrid& grid,
              const Touching& touching, const std::vector<bool>& inside)
      : body_(body), octree_(octree), grid_(grid), touching_(touching), inside_(inside) {}

  void make_copies(const ContentsFinder& contents, bool keep_apart) {
    place_of_.assign(grid_.tets.size(), -1);
    for (int t = 0; t < static_cast<int>(grid_.tets.size()); ++t) {
      const auto& nodes = grid_.tets[t];
      const bool reached =
          std::any_of(nodes.begin(), nodes.end(), [&](int n) { return inside_[n]; });
      if (!reached && !touching_.any(t)) continue;
      place_of_[t] = static_cast<std::int32_t>(taken_.size());
      Taken taken{t, copies_, {}};
      if (keep_apart && touching_.any(t)) {
        taken.contents = contents(t);
      } else {
        taken.contents.bits = 1;
        taken.contents.bit_of_triangle.assign(touching_.of(t).size(), 0);
        for (int c = 0; c < 4; ++c) taken.contents.bit_of_corner[c] = inside_[nodes[c]] ? 0 : -1;
      }
      copies_ += taken.contents.bits;
      taken_.push_back(std::move(taken));
    }
  }

  void join_copies() {
    sets_ = UnionFind(4 * copies_);
    Tets lattice(static_cast<Eigen::Index>(taken_.size()), 4);
    for (std::size_t i = 0; i < taken_.size(); ++i) {
      for (int c = 0; c < 4; ++c) lattice(i, c) = grid_.tets[taken_[i].tet][c];
    }
    const auto neighbours = face_neighbours(lattice, static_cast<int>(grid_.nodes.size()));
    for (int i = 0; i < static_cast<int>(taken_.size()); ++i) {
      for (const std::int32_t j : neighbours[i]) {
        if (j > i) join_across(taken_[i], taken_[j]);
      }
    }
  }

  Cage take();

 private:
  struct Taken {
    std::int32_t tet;
    std::int32_t first_copy;
    TetContents contents;
  };

  /// Bits go on across the face when they have a triangle or an inside corner in common.
  void join_across(const Taken& a, const Taken& b) {
    for (int i = 0; i < 4; ++i) {
      for (int j = 0; j < 4; ++j) {
        if (grid_.tets[a.tet][i] != grid_.tets[b.tet][j] || a.contents.bit_of_corner[i] < 0)
          continue;
        join_faces(a, a.contents.bit_of_corner[i], b, b.contents.bit_of_corner[j]);
      }
    }
    const auto in_a = touching_.of(a.tet);
    const auto in_b = touching_.of(b.tet);
    for (std::size_t i = 0, j = 0; i < in_a.size() && j < in_b.size();) {
      if (in_a[i] == in_b[j]) {
        join_faces(a, a.contents.bit_of_triangle[i], b, b.contents.bit_of_triangle[j]);
        ++i;
        ++j;
      } else {
        ++(in_a[i] < in_b[j] ? i : j);
      }
    }
  }

  void join_faces(const Taken& a, int bit_a, const Taken& b, int bit_b) {
    for (int i = 0; i < 4; ++i) {
      for (int j = 0; j < 4; ++j) {
        if (grid_.tets[a.tet][i] != grid_.tets[b.tet][j]) continue;
        sets_.join(4 * (a.first_copy + bit_a) + i, 4 * (b.first_copy + bit_b) + j);
      }
    }
  }

  [[nodiscard]] std::vector<std::int32_t> copies_of_vertices() const;

  const Soup& body_;
  const Octree& octree_;
  const BackgroundGrid& grid_;
  const Touching& touching_;
  const std::vector<bool>& inside_;
  std::vector<std::int32_t> place_of_;  ///< of each background tet in taken_, or -1
  std::vector<Taken> taken_;
  std::int32_t copies_ = 0;
  UnionFind sets_{0};
};

/// The background tet around each vertex, and the copy there that holds one of its triangles.
std::vector<std::int32_t> CageBuilder::copies_of_vertices() const {
  std::vector<std::int32_t> copy_of(body_.V.rows(), -1);
  for (int f = 0; f < body_.F.rows(); ++f) {
    for (int c = 0; c < 3; ++c) {
      const int v = body_.F(f, c);
      if (copy_of[v] >= 0) continue;
      const Vec3 p = body_.V.row(v);
      const int leaf = octree_.leaf_at(p);
      double best = -std::numeric_limits<double>::infinity();
      for (int k = grid_.first_tet[leaf]; k < grid_.first_tet[leaf + 1]; ++k) {
        const int t = grid_.tets_of_leaf[k];
        if (place_of_[t] < 0) continue;
        const auto listed = touching_.of(t);
        const auto found = std::lower_bound(listed.begin(), listed.end(), f);
        if (found == listed.end() || *found != f) continue;
        const auto x = grid_.corners(t);
        const double inside =
            std::min({six_volumes(p, x[1], x[2], x[3]), six_volumes(x[0], p, x[2], x[3]),
                      six_volumes(x[0], x[1], p, x[3]), six_volumes(x[0], x[1], x[2], p)});
        if (inside <= best) continue;
        best = inside;
        const Taken& taken = taken_[place_of_[t]];
        copy_of[v] = taken.first_copy + taken.contents.bit_of_triangle[found - listed.begin()];
      }
    }
  }
  return copy_of;
}

Cage CageBuilder::take() {
  Cage cage;
  cage.copies = copies_ - static_cast<std::int32_t>(taken_.size());
  const auto [node_of, count] = sets_.numbered();
  TetMesh& mesh = cage.mesh;
  mesh.V.resize(count, 3);
  mesh.T.resize(copies_, 4);
  for (const Taken& taken : taken_) {
    for (int bit = 0; bit < taken.contents.bits; ++bit) {
      const int copy = taken.first_copy + bit;
      for (int c = 0; c < 4; ++c) {
        mesh.T(copy, c) = node_of[4 * copy + c];
        mesh.V.row(mesh.T(copy, c)) = grid_.nodes[grid_.tets[taken.tet][c]];
      }
    }
  }
  // Copies whose bits turned out to be joined all around have the same four nodes: one is enough.
  std::vector<bool> keep(copies_, true);
  std::vector<std::int32_t> stands_for(copies_);
  for (const Taken& taken : taken_) {
    for (int bit = 0; bit < taken.contents.bits; ++bit) {
      const int copy = taken.first_copy + bit;
      stands_for[copy] = copy;
      for (int other = taken.first_copy; other < copy && stands_for[copy] == copy; ++other) {
        if (mesh.T.row(other) == mesh.T.row(copy)) stands_for[copy] = stands_for[other];
      }
      keep[copy] = stands_for[copy] == copy;
      cage.copies -= keep[copy] ? 0 : 1;
    }
  }
  std::vector<std::int32_t> number(copies_, -1);
  std::int32_t kept = 0;
  for (int copy = 0; copy < copies_; ++copy) {
    if (keep[copy]) number[copy] = kept++;
  }
  keep_tets(mesh, keep);
  for (const std::int32_t copy : copies_of_vertices()) {
    cage.tet_of_vertex.push_back(copy < 0 ? -1 : number[stands_for[copy]]);
  }
  return cage;
}
}  // namespace

Cage build_cage(const Soup& body, const Octree& octree, const BackgroundGrid& grid,
                const Touching& touching, const std::vector<bool>& inside,
                const ContentsFinder& contents, bool keep_apart) {
  CageBuilder builder(body, octree, grid, touching, inside);
  builder.make_copies(contents, keep_apart);
  builder.join_copies();
  return builder.take();
}

}  // namespace limber
