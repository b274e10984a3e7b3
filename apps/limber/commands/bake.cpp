// limber bake: everything precomputed that playing a body needs, in one file.
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "body_options.h"
#include "commands/commands.h"
#include "limber/core/output_unit.h"
#include "limber/mesh/read_mesh.h"
#include "limber/modes/bake.h"
#include "limber/modes/embedded_surface.h"
#include "limber/modes/playback/baked_file.h"

namespace limber {

namespace {

struct BakeArguments {
  BodyOptions body;
  std::filesystem::path output;
  std::filesystem::path surface;
  std::string storage = "float32";
};

void bake_to_file(BakeArguments& options, const Progress& progress) {
  std::vector<std::filesystem::path> inputs{options.body.mesh_path};
  if (!options.surface.empty()) inputs.push_back(options.surface);
  OutputUnit unit({options.output}, inputs);
  const TetMesh mesh = options.body.read_mesh();
  BakeNotes notes;
  BakedBody baked;
  baked.body = bake(mesh, options.body.materials(), options.body.fixed_nodes(mesh),
                    options.body.modal_options(), progress, &notes);
  if (!options.surface.empty()) {
    report(progress, "bind surface", 1);
    baked.body.surface = embedded_surface(mesh, read_surface(options.surface));
  }
  report(progress, "pack", 1);
  baked.surface =
      pack_surface(baked.body, options.storage == "int16" ? Precision::int16 : Precision::float32);
  write_baked(options.output, baked);
  unit.commit();
  fmt::print("{}: {} nodes, {} modes ({:.3g} to {:.3g} Hz), {} rigid modes, residual {:.1e}\n",
             options.output.string(), mesh.node_count(), baked.body.mode_count(),
             frequency_hz(baked.body.eigenvalues()[0]),
             frequency_hz(baked.body.eigenvalues()[baked.body.mode_count() - 1]),
             baked.body.rigid_modes, baked.body.max_residual);
}

}  // namespace

void add_bake(CLI::App& app, const Session& session) {
  CLI::App& command = add_command(
      app, "bake", "Precompute a body for playing: modes, rotations, mass and surface in one file",
      "limber bake bar.msh -o bar.limber --fix 'x<=0.001' --young 2e5 --modes auto");
  auto options = std::make_shared<BakeArguments>();
  options->body.add_to(command);
  command.add_option("-o,--output", options->output, "Baked body, .limber")->required();
  command.add_option("--surface", options->surface,
                     "Surface to show instead of the mesh's boundary: .obj .ply .stl .off .glb");
  command
      .add_option("--storage", options->storage,
                  "Surface modes: float32, or int16 for half the memory (error below 1e-4 of the "
                  "body's size)")
      ->check(CLI::IsMember({"float32", "int16"}))
      ->capture_default_str();
  command.callback([options, &session] { bake_to_file(*options, session.progress()); });
}

}  // namespace limber
