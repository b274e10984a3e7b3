#include "server/project_takes.h"

#include <bit>
#include <cmath>
#include <cstring>

namespace limber::studio {

namespace {

static_assert(std::endian::native == std::endian::little, "takes are written as they lie");
constexpr std::size_t kMostTakes = 300;  // three entries each; an archive has a thousand
constexpr int kMostFrames = 1 << 22;

std::string take_entry(std::size_t number, const char* ending) {
  return "takes/" + std::to_string(number) + ending;
}

template <class T>
void append(std::string& out, const T* values, std::size_t count) {
  out.append(reinterpret_cast<const char*>(values), sizeof(T) * count);
}

/// Numbers one after the other out of an entry that must hold just as many.
class NumberReader {
 public:
  explicit NumberReader(const std::string& bytes) : bytes_(bytes) {}

  template <class T>
  void read(T* values, std::size_t count) {
    if (count > (bytes_.size() - at_) / sizeof(T)) fail();
    std::memcpy(values, bytes_.data() + at_, sizeof(T) * count);
    at_ += sizeof(T) * count;
    if constexpr (std::is_floating_point_v<T>) {
      for (std::size_t i = 0; i < count; ++i) {
        if (!std::isfinite(values[i])) Fields::refuse("takes", "hold what is no number");
      }
    }
  }
  /// Whether `count` things of `size` bytes are still there: asked before memory is set aside.
  void require(std::size_t count, std::size_t size) const {
    if (size != 0 && count > (bytes_.size() - at_) / size) fail();
  }
  void end() const {
    if (at_ != bytes_.size()) fail();
  }

 private:
  [[noreturn]] static void fail() { Fields::refuse("takes", "are damaged"); }
  const std::string& bytes_;
  std::size_t at_ = 0;
};

RecordedBody read_body(const Fields& f, NumberReader& rest) {
  RecordedBody body;
  body.name = f.text("name", 200);
  const int vertices = f.integer("vertices", 0, kMostVertices);
  const int triangles = f.integer("triangles", 0, 8 * kMostVertices);
  rest.require(static_cast<std::size_t>(vertices), 3 * sizeof(double));
  body.rest_positions.resize(vertices, 3);
  rest.read(body.rest_positions.data(), static_cast<std::size_t>(body.rest_positions.size()));
  rest.require(static_cast<std::size_t>(triangles), 3 * sizeof(int));
  body.triangles.resize(triangles, 3);
  rest.read(body.triangles.data(), static_cast<std::size_t>(body.triangles.size()));
  if (triangles > 0 && (body.triangles.minCoeff() < 0 || body.triangles.maxCoeff() >= vertices)) {
    Fields::refuse("takes", "name vertices that are not there");
  }
  return body;
}

BodyPlace read_place(NumberReader& places) {
  BodyPlace place;
  places.read(place.position.data(), 3);
  places.read(place.rotation.data(), 4);
  return place;
}

std::shared_ptr<const Recording> read_recording(const Fields& f, std::size_t number,
                                                const std::vector<ArchiveEntry>& entries) {
  auto recording = std::make_shared<Recording>();
  NumberReader rest(bytes_of(entries, take_entry(number, ".rest")));
  const json& bodies = f.at("bodies");
  if (!bodies.is_array() || bodies.size() > kMostBodies) {
    Fields::refuse("bodies", "has the wrong length");
  }
  for (const json& body : bodies) {
    if (!body.is_object()) Fields::refuse("bodies", "holds something else than bodies");
    recording->bodies.push_back(read_body(Fields(body), rest));
    recording->bytes += 3 * sizeof(float) *
                        static_cast<std::size_t>(recording->bodies.back().rest_positions.rows());
  }
  rest.end();
  NumberReader surfaces(bytes_of(entries, take_entry(number, ".f32")));
  NumberReader places(bytes_of(entries, take_entry(number, ".places")));
  const auto frames = static_cast<std::size_t>(f.integer("frames", 1, kMostFrames));
  const auto obstacles = static_cast<std::size_t>(f.integer("obstacles", 0, kMostBodies));
  surfaces.require(frames, recording->bytes);
  places.require(frames, 7 * sizeof(double) * obstacles);
  recording->bytes *= frames;
  for (std::size_t frame = 0; frame < frames; ++frame) {
    recording->times.push_back(static_cast<double>(frame) * kFrameTime);
    auto& shapes = recording->surfaces.emplace_back();
    for (const RecordedBody& body : recording->bodies) {
      std::vector<float>& shape = shapes.emplace_back(body.rest_positions.size());
      surfaces.read(shape.data(), shape.size());
    }
    auto& there = recording->obstacles.emplace_back();
    for (std::size_t k = 0; k < obstacles; ++k) there.push_back(read_place(places));
  }
  surfaces.end();
  places.end();
  return recording;
}

}  // namespace

json write_takes(const std::vector<Take>& takes, std::vector<ArchiveEntry>& entries) {
  json list = json::array();
  for (std::size_t number = 0; number < takes.size(); ++number) {
    const Take& take = takes[number];
    const Recording& recording = *take.recording;
    json bodies = json::array();
    std::string rest, places;
    for (const RecordedBody& body : recording.bodies) {
      bodies.push_back({{"name", body.name},
                        {"vertices", body.rest_positions.rows()},
                        {"triangles", body.triangles.rows()}});
      append(rest, body.rest_positions.data(),
             static_cast<std::size_t>(body.rest_positions.size()));
      append(rest, body.triangles.data(), static_cast<std::size_t>(body.triangles.size()));
    }
    for (const auto& frame : recording.obstacles) {
      for (const BodyPlace& place : frame) {
        append(places, place.position.data(), 3);
        append(places, place.rotation.data(), 4);
      }
    }
    list.push_back({{"name", take.name},
                    {"from", take.from},
                    {"to", take.to},
                    {"frames", recording.times.size()},
                    {"obstacles", recording.obstacles.front().size()},
                    {"bodies", bodies}});
    entries.push_back({take_entry(number, ".rest"), std::move(rest)});
    entries.push_back({take_entry(number, ".places"), std::move(places)});
    entries.push_back({take_entry(number, ".f32"), "", recording.packed_surfaces()});
  }
  return list;
}

std::vector<Take> read_takes(const json& takes, const std::vector<ArchiveEntry>& entries) {
  if (!takes.is_array() || takes.size() > kMostTakes) {
    Fields::refuse("takes", "has the wrong length");
  }
  std::vector<Take> result;
  for (const json& one : takes) {
    if (!one.is_object()) Fields::refuse("takes", "holds something else than takes");
    const Fields f(one);
    Take take;
    take.id = static_cast<int>(result.size()) + 1;
    take.name = f.text("name", 100);
    take.recording = read_recording(f, result.size(), entries);
    const int last = static_cast<int>(take.recording->times.size()) - 1;
    const int from = f.integer("from", 0, last);
    take.from = static_cast<std::size_t>(from);
    take.to = static_cast<std::size_t>(f.integer("to", from, last));
    result.push_back(std::move(take));
  }
  return result;
}

const std::string& bytes_of(const std::vector<ArchiveEntry>& entries, const std::string& name) {
  for (const ArchiveEntry& one : entries) {
    if (one.name == name) return one.bytes;
  }
  throw Error("is no project: " + name + " is missing", "project", "open another file");
}

}  // namespace limber::studio
