// The options that `modes` and `bake` share: mesh, material, fixed nodes, number of modes.
#pragma once

#include <CLI/App.hpp>
#include <filesystem>
#include <string>
#include <vector>

#include "limber/modes/modal_analysis.h"

namespace limber {

struct BodyOptions {
  std::filesystem::path mesh_path;
  Material material;
  std::vector<std::string> fix;
  std::string modes = "20";
  std::string mass = "consistent";
  double display_rate_hz = 60;
  double max_force = 0;
  double min_displacement = 0;

  void add_to(CLI::App& command);

  [[nodiscard]] TetMesh read_mesh() const;
  /// The union of all --fix selections.
  [[nodiscard]] std::vector<int> fixed_nodes(const TetMesh& mesh) const;
  [[nodiscard]] ModalOptions modal_options() const;
};

/// "auto" or a number. Throws Error that names `where`.
[[nodiscard]] int parse_mode_count(const std::string& text, const std::string& where);

}  // namespace limber
