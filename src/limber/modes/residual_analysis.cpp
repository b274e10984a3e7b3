#include "limber/modes/residual_analysis.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>

#include "limber/core/error.h"
#include "limber/mesh/boundary.h"
#include "limber/mesh/checks.h"
#include "limber/modes/residual_flexibility.h"

namespace limber {

namespace {

/// Contact nodes solved for together: three columns each. Wider blocks gain nothing more.
constexpr int kBatch = 16;
/// What the modes leave of a node's flexibility; below this it is rounding.
constexpr double kNothingLeft = 1e-9;

using Block = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;

Vec3 place(const TetMesh& mesh, std::int32_t node) { return mesh.V.row(node).transpose(); }

std::vector<std::int32_t> touchable_nodes(const TetMesh& mesh, const ModalModel& model) {
  std::vector<char> touchable(static_cast<std::size_t>(mesh.node_count()), 0);
  for (const int node : boundary_surface(mesh).nodes) touchable[node] = 1;
  const SurfaceBinding& binding = model.surface.binding;
  for (std::size_t k = 0; k < binding.nodes.size(); ++k) {
    if (binding.weights[k] != 0) touchable[binding.nodes[k]] = 1;
  }
  for (const std::int32_t node : model.fixed_nodes) touchable[node] = 0;
  std::vector<std::int32_t> nodes;
  for (int node = 0; node < mesh.node_count(); ++node) {
    if (touchable[node] != 0) nodes.push_back(node);
  }
  return nodes;
}

/// The pairs (i, j ≥ i) of contact nodes that are stored: the nearest. Returns the distance from
/// which on they are left out, 0 where none is.
double choose_pairs(const TetMesh& mesh, const std::vector<std::int32_t>& nodes, int most,
                    std::vector<std::int32_t>& offsets, std::vector<std::int32_t>& columns) {
  const std::size_t count = nodes.size();
  double farthest = std::numeric_limits<double>::infinity();
  if (count * (count + 1) / 2 > static_cast<std::size_t>(most)) {
    std::vector<double> squared;
    squared.reserve(count * (count - 1) / 2);
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t j = i + 1; j < count; ++j) {
        squared.push_back((place(mesh, nodes[i]) - place(mesh, nodes[j])).squaredNorm());
      }
    }
    const auto kept = std::max<std::ptrdiff_t>(most - static_cast<std::ptrdiff_t>(count), 0);
    std::nth_element(squared.begin(), squared.begin() + kept, squared.end());
    farthest = squared[static_cast<std::size_t>(kept)];
  }
  offsets.assign(1, 0);
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t j = i; j < count; ++j) {
      const double squared = (place(mesh, nodes[i]) - place(mesh, nodes[j])).squaredNorm();
      if (j == i || squared < farthest) columns.push_back(static_cast<std::int32_t>(j));
    }
    offsets.push_back(static_cast<std::int32_t>(columns.size()));
  }
  return std::isinf(farthest) ? 0 : std::sqrt(farthest);
}

/// Contact nodes are their own source; other touchable nodes have the nearest ones, weighted by the
/// inverse square of their distance.
void set_sources(const TetMesh& mesh, const std::vector<std::int32_t>& touchable,
                 const std::vector<std::int32_t>& contact_nodes, ResidualModes& modes) {
  constexpr int kSources = ResidualModes::kSources;
  const auto size = static_cast<std::size_t>(kSources * mesh.node_count());
  std::vector<std::int32_t> sources(size, -1);
  std::vector<double> weights(size, 0);
  for (const std::int32_t node : touchable) {
    std::array<std::pair<double, std::int32_t>, kSources> nearest;
    nearest.fill({std::numeric_limits<double>::infinity(), -1});
    for (std::size_t k = 0; k < contact_nodes.size(); ++k) {
      const double squared = (place(mesh, contact_nodes[k]) - place(mesh, node)).squaredNorm();
      if (squared >= nearest.back().first) continue;
      nearest.back() = {squared, static_cast<std::int32_t>(k)};
      std::sort(nearest.begin(), nearest.end());
    }
    const auto first = static_cast<std::size_t>(kSources) * static_cast<std::size_t>(node);
    if (nearest[0].first == 0) {
      sources[first] = nearest[0].second;
      weights[first] = 1;
      continue;
    }
    double sum = 0;
    for (const auto& [squared, source] : nearest) sum += source < 0 ? 0 : 1 / squared;
    for (std::size_t k = 0; k < kSources; ++k) {
      if (nearest[k].second < 0) break;
      sources[first + k] = nearest[k].second;
      weights[first + k] = 1 / nearest[k].first / sum;
    }
  }
  modes.sources = SharedArray<std::int32_t>(std::move(sources));
  modes.weights = SharedArray<double>(std::move(weights));
}

/// Blocks of all pairs, each the mean of what its two nodes say: symmetric to the last bit.
class PairBlocks {
 public:
  explicit PairBlocks(const ResidualModes& modes)
      : modes_(modes), values_(9 * modes.columns.size(), 0) {}

  /// What the columns of contact node j (3n×3, of the free unknowns) are at all contact nodes.
  void add(int j, const Eigen::Ref<const Eigen::MatrixXd>& columns, const FreeDofs& free) {
    for (int i = 0; i < modes_.contact_node_count(); ++i) {
      const std::ptrdiff_t pair = modes_.find(std::min(i, j), std::max(i, j));
      if (pair < 0) continue;
      const int row = 3 * free.free_index(modes_.contact_nodes[static_cast<std::size_t>(i)]);
      Eigen::Map<Block> block(values_.data() + 9 * pair);
      const Mat3 value = columns.middleRows<3>(row);
      if (i <= j) block += value / 2;
      if (j <= i) block += value.transpose() / 2;
    }
  }
  [[nodiscard]] SharedArray<double> take() { return SharedArray<double>(std::move(values_)); }

 private:
  const ResidualModes& modes_;
  std::vector<double> values_;
};

/// Fills the blocks; the largest share of a contact node's flexibility that the modes leave.
double solve_blocks(const ResidualFlexibility& flexibility, const Progress& progress,
                    ResidualModes& modes) {
  PairBlocks K(modes), M(modes);
  const FreeDofs& free = flexibility.free();
  const std::span<const std::int32_t> nodes = modes.contact_nodes.span();
  const int count = modes.contact_node_count();
  double left = 0;
  Eigen::MatrixXd whole;
  for (int first = 0; first < count; first += kBatch) {
    report(progress, "residual modes", static_cast<double>(first) / count);
    const auto batch = nodes.subspan(static_cast<std::size_t>(first),
                                     static_cast<std::size_t>(std::min(kBatch, count - first)));
    Eigen::MatrixXd X = flexibility.unit_forces(batch);
    flexibility.apply(X, &whole);
    for (int k = 0; k < static_cast<int>(batch.size()); ++k) {
      const int row = 3 * free.free_index(batch[static_cast<std::size_t>(k)]);
      left =
          std::max(left, X.block<3, 3>(row, 3 * k).trace() / whole.block<3, 3>(row, 3 * k).trace());
      K.add(first + k, X.middleCols<3>(3 * k), free);
    }
    X = flexibility.times_mass(X);  // M_χ = E K_res M K_res E: the same once more
    flexibility.apply(X);
    for (int k = 0; k < static_cast<int>(batch.size()); ++k)
      M.add(first + k, X.middleCols<3>(3 * k), free);
  }
  report(progress, "residual modes", 1);
  modes.K_blocks = K.take();
  modes.M_blocks = M.take();
  return left;
}

void check(const TetMesh& mesh, const Materials& materials, const ModalModel& model,
           const ResidualOptions& options) {
  limber::check(mesh);
  limber::check(materials);
  if (model.node_count() != mesh.node_count()) {
    throw Error("the modes are of another mesh", "residual modes", "bake the body again");
  }
  if (options.most_contact_nodes < 1 || options.most_pairs < 1) {
    throw Error(std::to_string(options.most_contact_nodes) + " contact nodes asked for",
                "residual modes", "give a number from 1 up");
  }
}

}  // namespace

std::vector<std::int32_t> choose_contact_nodes(const TetMesh& mesh, const ModalModel& model,
                                               int most) {
  std::vector<std::int32_t> nodes = touchable_nodes(mesh, model);
  if (nodes.size() <= static_cast<std::size_t>(most)) return nodes;
  // Farthest points, the first one farthest from the middle.
  const Vec3 middle = (mesh.V.colwise().maxCoeff() + mesh.V.colwise().minCoeff()).transpose() / 2;
  std::vector<double> squared;
  for (const std::int32_t node : nodes)
    squared.push_back((place(mesh, node) - middle).squaredNorm());
  std::vector<std::int32_t> chosen;
  for (int k = 0; k < most; ++k) {
    const auto farthest = std::max_element(squared.begin(), squared.end());
    chosen.push_back(nodes[static_cast<std::size_t>(farthest - squared.begin())]);
    if (k == 0) std::fill(squared.begin(), squared.end(), std::numeric_limits<double>::infinity());
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const double now = (place(mesh, nodes[i]) - place(mesh, chosen.back())).squaredNorm();
      squared[i] = std::min(squared[i], now);
    }
  }
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

ResidualModes residual_modes(const TetMesh& mesh, const Materials& materials,
                             const ModalModel& model, const ResidualOptions& options,
                             const Progress& progress) {
  check(mesh, materials, model, options);
  std::vector<std::int32_t> nodes = choose_contact_nodes(mesh, model, options.most_contact_nodes);
  if (nodes.empty()) return {};
  report(progress, "residual modes", 0);
  ResidualModes modes;
  std::vector<std::int32_t> offsets, columns;
  const double reach = choose_pairs(mesh, nodes, options.most_pairs, offsets, columns);
  set_sources(mesh, touchable_nodes(mesh, model), nodes, modes);
  modes.contact_nodes = SharedArray<std::int32_t>(std::move(nodes));
  modes.offsets = SharedArray<std::int32_t>(std::move(offsets));
  modes.columns = SharedArray<std::int32_t>(std::move(columns));
  const ResidualFlexibility flexibility(mesh, materials, model, options.mass);
  if (solve_blocks(flexibility, progress, modes) < kNothingLeft) return {};
  taper_pairs(modes, mesh.V, reach);
  return modes;
}

}  // namespace limber
