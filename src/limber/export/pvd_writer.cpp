// A series for ParaView: NAME.pvd lists the files of each frame and body with their times; the
// files lie in the folder NAME_frames, BODY_000000.vtu and so on.
//
// A body shows its tetrahedra with their nodes, or its surface where it has none. Point data:
// displacement (from rest, so that small ones keep their digits) and velocity where it is
// given; cell data: region, where the mesh has several.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "limber/core/error.h"
#include "limber/core/file.h"
#include "limber/core/output_unit.h"
#include "limber/export/names.h"
#include "limber/export/vtu.h"
#include "limber/export/writers.h"

namespace limber {

namespace {

namespace fs = std::filesystem;

std::vector<float> in_single_precision(const Positions& values) {
  return {values.data(), values.data() + values.size()};
}

std::string frame_file(const std::string& body, std::size_t frame) {
  return fmt::format("{}_{:06}.vtu", body, frame);
}

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        result += static_cast<unsigned char>(c) < 32 ? ' ' : c;
    }
  }
  return result;
}

/// Cells and their regions, the same in every frame.
VtuBuilder unmoving_part(const AnimatedBody& body) {
  const auto numbers = [](const auto& elements) {
    return std::span<const std::int32_t>(elements.data(),
                                         static_cast<std::size_t>(elements.size()));
  };
  if (body.tets.tet_count() == 0) {
    return {static_cast<std::size_t>(body.surface.vertex_count()), VtkCell::triangle,
            numbers(body.surface.F)};
  }
  VtuBuilder vtu(static_cast<std::size_t>(body.tets.node_count()), VtkCell::tetra,
                 numbers(body.tets.T));
  if (!body.tets.regions.empty()) {
    vtu.add_cell_numbers(
        "region", std::vector<std::int32_t>(body.tets.regions.begin(), body.tets.regions.end()));
  }
  return vtu;
}

void add_moving_part(VtuBuilder& vtu, const AnimatedBody& body, const BodyFrame& frame) {
  const bool has_tets = body.tets.tet_count() > 0;
  const Positions& rest = has_tets ? body.tets.V : body.surface.V;
  const Positions& positions = has_tets ? frame.nodes : frame.surface;
  vtu.set_points(in_single_precision(positions));
  vtu.add_point_vectors("displacement", in_single_precision(positions - rest));
  if (has_tets && frame.velocities.rows() > 0) {
    vtu.add_point_vectors("velocity", in_single_precision(frame.velocities));
  }
}

class PvdWriter final : public AnimationWriter {
 public:
  PvdWriter(const fs::path& path, BodyList bodies, double fps)
      : AnimationWriter(path, std::move(bodies), fps),
        folder_(folder_target(path.parent_path() / (path.stem().string() + "_frames"))),
        temporary_(folder_.real, Temporary::Kind::folder) {
    if (file_target(path).streamed) {
      throw Error("a series of files cannot go to a device", path.string(), "give a file name");
    }
    std::vector<std::string> names;
    for (const AnimatedBody& body : this->bodies()) {
      names.push_back(body.name);
      unmoving_.push_back(unmoving_part(body));
    }
    names_ = file_names(names);
  }

  [[nodiscard]] bool wants_nodes() const override { return true; }

 private:
  void append(double time, std::span<const BodyFrame> bodies) override;
  std::vector<fs::path> write(const Progress& progress) override;
  void keep_files_of_others() const;
  [[nodiscard]] bool is_frame(const std::string& file) const;
  [[nodiscard]] std::string collection() const;

  OutputTarget folder_;
  Temporary temporary_;  // becomes the folder
  std::vector<std::string> names_;
  std::vector<VtuBuilder> unmoving_;  // compressed once, not in every frame
};

void PvdWriter::append(double /*time*/, std::span<const BodyFrame> bodies) {
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    VtuBuilder vtu = unmoving_[b];
    add_moving_part(vtu, this->bodies()[b], bodies[b]);
    write_within(temporary_, frame_file(names_[b], times().size()), vtu.take());
  }
}

std::string PvdWriter::collection() const {
  std::string text =
      "<?xml version=\"1.0\"?>\n"
      "<VTKFile type=\"Collection\" version=\"0.1\" byte_order=\"LittleEndian\">\n<Collection>\n";
  for (std::size_t frame = 0; frame < times().size(); ++frame) {
    for (std::size_t b = 0; b < bodies().size(); ++b) {
      text += fmt::format(
          "<DataSet timestep=\"{}\" group=\"\" part=\"{}\" name=\"{}\" file=\"{}/{}\"/>\n",
          times()[frame], b, escaped(bodies()[b].name), escaped(folder_.named.filename().string()),
          escaped(frame_file(names_[b], frame)));
    }
  }
  return text + "</Collection>\n</VTKFile>\n";
}

/// "leaf_000017.vtu", of this series or of an earlier, longer one.
bool PvdWriter::is_frame(const std::string& file) const {
  return std::any_of(names_.begin(), names_.end(), [&](const std::string& name) {
    if (!file.starts_with(name + "_") || !file.ends_with(".vtu")) return false;
    const std::string_view number =
        std::string_view(file).substr(name.size() + 1, file.size() - name.size() - 5);
    return number.size() >= 6 && number.find_first_not_of("0123456789") == number.npos;
  });
}

/// The new folder takes the place of the old one as a whole.
void PvdWriter::keep_files_of_others() const {
  if (!folder_.exists) return;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder_.real)) {
    const std::string name = entry.path().filename().string();
    if (is_frame(name)) continue;
    if (!entry.is_regular_file() || entry.is_symlink()) {
      throw Error("something other than a file lies among the frames", entry.path().string(),
                  "move it away");
    }
    std::error_code unlinked;
    fs::create_hard_link(entry.path(), temporary_.path() / name, unlinked);
    if (unlinked) fs::copy_file(entry.path(), temporary_.path() / name);
  }
}

std::vector<fs::path> PvdWriter::write(const Progress& /*progress*/) {
  OutputUnit list_and_frames;
  keep_files_of_others();
  put_in_place(StagedOutput{folder_, std::move(temporary_)});
  write_file(path(), collection());
  list_and_frames.commit();
  return {path(), folder_.named};
}

}  // namespace

WriterPointer open_pvd(const fs::path& path, BodyList bodies, double fps) {
  return std::make_unique<PvdWriter>(path, std::move(bodies), fps);
}

}  // namespace limber
