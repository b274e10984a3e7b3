// Versions 1 and 2: elements carry their tags themselves.
#include "limber/core/error.h"
#include "limber/mesh/formats/gmsh_stream.h"

namespace limber {

namespace {
/// A list's length stands as text even in binary files; in those, data begin on the next line.
std::int64_t list_length(GmshStream& stream, std::string_view things, std::size_t bytes) {
  const std::int64_t count = stream.scanner.integer();
  stream.scanner.line();
  stream.check_room(count, things, bytes);
  return count;
}

void read_node_lines(GmshStream& stream, GmshMesh& mesh) {
  const std::int64_t count = list_length(stream, "nodes", 28);
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t tag = stream.integer();
    const double x = stream.number();
    const double y = stream.number();
    const double z = stream.number();
    mesh.add_node(tag, x, y, z);
  }
  mesh.end_nodes();
}

std::array<std::int64_t, 4> four_nodes(GmshStream& stream) {
  std::array<std::int64_t, 4> corners{};
  for (std::int64_t& corner : corners) corner = stream.integer();
  return corners;
}

/// number type tag-count tags… nodes…; an element of another kind ends with its line.
void read_text_element(GmshStream& stream, GmshMesh& mesh) {
  stream.integer();
  const std::int64_t type = stream.integer();
  const std::int64_t tags = stream.integer();
  std::int64_t region = 0;
  for (std::int64_t t = 0; t < tags; ++t) {
    const std::int64_t tag = stream.integer();
    if (t == 0) region = tag;
  }
  if (type == kGmshTet) {
    mesh.add_tet(four_nodes(stream), region);
  } else {
    mesh.add_other(type);
    stream.scanner.line();
  }
}

/// A header for a run of elements of one type: type, how many, tag-count.
std::int64_t read_binary_run(GmshStream& stream, GmshMesh& mesh) {
  const std::int64_t type = stream.integer();
  const std::int64_t count = stream.integer();
  const std::int64_t tags = stream.integer();
  const int nodes = gmsh_node_count(type, stream.scanner);
  if (tags < 0 || tags > 1000 || count < 1) stream.scanner.fail("damaged list of elements");
  const auto bytes = 4 * static_cast<std::size_t>(1 + tags + nodes);
  stream.check_room(count, "elements", bytes);
  if (type != kGmshTet) {
    mesh.add_other(type, count);
    stream.scanner.take(bytes * static_cast<std::size_t>(count));
    return count;
  }
  for (std::int64_t i = 0; i < count; ++i) {
    stream.integer();
    std::int64_t region = 0;
    for (std::int64_t t = 0; t < tags; ++t) {
      const std::int64_t tag = stream.integer();
      if (t == 0) region = tag;
    }
    mesh.add_tet(four_nodes(stream), region);
  }
  return count;
}

void read_elements(GmshStream& stream, GmshMesh& mesh) {
  const std::int64_t count = list_length(stream, "elements", 4);
  for (std::int64_t i = 0; i < count;) {
    if (stream.binary) {
      i += read_binary_run(stream, mesh);
      if (i > count) stream.scanner.fail("more elements than announced");
    } else {
      read_text_element(stream, mesh);
      ++i;
    }
  }
}

/// number type physical elementary node-count nodes…
void read_old_element(GmshStream& stream, GmshMesh& mesh) {
  stream.integer();
  const std::int64_t type = stream.integer();
  const std::int64_t region = stream.integer();
  stream.integer();
  const std::int64_t nodes = stream.integer();
  if (type == kGmshTet && nodes == 4) {
    mesh.add_tet(four_nodes(stream), region);
  } else {
    mesh.add_other(type);
    for (std::int64_t i = 0; i < nodes; ++i) stream.integer();
  }
}
}  // namespace

RawTets read_gmsh_1(Scanner& scanner) {
  GmshStream stream{scanner};
  GmshMesh mesh(scanner);
  read_node_lines(stream, mesh);
  scanner.expect("$ENDNOD");
  scanner.expect("$ELM");
  const std::int64_t count = list_length(stream, "elements", 2);
  for (std::int64_t i = 0; i < count; ++i) read_old_element(stream, mesh);
  scanner.expect("$ENDELM");
  return mesh.take();
}

RawTets read_gmsh_2(GmshStream stream) {
  Scanner& scanner = stream.scanner;
  GmshMesh mesh(scanner);
  for (;;) {
    const std::string_view section = next_gmsh_section(scanner);
    if (section.empty()) return mesh.take();
    if (section == "Nodes") {
      read_node_lines(stream, mesh);
      end_gmsh_section(scanner, section);
    } else if (section == "Elements") {
      read_elements(stream, mesh);
      end_gmsh_section(scanner, section);
    } else {
      skip_gmsh_section(scanner, section);
    }
  }
}

}  // namespace limber
