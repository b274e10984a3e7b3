#include "bake_options.h"

#include <CLI/CLI.hpp>

namespace limber {

CLI::Option* BakeOptions::add_to(CLI::App& command) {
  CLI::Option* const out = command.add_option("-o,--output", output, "Baked body, .limber");
  command.add_option("--surface", surface,
                     "Surface to show instead of the mesh's boundary: .obj .ply .stl .off .glb");
  command
      .add_option("--storage", storage,
                  "Surface modes: float32, or int16 for half the memory (error below 1e-4 of the "
                  "body's size)")
      ->check(CLI::IsMember({"float32", "int16"}))
      ->capture_default_str();
  return out;
}

std::vector<std::string> BakeOptions::arguments() const {
  std::vector<std::string> result{"--output", output.string(), "--storage", storage};
  if (!surface.empty()) result.insert(result.end(), {"--surface", surface.string()});
  return result;
}

}  // namespace limber
