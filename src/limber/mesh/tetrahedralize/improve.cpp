#include "limber/mesh/tetrahedralize/improve.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "limber/mesh/tetrahedralize/pieces.h"
#include "limber/mesh/tetrahedralize/tet_angles.h"

namespace limber {

namespace {
constexpr int kPasses = 10;

double cosine(double angle_degrees) { return std::cos(angle_degrees * std::numbers::pi / 180); }

std::array<Vec3, 14> make_directions() {
  std::array<Vec3, 14> directions;
  int k = 0;
  for (int c = 0; c < 3; ++c) {
    directions[k++] = Vec3::Unit(c);
    directions[k++] = -Vec3::Unit(c);
  }
  for (int i = 0; i < 8; ++i) {
    const Vec3 corner(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1);
    directions[k++] = corner / std::sqrt(3.0);
  }
  return directions;
}

class Improver {
 public:
  Improver(TetMesh& mesh, std::vector<bool>& on_surface,
           const std::function<Vec3(const Vec3&)>& onto_surface)
      : mesh_(mesh), on_surface_(on_surface), onto_surface_(onto_surface) {}

  /// Cosine of the smallest angle of a tet: the larger, the worse.
  [[nodiscard]] double badness(int t) const {
    return angle_cosines(corner(t, 0), corner(t, 1), corner(t, 2), corner(t, 3)).of_smallest;
  }

  [[nodiscard]] std::vector<int> worse_than(double limit) const {
    std::vector<int> bad;
    for (int t = 0; t < mesh_.tet_count(); ++t) {
      if (badness(t) > limit) bad.push_back(t);
    }
    return bad;
  }

  void move_nodes(double limit) {
    list_tets_of_nodes();
    for (int pass = 0; pass < kPasses; ++pass) {
      const std::vector<int> bad = worse_than(limit);
      bool moved = false;
      for (const int t : bad) {
        for (int c = 0; c < 4; ++c) moved = move_node(mesh_.T(t, c)) || moved;
      }
      if (!moved) return;
    }
  }

  /// One round; whether anything came off.
  bool peel(double limit);

 private:
  [[nodiscard]] Vec3 corner(int t, int c) const { return mesh_.V.row(mesh_.T(t, c)); }

  void list_tets_of_nodes() {
    first_.assign(mesh_.node_count() + 1, 0);
    for (const std::int32_t n : mesh_.T.reshaped()) ++first_[n + 1];
    for (int n = 0; n < mesh_.node_count(); ++n) first_[n + 1] += first_[n];
    tets_of_node_.resize(first_.back());
    std::vector<std::int32_t> next(first_.begin(), first_.end() - 1);
    for (int t = 0; t < mesh_.tet_count(); ++t) {
      for (int c = 0; c < 4; ++c) tets_of_node_[next[mesh_.T(t, c)]++] = t;
    }
  }

  [[nodiscard]] double worst_around(int n) const {
    double worst = -1;
    for (int i = first_[n]; i < first_[n + 1]; ++i) {
      worst = std::max(worst, badness(tets_of_node_[i]));
    }
    return worst;
  }

  [[nodiscard]] double shortest_edge(int n) const {
    double shortest = std::numeric_limits<double>::infinity();
    for (int i = first_[n]; i < first_[n + 1]; ++i) {
      for (int c = 0; c < 4; ++c) {
        const int other = mesh_.T(tets_of_node_[i], c);
        if (other != n) {
          shortest = std::min(shortest, (mesh_.V.row(other) - mesh_.V.row(n)).norm());
        }
      }
    }
    return shortest;
  }

  /// Tries steps in 14 directions, from a quarter of the shortest edge down.
  bool move_node(int n) {
    static const std::array<Vec3, 14> directions = make_directions();
    double worst = worst_around(n);
    const double edge = shortest_edge(n);
    bool moved = false;
    for (double step = 0.25 * edge; step > 0.01 * edge; step *= 0.5) {
      for (const Vec3& direction : directions) {
        const Vec3 old = mesh_.V.row(n);
        Vec3 place = old + step * direction;
        if (on_surface_[n]) {
          place = onto_surface_(place);
          if ((place - old).norm() > 2 * step) continue;
        }
        mesh_.V.row(n) = place;
        const double now = worst_around(n);
        // A gain below this is rounding.
        if (now < worst - 1e-9) {
          worst = now;
          moved = true;
        } else {
          mesh_.V.row(n) = old;
        }
      }
    }
    return moved;
  }

  TetMesh& mesh_;
  std::vector<bool>& on_surface_;
  const std::function<Vec3(const Vec3&)>& onto_surface_;
  std::vector<std::int32_t> first_;
  std::vector<std::int32_t> tets_of_node_;
};

/// A tet may come off when what it uncovers stays a proper surface: with two or three faces on the
/// boundary, or with one and its opposite node inside. Two neighbours never in one round.
bool Improver::peel(double limit) {
  const auto neighbours = face_neighbours(mesh_.T, mesh_.node_count());
  std::vector<bool> on_boundary(mesh_.node_count(), false);
  for (int t = 0; t < mesh_.tet_count(); ++t) {
    for (int c = 0; c < 4; ++c) {
      if (neighbours[t][c] >= 0) continue;
      for (int k = 1; k < 4; ++k) on_boundary[mesh_.T(t, (c + k) % 4)] = true;
    }
  }
  std::vector<bool> keep(mesh_.tet_count(), true);
  bool peeled = false;
  for (const int t : worse_than(limit)) {
    int outer_faces = 0;
    int opposite = -1;
    bool neighbour_went = false;
    for (int c = 0; c < 4; ++c) {
      if (neighbours[t][c] < 0) {
        ++outer_faces;
        opposite = mesh_.T(t, c);
      } else {
        neighbour_went = neighbour_went || !keep[neighbours[t][c]];
      }
    }
    const bool may =
        outer_faces == 2 || outer_faces == 3 || (outer_faces == 1 && !on_boundary[opposite]);
    if (!may || neighbour_went) continue;
    keep[t] = false;
    peeled = true;
  }
  if (!peeled) return false;
  // What is uncovered is surface now, though it lies a sliver off it.
  std::vector<bool> uncovered = on_surface_;
  for (int t = 0; t < mesh_.tet_count(); ++t) {
    for (int c = 0; !keep[t] && c < 4; ++c) uncovered[mesh_.T(t, c)] = true;
  }
  const std::vector<std::int32_t> old = keep_tets(mesh_, keep);
  on_surface_.clear();
  for (const std::int32_t n : old) on_surface_.push_back(uncovered[n]);
  return true;
}
}  // namespace

double improve(TetMesh& mesh, std::vector<bool>& on_surface,
               const std::function<Vec3(const Vec3&)>& onto_surface,
               const ImproveOptions& options) {
  Improver improver(mesh, on_surface, onto_surface);
  const double required = cosine(options.required_degrees);
  improver.move_nodes(cosine(options.wanted_degrees));
  for (int round = 0; round < 4 && !improver.worse_than(required).empty(); ++round) {
    if (!improver.peel(required)) break;
    improver.move_nodes(required);
  }
  double worst = -1;
  for (int t = 0; t < mesh.tet_count(); ++t) worst = std::max(worst, improver.badness(t));
  return degrees(worst);
}

}  // namespace limber
