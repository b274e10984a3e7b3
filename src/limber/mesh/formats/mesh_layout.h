// Where the nodes and tets of a binary mesh file lie, so that any slice of them can be read alone:
// by several processes, none of which ever holds the whole mesh.
#pragma once

#include <bit>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "limber/mesh/formats/number_type.h"

namespace limber {

/// Item k begins at byte position + k·stride of the file; its numbers follow each other.
struct NumberRun {
  std::uint64_t position = 0;
  std::uint64_t stride = 0;
  NumberType type{8, true, true};
};

struct NodeRun {
  std::int64_t count = 0;
  NumberRun coordinates;  ///< three a node
  bool has_tags = false;  ///< else nodes are named 0, 1, 2 … in the file's order
  NumberRun tags;
};

struct TetRun {
  std::int64_t count = 0;
  NumberRun corners;            ///< four a tet, named by tags
  std::int64_t first_node = 0;  ///< added to corners
  bool has_regions = false;     ///< else all have `region`
  NumberRun regions;
  int region = 0;
};

/// Runs in the file's order.
struct MeshLayout {
  std::endian order = std::endian::little;
  std::vector<NodeRun> nodes;
  std::vector<TetRun> tets;

  [[nodiscard]] std::int64_t node_count() const;
  [[nodiscard]] std::int64_t tet_count() const;
};

/// Binary .msh of versions 2.2 and 4.1, and .vtu with raw appended data. Throws Error for anything
/// damaged, for other formats (with how to convert them) and for elements that Limber cannot use.
[[nodiscard]] MeshLayout mesh_layout(std::string_view bytes, const std::filesystem::path& path);
/// Whether mesh_layout() knows the file's kind: its beginning alone is enough.
constexpr std::size_t kLayoutBeginning = 1 << 20;
[[nodiscard]] bool has_mesh_layout(std::string_view bytes, const std::filesystem::path& path);

struct NodeSlice {
  std::vector<std::int64_t> tags;
  std::vector<double> coordinates;  ///< x y z
};
/// Nodes begin ≤ k < end in the file's order.
[[nodiscard]] NodeSlice read_nodes(const MeshLayout& layout, std::string_view bytes,
                                   const std::string& file_name, std::int64_t begin,
                                   std::int64_t end);

struct TetSlice {
  std::vector<std::int64_t> corners;  ///< four tags a tet
  std::vector<int> regions;
};
[[nodiscard]] TetSlice read_tets(const MeshLayout& layout, std::string_view bytes,
                                 const std::string& file_name, std::int64_t begin,
                                 std::int64_t end);

// Of each format, for mesh_layout().
[[nodiscard]] MeshLayout gmsh_layout(std::string_view bytes, const std::string& file_name);
[[nodiscard]] MeshLayout vtu_layout(std::string_view bytes, const std::string& file_name);

}  // namespace limber
