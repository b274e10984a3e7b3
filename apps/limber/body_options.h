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

  /// Takes the materials that the file gives, unless one of --young, --poisson, --density is given;
  /// says so on stderr.
  [[nodiscard]] TetMesh read_mesh();
  [[nodiscard]] const Materials& materials() const { return materials_; }
  /// The union of all --fix selections.
  [[nodiscard]] std::vector<int> fixed_nodes(const TetMesh& mesh) const;
  [[nodiscard]] ModalOptions modal_options() const;

 private:
  const CLI::App* command_ = nullptr;
  Materials materials_;
};

/// "auto" or a number. Throws Error that names `where`.
[[nodiscard]] int parse_mode_count(const std::string& text, const std::string& where);

}  // namespace limber
