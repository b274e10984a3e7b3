#include "server/import_mesh.h"

#include <nlohmann/json.hpp>

#include "limber/core/error.h"
#include "limber/mesh/read_mesh.h"
#include "limber/mesh/write_mesh.h"
#include "server/fields.h"

namespace limber::studio {

namespace {

bool is_bare_mesh(const std::filesystem::path& path) {
  const std::string ending = path.extension().string();
  return ending != ".json" && ending != ".limber" && ending != ".limberproj";
}

void import_vertices(Positions& vertices, const MeshImport& import) {
  for (Eigen::Index i = 0; i < vertices.rows(); ++i) {
    const Vec3 v = import.scale * vertices.row(i).transpose();
    if (import.up == 'z') {
      vertices.row(i) << v.x(), v.z(), -v.y();
    } else if (import.up == 'x') {
      vertices.row(i) << -v.y(), v.x(), v.z();
    } else {
      vertices.row(i) = v.transpose();
    }
  }
}

/// Formats that keep what the file had: OBJ and glTF their looks, the others colours at most.
std::string written_as(const std::string& ending) {
  return ending == ".glb" || ending == ".obj" ? ending : ".ply";
}

}  // namespace

std::string survey_mesh(const std::filesystem::path& path) {
  const bool tets = is_tet_format(path);
  TetMesh mesh;
  if (tets) mesh = read_tet_mesh(path);
  const Positions vertices = tets ? mesh.V : read_surface(path).V;
  const Vec3 low = vertices.colwise().minCoeff(), high = vertices.colwise().maxCoeff();
  return json{{"low", as_json(low)},
              {"high", as_json(high)},
              {"vertices", vertices.rows()},
              {"tets", mesh.tet_count()}}
      .dump();
}

std::filesystem::path imported_mesh(const std::filesystem::path& path, const MeshImport& import) {
  if (import.changes_nothing() || !is_bare_mesh(path)) return path;
  std::filesystem::path result = path;
  if (is_tet_format(path)) {
    TetMesh mesh = read_tet_mesh(path);
    import_vertices(mesh.V, import);
    result.replace_extension(".msh");
    write_tet_mesh(result, mesh);
    return result;
  }
  TriMesh surface = read_surface(path);
  import_vertices(surface.V, import);
  result.replace_extension(written_as(path.extension().string()));
  write_surface(result, surface);
  return result;
}

}  // namespace limber::studio
