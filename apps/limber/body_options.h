// The options that `modes` and `bake` share: mesh, material, fixed nodes, number of modes.
#pragma once

#include <CLI/App.hpp>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "limber/modes/modal_analysis.h"

namespace limber {

struct BodyOptions {
  std::filesystem::path mesh_path;
  Material material;
  std::vector<std::string> regions;
  std::vector<std::string> fix;
  std::string modes = "20";
  std::string mass = "consistent";
  double display_rate_hz = 60;
  double max_force = 0;
  double min_displacement = 0;

  /// Returns the option of the mesh.
  CLI::Option* add_to(CLI::App& command);

  [[nodiscard]] TetMesh read_mesh() const;
  /// `material`, and that of every --region. Throws Error for what it cannot read.
  [[nodiscard]] Materials materials() const;
  /// The union of all --fix selections.
  [[nodiscard]] std::vector<int> fixed_nodes(const TetMesh& mesh) const;
  [[nodiscard]] ModalOptions modal_options() const;
  /// The same options for another program, about the mesh at `path`.
  [[nodiscard]] std::vector<std::string> arguments(const std::filesystem::path& path) const;
};

/// Throws Error when a material is for a region that is not among those `present`.
void check_regions(const Materials& materials, const std::set<int>& present);
[[nodiscard]] std::set<int> regions_of(const TetMesh& mesh);

/// "auto" or a number. Throws Error that names `where`.
[[nodiscard]] int parse_mode_count(const std::string& text, const std::string& where);

}  // namespace limber
