#include "limber/interpolate/shell_modes.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <map>

#include "limber/core/error.h"
#include "limber/fem/fixed_dofs.h"
#include "limber/modes/eigen_solver.h"
#include "limber/modes/rigid_motions.h"

namespace limber {

namespace {

using Entries = std::vector<Eigen::Triplet<double>>;

double thickness_of(const TriMesh& surface, const ShellMaterial& material) {
  check(material.material, "shell");
  if (!(material.thickness >= 0) || !std::isfinite(material.thickness)) {
    throw Error(fmt::format("a thickness of {:g}", material.thickness), "shell",
                "give a positive number");
  }
  if (material.thickness > 0) return material.thickness;
  return 0.01 * (surface.V.colwise().maxCoeff() - surface.V.colwise().minCoeff()).norm();
}

void add_block(int row, int column, const Mat3& block, Entries& entries) {
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) entries.emplace_back(3 * row + i, 3 * column + j, block(i, j));
  }
}

/// Plane stress: blocks a h (λ' g_i g_jᵀ + μ g_j g_iᵀ + μ (g_i·g_j) P), λ' = Eν/(1−ν²), P onto the
/// plane, g the gradients within it.
void add_membrane(const Elements& elements, const Material& material, double thickness,
                  Entries& entries) {
  const double lambda =
      material.young * material.poisson / (1 - material.poisson * material.poisson);
  const double mu = material.mu();
  for (int f = 0; f < elements.element_count(); ++f) {
    const Vec3 normal = elements.normals.row(f).transpose();
    const Mat3 P = Mat3::Identity() - normal * normal.transpose();
    const double volume = thickness * elements.weights[f];
    for (int i = 0; i < 3; ++i) {
      const Vec3 gi = elements.gradient(f, i);
      for (int j = 0; j < 3; ++j) {
        const Vec3 gj = elements.gradient(f, j);
        const Mat3 block = volume * (lambda * gi * gj.transpose() + mu * gj * gi.transpose() +
                                     mu * gi.dot(gj) * P);
        add_block(elements.corners(f, i), elements.corners(f, j), block, entries);
      }
    }
  }
}

/// The two triangles of every inner edge; where more meet, each with the one before it.
struct InnerEdge {
  int a, b;     ///< ends
  int c, d;     ///< opposite corners
  double area;  ///< of both triangles
};
std::vector<InnerEdge> inner_edges(const TriMesh& surface, const Elements& elements) {
  struct Side {
    int opposite;
    int triangle;
  };
  std::map<std::pair<int, int>, Side> last;
  std::vector<InnerEdge> edges;
  for (int f = 0; f < surface.triangle_count(); ++f) {
    for (int k = 0; k < 3; ++k) {
      const int a = surface.F(f, k);
      const int b = surface.F(f, (k + 1) % 3);
      const Side side{surface.F(f, (k + 2) % 3), f};
      const auto [found, fresh] = last.emplace(std::minmax(a, b), side);
      if (fresh) continue;
      const double area = elements.weights[f] + elements.weights[found->second.triangle];
      edges.push_back(
          {found->first.first, found->first.second, found->second.opposite, side.opposite, area});
      found->second = side;
    }
  }
  return edges;
}

void add_bending(const TriMesh& surface, const Elements& elements, double bending,
                 Entries& entries) {
  const auto place = [&](int vertex) { return Vec3(surface.V.row(vertex).transpose()); };
  for (const InnerEdge& edge : inner_edges(surface, elements)) {
    const Hinge at_rest = hinge(place(edge.a), place(edge.b), place(edge.c), place(edge.d));
    const double stiffness = bending * (place(edge.b) - place(edge.a)).squaredNorm() / edge.area;
    const std::array<int, 4> vertices{edge.a, edge.b, edge.c, edge.d};
    for (int i = 0; i < 4; ++i) {
      for (int j = 0; j < 4; ++j) {
        add_block(vertices[i], vertices[j],
                  stiffness * at_rest.gradient.col(i) * at_rest.gradient.col(j).transpose(),
                  entries);
      }
    }
  }
}

}  // namespace

Hinge hinge(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  const Vec3 edge = b - a;
  const double length = edge.norm();
  const Vec3 along = edge / length;
  const Vec3 N1 = edge.cross(c - a);
  const Vec3 N2 = (a - b).cross(d - b);
  const Vec3 n1 = N1 / N1.squaredNorm();  // unit normal over twice the area
  const Vec3 n2 = N2 / N2.squaredNorm();
  Hinge result;
  result.angle = std::atan2(N1.cross(N2).dot(along), N1.dot(N2));
  // The far corners turn about the edge at their distance from it; the near ones balance them.
  result.gradient.col(2) = -length * n1;
  result.gradient.col(3) = -length * n2;
  result.gradient.col(0) = -(c - b).dot(along) * n1 - (d - b).dot(along) * n2;
  result.gradient.col(1) = (c - a).dot(along) * n1 + (d - a).dot(along) * n2;
  return result;
}

SparseMatrix shell_stiffness(const TriMesh& surface, const ShellMaterial& material) {
  const Elements elements = elements_of(surface);
  const double h = thickness_of(surface, material);
  const Material& m = material.material;
  Entries entries;
  add_membrane(elements, m, h, entries);
  add_bending(surface, elements, m.young * h * h * h / (12 * (1 - m.poisson * m.poisson)), entries);
  SparseMatrix K(3 * surface.vertex_count(), 3 * surface.vertex_count());
  K.setFromTriplets(entries.begin(), entries.end());
  return K;
}

SparseMatrix shell_mass(const TriMesh& surface, const ShellMaterial& material) {
  const Elements elements = elements_of(surface);
  const double per_area = material.material.density * thickness_of(surface, material);
  Entries entries;
  for (int node = 0; node < elements.node_count(); ++node) {
    entries.emplace_back(node, node, per_area * elements.node_weights[node]);
  }
  SparseMatrix m(surface.vertex_count(), surface.vertex_count());
  m.setFromTriplets(entries.begin(), entries.end());
  return m;
}

std::shared_ptr<const PoseModes> shell_modes(const TriMesh& surface,
                                             const ShellModesOptions& options,
                                             const Progress& progress) {
  auto elements = std::make_shared<const Elements>(elements_of(surface));
  report(progress, "assemble", 0);
  std::vector<int> fixed = options.fixed_nodes;
  for (int node = 0; node < elements->node_count(); ++node) {
    if (elements->parts[node] < 0) fixed.push_back(node);
  }
  const FreeDofs free(elements->node_count(), fixed);
  const SparseMatrix K = free.reduce(shell_stiffness(surface, options.material), 3);
  const SparseMatrix m = free.reduce(shell_mass(surface, options.material), 1);
  const Eigen::MatrixXd N = rigid_motions(surface.V, elements->parts, free);
  const auto available = static_cast<int>(K.rows() - N.cols());
  if (options.modes < 1 || available < 1) {
    throw Error(fmt::format("{} modes of {} possible", options.modes, available), "shell",
                "ask for at least one, and leave something free");
  }
  const int count = std::min(options.modes, available);
  const EigenPairs pairs = make_eigen_solver(K, m, N, count, progress)->lowest(count, progress);
  return std::make_shared<const PoseModes>(std::move(elements), free.expand(pairs.vectors),
                                           pairs.eigenvalues, N.cols() > 0);
}

}  // namespace limber
