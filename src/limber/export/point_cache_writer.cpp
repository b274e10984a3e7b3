// Writes .mdd and .pc2, one file a body; their layout is in point_cache.h.
#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <utility>

#include "limber/core/error.h"
#include "limber/core/file.h"
#include "limber/core/output_unit.h"
#include "limber/export/names.h"
#include "limber/export/surface_writer.h"
#include "limber/export/writers.h"

namespace limber {

namespace {

/// Spacing may differ by rounding of the times and by what they were printed with: a thousandth of
/// a frame, which nobody sees.
constexpr double kSpacingTolerance = 1e-3;

class PointCacheWriter : public SurfaceWriter {
 public:
  PointCacheWriter(const std::filesystem::path& path, BodyList bodies, double fps,
                   std::endian order)
      : SurfaceWriter(path, std::move(bodies), fps), swap_(order != std::endian::native) {}

 protected:
  void put(AtomicFile& file, std::span<const float> values) {
    if (!swap_) return file.write(std::as_bytes(values));
    swapped_.assign(values.size(), 0);
    for (std::size_t i = 0; i < values.size(); ++i) {
      swapped_[i] = __builtin_bswap32(std::bit_cast<std::uint32_t>(values[i]));
    }
    file.write(std::as_bytes(std::span<const std::uint32_t>(swapped_)));
  }
  void put(AtomicFile& file, std::int32_t value) {
    const auto word = std::bit_cast<std::uint32_t>(value);
    const std::uint32_t ordered = swap_ ? __builtin_bswap32(word) : word;
    file.write(std::as_bytes(std::span(&ordered, 1)));
  }
  [[nodiscard]] std::int32_t frame_count_field() const {
    return static_cast<std::int32_t>(times().size());
  }

 private:
  virtual void write_header(AtomicFile& file, std::int32_t points) = 0;

  std::vector<std::filesystem::path> write(const Progress& progress) final {
    const std::vector<std::filesystem::path> paths = file_paths();
    OutputUnit all_or_none;
    for (std::size_t body = 0; body < paths.size(); ++body) {
      write_body(body, paths[body], progress);
    }
    all_or_none.commit();
    return paths;
  }

  void write_body(std::size_t body, const std::filesystem::path& to, const Progress& progress) {
    AtomicFile file(to);
    const TriMesh& shown = bodies()[body].surface;
    write_header(file, shown.is_as_in_file() ? static_cast<std::int32_t>(shown.file.vertex.size())
                                             : shown.vertex_count());
    for (std::size_t frame = 0; frame < times().size(); ++frame) {
      report(progress, "writing " + to.filename().string(),
             static_cast<double>(body * times().size() + frame) /
                 static_cast<double>(bodies().size() * times().size()));
      put(file, shown.is_as_in_file() ? in_file_order(surface(frame, body), shown.file.vertex)
                                      : surface(frame, body));
    }
    file.commit();
  }

  /// A tool that has read the surface's own file has each vertex as often as the file does.
  [[nodiscard]] std::span<const float> in_file_order(std::span<const float> points,
                                                     const std::vector<std::int32_t>& vertices) {
    in_order_.clear();
    for (const std::int32_t vertex : vertices) {
      const auto first = points.begin() + 3 * static_cast<std::ptrdiff_t>(vertex);
      in_order_.insert(in_order_.end(), first, first + 3);
    }
    return in_order_;
  }

  /// The path itself for one body; "scene.mdd" becomes "scene.bar.mdd" for each of several.
  [[nodiscard]] std::vector<std::filesystem::path> file_paths() const {
    if (bodies().size() == 1) return {path()};
    std::vector<std::string> names;
    for (const AnimatedBody& body : bodies()) names.push_back(body.name);
    std::vector<std::filesystem::path> result;
    for (const std::string& name : file_names(names)) {
      result.push_back(path().parent_path() /
                       (path().stem().string() + "." + name + path().extension().string()));
    }
    return result;
  }

  bool swap_;
  std::vector<std::uint32_t> swapped_;
  std::vector<float> in_order_;
};

class MddWriter final : public PointCacheWriter {
 public:
  MddWriter(const std::filesystem::path& path, BodyList bodies, double fps)
      : PointCacheWriter(path, std::move(bodies), fps, std::endian::big) {}

 private:
  void write_header(AtomicFile& file, std::int32_t points) override {
    put(file, frame_count_field());
    put(file, points);
    put(file, std::vector<float>(times().begin(), times().end()));
  }
};

class Pc2Writer final : public PointCacheWriter {
 public:
  Pc2Writer(const std::filesystem::path& path, BodyList bodies, double fps)
      : PointCacheWriter(path, std::move(bodies), fps, std::endian::little) {}

 private:
  void write_header(AtomicFile& file, std::int32_t points) override {
    file.write(std::string_view("POINTCACHE2\0", 12));
    put(file, 1);
    put(file, points);
    put(file, std::vector<float>{static_cast<float>(times().front() * frames_per_second()),
                                 static_cast<float>(spacing() * frames_per_second())});
    put(file, frame_count_field());
  }

  /// Seconds from one frame to the next. One frame alone lasts one display frame.
  [[nodiscard]] double spacing() const {
    if (times().size() == 1) return 1 / frames_per_second();
    const double mean =
        (times().back() - times().front()) / static_cast<double>(times().size() - 1);
    for (std::size_t i = 1; i < times().size(); ++i) {
      if (std::abs(times()[i] - times()[i - 1] - mean) > kSpacingTolerance * mean) {
        throw Error(fmt::format("frame {} is not evenly spaced, which .pc2 asks for", i),
                    path().string(), "write .mdd instead");
      }
    }
    return mean;
  }
};

}  // namespace

WriterPointer open_mdd(const std::filesystem::path& path, BodyList bodies, double fps) {
  return std::make_unique<MddWriter>(path, std::move(bodies), fps);
}

WriterPointer open_pc2(const std::filesystem::path& path, BodyList bodies, double fps) {
  return std::make_unique<Pc2Writer>(path, std::move(bodies), fps);
}

}  // namespace limber
