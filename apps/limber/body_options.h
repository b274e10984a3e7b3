// The options that `modes` and `bake` share: mesh, material, fixed nodes, number of modes.
#pragma once

#include <CLI/App.hpp>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "limber/mesh/read_mesh.h"
#include "limber/modes/modal_analysis.h"

namespace limber {

struct MeshOfMaterials {
  TetMesh mesh;
  Materials materials;
  bool file_gives_materials = false;
};

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

  /// Reads the mesh. Its materials are those that its file gives, unless one of --young, --poisson,
  /// --density is there, else those; and that of every --region. Tells whose they are.
  [[nodiscard]] MeshOfMaterials read() const;
  /// The materials for a file that gives none. Throws Error for a --region that it cannot read.
  [[nodiscard]] Materials materials() const { return with_regions(material); }
  /// The union of all --fix selections.
  [[nodiscard]] std::vector<int> fixed_nodes(const TetMesh& mesh) const;
  [[nodiscard]] ModalOptions modal_options() const;
  /// The same options for another program, about the mesh at `path` of these `materials`.
  [[nodiscard]] std::vector<std::string> arguments(const std::filesystem::path& path,
                                                   const Materials& materials) const;

 private:
  [[nodiscard]] Materials file_materials(const ReadNotes& notes) const;
  [[nodiscard]] Materials with_regions(Materials base) const;

  const CLI::App* command_ = nullptr;  // the program's, which outlives its options
};

/// Throws Error when a material is for a region that is not among those `present`.
void check_regions(const Materials& materials, const std::set<int>& present);
[[nodiscard]] std::set<int> regions_of(const TetMesh& mesh);

/// "auto" or a number. Throws Error that names `where`.
[[nodiscard]] int parse_mode_count(const std::string& text, const std::string& where);

}  // namespace limber
