// limber convert: from one mesh format to another.
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <variant>

#include "commands/commands.h"
#include "limber/core/error.h"
#include "limber/core/output_unit.h"
#include "limber/mesh/boundary.h"
#include "limber/mesh/formats/scanner.h"
#include "limber/mesh/read_mesh.h"
#include "limber/mesh/write_mesh.h"
#include "messages.h"

namespace limber {

namespace {

struct ConvertArguments {
  std::filesystem::path in;
  std::filesystem::path out;
  bool binary = false;
};

/// A tet mesh goes to a surface format as its boundary.
void write_as_asked(const std::variant<TetMesh, TriMesh>& mesh, const ConvertArguments& options) {
  if (options.binary && lower_case(options.out.extension().string()) != ".msh") {
    throw Error("only .msh files can be chosen to be binary", "--binary",
                "give the output that ending or leave the option out");
  }
  const bool tets_out = is_tet_format(options.out);
  if (const auto* tets = std::get_if<TetMesh>(&mesh)) {
    if (tets_out) {
      write_tet_mesh(options.out, *tets, {GmshOptions::Version::v4_1, options.binary});
    } else {
      write_surface(options.out, boundary_surface(*tets).surface);
    }
    return;
  }
  if (tets_out) {
    throw Error("a surface cannot become a tetrahedral mesh by conversion", options.in.string(),
                "fill it with `limber mesh`");
  }
  write_surface(options.out, std::get<TriMesh>(mesh));
}

}  // namespace

void add_convert(CLI::App& app, const Session&) {
  CLI::App& command = add_command(
      app, "convert",
      "Between mesh formats: reads .msh .mesh .vtk .vtu .veg .node .obj .ply .stl .off .glb .gltf, "
      "writes .msh .mesh .vtu .obj .ply .stl .glb",
      "limber convert dragon.veg dragon.vtu");
  auto options = std::make_shared<ConvertArguments>();
  command.add_option("IN", options->in, "Mesh to read")->required();
  command.add_option("OUT", options->out, "File to write; a surface format gets the boundary")
      ->required();
  command.add_flag("--binary", options->binary,
                   "Write .msh as numbers rather than text: small, and limber-modes-mpi reads it");
  command.callback([options] {
    OutputUnit unit({options->out}, {options->in});
    ReadNotes notes;
    write_as_asked(read_mesh(options->in, &notes), *options);
    unit.commit();
    if (notes.turned_tets > 0) {
      tell("{} tets of negative volume were turned round", notes.turned_tets);
    }
    for (const std::string& remark : notes.remarks) tell("{}", remark);
  });
}

}  // namespace limber
