// Two tets on a common face, as files of every tet format: the same mesh each time.
#pragma once

#include <zlib.h>

#include <bit>
#include <map>
#include <string>
#include <vector>

#include "limber/mesh/formats/base64.h"
#include "limber/mesh/formats/text_writer.h"
#include "limber/mesh/tet_mesh.h"

namespace limber {

/// Regions 3 and 5.
inline TetMesh two_tets() {
  TetMesh mesh;
  mesh.V.resize(5, 3);
  mesh.V << 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 1;
  mesh.T.resize(2, 4);
  mesh.T << 0, 1, 2, 3, 1, 2, 3, 4;
  mesh.regions = {3, 5};
  return mesh;
}

inline const std::string kTwoTetsGmsh1 =
    "$NOD\n5\n10 0 0 0\n20 1 0 0\n3 0 1 0\n4 0 0 1\n5 1 1 1\n$ENDNOD\n"
    "$ELM\n4\n1 15 1 1 1 10\n2 2 1 1 3 10 20 3\n3 4 3 1 4 10 20 3 4\n4 4 5 1 4 20 3 4 5\n$ENDELM\n";

inline const std::string kTwoTetsGmsh2 =
    "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n1\n3 3 \"body\"\n$EndPhysicalNames\n"
    "$Nodes\n5\n10 0 0 0\n20 1 0 0\n3 0 1 0\n4 0 0 1\n5 1 1 1\n$EndNodes\n"
    "$Elements\n4\n1 15 2 0 1 10\n2 2 2 7 1 10 20 3\n3 4 2 3 1 10 20 3 4\n"
    "4 4 3 5 1 0 20 3 4 5\n$EndElements\n";

/// Volume 1 has group 3, volume 2 groups 5 and 6; a curve and a parametric node block besides.
inline const std::string kTwoTetsGmsh4 =
    "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n"
    "$Entities\n1 1 0 2\n1 0 0 0 0\n1 0 0 0 1 0 0 0 2 1 -1\n"
    "1 0 0 0 1 1 1 1 3 0\n2 0 0 0 1 1 1 2 5 6 1 1\n$EndEntities\n"
    "$Nodes\n2 5 3 20\n1 1 1 2\n10\n20\n0 0 0 0.5\n1 0 0 0.5\n"
    "3 1 0 3\n3\n4\n5\n0 1 0\n0 0 1\n1 1 1\n$EndNodes\n"
    "$Elements\n3 4 1 4\n1 1 1 2\n1 10 20\n2 20 10\n"
    "3 1 4 1\n3 10 20 3 4\n3 2 4 1\n4 20 3 4 5\n$EndElements\n";

inline const std::string kTwoTetsMedit =
    "MeshVersionFormatted 1\n# by hand\nDimension\n3\nVertices\n5\n0 0 0 1\n1 0 0 1\n0 1 0 1\n"
    "0 0 1 1\n1 1 1 1\nCorners\n1\n1\nTriangles\n2\n1 2 3 9\n1 2 4 9\n"
    "Tetrahedra\n2\n1 2 3 4 3\n2 3 4 5 5\nRequiredVertices\n0\nEnd\n";

inline const std::string kTwoTetsVtk =
    "# vtk DataFile Version 3.0\ntwo tets\nASCII\nDATASET UNSTRUCTURED_GRID\n"
    "POINTS 5 float\n0 0 0 1 0 0\n0 1 0 0 0 1 1 1 1\nCELLS 3 14\n3 0 1 2\n4 0 1 2 3\n4 1 2 3 4\n"
    "CELL_TYPES 3\n5\n10\n10\nPOINT_DATA 5\nVECTORS push float\n0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n"
    "SCALARS heat float\nLOOKUP_TABLE default\n0 0 0 0 0\nCELL_DATA 3\n"
    "FIELD FieldData 2\nstress 1 3 double\n0.5 0.5 0.5\nmaterial 1 3 int\n9 3 5\n";

inline const std::string kTwoTetsVeg =
    "# by hand\n*VERTICES\n5 3 0 0\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n5 1 1 1\n\n"
    "*ELEMENTS\nTET\n2 4 0\n1 1 2 3 4\n2 2 3 4 5\n\n*MATERIAL soft\nENU, 1000, 1e6, 0.4\n\n"
    "*SET left\n1,\n\n*SET right\n2\n\n*REGION\nallElements, soft\n\n*REGION\nright, soft\n"
    "\n*REGION\nleft, soft\n\n*REGION\nright, soft\n\n*REGION\nright, soft\n";

inline const std::string kTwoTetsNode =
    "# by hand\n5 3 1 1\n1 0 0 0 0.5 1\n2 1 0 0 0.5 1\n3 0 1 0 0.5 1\n4 0 0 1 0.5 1\n5 1 1 1 0.5 "
    "1\n";
inline const std::string kTwoTetsEle = "2 4 1\n1 1 2 3 4 3\n2 2 3 4 5 5\n";

/// `number` as bytes in either order.
template <typename Number>
std::string bytes_of(Number number, std::endian order = std::endian::little) {
  TextWriter out;
  out.raw(number);
  std::string bytes = out.take();
  if (order == std::endian::big) std::reverse(bytes.begin(), bytes.end());
  return bytes;
}

template <typename Number>
std::string bytes_of(const std::vector<Number>& numbers, std::endian order = std::endian::little) {
  std::string bytes;
  for (const Number number : numbers) bytes += bytes_of(number, order);
  return bytes;
}

/// Legacy VTK, binary, file version 5.1: offsets and connectivity apart, metadata after the points.
inline std::string two_tets_vtk_binary() {
  constexpr auto kBig = std::endian::big;
  const std::vector<double> points = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 1};
  return "# vtk DataFile Version 5.1\ntwo tets\nBINARY\nDATASET UNSTRUCTURED_GRID\n"
         "POINTS 5 double\n" +
         bytes_of(points, kBig) + "\nMETADATA\nINFORMATION 0\n\nCELLS 3 8\nOFFSETS vtktypeint64\n" +
         bytes_of(std::vector<std::int64_t>{0, 4, 8}, kBig) + "\nCONNECTIVITY vtktypeint64\n" +
         bytes_of(std::vector<std::int64_t>{0, 1, 2, 3, 1, 2, 3, 4}, kBig) + "\nCELL_TYPES 2\n" +
         bytes_of(std::vector<std::int32_t>{10, 10}, kBig) +
         "\nCELL_DATA 2\nSCALARS region short 1\nLOOKUP_TABLE default\n" +
         bytes_of(std::vector<std::int16_t>{3, 5}, kBig) + "\n";
}

/// The ways VTK's XML format stores arrays.
struct VtuKind {
  std::string format;  ///< ascii, binary, raw or base64 (the last two appended)
  bool compressed = false;
  bool wide_header = false;
  std::endian order = std::endian::little;
};

/// One array's bytes as VTK stores them, header first.
inline std::string stored_array(const VtuKind& kind, const std::string& data) {
  const auto word = [&](std::uint64_t number) {
    return kind.wide_header ? bytes_of(number, kind.order)
                            : bytes_of(static_cast<std::uint32_t>(number), kind.order);
  };
  const bool raw = kind.format == "raw";
  const auto encoded = [&](const std::string& bytes) {
    return raw ? bytes : base64_encoded(bytes);
  };
  if (!kind.compressed) return encoded(word(data.size()) + data);
  // Two blocks, the last one smaller where the size is odd.
  const std::size_t block = (data.size() + 1) / 2;
  std::string sizes;
  std::string packed;
  for (const std::string& part : {data.substr(0, block), data.substr(block)}) {
    std::string bytes(compressBound(part.size()), '\0');
    uLongf size = bytes.size();
    compress(reinterpret_cast<Bytef*>(bytes.data()), &size,
             reinterpret_cast<const Bytef*>(part.data()), part.size());
    sizes += word(size);
    packed += bytes.substr(0, size);
  }
  return encoded(word(2) + word(block) + word(data.size() - block) + sizes) + encoded(packed);
}

class VtuFile {
 public:
  explicit VtuFile(VtuKind kind) : kind_(std::move(kind)) {}

  template <typename Number>
  std::string array(const std::string& description, const std::vector<Number>& numbers) {
    std::string head = "<DataArray " + description;
    if (kind_.format == "ascii") {
      std::string text;
      for (const Number number : numbers) text += std::to_string(number) + " ";
      return head + " format=\"ascii\">" + text + "</DataArray>\n";
    }
    const std::string stored = stored_array(kind_, bytes_of(numbers, kind_.order));
    if (kind_.format == "binary") return head + " format=\"binary\">\n" + stored + "\n</DataArray>";
    head += " format=\"appended\" offset=\"" + std::to_string(appended_.size()) + "\"/>\n";
    appended_ += stored;
    return head;
  }

  std::string two_tets() {
    const std::string points = array<double>("type=\"Float64\" NumberOfComponents=\"3\"",
                                             {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 1});
    const std::string cells =
        array<std::int32_t>("type=\"Int32\" Name=\"connectivity\"", {0, 1, 2, 3, 1, 2, 3, 4}) +
        array<std::int64_t>("Name='offsets' type='Int64'", {4, 8}) +
        array<std::uint8_t>("type=\"UInt8\" Name=\"types\"", {10, 10});
    const std::string data = array<std::int32_t>("type=\"Int32\" Name=\"Material\"", {3, 5});
    std::string file =
        "<?xml version=\"1.0\"?>\n<!-- by hand -->\n<VTKFile type=\"UnstructuredGrid\"";
    if (kind_.wide_header) file += " header_type=\"UInt64\"";
    if (kind_.compressed) file += " compressor=\"vtkZLibDataCompressor\"";
    if (kind_.order == std::endian::big) file += " byte_order=\"BigEndian\"";
    file += "><UnstructuredGrid><Piece NumberOfPoints=\"5\" NumberOfCells=\"2\">\n<Points>" +
            points + "</Points><Cells>" + cells + "</Cells><CellData>" + data +
            "</CellData></Piece></UnstructuredGrid>";
    if (!appended_.empty()) {
      file += "<AppendedData encoding=\"" + kind_.format + "\">\n_" + appended_ + "</AppendedData>";
    }
    return file + "</VTKFile>\n";
  }

 private:
  VtuKind kind_;
  std::string appended_;
};

}  // namespace limber
