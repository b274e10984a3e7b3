#include "limber/interpolate/coordinates/elements.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "limber/core/error.h"
#include "limber/mesh/checks.h"
#include "limber/mesh/tet_geometry.h"
#include "limber/mesh/union_find.h"

namespace limber {

namespace {

/// A face of a tet or an edge of a triangle, its nodes ascending, and the element it belongs to.
struct Side {
  std::array<int, 3> nodes;
  int element;

  bool operator<(const Side& other) const {
    return nodes != other.nodes ? nodes < other.nodes : element < other.element;
  }
};

std::vector<Side> sorted_sides(const Elements& elements) {
  const int corners = elements.corner_count();
  std::vector<Side> sides;
  sides.reserve(static_cast<std::size_t>(corners) * elements.element_count());
  for (int element = 0; element < elements.element_count(); ++element) {
    for (int opposite = 0; opposite < corners; ++opposite) {
      Side side{{-1, -1, -1}, element};
      int next = 0;
      for (int k = 0; k < corners; ++k) {
        if (k != opposite) side.nodes[next++] = elements.corners(element, k);
      }
      std::sort(side.nodes.begin(), side.nodes.begin() + next);
      sides.push_back(side);
    }
  }
  std::sort(sides.begin(), sides.end());
  return sides;
}

/// Links that join what hangs together at a corner or an edge only.
void bridge_corners(const Elements& elements, std::vector<std::pair<int, int>>& links) {
  UnionFind joined(elements.element_count());
  for (const auto& [element, other] : links) joined.join(element, other);
  std::vector<int> last_at(elements.node_count(), -1);
  for (int element = 0; element < elements.element_count(); ++element) {
    for (int k = 0; k < elements.corner_count(); ++k) {
      int& last = last_at[elements.corners(element, k)];
      if (last >= 0 && joined.root(last) != joined.root(element)) {
        links.emplace_back(last, element);
        joined.join(last, element);
      }
      last = element;
    }
  }
}

void connect_neighbours(Elements& elements) {
  const std::vector<Side> sides = sorted_sides(elements);
  std::vector<std::pair<int, int>> pairs;
  // Where more than two triangles meet in an edge, each is linked with the one before it.
  for (std::size_t k = 1; k < sides.size(); ++k) {
    if (sides[k].nodes == sides[k - 1].nodes) {
      pairs.emplace_back(sides[k - 1].element, sides[k].element);
    }
  }
  bridge_corners(elements, pairs);
  const std::size_t one_way = pairs.size();
  for (std::size_t k = 0; k < one_way; ++k) pairs.emplace_back(pairs[k].second, pairs[k].first);
  std::sort(pairs.begin(), pairs.end());
  elements.neighbour_offsets.assign(elements.element_count() + 1, 0);
  for (const auto& [element, other] : pairs) {
    ++elements.neighbour_offsets[element + 1];
    elements.neighbour_list.push_back(other);
  }
  for (int element = 0; element < elements.element_count(); ++element) {
    elements.neighbour_offsets[element + 1] += elements.neighbour_offsets[element];
  }
}

void find_parts(Elements& elements) {
  UnionFind sets(elements.node_count());
  for (int element = 0; element < elements.element_count(); ++element) {
    for (int k = 1; k < elements.corner_count(); ++k) {
      sets.join(elements.corners(element, 0), elements.corners(element, k));
    }
  }
  std::vector<int> number(elements.node_count(), -1);
  elements.parts.assign(elements.node_count(), -1);
  for (int node = 0; node < elements.node_count(); ++node) {
    if (elements.node_weights[node] == 0) continue;
    int& part = number[sets.root(node)];
    if (part < 0) part = elements.part_count++;
    elements.parts[node] = part;
  }
}

void finish(Elements& elements) {
  elements.node_weights = Vector::Zero(elements.node_count());
  for (int element = 0; element < elements.element_count(); ++element) {
    for (int k = 0; k < elements.corner_count(); ++k) {
      elements.node_weights[elements.corners(element, k)] +=
          elements.weights[element] / elements.corner_count();
    }
  }
  connect_neighbours(elements);
  find_parts(elements);
}

}  // namespace

Elements elements_of(const TetMesh& mesh) {
  check(mesh);
  Elements elements;
  elements.rest = mesh.V;
  elements.corners = mesh.T;
  ElementGeometry geometry = element_geometry(mesh);
  elements.gradients = std::move(geometry.gradients);
  elements.weights = std::move(geometry.volumes);
  finish(elements);
  return elements;
}

Elements elements_of(const TriMesh& surface) {
  check(surface);
  const int count = surface.triangle_count();
  Elements elements;
  elements.rest = surface.V;
  elements.corners.resize(count, 4);
  elements.gradients.setZero(count, 12);
  elements.weights.resize(count);
  elements.normals.resize(count, 3);
  for (int f = 0; f < count; ++f) {
    const auto corner = [&](int k) { return Vec3(surface.V.row(surface.F(f, k)).transpose()); };
    const Vec3 doubled = (corner(1) - corner(0)).cross(corner(2) - corner(0));
    const double length = doubled.norm();
    const double edge2 =
        std::max((corner(1) - corner(0)).squaredNorm(), (corner(2) - corner(0)).squaredNorm());
    // Twice the area of a triangle as thin as rounding: 8 ulp of the edge squared.
    if (!(length > 8 * std::numeric_limits<double>::epsilon() * edge2)) {
      throw Error(fmt::format("triangle {} has no area", f), "surface",
                  "remove degenerate triangles first");
    }
    const Vec3 normal = doubled / length;
    elements.corners.row(f) << surface.F(f, 0), surface.F(f, 1), surface.F(f, 2), surface.F(f, 0);
    elements.normals.row(f) = normal.transpose();
    elements.weights[f] = length / 2;
    for (int k = 0; k < 3; ++k) {
      // ∇N_k stands on the opposite edge within the plane: n × edge / 2a.
      const Vec3 edge = corner((k + 2) % 3) - corner((k + 1) % 3);
      elements.gradients.block<1, 3>(f, 3 * k) = (normal.cross(edge) / length).transpose();
    }
  }
  finish(elements);
  return elements;
}

Mat3 Elements::deformation_gradient(const Positions& pose, int element) const {
  Mat3 F = Mat3::Zero();
  for (int k = 0; k < corner_count(); ++k) {
    F += pose.row(corners(element, k)).transpose() * gradient(element, k).transpose();
  }
  if (!is_shell()) return F;
  const auto corner = [&](int k) { return Vec3(pose.row(corners(element, k)).transpose()); };
  const Vec3 doubled = (corner(1) - corner(0)).cross(corner(2) - corner(0));
  const double length = doubled.norm();
  // n' √(a'/a); a triangle without area gives zero, as its plane says nothing.
  const Vec3 across =
      length > 0 ? Vec3(doubled / std::sqrt(length * 2 * weights[element])) : Vec3::Zero();
  return F + across * normals.row(element);
}

Mat3 Elements::gradient_change(const double* displacements, int element) const {
  Mat3 A = Mat3::Zero();
  for (int k = 0; k < corner_count(); ++k) {
    A += Eigen::Map<const Vec3>(displacements + 3 * static_cast<std::size_t>(corners(element, k))) *
         gradient(element, k).transpose();
  }
  if (!is_shell()) return A;
  // The normal turns by −Aᵀn and its length grows by half the change of area, tr A.
  const Vec3 normal = normals.row(element).transpose();
  return A + (0.5 * A.trace() * normal - A.transpose() * normal) * normal.transpose();
}

Mat3 Elements::gradient_change_transposed(const Mat3& D, int element) const {
  if (!is_shell()) return D;
  const Vec3 normal = normals.row(element).transpose();
  const Vec3 Dn = D * normal;
  return D + 0.5 * normal.dot(Dn) * Mat3::Identity() - normal * Dn.transpose();
}

Positions barycentres(const Elements& elements, const Positions& pose) {
  Positions sums = Positions::Zero(elements.part_count, 3);
  Vector weights = Vector::Zero(elements.part_count);
  for (int node = 0; node < elements.node_count(); ++node) {
    const int part = elements.parts[node];
    if (part < 0) continue;
    sums.row(part) += elements.node_weights[node] * pose.row(node);
    weights[part] += elements.node_weights[node];
  }
  return weights.cwiseInverse().asDiagonal() * sums;
}

void check_pose(const Elements& elements, const Positions& pose, const std::string& where) {
  if (pose.rows() != elements.node_count()) {
    throw Error(
        fmt::format("{} nodes where the rest shape has {}", pose.rows(), elements.node_count()),
        where, "give poses of the same mesh");
  }
  for (Eigen::Index node = 0; node < pose.rows(); ++node) {
    const double size = pose.row(node).lpNorm<Eigen::Infinity>();
    if (size <= kLargestCoordinate && pose.row(node).allFinite()) continue;
    throw Error(fmt::format("node {} has a coordinate that is not finite or beyond {:g}", node,
                            kLargestCoordinate),
                where, "mend or export the pose again");
  }
}

}  // namespace limber
