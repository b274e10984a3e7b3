#include "limber/mesh/characters/character.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "limber/core/error.h"
#include "limber/mesh/characters/cast.h"
#include "limber/mesh/characters/polygonise.h"

namespace limber {

namespace {

/// How a picture is laid over a character.
enum class Projection {
  front,   ///< as a slide projector in front would
  around,  ///< u once around the y axis, v up; a seam behind
  top      ///< from above
};

struct Character {
  CharacterDescription description;
  Implicit (*solid)();
  Projection projection;
};

const std::vector<Character>& cast() {
  static const std::vector<Character> all{
      {{"flubber", "blobby figure with arms"}, flubber_solid, Projection::front},
      {{"dino", "long neck, longer tail"}, dino_solid, Projection::around},
      {{"elephant", "trunk and ears that flap"}, elephant_solid, Projection::front},
      {{"bird", "stout, with a hooked beak"}, bird_solid, Projection::around},
      {{"bunny", "sits up, long ears"}, bunny_solid, Projection::around},
      {{"belly", "a torso that enjoys its food"}, belly_solid, Projection::around},
      {{"jelly-box", "rounded box with a face"}, jelly_box_solid, Projection::around},
      {{"tube", "bent hose with striped wall"}, tube_solid, Projection::around},
      {{"brain", "folded ball in two halves"}, brain_solid, Projection::top},
      {{"hat", "wizard's hat, an open surface"}, hat_solid, Projection::top},
      {{"bowl", "thin wall on a foot"}, bowl_solid, Projection::top}};
  return all;
}

/// Colours, and triangles grouped by the paint that most of a triangle's points show.
void paint(const Implicit& solid, TriMesh& mesh) {
  const double edge = (mesh.V.row(mesh.F(0, 0)) - mesh.V.row(mesh.F(0, 1))).norm();
  const double blur = std::max(edge, 0.006);  // no finer than the mesh can show
  mesh.colours.resize(mesh.vertex_count(), 3);
  for (int v = 0; v < mesh.vertex_count(); ++v) {
    mesh.colours.row(v) = solid.colour_at(mesh.V.row(v), blur);
  }
  for (const Paint& one : solid.paints()) mesh.material_names.push_back(one.name);
  mesh.face_materials.resize(mesh.triangle_count());
  for (int f = 0; f < mesh.triangle_count(); ++f) {
    const Vec3 centre =
        (mesh.V.row(mesh.F(f, 0)) + mesh.V.row(mesh.F(f, 1)) + mesh.V.row(mesh.F(f, 2))) / 3;
    mesh.face_materials[f] = solid.paint_at(centre);
  }
}

/// Feet on the ground, `height` tall, the middle above the origin.
void place(TriMesh& mesh, double height) {
  const Eigen::RowVector3d low = mesh.V.colwise().minCoeff();
  const Eigen::RowVector3d high = mesh.V.colwise().maxCoeff();
  Eigen::RowVector3d origin = 0.5 * (low + high);
  origin.y() = low.y();
  mesh.V = (mesh.V.rowwise() - origin) * (height / (high.y() - low.y()));
}

void project_from(TriMesh& mesh, int u_axis, int v_axis, bool turn_v) {
  const Eigen::RowVector3d low = mesh.V.colwise().minCoeff();
  const Eigen::RowVector3d size = mesh.V.colwise().maxCoeff() - low;
  mesh.uv.resize(mesh.vertex_count(), 2);
  for (int v = 0; v < mesh.vertex_count(); ++v) {
    const Eigen::RowVector3d at = (mesh.V.row(v) - low).cwiseQuotient(size);
    mesh.uv.row(v) << static_cast<float>(at[u_axis]),
        static_cast<float>(turn_v ? 1 - at[v_axis] : at[v_axis]);
  }
}

/// Triangles across the seam at the back get coordinates beyond 1 rather than run around.
void project_around(TriMesh& mesh) {
  const double height = mesh.V.col(1).maxCoeff();
  mesh.corner_uv.resize(3 * static_cast<Eigen::Index>(mesh.triangle_count()), 2);
  for (int f = 0; f < mesh.triangle_count(); ++f) {
    std::array<double, 3> u{};
    for (int i = 0; i < 3; ++i) {
      const Vec3 p = mesh.V.row(mesh.F(f, i));
      u[i] = 0.5 + std::atan2(p.x(), p.z()) / (2 * std::numbers::pi);
    }
    const double first = *std::max_element(u.begin(), u.end());
    for (int i = 0; i < 3; ++i) {
      mesh.corner_uv.row(3 * f + i) << static_cast<float>(first - u[i] > 0.5 ? u[i] + 1 : u[i]),
          static_cast<float>(mesh.V(mesh.F(f, i), 1) / height);
    }
  }
}

void add_texture_coordinates(TriMesh& mesh, Projection projection) {
  switch (projection) {
    case Projection::front:
      return project_from(mesh, 0, 1, false);
    case Projection::top:
      return project_from(mesh, 0, 2, true);
    case Projection::around:
      return project_around(mesh);
  }
}

void check_numbers(int vertices, double height) {
  if (vertices < kLeastCharacterVertices || vertices > kMostCharacterVertices) {
    throw Error("a character of " + std::to_string(vertices) + " vertices", "character",
                "give " + std::to_string(kLeastCharacterVertices) + " to " +
                    std::to_string(kMostCharacterVertices));
  }
  if (!(height > 0) || !std::isfinite(height)) {
    throw Error("the height must be positive", "character", "give metres, for example 1");
  }
}

}  // namespace

const std::vector<CharacterDescription>& character_descriptions() {
  static const std::vector<CharacterDescription> all = [] {
    std::vector<CharacterDescription> list;
    for (const Character& one : cast()) list.push_back(one.description);
    return list;
  }();
  return all;
}

std::vector<std::string> character_names() {
  std::vector<std::string> names;
  for (const Character& one : cast()) names.push_back(one.description.name);
  return names;
}

TriMesh character(const std::string& name, int vertices, double height) {
  check_numbers(vertices, height);
  for (const Character& one : cast()) {
    if (one.description.name != name) continue;
    const Implicit solid = one.solid();
    TriMesh mesh = polygonise(solid, vertices);
    paint(solid, mesh);
    place(mesh, height);
    add_texture_coordinates(mesh, one.projection);
    return mesh;
  }
  std::string known;
  for (const std::string& other : character_names()) known += (known.empty() ? "" : ", ") + other;
  throw Error("unknown character \"" + name + "\"", "character", "there are: " + known);
}

}  // namespace limber
