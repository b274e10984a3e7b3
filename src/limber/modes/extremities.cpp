#include "limber/modes/extremities.h"

#include <algorithm>
#include <limits>
#include <queue>

#include "limber/fem/node_graph.h"

namespace limber {

namespace {

constexpr double kFar = std::numeric_limits<double>::infinity();

/// Lengths of the shortest ways along edges from any of the sources: Dijkstra 1959.
std::vector<double> edge_distances(const TetMesh& mesh, const NodeGraph& graph,
                                   const std::vector<int>& sources) {
  std::vector<double> distance(static_cast<std::size_t>(mesh.node_count()), kFar);
  using Entry = std::pair<double, int>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
  for (const int node : sources) {
    distance[static_cast<std::size_t>(node)] = 0;
    queue.emplace(0.0, node);
  }
  while (!queue.empty()) {
    const auto [reached, node] = queue.top();
    queue.pop();
    if (reached > distance[static_cast<std::size_t>(node)]) continue;
    for (const int next : graph.neighbours(node)) {
      const double way = reached + (mesh.V.row(next) - mesh.V.row(node)).norm();
      if (way >= distance[static_cast<std::size_t>(next)]) continue;
      distance[static_cast<std::size_t>(next)] = way;
      queue.emplace(way, next);
    }
  }
  return distance;
}

/// Infinite distances count as none: nodes of another piece.
int farthest(const std::vector<double>& distance) {
  int best = 0;
  double most = -1;
  for (int i = 0; i < std::ssize(distance); ++i) {
    const double far = distance[static_cast<std::size_t>(i)];
    if (far == kFar || far <= most) continue;
    most = far;
    best = i;
  }
  return best;
}

/// Nodes at least so far away and connected with `start` by such nodes.
std::vector<int> beyond(const NodeGraph& graph, const std::vector<double>& distance, int start,
                        double least) {
  std::vector<int> found{start};
  std::vector<bool> seen(distance.size(), false);
  seen[static_cast<std::size_t>(start)] = true;
  for (std::size_t k = 0; k < found.size(); ++k) {
    for (const int next : graph.neighbours(found[k])) {
      const auto index = static_cast<std::size_t>(next);
      if (seen[index] || !(distance[index] >= least) || distance[index] == kFar) continue;
      seen[index] = true;
      found.push_back(next);
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

Vec3 centre_of(const TetMesh& mesh, const std::vector<int>& nodes) {
  Vec3 sum = Vec3::Zero();
  for (const int node : nodes) sum += mesh.V.row(node).transpose();
  return sum / static_cast<double>(nodes.size());
}

}  // namespace

std::vector<Extremity> extremities(const TetMesh& mesh, const std::vector<int>& held, int most) {
  constexpr double kTip = 0.95;       // of the distance: the end itself
  constexpr double kLimb = 0.7;       // what the axis is taken from
  constexpr double kNotAnEnd = 0.35;  // of the first's distance: nearer ones are no limbs
  const NodeGraph graph(mesh);
  std::vector<int> sources = held;
  std::vector<Extremity> found;
  while (std::ssize(found) < most) {
    const std::vector<double> distance = edge_distances(mesh, graph, sources);
    const int tip = farthest(distance);
    const double far = distance[static_cast<std::size_t>(tip)];
    if (!(far > 0) || far == kFar) break;
    if (!found.empty() && far < kNotAnEnd * found.front().distance) break;
    Extremity end;
    end.distance = far;
    double share = kTip;
    do {
      end.nodes = beyond(graph, distance, tip, share * far);
      share -= 0.05;
    } while (end.nodes.size() < 4 && share > 0.05);
    if (end.nodes.size() < 4) break;
    end.centre = centre_of(mesh, end.nodes);
    const Vec3 along = end.centre - centre_of(mesh, beyond(graph, distance, tip, kLimb * far));
    if (along.norm() > 1e-6 * far) end.axis = along.normalized();
    sources.insert(sources.end(), end.nodes.begin(), end.nodes.end());
    found.push_back(std::move(end));
  }
  return found;
}

int farthest_node(const TetMesh& mesh) {
  return farthest(edge_distances(mesh, NodeGraph(mesh), {0}));
}

}  // namespace limber
