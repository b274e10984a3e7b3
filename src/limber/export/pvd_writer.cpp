// A series for ParaView: NAME.pvd lists the files of each frame and body with their times; the
// files lie in the folder NAME_frames, BODY_000000.vtu and so on.
//
// A body shows its tetrahedra with their nodes, or its surface where it has none. Point data:
// displacement (from rest, so that small ones keep their digits) and velocity where it is
// given; cell data: region, where the mesh has several.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "limber/core/error.h"
#include "limber/core/file.h"
#include "limber/export/names.h"
#include "limber/export/vtu.h"
#include "limber/export/writers.h"

namespace limber {

namespace {

namespace fs = std::filesystem;

/// A folder beside the target that vanishes with all it holds, unless its files are moved away.
class TemporaryFolder {
 public:
  explicit TemporaryFolder(const fs::path& target) {
    std::string pattern = target.string() + ".XXXXXX";
    if (::mkdtemp(pattern.data()) == nullptr) {
      throw Error(std::string("cannot write here: ") + std::strerror(errno), target.string(),
                  "check that the folder exists and is writable", Error::Kind::work_failed);
    }
    path_ = pattern;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  [[nodiscard]] const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

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
        folder_(path.parent_path() / (path.stem().string() + "_frames")),
        temporary_(folder_) {
    if (fs::is_directory(path)) {
      throw Error("cannot write: this is a directory", path.string(), "give a file name");
    }
    if (fs::exists(folder_) && !fs::is_directory(folder_)) {
      throw Error("the frames need this name for their folder", folder_.string(), "move the file");
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
  void publish_frames(std::vector<fs::path>& published);
  void remove_older_frames() const;
  [[nodiscard]] std::string collection() const;

  fs::path folder_;
  TemporaryFolder temporary_;
  std::vector<std::string> names_;
  std::vector<VtuBuilder> unmoving_;  // compressed once, not in every frame
};

void PvdWriter::append(double /*time*/, std::span<const BodyFrame> bodies) {
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    VtuBuilder vtu = unmoving_[b];
    add_moving_part(vtu, this->bodies()[b], bodies[b]);
    write_file(temporary_.path() / frame_file(names_[b], times().size()), vtu.take());
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
          times()[frame], b, escaped(bodies()[b].name), escaped(folder_.filename().string()),
          escaped(frame_file(names_[b], frame)));
    }
  }
  return text + "</Collection>\n</VTKFile>\n";
}

/// An earlier, longer series of the same bodies would leave frames that belong to nothing.
void PvdWriter::remove_older_frames() const {
  for (const std::string& name : names_) {
    std::error_code missing;
    for (std::size_t frame = times().size(); fs::remove(folder_ / frame_file(name, frame), missing);
         ++frame) {
    }
  }
}

void PvdWriter::publish_frames(std::vector<fs::path>& published) {
  fs::create_directory(folder_);
  for (std::size_t b = 0; b < bodies().size(); ++b) {
    for (std::size_t frame = 0; frame < times().size(); ++frame) {
      const std::string name = frame_file(names_[b], frame);
      fs::rename(temporary_.path() / name, folder_ / name);
      published.push_back(folder_ / name);
    }
  }
}

std::vector<fs::path> PvdWriter::write(const Progress& /*progress*/) {
  AtomicFile list(path());
  list.write(collection());
  std::vector<fs::path> published;
  try {
    publish_frames(published);
    list.commit();
  } catch (const std::exception& error) {
    std::error_code ignored;
    for (const fs::path& file : published) fs::remove(file, ignored);
    fs::remove(folder_, ignored);  // only when nothing else is in it
    throw Error(std::string("cannot finish the series: ") + error.what(), path().string(),
                "check the disk and the folder's permissions", Error::Kind::work_failed);
  }
  remove_older_frames();
  return {path(), folder_};
}

}  // namespace

WriterPointer open_pvd(const fs::path& path, BodyList bodies, double fps) {
  return std::make_unique<PvdWriter>(path, std::move(bodies), fps);
}

}  // namespace limber
