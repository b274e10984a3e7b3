#include "limber/mesh/checks.h"

#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <limits>

#include "limber/core/error.h"
#include "limber/mesh/tet_geometry.h"

namespace limber {

namespace {
constexpr const char* kMendCoordinates = "mend or export it again";

/// The number of a thing in messages.
using Numbering = std::function<int(int)>;
int own_number(int i) { return i; }

void check_coordinates(const Positions& positions, const char* what, const std::string& where,
                       const Numbering& number = own_number) {
  for (Eigen::Index i = 0; i < positions.rows(); ++i) {
    const double size = positions.row(i).lpNorm<Eigen::Infinity>();
    if (size <= kLargestCoordinate && positions.row(i).allFinite()) continue;
    throw Error(fmt::format("{} {} has a coordinate that is not finite or beyond {:g}", what,
                            number(static_cast<int>(i)), kLargestCoordinate),
                where, kMendCoordinates);
  }
}

void check_volume(const TetMesh& mesh, int tet, const std::string& where, int number) {
  const Vec3 a = mesh.V.row(mesh.T(tet, 0));
  const Vec3 b = mesh.V.row(mesh.T(tet, 1));
  const Vec3 c = mesh.V.row(mesh.T(tet, 2));
  const Vec3 d = mesh.V.row(mesh.T(tet, 3));
  const double six = six_volumes(a, b, c, d);
  const double flat = flat_six_volumes(a, b, c, d);
  if (six > flat) return;
  if (six < -flat) {
    throw Error(fmt::format("tet {} has negative volume {:g}", number, six / 6), where,
                "swap two of its nodes");
  }
  throw Error(fmt::format("tet {} is flat, volume {:g}", number, six / 6), where,
              "remove it, or run `limber mesh` on the surface");
}
}  // namespace

void check(const TetMesh& mesh, const std::string& where) {
  if (mesh.tet_count() == 0) throw Error("has no tetrahedra", where, "give a tetrahedral mesh");
  if (!mesh.regions.empty() && mesh.regions.size() != static_cast<std::size_t>(mesh.tet_count())) {
    throw Error(fmt::format("{} regions for {} tets", mesh.regions.size(), mesh.tet_count()), where,
                "give one region a tet, or none");
  }
  check_coordinates(mesh.V, "node", where);
  const int nodes = mesh.node_count();
  for (int t = 0; t < mesh.tet_count(); ++t) {
    if (mesh.T.row(t).minCoeff() < 0 || mesh.T.row(t).maxCoeff() >= nodes) {
      throw Error(fmt::format("tet {} names a node that is not there; there are {}", t, nodes),
                  where, kMendCoordinates);
    }
    check_volume(mesh, t, where, t);
  }
}

void check_part(const TetMesh& part, const std::vector<int>& node_numbers,
                const std::vector<int>& tet_numbers, const std::string& where) {
  check_coordinates(part.V, "node", where, [&](int i) { return node_numbers[i]; });
  for (int t = 0; t < part.tet_count(); ++t) check_volume(part, t, where, tet_numbers[t]);
}

void check(const TriMesh& surface, const std::string& where) {
  if (surface.triangle_count() == 0) throw Error("has no triangles", where, "give a surface");
  check_coordinates(surface.V, "vertex", where);
  if (surface.F.minCoeff() < 0 || surface.F.maxCoeff() >= surface.vertex_count()) {
    throw Error("a triangle names a vertex that is not there", where, kMendCoordinates);
  }
  if (!surface.uv.allFinite() || !surface.corner_uv.allFinite()) {
    throw Error("has texture coordinates that are not finite", where, kMendCoordinates);
  }
  if (!surface.colours.allFinite()) {
    throw Error("has colours that are not finite", where, kMendCoordinates);
  }
}

std::vector<int> unused_nodes(const TetMesh& mesh) {
  std::vector<char> used(static_cast<std::size_t>(mesh.node_count()), 0);
  for (Eigen::Index i = 0; i < mesh.T.size(); ++i) used[mesh.T.data()[i]] = 1;
  std::vector<int> unused;
  for (int i = 0; i < mesh.node_count(); ++i) {
    if (used[i] == 0) unused.push_back(i);
  }
  return unused;
}

double volume(const Positions& positions, const Tets& tets) {
  double six = 0;
  for (Eigen::Index t = 0; t < tets.rows(); ++t) {
    six += six_volumes(positions.row(tets(t, 0)), positions.row(tets(t, 1)),
                       positions.row(tets(t, 2)), positions.row(tets(t, 3)));
  }
  return six / 6;
}

}  // namespace limber
