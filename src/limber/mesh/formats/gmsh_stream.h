// What the versions of Gmsh's format share: element types, node tags, ASCII and binary numbers.
#pragma once

#include <map>
#include <unordered_map>
#include <vector>

#include "limber/mesh/formats/raw_mesh.h"
#include "limber/mesh/formats/scanner.h"

namespace limber {

/// Numbers in turn, written as text or as raw bytes, whichever the file uses.
struct GmshStream {
  Scanner& scanner;
  bool binary = false;
  std::endian order = std::endian::little;

  std::int64_t integer() { return binary ? scanner.raw<std::int32_t>(order) : scanner.integer(); }
  double number() { return binary ? scanner.raw<double>(order) : scanner.number(); }
  /// A tag or count that binary files of version 4 store in eight bytes.
  std::int64_t size();
  /// A count of things that take at least `bytes` bytes each in a binary file.
  std::int64_t count(std::string_view things, std::size_t bytes);
  void check_room(std::int64_t count, std::string_view things, std::size_t bytes) const;
};

struct GmshElementType {
  int number;
  int nodes;
  const char* plural;
  bool solid;
};
inline constexpr int kGmshTet = 4;
/// Null for a type this list does not have.
const GmshElementType* gmsh_element_type(std::int64_t number);
/// Nodes of an element; refuses unknown types, whose length nobody knows.
int gmsh_node_count(std::int64_t type, const Scanner& scanner);
/// Calls elements that are not tets, counted by type, by their names.
void note_gmsh_others(const std::map<std::int64_t, std::int64_t>& by_type, ElementCounts& counts);

struct GmshFormat {
  int version;  ///< 2 or 4
  GmshStream stream;
};
/// From behind "$MeshFormat" to behind its end.
GmshFormat read_gmsh_format(Scanner& scanner);

/// Collects nodes with arbitrary tags, then elements that name them.
class GmshMesh {
 public:
  explicit GmshMesh(Scanner& scanner) : scanner_(scanner) {}

  void add_node(std::int64_t tag, double x, double y, double z);
  /// To be called between the nodes and the elements.
  void end_nodes();
  /// `corners` holds the tags of the four nodes.
  void add_tet(const std::array<std::int64_t, 4>& corners, std::int64_t region);
  void add_other(std::int64_t type, std::int64_t count = 1) { others_[type] += count; }

  RawTets take();

 private:
  [[nodiscard]] std::int64_t row_of(std::int64_t tag) const;

  Scanner& scanner_;
  RawTets raw_;
  std::vector<std::int64_t> tags_;
  std::int64_t first_tag_ = 0;
  std::vector<std::int32_t> dense_rows_;  ///< by tag - first_tag_, -1 where there is no node
  std::unordered_map<std::int64_t, std::int64_t> sparse_rows_;  ///< instead, for scattered tags
  std::map<std::int64_t, std::int64_t> others_;                 ///< elements by type
};

/// Version 1, from behind "$NOD".
RawTets read_gmsh_1(Scanner& scanner);
/// From behind $EndMeshFormat.
RawTets read_gmsh_2(GmshStream stream);
RawTets read_gmsh_4(GmshStream stream);

/// The first physical group of each volume, by the volume's tag.
using GmshGroups = std::map<std::int64_t, std::int64_t>;
GmshGroups read_gmsh_entities(GmshStream& stream);

/// The head of a list of blocks in version 4: how many blocks, how many things in them.
struct GmshBlockList {
  std::int64_t blocks;
  std::int64_t total;
};
GmshBlockList read_gmsh_block_list(GmshStream& stream, std::string_view things);
void check_gmsh_total(const GmshStream& stream, std::int64_t found, const GmshBlockList& list);

/// The next section's name without its $, the cursor behind its line; empty at the end.
std::string_view next_gmsh_section(Scanner& scanner);
void skip_gmsh_section(Scanner& scanner, std::string_view name);
void end_gmsh_section(Scanner& scanner, std::string_view name);

}  // namespace limber
