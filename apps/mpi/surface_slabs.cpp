#include "surface_slabs.h"

#include <algorithm>
#include <limits>

#include "file_order.h"
#include "limber/core/error.h"
#include "limber/mesh/boundary.h"
#include "limber/mesh/embedding/tet_locator.h"
#include "limber/mesh/normals.h"
#include "limber/mesh/read_mesh.h"
#include "limber/modes/embedded_surface.h"
#include "limber/modes/surface_source.h"

namespace limber {

namespace {

/// The vertices that this rank brings: where they are and what they hang on.
struct Vertices {
  std::vector<int> numbers;
  std::vector<double> positions;  // 3 a vertex
  std::vector<double> normals;    // 3
  std::vector<int> nodes;         // 4, as in the file
  std::vector<double> weights;    // 4
  ModeMatrix Phi;                 // 3 rows a vertex
  ModeMatrix Psi;

  void add(int number, const Vec3& position, const Vec3& normal) {
    numbers.push_back(number);
    positions.insert(positions.end(), position.begin(), position.end());
    normals.insert(normals.end(), normal.begin(), normal.end());
  }
};

// ---- The boundary -------------------------------------------------------------------------------

/// A boundary face on its way to the rank whose block has its tet.
struct FaceRecord {
  std::int64_t id;  // 4·tet + number of the opposite corner, as in the file
  std::array<int, 3> nodes;
};

struct LocalBoundary {
  Triangles faces;                // local nodes; all that touch an owned node
  std::vector<FaceRecord> owned;  // those whose first node in the file this rank owns
  std::vector<int> nodes;         // owned nodes on the boundary, ascending
};

/// A face with an owned node has its tets here, so it is known whether there is a second one.
LocalBoundary local_boundary(const DistributedMesh& mesh) {
  LocalBoundary boundary;
  std::vector<std::array<int, 3>> faces;
  std::vector<char> marked(mesh.owned, 0);
  for (const int id : boundary_faces(mesh.local)) {
    const auto& corners = kTetFaces[id % 4];
    std::array<int, 3> nodes;
    for (int c = 0; c < 3; ++c) nodes[c] = mesh.local.T(id / 4, corners[c]);
    if (std::none_of(nodes.begin(), nodes.end(), [&](int n) { return n < mesh.owned; })) continue;
    faces.push_back(nodes);
    for (const int node : nodes) {
      if (node < mesh.owned) marked[node] = 1;
    }
    const auto number = [&](int node) { return mesh.node_numbers[node]; };
    const int lowest = *std::min_element(nodes.begin(), nodes.end(),
                                         [&](int a, int b) { return number(a) < number(b); });
    if (lowest < mesh.owned) {
      boundary.owned.push_back({4 * std::int64_t{mesh.tet_numbers[id / 4]} + id % 4,
                                {number(nodes[0]), number(nodes[1]), number(nodes[2])}});
    }
  }
  boundary.faces.resize(static_cast<Eigen::Index>(faces.size()), 3);
  for (std::size_t f = 0; f < faces.size(); ++f) {
    boundary.faces.row(static_cast<Eigen::Index>(f)) << faces[f][0], faces[f][1], faces[f][2];
  }
  for (int node = 0; node < mesh.owned; ++node) {
    if (marked[node] != 0) boundary.nodes.push_back(node);
  }
  return boundary;
}

/// For each node of this rank's block its number among the boundary's nodes, or -1.
std::vector<int> vertex_numbers(const Ranks& ranks, const DistributedMesh& mesh,
                                const LocalBoundary& boundary, std::int64_t& vertex_count) {
  std::vector<char> marked(mesh.owned, 0);
  for (const int node : boundary.nodes) marked[node] = 1;
  const std::vector<int> owned(mesh.node_numbers.begin(), mesh.node_numbers.begin() + mesh.owned);
  const std::vector<char> in_block =
      FileOrder(ranks, mesh.node_blocks, owned).rows(marked.data(), 1);
  const std::int64_t mine = std::count(in_block.begin(), in_block.end(), 1);
  int next = static_cast<int>(ranks.sum_before(mine));
  vertex_count = ranks.sum(mine);
  std::vector<int> numbers(in_block.size(), -1);
  for (std::size_t i = 0; i < in_block.size(); ++i) {
    if (in_block[i] != 0) numbers[i] = next++;
  }
  return numbers;
}

/// Triangles of this rank's block of tets, in their order, by vertex numbers.
std::vector<std::int32_t> block_triangles(const Ranks& ranks, const DistributedMesh& mesh,
                                          const LocalBoundary& boundary,
                                          const std::vector<int>& number_of_node) {
  std::vector<std::vector<FaceRecord>> outgoing(ranks.size());
  for (const FaceRecord& face : boundary.owned) {
    outgoing[mesh.tet_blocks.owner(face.id / 4)].push_back(face);
  }
  std::vector<FaceRecord> faces = ranks.exchange(outgoing).items;
  std::sort(faces.begin(), faces.end(),
            [](const FaceRecord& a, const FaceRecord& b) { return a.id < b.id; });
  std::vector<int> corners;
  for (const FaceRecord& face : faces) {
    corners.insert(corners.end(), face.nodes.begin(), face.nodes.end());
  }
  return look_up(ranks, mesh.node_blocks, number_of_node, corners);
}

Vertices boundary_vertices(const Ranks& ranks, const DistributedMesh& mesh, const ModalRows& rows,
                           const LocalBoundary& boundary, const std::vector<int>& number_of_node) {
  const Positions normals = vertex_normals(mesh.local.V, boundary.faces);
  std::vector<int> file_numbers;
  for (const int node : boundary.nodes) file_numbers.push_back(mesh.node_numbers[node]);
  const std::vector<int> numbers = look_up(ranks, mesh.node_blocks, number_of_node, file_numbers);
  Vertices vertices;
  const auto count = static_cast<Eigen::Index>(numbers.size());
  vertices.Phi.resize(3 * count, rows.Phi.cols());
  vertices.Psi.resize(3 * count, rows.Psi.cols());
  for (Eigen::Index v = 0; v < count; ++v) {
    const int node = boundary.nodes[v];
    vertices.add(numbers[v], mesh.local.V.row(node), normals.row(node));
    vertices.nodes.insert(vertices.nodes.end(), 4, file_numbers[v]);
    vertices.weights.insert(vertices.weights.end(), {1, 0, 0, 0});
    vertices.Phi.middleRows<3>(3 * v) = rows.Phi.middleRows<3>(3 * node);
    vertices.Psi.middleRows<3>(3 * v) = rows.Psi.middleRows<3>(3 * node);
  }
  return vertices;
}

// ---- Any surface --------------------------------------------------------------------------------

/// What a rank knows of a vertex: how far outside its tets, and its least weight in the nearest.
struct Claim {
  double outside;
  double depth;
};

/// The rank whose claim is best: nearest, of those equally near up to rounding the one whose tet
/// reaches out least, as TetLocator chooses within a rank.
int best_claim(const Claim* claims, int ranks, std::size_t stride, double same) {
  double nearest = claims[0].outside;
  for (int r = 1; r < ranks; ++r) nearest = std::min(nearest, claims[r * stride].outside);
  int best = -1;
  for (int r = 0; r < ranks; ++r) {
    const Claim& claim = claims[r * stride];
    if (claim.outside > nearest + same) continue;
    if (best < 0 || claim.depth > claims[best * stride].depth) best = r;
  }
  return best;
}

/// Deeper than this in two tets at once means that tets overlap.
constexpr double kSurelyInside = 1e-6;

/// The distance from a rank without tets.
constexpr double kNowhere = std::numeric_limits<double>::infinity();

void refuse_overlap(const DistributedMesh& mesh, const TetLocator& locator, const Vec3& p) {
  int sure = 0;
  for (const int tet : locator.all_around(p)) {
    sure += barycentric(mesh.local, tet, p).minCoeff() > kSurelyInside ? 1 : 0;
  }
  if (sure > 1) {
    throw Error("tets overlap at a vertex of the surface", "--surface",
                "bake overlapping cages with `limber bake`, which follows the surface");
  }
}

/// Tets with a face on the body's boundary. A face without an owned node may be where this rank's
/// part ends; the rank that owns one of its nodes knows.
std::vector<char> tets_at_boundary(const DistributedMesh& mesh) {
  std::vector<char> at_boundary(mesh.local.tet_count(), 0);
  for (const int id : boundary_faces(mesh.local)) {
    for (const int corner : kTetFaces[id % 4]) {
      if (mesh.local.T(id / 4, corner) < mesh.owned) at_boundary[id / 4] = 1;
    }
  }
  return at_boundary;
}

/// A vertex in a tet is nearest to the rank that has the tet; one outside hangs on the tets at the
/// boundary, as in `limber bake`, not on those where a rank's part ends.
Vertices embedded_vertices(const Ranks& ranks, const DistributedMesh& mesh, const ModalRows& rows,
                           const TriMesh& surface) {
  std::vector<Claim> claims(surface.vertex_count());
  std::vector<int> tets(surface.vertex_count());
  ranks.together([&] {
    const TetLocator locator(mesh.local);
    const std::vector<char> at_boundary = tets_at_boundary(mesh);
    for (int v = 0; v < surface.vertex_count(); ++v) {
      const Vec3 p = surface.V.row(v);
      TetLocator::Found found = locator.locate(p);
      if (found.outside > 0) {
        found = locator.nearest(p, [&](int tet) { return at_boundary[tet] != 0; });
      }
      const bool none = found.tet < 0;
      if (!none && found.outside == 0) refuse_overlap(mesh, locator, p);
      claims[v] = {none ? kNowhere : found.outside, found.weights.minCoeff()};
      tets[v] = found.tet;
    }
  });
  const Vec3 extent = surface.V.colwise().maxCoeff() - surface.V.colwise().minCoeff();
  const double same = 1e-12 * extent.norm();
  std::vector<int> winners;
  constexpr int kAtOnce = 1 << 16;
  for (int begin = 0; begin < surface.vertex_count(); begin += kAtOnce) {
    const int end = std::min(begin + kAtOnce, surface.vertex_count());
    const std::vector<Claim> all =
        ranks.gather(std::vector<Claim>(claims.begin() + begin, claims.begin() + end));
    const auto stride = static_cast<std::size_t>(end - begin);
    for (std::size_t k = 0; k < stride; ++k) {
      winners.push_back(best_claim(all.data() + k, ranks.size(), stride, same));
    }
  }

  const Positions normals = vertex_normals(surface.V, surface.F);
  Vertices vertices;
  const auto mine = std::count(winners.begin(), winners.end(), ranks.rank());
  vertices.Phi = ModeMatrix::Zero(3 * mine, rows.Phi.cols());
  vertices.Psi = ModeMatrix::Zero(3 * mine, rows.Psi.cols());
  Eigen::Index row = 0;
  for (int v = 0; v < surface.vertex_count(); ++v) {
    if (winners[v] != ranks.rank()) continue;
    vertices.add(v, surface.V.row(v), normals.row(v));
    const Weights weights = barycentric(mesh.local, tets[v], surface.V.row(v));
    for (int c = 0; c < 4; ++c) {
      const int node = mesh.local.T(tets[v], c);
      vertices.nodes.push_back(mesh.node_numbers[node]);
      vertices.weights.push_back(weights[c]);
      vertices.Phi.middleRows<3>(3 * row) += weights[c] * rows.Phi.middleRows<3>(3 * node);
      vertices.Psi.middleRows<3>(3 * row) += weights[c] * rows.Psi.middleRows<3>(3 * node);
    }
    ++row;
  }
  return vertices;
}

// ---- Both ---------------------------------------------------------------------------------------

/// Vertices in order, a body of their own each hanging on itself, packed as such.
void fill_slabs(const Ranks& ranks, const Vertices& vertices, std::int64_t vertex_count,
                Precision precision, SurfaceSlabs& slabs) {
  const auto modes = static_cast<int>(vertices.Phi.cols());
  const FileOrder order(ranks, {vertex_count, ranks.size(), PackedSurface::kBlock},
                        vertices.numbers);
  slabs.surface.rest_positions = SharedArray<double>(order.rows(vertices.positions.data(), 3));
  slabs.surface.rest_normals = SharedArray<double>(order.rows(vertices.normals.data(), 3));
  slabs.surface.binding.nodes = SharedArray<std::int32_t>(order.rows(vertices.nodes.data(), 4));
  slabs.surface.binding.weights = SharedArray<double>(order.rows(vertices.weights.data(), 4));

  ModalModel alone;
  const int count = slabs.surface.vertex_count();
  std::vector<std::int32_t> nodes(4 * static_cast<std::size_t>(count));
  std::vector<double> weights(nodes.size(), 0.0);
  for (int v = 0; v < count; ++v) {
    std::fill_n(nodes.begin() + 4 * v, 4, v);
    weights[4 * v] = 1;
  }
  alone.rest_positions_data = slabs.surface.rest_positions;
  alone.eigenvalues_data = SharedArray<double>(std::vector<double>(modes, 1.0));
  alone.Phi_data = SharedArray<double>(order.rows(vertices.Phi.data(), 3 * modes));
  alone.Psi_data = SharedArray<double>(order.rows(vertices.Psi.data(), 3 * modes));
  alone.surface.rest_positions = slabs.surface.rest_positions;
  alone.surface.rest_normals = slabs.surface.rest_normals;
  alone.surface.binding = {SharedArray<std::int32_t>(std::move(nodes)),
                           SharedArray<double>(std::move(weights))};
  ranks.together([&] { slabs.packed = pack_surface(alone, Precision::float32); });
  if (precision == Precision::float32) return;

  const std::vector<float> mine = mode_amplitudes(slabs.packed);
  std::vector<double> largest(mine.begin(), mine.end());
  ranks.largest(largest.data(), static_cast<int>(largest.size()));
  slabs.packed = quantised(slabs.packed, {largest.begin(), largest.end()});
  if (!ranks.first()) slabs.packed.amplitudes = {};
}

}  // namespace

SurfaceSlabs surface_slabs(const Ranks& ranks, const DistributedMesh& mesh, const ModalRows& rows,
                           const std::filesystem::path& surface_path, Precision precision) {
  SurfaceSlabs slabs;
  if (surface_path.empty()) {
    const LocalBoundary boundary = local_boundary(mesh);
    std::int64_t count = 0;
    const std::vector<int> numbers = vertex_numbers(ranks, mesh, boundary, count);
    const Vertices vertices = boundary_vertices(ranks, mesh, rows, boundary, numbers);
    fill_slabs(ranks, vertices, count, precision, slabs);
    slabs.surface.triangles =
        SharedArray<std::int32_t>(block_triangles(ranks, mesh, boundary, numbers));
    return slabs;
  }
  TriMesh surface;
  ranks.together([&] { surface = read_surface(surface_path); });
  if (ranks.first()) {
    slabs.surface = faces_and_look(surface);
    slabs.source = SharedArray<char>(packed_source(surface));
  }
  fill_slabs(ranks, embedded_vertices(ranks, mesh, rows, surface), surface.vertex_count(),
             precision, slabs);
  return slabs;
}

}  // namespace limber
