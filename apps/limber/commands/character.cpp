// limber character: a soft character made by code, as a surface.
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "commands/commands.h"
#include "limber/core/output_unit.h"
#include "limber/mesh/characters/character.h"
#include "limber/mesh/write_mesh.h"

namespace limber {

namespace {

struct CharacterArguments {
  std::string name;
  std::filesystem::path output;
  int vertices = kDefaultCharacterVertices;
  double height = 1;
};

std::string all_names() {
  std::string text = "One of";
  for (const CharacterDescription& one : character_descriptions()) {
    text += fmt::format("{} {} ({})", text.back() == 'f' ? "" : ";", one.name, one.text);
  }
  return text;
}

}  // namespace

void add_character(CLI::App& app, const Session&) {
  CLI::App& command =
      add_command(app, "character", "A character made by code, with colours and groups",
                  "limber character dino -o dino.glb --vertices 20000");
  auto options = std::make_shared<CharacterArguments>();
  command.add_option("NAME", options->name, all_names())->required();
  command.add_option("-o,--output", options->output, "Surface: .obj .ply .stl .glb")->required();
  command.add_option("--vertices", options->vertices, "About how many, 500 to 1000000")
      ->capture_default_str();
  command.add_option("--height", options->height, "m")->capture_default_str();
  command.callback([options] {
    OutputUnit unit({options->output});
    const TriMesh mesh = character(options->name, options->vertices, options->height);
    write_surface(options->output, mesh);
    unit.commit();
    fmt::print("{}: {} vertices, {} triangles\n", options->output.string(), mesh.vertex_count(),
               mesh.triangle_count());
  });
}

}  // namespace limber
