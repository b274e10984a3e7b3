// Versions 2.2 and 4.1. Each region becomes a volume with the region as its physical group, except
// region 0, which has none. Nodes and tets keep their order and are tagged from 1.
#include <map>
#include <vector>

#include "limber/mesh/formats/gmsh.h"
#include "limber/mesh/formats/text_writer.h"

namespace limber {

namespace {
constexpr int kTetType = 4;
constexpr int kVolume = 3;

/// Numbers as text, one space before each but the first of a line, or as bytes.
class GmshWriter {
 public:
  explicit GmshWriter(bool binary) : binary_(binary) {}

  void section(std::string_view name) { out_ << '$' << name << '\n'; }
  void end_section(std::string_view name) {
    if (binary_) out_ << '\n';
    out_ << "$End" << name << '\n';
  }
  void line(std::string_view text) { out_ << text << '\n'; }
  void integer(std::int32_t number) { binary_ ? void(out_.raw(number)) : spaced(number); }
  void number(double value) { binary_ ? void(out_.raw(value)) : spaced(value); }
  /// Eight bytes in binary files of version 4.
  void size(std::size_t number) {
    binary_ ? void(out_.raw<std::uint64_t>(number)) : spaced(number);
  }
  void end_line() {
    if (!binary_) out_ << '\n';
    begun_ = false;
  }
  [[nodiscard]] bool binary() const { return binary_; }
  std::string take() { return out_.take(); }

 private:
  template <typename Number>
  void spaced(Number number) {
    if (begun_) out_ << ' ';
    out_ << number;
    begun_ = true;
  }

  TextWriter out_;
  bool binary_;
  bool begun_ = false;
};

void write_format(GmshWriter& out, std::string_view version) {
  out.section("MeshFormat");
  out.line(std::string(version) + (out.binary() ? " 1 8" : " 0 8"));
  if (out.binary()) out.integer(1);
  out.end_section("MeshFormat");
}

/// Neighbouring tets of one region: a block of elements.
struct Run {
  int region;
  int first;
  int end;
};
std::vector<Run> runs_of_regions(const TetMesh& mesh) {
  std::vector<Run> runs;
  for (int t = 0; t < mesh.tet_count(); ++t) {
    if (runs.empty() || runs.back().region != mesh.region(t))
      runs.push_back({mesh.region(t), t, t});
    runs.back().end = t + 1;
  }
  return runs;
}

/// Volumes are numbered from 1 in the order of their regions.
std::map<int, int> volume_of_region(const std::vector<Run>& runs) {
  std::map<int, int> volumes;
  for (const Run& run : runs) volumes[run.region] = 0;
  int number = 0;
  for (auto& [region, volume] : volumes) volume = ++number;
  return volumes;
}

// ---- Version 2.2: number x y z; number type tags nodes ----------------------------------------

void write_2_2(GmshWriter& out, const TetMesh& mesh) {
  write_format(out, "2.2");
  out.section("Nodes");
  out.line(std::to_string(mesh.node_count()));
  for (int i = 0; i < mesh.node_count(); ++i) {
    out.integer(i + 1);
    for (int c = 0; c < 3; ++c) out.number(mesh.V(i, c));
    out.end_line();
  }
  out.end_section("Nodes");

  out.section("Elements");
  out.line(std::to_string(mesh.tet_count()));
  if (out.binary()) {
    for (const int head : {kTetType, mesh.tet_count(), 2}) out.integer(head);
  }
  for (int t = 0; t < mesh.tet_count(); ++t) {
    out.integer(t + 1);
    if (!out.binary()) {
      out.integer(kTetType);
      out.integer(2);
    }
    out.integer(mesh.region(t));  // physical group, then geometric volume
    out.integer(mesh.region(t) > 0 ? mesh.region(t) : 1);
    for (int c = 0; c < 4; ++c) out.integer(mesh.T(t, c) + 1);
    out.end_line();
  }
  out.end_section("Elements");
}

// ---- Version 4.1: volumes, a block of nodes, a block of tets a volume -------------------------

void write_entities(GmshWriter& out, const TetMesh& mesh, const std::map<int, int>& volumes) {
  const Eigen::RowVector3d low = mesh.V.colwise().minCoeff();
  const Eigen::RowVector3d high = mesh.V.colwise().maxCoeff();
  out.section("Entities");
  for (const std::size_t count : {std::size_t{0}, std::size_t{0}, std::size_t{0}, volumes.size()}) {
    out.size(count);
  }
  out.end_line();
  for (const auto& [region, volume] : volumes) {
    out.integer(volume);
    for (int c = 0; c < 3; ++c) out.number(low[c]);
    for (int c = 0; c < 3; ++c) out.number(high[c]);
    out.size(region == 0 ? 0 : 1);
    if (region != 0) out.integer(region);
    out.size(0);  // no bounding surfaces
    out.end_line();
  }
  out.end_section("Entities");
}

/// Blocks, things in them, least and largest tag.
void write_block_list(GmshWriter& out, std::size_t blocks, std::size_t count) {
  for (const std::size_t number : {blocks, count, std::size_t{1}, count}) out.size(number);
  out.end_line();
}

void write_block_head(GmshWriter& out, int volume, int last, std::size_t count) {
  for (const int number : {kVolume, volume, last}) out.integer(number);
  out.size(count);
  out.end_line();
}

void write_4_1(GmshWriter& out, const TetMesh& mesh) {
  const std::vector<Run> runs = runs_of_regions(mesh);
  const std::map<int, int> volumes = volume_of_region(runs);
  const auto nodes = static_cast<std::size_t>(mesh.node_count());
  write_format(out, "4.1");
  write_entities(out, mesh, volumes);

  out.section("Nodes");
  write_block_list(out, 1, nodes);
  write_block_head(out, 1, 0, nodes);
  for (std::size_t i = 1; i <= nodes; ++i) {
    out.size(i);
    out.end_line();
  }
  for (std::size_t i = 0; i < nodes; ++i) {
    for (int c = 0; c < 3; ++c) out.number(mesh.V(static_cast<Eigen::Index>(i), c));
    out.end_line();
  }
  out.end_section("Nodes");

  out.section("Elements");
  write_block_list(out, runs.size(), static_cast<std::size_t>(mesh.tet_count()));
  for (const Run& run : runs) {
    write_block_head(out, volumes.at(run.region), kTetType,
                     static_cast<std::size_t>(run.end - run.first));
    for (int t = run.first; t < run.end; ++t) {
      out.size(static_cast<std::size_t>(t) + 1);
      for (int c = 0; c < 4; ++c) out.size(static_cast<std::size_t>(mesh.T(t, c)) + 1);
      out.end_line();
    }
  }
  out.end_section("Elements");
}
}  // namespace

std::string gmsh_text(const TetMesh& mesh, const GmshOptions& options) {
  GmshWriter out(options.binary);
  if (options.version == GmshOptions::Version::v2_2) {
    write_2_2(out, mesh);
  } else {
    write_4_1(out, mesh);
  }
  return out.take();
}

}  // namespace limber
