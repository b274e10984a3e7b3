// A .npz of numpy: a zip archive of .npy arrays, readable without pickle.
//
// times (frames) float64, bodies (names), and for each body, under NAME/:
//   rest (n,3), positions (frames,n,3)  float64, of the nodes; of the surface without tets
//   T (m,4) int32                       tetrahedra, where there are any
//   F (k,3) int32                       triangles, rows of `positions`
// A surface embedded in the tets, whose vertices are not all nodes, has its own rows:
//   surface_rest (v,3), surface (frames,v,3), surface_F (k,3)   and no F.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <optional>
#include <utility>

#include "limber/core/file.h"
#include "limber/export/frame_store.h"
#include "limber/export/names.h"
#include "limber/export/writers.h"
#include "limber/export/zip_store.h"
#include "limber/mesh/coincident.h"

namespace limber {

namespace {
static_assert(std::endian::native == std::endian::little, "the arrays say so");

/// For each surface vertex the node that rests in the same place; nothing when some vertex has
/// none, or several of which it could be either.
std::optional<std::vector<std::int32_t>> nodes_of_surface(const TriMesh& surface,
                                                          const TetMesh& tets) {
  Positions all(tets.V.rows() + surface.V.rows(), 3);
  all << tets.V, surface.V;
  const std::vector<int> first = first_coincident(all);
  const int nodes = tets.node_count();
  std::vector<bool> shared(static_cast<std::size_t>(nodes), false);
  for (int node = 0; node < nodes; ++node) {
    if (first[node] != node) shared[first[node]] = true;
  }
  std::vector<std::int32_t> result(first.begin() + nodes, first.end());
  const bool all_nodes = std::all_of(result.begin(), result.end(),
                                     [&](int node) { return node < nodes && !shared[node]; });
  return all_nodes ? std::optional(std::move(result)) : std::nullopt;
}

/// The start of a .npy file, version 1.0, padded to 64 bytes as numpy does.
std::string npy_header(std::string_view type, const std::vector<std::size_t>& shape) {
  const std::string dictionary =
      fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}{}), }}", type,
                  fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
  const std::size_t unpadded = 10 + dictionary.size() + 1;
  const std::size_t length = (unpadded + 63) / 64 * 64 - 10;
  std::string header("\x93NUMPY\x01\x00", 8);
  header += static_cast<char>(length & 0xFF);
  header += static_cast<char>(length >> 8U);
  header += dictionary;
  header.append(length - dictionary.size() - 1, ' ');
  return header + "\n";
}

void pass(std::string_view text, const ZipStore::Sink& sink) {
  sink(std::as_bytes(std::span(text)));
}

template <class T>
constexpr const char* type_code() {
  return std::is_same_v<T, double> ? "<f8" : "<i4";
}

class NpzWriter final : public AnimationWriter {
 public:
  NpzWriter(const std::filesystem::path& path, BodyList bodies, double fps)
      : AnimationWriter(path, std::move(bodies), fps), store_(path, plan()) {}

  [[nodiscard]] bool wants_nodes() const override { return true; }

 private:
  /// Which arrays of the store a body has, and how its surface relates to its nodes.
  struct Plan {
    std::size_t positions = 0;
    std::optional<std::size_t> surface;              // an embedded one
    std::optional<std::vector<std::int32_t>> nodes;  // of the surface's vertices
  };

  std::vector<std::size_t> plan();
  void append(double time, std::span<const BodyFrame> bodies) override;
  std::vector<std::filesystem::path> write(const Progress& progress) override;
  void write_body(ZipStore& zip, std::size_t body, const std::string& name);
  void add_frames(ZipStore& zip, const std::string& name, std::size_t array, std::size_t points);
  static void add_names(ZipStore& zip, const std::vector<std::string>& names);

  template <class T>
  static void add_array(ZipStore& zip, const std::string& name, const T* data,
                        const std::vector<std::size_t>& shape) {
    std::size_t count = 1;
    for (const std::size_t extent : shape) count *= extent;
    zip.add(name + ".npy", [&](const ZipStore::Sink& sink) {
      pass(npy_header(type_code<T>(), shape), sink);
      sink(std::as_bytes(std::span(data, count)));
    });
  }
  template <class Matrix>
  static void add_matrix(ZipStore& zip, const std::string& name, const Matrix& matrix) {
    add_array(zip, name, matrix.data(),
              {static_cast<std::size_t>(matrix.rows()), static_cast<std::size_t>(matrix.cols())});
  }

  std::vector<Plan> plans_;  // before store_, which is made from them
  FrameStore<double> store_;
};

std::vector<std::size_t> NpzWriter::plan() {
  std::vector<std::size_t> points;
  for (const AnimatedBody& body : bodies()) {
    Plan& plan = plans_.emplace_back();
    plan.positions = points.size();
    const bool has_tets = body.tets.tet_count() > 0;
    points.push_back(
        static_cast<std::size_t>(has_tets ? body.tets.V.rows() : body.surface.V.rows()));
    if (has_tets) plan.nodes = nodes_of_surface(body.surface, body.tets);
    if (!has_tets || plan.nodes) continue;
    plan.surface = points.size();
    points.push_back(static_cast<std::size_t>(body.surface.vertex_count()));
  }
  return points;
}

void NpzWriter::append(double /*time*/, std::span<const BodyFrame> bodies) {
  std::vector<const Positions*> arrays;
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const bool has_tets = this->bodies()[b].tets.tet_count() > 0;
    arrays.push_back(has_tets ? &bodies[b].nodes : &bodies[b].surface);
    if (plans_[b].surface) arrays.push_back(&bodies[b].surface);
  }
  store_.append(arrays);
}

std::vector<std::filesystem::path> NpzWriter::write(const Progress& progress) {
  std::vector<std::string> names;
  for (const AnimatedBody& body : bodies()) names.push_back(body.name);
  names = file_names(std::move(names));
  AtomicFile file(path());
  ZipStore zip(file);
  add_array(zip, "times", times().data(), {times().size()});
  add_names(zip, names);
  for (std::size_t body = 0; body < bodies().size(); ++body) {
    report(progress, "writing " + path().filename().string(),
           static_cast<double>(body) / static_cast<double>(bodies().size()));
    write_body(zip, body, names[body]);
  }
  zip.finish();
  file.commit();
  return {path()};
}

void NpzWriter::write_body(ZipStore& zip, std::size_t body, const std::string& name) {
  const Plan& plan = plans_[body];
  const TriMesh& surface = bodies()[body].surface;
  const TetMesh& tets = bodies()[body].tets;
  const bool has_tets = tets.tet_count() > 0;
  const Positions& rest = has_tets ? tets.V : surface.V;
  add_matrix(zip, name + "/rest", rest);
  if (has_tets) add_matrix(zip, name + "/T", tets.T);
  if (plan.surface) {
    add_matrix(zip, name + "/surface_rest", surface.V);
    add_matrix(zip, name + "/surface_F", surface.F);
    add_frames(zip, name + "/surface", *plan.surface,
               static_cast<std::size_t>(surface.vertex_count()));
  } else {
    Triangles F = surface.F;
    if (plan.nodes) {
      F = F.unaryExpr(
          [&](std::int32_t vertex) { return (*plan.nodes)[static_cast<std::size_t>(vertex)]; });
    }
    add_matrix(zip, name + "/F", F);
  }
  add_frames(zip, name + "/positions", plan.positions, static_cast<std::size_t>(rest.rows()));
}

void NpzWriter::add_frames(ZipStore& zip, const std::string& name, std::size_t array,
                           std::size_t points) {
  zip.add(name + ".npy", [&](const ZipStore::Sink& sink) {
    pass(npy_header("<f8", {times().size(), points, 3}), sink);
    for (std::size_t frame = 0; frame < times().size(); ++frame) {
      sink(std::as_bytes(store_.points(frame, array)));
    }
  });
}

/// numpy's fixed-width text: four bytes a code point, padded with zeros.
void NpzWriter::add_names(ZipStore& zip, const std::vector<std::string>& names) {
  std::vector<std::u32string> texts;
  std::size_t width = 1;
  for (const std::string& name : names) {
    texts.push_back(code_points(name));
    width = std::max(width, texts.back().size());
  }
  zip.add("bodies.npy", [&](const ZipStore::Sink& sink) {
    pass(npy_header(fmt::format("<U{}", width), {names.size()}), sink);
    for (std::u32string text : texts) {
      text.resize(width, U'\0');
      sink(std::as_bytes(std::span(text)));
    }
  });
}

}  // namespace

WriterPointer open_npz(const std::filesystem::path& path, BodyList bodies, double fps) {
  return std::make_unique<NpzWriter>(path, std::move(bodies), fps);
}

}  // namespace limber
