#include "limber/mesh/formats/mesh_layout.h"

#include <algorithm>

#include "limber/core/error.h"

namespace limber {

namespace {

constexpr std::string_view kGmshHead = "$MeshFormat";

bool is_vtu(std::string_view bytes) {
  return bytes.substr(0, 400).find("<VTKFile") != std::string_view::npos;
}

template <class Run>
std::int64_t total(const std::vector<Run>& runs) {
  std::int64_t sum = 0;
  for (const Run& run : runs) sum += run.count;
  return sum;
}

/// Calls visit(run, k) for items begin ≤ k < end of all runs, k counted within its run.
template <class Run, class Visit>
void for_each_item(const std::vector<Run>& runs, std::int64_t begin, std::int64_t end,
                   const Visit& visit) {
  std::int64_t first = 0;
  for (const Run& run : runs) {
    const std::int64_t from = std::max(begin - first, std::int64_t{0});
    const std::int64_t to = std::min(end - first, run.count);
    for (std::int64_t k = from; k < to; ++k) visit(run, k);
    first += run.count;
  }
}

/// Numbers anywhere in a file.
class RunReader {
 public:
  RunReader(std::string_view bytes, const std::string& file_name, std::endian order)
      : scanner_(bytes, file_name), order_(order) {
    scanner_.now_binary();
  }

  void seek(const NumberRun& run, std::int64_t k) {
    scanner_.seek(run.position + static_cast<std::uint64_t>(k) * run.stride);
    type_ = run.type;
  }
  double number() { return raw_number(scanner_, type_, order_); }
  std::int64_t integer(const char* what) { return whole_number(number(), what, scanner_); }
  int region() {
    const std::int64_t value = integer("a region");
    if (value != static_cast<int>(value)) scanner_.fail("region out of range");
    return static_cast<int>(value);
  }

 private:
  Scanner scanner_;
  std::endian order_;
  NumberType type_{};
};

}  // namespace

std::int64_t MeshLayout::node_count() const { return total(nodes); }
std::int64_t MeshLayout::tet_count() const { return total(tets); }

bool has_mesh_layout(std::string_view bytes, const std::filesystem::path& path) {
  const std::string ending = lower_case(path.extension().string());
  if (ending == ".msh") {
    // version file-type data-size: the second number tells binary files.
    Scanner scanner(bytes.substr(0, 200), path.string());
    return !scanner.at_end() && scanner.word() == kGmshHead && !scanner.at_end() &&
           !scanner.word().empty() && !scanner.at_end() && scanner.word() == "1";
  }
  if (ending != ".vtu" && ending != ".vtk") return false;
  return is_vtu(bytes) &&
         bytes.substr(0, kLayoutBeginning).find("encoding=\"raw\"") != std::string_view::npos &&
         bytes.substr(0, 400).find("compressor=") == std::string_view::npos;
}

MeshLayout mesh_layout(std::string_view bytes, const std::filesystem::path& path) {
  if (!has_mesh_layout(bytes, path)) {
    throw Error("cannot be read in slices", path.string(),
                "make it a binary Gmsh file: `limber convert " + path.filename().string() + " " +
                    path.stem().string() + "-binary.msh --binary`");
  }
  MeshLayout layout =
      is_vtu(bytes) ? vtu_layout(bytes, path.string()) : gmsh_layout(bytes, path.string());
  constexpr std::int64_t kMost = 2147483647;  // baked bodies count nodes and tets in 32 bits
  if (layout.node_count() > kMost || layout.tet_count() > kMost) {
    throw Error("has more than 2³¹ nodes or tets", path.string(), "use a coarser mesh");
  }
  return layout;
}

NodeSlice read_nodes(const MeshLayout& layout, std::string_view bytes, const std::string& file_name,
                     std::int64_t begin, std::int64_t end) {
  RunReader reader(bytes, file_name, layout.order);
  NodeSlice slice;
  slice.tags.reserve(end - begin);
  slice.coordinates.reserve(3 * (end - begin));
  std::int64_t row = begin;
  for_each_item(layout.nodes, begin, end, [&](const NodeRun& run, std::int64_t k) {
    if (run.has_tags) reader.seek(run.tags, k);
    slice.tags.push_back(run.has_tags ? reader.integer("a node's tag") : row);
    ++row;
    reader.seek(run.coordinates, k);
    for (int c = 0; c < 3; ++c) slice.coordinates.push_back(reader.number());
  });
  return slice;
}

TetSlice read_tets(const MeshLayout& layout, std::string_view bytes, const std::string& file_name,
                   std::int64_t begin, std::int64_t end) {
  RunReader reader(bytes, file_name, layout.order);
  TetSlice slice;
  slice.corners.reserve(4 * (end - begin));
  slice.regions.reserve(end - begin);
  for_each_item(layout.tets, begin, end, [&](const TetRun& run, std::int64_t k) {
    reader.seek(run.corners, k);
    for (int c = 0; c < 4; ++c)
      slice.corners.push_back(run.first_node + reader.integer("a node's number"));
    if (run.has_regions) reader.seek(run.regions, k);
    slice.regions.push_back(run.has_regions ? reader.region() : run.region);
  });
  return slice;
}

}  // namespace limber
