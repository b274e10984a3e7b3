#include "limber/mesh/embedding/overlap.h"

#include <algorithm>
#include <queue>
#include <span>

#include "limber/mesh/coincident.h"
#include "limber/mesh/tetrahedralize/pieces.h"
#include "limber/mesh/union_find.h"

namespace limber {

namespace {
/// A part with this share of its vertices in one piece belongs there as a whole: few poke out.
constexpr double kHomeShare = 0.9;
/// A side counts as inside a tet up to this weight: rounding of tets far smaller than the body.
constexpr double kTouches = -1e-9;

/// Lists of numbers, one for each of a row of things.
struct Lists {
  std::vector<std::int32_t> first{0};
  std::vector<std::int32_t> items;
  [[nodiscard]] std::span<const std::int32_t> of(int i) const {
    return {items.data() + first[i], items.data() + first[i + 1]};
  }
};

/// For each vertex the other ends of its triangles' sides, some of them twice.
Lists sides_of(const TriMesh& surface) {
  Lists sides;
  sides.first.assign(surface.vertex_count() + 1, 0);
  const auto for_each_side = [&](const auto& visit) {
    for (int f = 0; f < surface.triangle_count(); ++f) {
      for (int c = 0; c < 3; ++c) {
        visit(surface.F(f, c), surface.F(f, (c + 1) % 3));
        visit(surface.F(f, (c + 1) % 3), surface.F(f, c));
      }
    }
  };
  for_each_side([&](int u, int) { ++sides.first[u + 1]; });
  for (int v = 0; v < surface.vertex_count(); ++v) sides.first[v + 1] += sides.first[v];
  sides.items.resize(sides.first.back());
  std::vector<std::int32_t> next(sides.first.begin(), sides.first.end() - 1);
  for_each_side([&](int u, int v) { sides.items[next[u]++] = v; });
  return sides;
}

class Walk {
 public:
  Walk(const TetMesh& mesh, const TriMesh& surface, const TetLocator& locator)
      : mesh_(mesh),
        surface_(surface),
        locator_(locator),
        pieces_(face_connected_pieces(mesh.T, mesh.node_count())),
        beside_(face_sharing(mesh.T, mesh.node_count())),
        seen_(mesh.tet_count(), 0) {}

  SurfaceTets run() {
    const int count = surface_.vertex_count();
    out_.tets.assign(count, -1);
    out_.pieces.assign(count, -1);
    for (int v = 0; v < count; ++v) {
      for (const int t : locator_.all_around(surface_.V.row(v))) around_.items.push_back(t);
      around_.first.push_back(static_cast<std::int32_t>(around_.items.size()));
    }
    if (pieces_.count > 1) find_homes();
    bool doubt = false;
    for (int v = 0; v < count; ++v) {
      const auto candidates = around_.of(v);
      if (candidates.empty()) continue;
      if (is_one_fan(v)) {
        out_.tets[v] = candidates[0];
      } else {
        doubt = true;
      }
    }
    if (doubt) settle_all();
    out_.piece_of_tet = std::move(pieces_.of_tet);
    return std::move(out_);
  }

 private:
  /// The piece that holds nearly all of a part, for each part; then only its tets are left.
  void find_homes();
  /// Whether the tets around a vertex hang together there by faces that it lies on, as in a mesh
  /// without overlaps: then any of them will do.
  [[nodiscard]] bool is_one_fan(int v) const;
  void settle_all();
  void settle_from_queue();
  void settle(int v, int tet) {
    out_.tets[v] = tet;
    settled_.push(v);
  }
  [[nodiscard]] bool in_doubt(int v) const { return out_.tets[v] < 0 && !around_.of(v).empty(); }
  /// The candidates that the sides from settled vertices lead to, those counted that decide.
  [[nodiscard]] std::vector<int> votes_for(int v);
  /// Of the tets around v the one that most sides lead to, -1 where they do not tell.
  [[nodiscard]] int clear_candidate(int v);
  /// The same, with a choice in any case.
  [[nodiscard]] int some_candidate(int v);
  /// Which candidates of v the side from u leads to.
  [[nodiscard]] std::vector<bool> follow_side(int u, int v);
  [[nodiscard]] bool touches(int t, const Vec3& p, const Vec3& q) const;
  [[nodiscard]] int common_nodes(int s, int t) const;

  const TetMesh& mesh_;
  const TriMesh& surface_;
  const TetLocator& locator_;
  Pieces pieces_;
  FaceSharing beside_;
  Lists around_;  // for each vertex the tets that hold it
  Lists sides_;
  std::queue<std::int32_t> settled_;
  std::vector<int> seen_;  // the number of the search that last came to a tet
  int search_ = 0;
  SurfaceTets out_;
};

void Walk::find_homes() {
  UnionFind parts(surface_.vertex_count());
  for (int f = 0; f < surface_.triangle_count(); ++f) {
    parts.join(surface_.F(f, 0), surface_.F(f, 1));
    parts.join(surface_.F(f, 0), surface_.F(f, 2));
  }
  const auto [part_of, part_count] = parts.numbered();
  std::vector<std::pair<int, int>> votes;  // part, piece; by vertices in tets of one piece only
  for (int v = 0; v < surface_.vertex_count(); ++v) {
    const auto candidates = around_.of(v);
    const auto piece = [&](int t) { return pieces_.of_tet[t]; };
    const auto differs = [&](int t) { return piece(t) != piece(candidates[0]); };
    if (candidates.empty() || std::any_of(candidates.begin(), candidates.end(), differs)) continue;
    votes.emplace_back(part_of[v], piece(candidates[0]));
  }
  std::sort(votes.begin(), votes.end());
  std::vector<int> home(part_count, -1);
  std::vector<int> total(part_count, 0);
  for (const auto& [part, piece] : votes) ++total[part];
  for (auto from = votes.begin(); from != votes.end();) {
    const auto to = std::upper_bound(from, votes.end(), *from);
    if (static_cast<double>(to - from) >= kHomeShare * total[from->first]) {
      home[from->first] = from->second;
    }
    from = to;
  }
  Lists kept;
  for (int v = 0; v < surface_.vertex_count(); ++v) {
    const int piece = out_.pieces[v] = home[part_of[v]];
    for (const int t : around_.of(v)) {
      if (piece < 0 || pieces_.of_tet[t] == piece) kept.items.push_back(t);
    }
    kept.first.push_back(static_cast<std::int32_t>(kept.items.size()));
  }
  around_ = std::move(kept);
}

bool Walk::touches(int t, const Vec3& p, const Vec3& q) const {
  const Weights at_p = barycentric(mesh_, t, p);
  const Weights gain = barycentric(mesh_, t, q) - at_p;
  double from = 0;
  double to = 1;
  for (int c = 0; c < 4; ++c) {
    // at_p + s·gain ≥ kTouches
    if (gain[c] == 0) {
      if (at_p[c] < kTouches) return false;
      continue;
    }
    const double s = (kTouches - at_p[c]) / gain[c];
    (gain[c] > 0 ? from : to) = gain[c] > 0 ? std::max(from, s) : std::min(to, s);
  }
  return from <= to;
}

bool Walk::is_one_fan(int v) const {
  const auto tets = around_.of(v);
  if (tets.size() == 1) return true;
  std::vector<std::int32_t> open{tets[0]};
  for (std::size_t next = 0; next < open.size(); ++next) {
    const int t = open[next];
    const Weights w = barycentric(mesh_, t, surface_.V.row(v));
    for (const std::int32_t n : beside_.of(t)) {
      const bool listed = std::find(tets.begin(), tets.end(), n) != tets.end();
      if (!listed || std::find(open.begin(), open.end(), n) != open.end()) continue;
      bool on_common_face = true;
      for (int c = 0; c < 4; ++c) {
        const bool common = (mesh_.T.row(n).array() == mesh_.T(t, c)).any();
        if (!common && w[c] > -kTouches) on_common_face = false;
      }
      if (on_common_face) open.push_back(n);
    }
  }
  return open.size() == tets.size();
}

std::vector<bool> Walk::follow_side(int u, int v) {
  const auto candidates = around_.of(v);
  const Vec3 p = surface_.V.row(u);
  const Vec3 q = surface_.V.row(v);
  std::vector<bool> reached(candidates.size(), false);
  std::vector<int> open{out_.tets[u]};
  seen_[open[0]] = ++search_;
  for (std::size_t next = 0; next < open.size(); ++next) {
    const int t = open[next];
    const auto hit = std::find(candidates.begin(), candidates.end(), t);
    if (hit != candidates.end()) {
      reached[hit - candidates.begin()] = true;
      continue;  // not on into another copy of the same cell
    }
    for (const int n : beside_.of(t)) {
      if (seen_[n] == search_) continue;
      seen_[n] = search_;
      if (touches(n, p, q)) open.push_back(n);
    }
  }
  return reached;
}

int Walk::common_nodes(int s, int t) const {
  int common = 0;
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 4; ++j) common += mesh_.T(s, i) == mesh_.T(t, j) ? 1 : 0;
  }
  return common;
}

std::vector<int> Walk::votes_for(int v) {
  std::vector<int> votes(around_.of(v).size(), 0);
  for (const std::int32_t u : sides_.of(v)) {
    if (out_.tets[u] < 0) continue;
    const std::vector<bool> reached = follow_side(u, v);
    // Near the root of two prongs a side may lead to both.
    if (std::find(reached.begin(), reached.end(), false) == reached.end()) continue;
    for (std::size_t i = 0; i < reached.size(); ++i) votes[i] += reached[i] ? 1 : 0;
  }
  return votes;
}

int Walk::clear_candidate(int v) {
  const std::vector<int> votes = votes_for(v);
  const auto best = std::max_element(votes.begin(), votes.end());
  if (std::count(votes.begin(), votes.end(), *best) > 1) return -1;
  return around_.of(v)[best - votes.begin()];
}

int Walk::some_candidate(int v) {
  const auto candidates = around_.of(v);
  std::vector<int> votes = votes_for(v);
  // Sides may leave a mesh that does not hold the whole surface, or lead everywhere: then the tet
  // with most nodes in common, in the same piece.
  const bool led = *std::max_element(votes.begin(), votes.end()) > 0;
  for (const std::int32_t u : sides_.of(v)) {
    if (led || out_.tets[u] < 0) continue;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      const bool same = pieces_.of_tet[candidates[i]] == pieces_.of_tet[out_.tets[u]];
      votes[i] += common_nodes(candidates[i], out_.tets[u]) + (same ? 1 : 0);
    }
  }
  return candidates[std::max_element(votes.begin(), votes.end()) - votes.begin()];
}

void Walk::settle_from_queue() {
  while (!settled_.empty()) {
    const int u = settled_.front();
    settled_.pop();
    for (const std::int32_t v : sides_.of(u)) {
      if (!in_doubt(v)) continue;
      const int tet = clear_candidate(v);
      if (tet >= 0) settle(v, tet);
    }
  }
}

/// First what sides decide. Then patches in doubt all over go on from others at a common place, as
/// along texture seams; then from a neighbour that sides do not lead from; then from anywhere.
void Walk::settle_all() {
  sides_ = sides_of(surface_);
  const int count = surface_.vertex_count();
  for (int v = 0; v < count; ++v) {
    if (out_.tets[v] >= 0) settled_.push(v);
  }
  settle_from_queue();
  const std::vector<int> place = first_coincident(surface_.V);
  std::vector<std::int32_t> tet_at(count, -1);
  for (int v = 0; v < count; ++v) tet_at[place[v]] = std::max(tet_at[place[v]], out_.tets[v]);
  for (int v = 0; v < count; ++v) {
    const auto candidates = around_.of(v);
    const int t = tet_at[place[v]];
    if (!in_doubt(v) || std::find(candidates.begin(), candidates.end(), t) == candidates.end()) {
      continue;
    }
    settle(v, t);
    settle_from_queue();
  }
  for (const bool beside : {true, false}) {
    for (int v = 0; v < count; ++v) {
      const auto near = sides_.of(v);
      const auto is_settled = [&](int u) { return out_.tets[u] >= 0; };
      if (!in_doubt(v) || (beside && std::none_of(near.begin(), near.end(), is_settled))) continue;
      settle(v, some_candidate(v));
      settle_from_queue();
    }
  }
}
}  // namespace

SurfaceTets tets_along_surface(const TetMesh& mesh, const TriMesh& surface,
                               const TetLocator& locator) {
  return Walk(mesh, surface, locator).run();
}

}  // namespace limber
