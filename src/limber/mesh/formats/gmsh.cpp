#include "limber/mesh/formats/gmsh.h"

#include "limber/core/error.h"
#include "limber/mesh/formats/gmsh_stream.h"

namespace limber {

// version file-type data-size, then in binary files the number one, which tells the byte order.
GmshFormat read_gmsh_format(Scanner& scanner) {
  const std::string version(scanner.word());
  const bool two = version == "2" || version.starts_with("2.");
  const bool four = version == "4.1";
  if (!two && !four) {
    throw Error("is of Gmsh version " + in_quotes(version), scanner.file_name(),
                "save it as version 4.1 or 2.2");
  }
  GmshStream stream{scanner};
  stream.binary = scanner.integer() == 1;
  if (scanner.integer() != 8) scanner.fail("data size is not 8");
  scanner.line();
  if (stream.binary) {
    scanner.now_binary();
    if (stream.integer() != 1) stream.order = std::endian::big;
  }
  end_gmsh_section(scanner, "MeshFormat");
  return {two ? 2 : 4, stream};
}

TetMesh read_gmsh(std::string_view bytes, const std::string& file_name, ReadNotes& notes) {
  Scanner scanner(bytes, file_name);
  std::string_view section = next_gmsh_section(scanner);
  while (section == "Comments") {
    skip_gmsh_section(scanner, section);
    section = next_gmsh_section(scanner);
  }
  if (section == "NOD") return finish(read_gmsh_1(scanner), file_name, notes);
  if (section != "MeshFormat") {
    scanner.fail("not a Gmsh file, it begins with " + in_quotes(bytes.substr(0, 20)));
  }
  const GmshFormat format = read_gmsh_format(scanner);
  return finish(format.version == 2 ? read_gmsh_2(format.stream) : read_gmsh_4(format.stream),
                file_name, notes);
}

}  // namespace limber
