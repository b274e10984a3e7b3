#include "limber/mesh/write_mesh.h"

#include "limber/core/error.h"
#include "limber/core/file.h"
#include "limber/mesh/checks.h"
#include "limber/mesh/formats/glb.h"
#include "limber/mesh/formats/gmsh.h"
#include "limber/mesh/formats/medit.h"
#include "limber/mesh/formats/obj.h"
#include "limber/mesh/formats/ply.h"
#include "limber/mesh/formats/scanner.h"
#include "limber/mesh/formats/stl.h"
#include "limber/mesh/formats/vtu.h"

namespace limber {

namespace {
[[noreturn]] void refuse(const std::filesystem::path& path, const char* kind, const char* endings) {
  throw Error("not a format Limber writes " + std::string(kind) +
                  " in: " + in_quotes(path.extension().string()),
              path.string(), "use one of " + std::string(endings));
}
}  // namespace

void write_tet_mesh(const std::filesystem::path& path, const TetMesh& mesh,
                    const GmshOptions& gmsh) {
  const std::string ending = lower_case(path.extension().string());
  check(mesh);
  if (ending == ".msh") return write_file(path, gmsh_text(mesh, gmsh));
  if (ending == ".mesh") return write_file(path, medit_text(mesh));
  if (ending == ".vtu") return write_file(path, vtu_text(mesh));
  refuse(path, "tet meshes", ".msh .mesh .vtu");
}

void write_surface(const std::filesystem::path& path, const TriMesh& surface) {
  const std::string ending = lower_case(path.extension().string());
  check(surface);
  if (ending == ".obj") return write_obj(path, surface);
  if (ending == ".ply") return write_file(path, ply_text(surface));
  if (ending == ".stl") return write_file(path, stl_text(surface));
  if (ending == ".glb") return write_glb(path, surface);
  refuse(path, "surfaces", ".obj .ply .stl .glb");
}

}  // namespace limber
