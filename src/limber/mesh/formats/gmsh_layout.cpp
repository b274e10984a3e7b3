// Binary Gmsh files: only the heads of lists are read here, the lists themselves are skipped.
#include "limber/core/error.h"
#include "limber/mesh/formats/gmsh_stream.h"
#include "limber/mesh/formats/mesh_layout.h"

namespace limber {

namespace {

constexpr NumberType kInt32{4, false, true};
constexpr NumberType kUint64{8, false, false};
constexpr NumberType kFloat64{8, true, true};

/// Finds runs while it walks through a file's sections.
class GmshWalk {
 public:
  GmshWalk(GmshFormat format) : version_(format.version), stream_(format.stream) {}

  MeshLayout walk(const std::string& file_name) {
    layout_.order = stream_.order;
    for (;;) {
      const std::string_view section = next_gmsh_section(scanner());
      if (section.empty()) break;
      if (section == "Entities" && version_ == 4) {
        groups_ = read_gmsh_entities(stream_);
      } else if (section == "Nodes") {
        version_ == 2 ? node_list() : node_blocks();
      } else if (section == "Elements") {
        version_ == 2 ? element_runs() : element_blocks();
      } else {
        skip_gmsh_section(scanner(), section);
        continue;
      }
      end_gmsh_section(scanner(), section);
    }
    note_gmsh_others(others_, counts_);
    require_tets(counts_, !layout_.tets.empty(), file_name);
    return std::move(layout_);
  }

 private:
  Scanner& scanner() { return stream_.scanner; }

  /// Skips `count` records and returns where they begin.
  std::uint64_t skip(std::int64_t count, std::size_t bytes, std::string_view things) {
    stream_.check_room(count, things, bytes);
    const std::uint64_t position = scanner().position();
    scanner().take(static_cast<std::size_t>(count) * bytes);
    return position;
  }

  // ---- Version 2: number x y z; runs of type, count, tag-count; number tags nodes ------------

  void node_list() {
    const std::int64_t count = scanner().integer();
    scanner().line();
    if (count < 1) scanner().fail("damaged list of nodes");
    const std::uint64_t begin = skip(count, 28, "nodes");
    layout_.nodes.push_back({count, {begin + 4, 28, kFloat64}, true, {begin, 28, kInt32}});
  }

  void element_runs() {
    const std::int64_t total = scanner().integer();
    scanner().line();
    for (std::int64_t found = 0; found < total;) {
      const std::int64_t type = stream_.integer();
      const std::int64_t count = stream_.integer();
      const std::int64_t tags = stream_.integer();
      if (tags < 0 || tags > 1000 || count < 1) scanner().fail("damaged list of elements");
      const auto bytes = 4 * static_cast<std::size_t>(1 + tags + gmsh_node_count(type, scanner()));
      const std::uint64_t begin = skip(count, bytes, "elements");
      found += count;
      if (found > total) scanner().fail("more elements than announced");
      if (type != kGmshTet) {
        others_[type] += count;
        continue;
      }
      TetRun run;
      run.count = count;
      run.corners = {begin + 4 * static_cast<std::uint64_t>(1 + tags), bytes, kInt32};
      run.has_regions = tags > 0;
      run.regions = {begin + 4, bytes, kInt32};
      add_run(run);
    }
  }

  /// Gmsh itself writes a head for every single element; such runs become one of longer strides.
  void add_run(const TetRun& run) {
    if (!layout_.tets.empty() && run.count == 1) {
      TetRun& last = layout_.tets.back();
      const std::uint64_t last_position =
          last.corners.position + static_cast<std::uint64_t>(last.count - 1) * last.corners.stride;
      const std::uint64_t stride = run.corners.position - last_position;
      const bool same_tags =
          run.has_regions == last.has_regions && run.corners.position - run.regions.position ==
                                                     last.corners.position - last.regions.position;
      if (same_tags && (last.count == 1 || last.corners.stride == stride)) {
        last.corners.stride = last.regions.stride = stride;
        ++last.count;
        return;
      }
    }
    layout_.tets.push_back(run);
  }

  // ---- Version 4.1: blocks of one geometric entity ---------------------------------------------

  void node_blocks() {
    const GmshBlockList list = read_gmsh_block_list(stream_, "nodes");
    std::int64_t found = 0;
    for (std::int64_t b = 0; b < list.blocks; ++b) {
      const std::int64_t dimension = stream_.integer();
      stream_.integer();  // the entity's tag
      const bool parametric = stream_.integer() != 0;
      const std::int64_t count = stream_.count("nodes", 32);
      const std::size_t stride =
          24 +
          8 * static_cast<std::size_t>(parametric ? std::clamp<std::int64_t>(dimension, 0, 3) : 0);
      const std::uint64_t tags = skip(count, 8, "nodes");
      const std::uint64_t coordinates = skip(count, stride, "nodes");
      if (count > 0) {
        layout_.nodes.push_back({count, {coordinates, stride, kFloat64}, true, {tags, 8, kUint64}});
      }
      found += count;
    }
    check_gmsh_total(stream_, found, list);
  }

  void element_blocks() {
    const GmshBlockList list = read_gmsh_block_list(stream_, "elements");
    std::int64_t found = 0;
    for (std::int64_t b = 0; b < list.blocks; ++b) {
      stream_.integer();  // the entity's dimension
      const std::int64_t entity = stream_.integer();
      const std::int64_t type = stream_.integer();
      const std::size_t stride = 8 * static_cast<std::size_t>(1 + gmsh_node_count(type, scanner()));
      const std::int64_t count = stream_.count("elements", stride);
      const std::uint64_t begin = skip(count, stride, "elements");
      found += count;
      if (count == 0) continue;
      if (type != kGmshTet) {
        others_[type] += count;
        continue;
      }
      const auto group = groups_.find(entity);
      const std::int64_t region = group == groups_.end() ? 0 : group->second;
      if (region != static_cast<int>(region)) scanner().fail("physical group out of range");
      TetRun run;
      run.count = count;
      run.corners = {begin + 8, stride, kUint64};
      run.region = static_cast<int>(region);
      layout_.tets.push_back(run);
    }
    check_gmsh_total(stream_, found, list);
  }

  int version_;
  GmshStream stream_;
  GmshGroups groups_;
  MeshLayout layout_;
  std::map<std::int64_t, std::int64_t> others_;  ///< elements by type
  ElementCounts counts_;
};

}  // namespace

MeshLayout gmsh_layout(std::string_view bytes, const std::string& file_name) {
  Scanner scanner(bytes, file_name);
  next_gmsh_section(scanner);  // $MeshFormat, as has_mesh_layout() saw
  return GmshWalk(read_gmsh_format(scanner)).walk(file_name);
}

}  // namespace limber
