#include "limber/export/vtu.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <bit>
#include <numeric>
#include <stdexcept>

namespace limber {

namespace {
static_assert(std::endian::native == std::endian::little, "the files say LittleEndian");

/// VTK's own default block.
constexpr std::size_t kBlock = 32768;

/// Blocks, each on its own compressed, after a header of 64-bit numbers: number of blocks, bytes a
/// block, bytes of the last block if it is shorter (else 0), compressed bytes of each.
std::string compressed(std::span<const std::byte> bytes) {
  const std::size_t blocks = (bytes.size() + kBlock - 1) / kBlock;
  std::vector<std::uint64_t> header = {blocks, kBlock, bytes.size() % kBlock};
  std::string data;
  std::vector<Bytef> buffer(compressBound(kBlock));
  for (std::size_t start = 0; start < bytes.size(); start += kBlock) {
    const std::span<const std::byte> block =
        bytes.subspan(start, std::min(kBlock, bytes.size() - start));
    uLongf size = buffer.size();
    if (compress2(buffer.data(), &size, reinterpret_cast<const Bytef*>(block.data()), block.size(),
                  Z_BEST_SPEED) != Z_OK) {
      throw std::logic_error("zlib refused a block");
    }
    header.push_back(size);
    data.append(reinterpret_cast<const char*>(buffer.data()), size);
  }
  return std::string(reinterpret_cast<const char*>(header.data()), 8 * header.size()) + data;
}
}  // namespace

template <class T>
std::string VtuBuilder::array(std::string_view name, std::string_view type, int components,
                              std::span<const T> values) {
  const std::size_t offset = appended_.size();
  appended_ += compressed(std::as_bytes(values));
  return fmt::format(
      "<DataArray type=\"{}\" Name=\"{}\" NumberOfComponents=\"{}\" format=\"appended\" "
      "offset=\"{}\"/>\n",
      type, name, components, offset);
}

VtuBuilder::VtuBuilder(std::size_t point_count, VtkCell cell,
                       std::span<const std::int32_t> connectivity)
    : point_count_(point_count) {
  const int corners = cell == VtkCell::tetra ? 4 : 3;
  cell_count_ = connectivity.size() / static_cast<std::size_t>(corners);
  std::vector<std::int32_t> ends(cell_count_);
  for (std::size_t i = 0; i < ends.size(); ++i) {
    ends[i] = corners * static_cast<std::int32_t>(i + 1);
  }
  const std::vector<std::uint8_t> kinds(cell_count_, static_cast<std::uint8_t>(cell));
  cells_xml_ = array("connectivity", "Int32", 1, connectivity);
  cells_xml_ += array("offsets", "Int32", 1, std::span<const std::int32_t>(ends));
  cells_xml_ += array("types", "UInt8", 1, std::span<const std::uint8_t>(kinds));
}

void VtuBuilder::set_points(std::span<const float> points) {
  points_xml_ = array("Points", "Float32", 3, points);
}

void VtuBuilder::add_point_vectors(std::string_view name, std::span<const float> values) {
  point_data_xml_ += array(name, "Float32", 3, values);
}

void VtuBuilder::add_cell_numbers(std::string_view name, std::span<const std::int32_t> values) {
  cell_data_xml_ += array(name, "Int32", 1, values);
}

std::string VtuBuilder::take() {
  std::string text = fmt::format(
      "<?xml version=\"1.0\"?>\n"
      "<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\" "
      "header_type=\"UInt64\" compressor=\"vtkZLibDataCompressor\">\n"
      "<UnstructuredGrid>\n<Piece NumberOfPoints=\"{}\" NumberOfCells=\"{}\">\n"
      "<PointData>\n{}</PointData>\n<CellData>\n{}</CellData>\n"
      "<Points>\n{}</Points>\n<Cells>\n{}</Cells>\n</Piece>\n</UnstructuredGrid>\n"
      "<AppendedData encoding=\"raw\">\n_",
      point_count_, cell_count_, point_data_xml_, cell_data_xml_, points_xml_, cells_xml_);
  text += appended_;
  text += "\n</AppendedData>\n</VTKFile>\n";
  return text;
}

}  // namespace limber
