// Version 4.1: elements lie in blocks of one geometric entity, which has the physical groups.
#include "limber/mesh/formats/gmsh_stream.h"

namespace limber {

namespace {
constexpr int kVolumeDimension = 3;

/// A counted list of four-byte tags; returns the first, or 0.
std::int64_t first_of_list(GmshStream& stream) {
  const std::int64_t count = stream.count("tags", 4);
  std::int64_t first = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t tag = stream.integer();
    if (i == 0) first = tag;
  }
  return first;
}

/// Returns how many nodes the block has.
std::int64_t read_node_block(GmshStream& stream, GmshMesh& mesh) {
  const std::int64_t dimension = stream.integer();
  stream.integer();  // the entity's tag
  const bool parametric = stream.integer() != 0;
  const std::int64_t count = stream.count("nodes", 32);
  std::vector<std::int64_t> tags(count);
  for (std::int64_t& tag : tags) tag = stream.size();
  for (const std::int64_t tag : tags) {
    const double x = stream.number();
    const double y = stream.number();
    const double z = stream.number();
    for (std::int64_t c = 0; parametric && c < std::min<std::int64_t>(dimension, kVolumeDimension);
         ++c) {
      stream.number();
    }
    mesh.add_node(tag, x, y, z);
  }
  return count;
}

void read_node_blocks(GmshStream& stream, GmshMesh& mesh) {
  const GmshBlockList list = read_gmsh_block_list(stream, "nodes");
  std::int64_t found = 0;
  for (std::int64_t b = 0; b < list.blocks; ++b) found += read_node_block(stream, mesh);
  check_gmsh_total(stream, found, list);
  mesh.end_nodes();
}

std::int64_t read_element_block(GmshStream& stream, const GmshGroups& groups, GmshMesh& mesh) {
  stream.integer();  // the entity's dimension
  const std::int64_t entity = stream.integer();
  const std::int64_t type = stream.integer();
  const int nodes = gmsh_node_count(type, stream.scanner);
  const std::int64_t count = stream.count("elements", 8 * (1 + nodes));
  if (type != kGmshTet) {
    if (count > 0) mesh.add_other(type, count);
    for (std::int64_t i = 0; i < count * (1 + nodes); ++i) stream.size();
    return count;
  }
  const auto group = groups.find(entity);
  const std::int64_t region = group == groups.end() ? 0 : group->second;
  for (std::int64_t i = 0; i < count; ++i) {
    stream.size();
    std::array<std::int64_t, 4> corners{};
    for (std::int64_t& corner : corners) corner = stream.size();
    mesh.add_tet(corners, region);
  }
  return count;
}

void read_elements(GmshStream& stream, const GmshGroups& groups, GmshMesh& mesh) {
  const GmshBlockList list = read_gmsh_block_list(stream, "elements");
  std::int64_t found = 0;
  for (std::int64_t b = 0; b < list.blocks; ++b) found += read_element_block(stream, groups, mesh);
  check_gmsh_total(stream, found, list);
}
}  // namespace

GmshGroups read_gmsh_entities(GmshStream& stream) {
  GmshGroups groups;
  std::array<std::int64_t, 4> counts{};
  for (std::int64_t& count : counts) count = stream.count("entities", 20);
  for (int dimension = 0; dimension <= kVolumeDimension; ++dimension) {
    for (std::int64_t i = 0; i < counts[dimension]; ++i) {
      const std::int64_t tag = stream.integer();
      const int coordinates = dimension == 0 ? 3 : 6;  // a point, or the corners of a box
      for (int c = 0; c < coordinates; ++c) stream.number();
      const std::int64_t group = first_of_list(stream);
      if (dimension > 0) first_of_list(stream);  // what bounds it
      if (dimension == kVolumeDimension) groups[tag] = group;
    }
  }
  return groups;
}

GmshBlockList read_gmsh_block_list(GmshStream& stream, std::string_view things) {
  const std::int64_t blocks = stream.count("blocks", 20);
  const std::int64_t total = stream.count(things, 8);
  stream.size();  // least and largest tag
  stream.size();
  return {blocks, total};
}

void check_gmsh_total(const GmshStream& stream, std::int64_t found, const GmshBlockList& list) {
  if (found == list.total) return;
  stream.scanner.fail("announces " + std::to_string(list.total) + " but has " +
                      std::to_string(found) + " in its blocks");
}

RawTets read_gmsh_4(GmshStream stream) {
  Scanner& scanner = stream.scanner;
  GmshGroups groups;
  GmshMesh mesh(scanner);
  for (;;) {
    const std::string_view section = next_gmsh_section(scanner);
    if (section.empty()) return mesh.take();
    if (section == "Entities") {
      groups = read_gmsh_entities(stream);
    } else if (section == "Nodes") {
      read_node_blocks(stream, mesh);
    } else if (section == "Elements") {
      read_elements(stream, groups, mesh);
    } else {
      skip_gmsh_section(scanner, section);
      continue;
    }
    end_gmsh_section(scanner, section);
  }
}

}  // namespace limber
