// Animated .glb: one mesh and node a body, morph targets (glb_targets.h), one animation of weights.
//
// The base mesh is the first frame, so a viewer that plays nothing shows it. Weights are
// interpolated linearly: between two frames every vertex moves on a straight line. A body that
// rests has no targets.
#include <algorithm>
#include <cmath>
#include <deque>
#include <functional>
#include <map>
#include <utility>

#include "limber/export/glb_targets.h"
#include "limber/export/shading.h"
#include "limber/export/surface_writer.h"
#include "limber/export/writers.h"
#include "limber/mesh/formats/glb_container.h"
#include "limber/mesh/formats/glb_materials.h"

namespace limber {

namespace {

using nlohmann::json;

/// Corners of the triangles of each material.
std::map<int, std::vector<std::uint32_t>> parts_by_material(const TriMesh& surface,
                                                            const SplitSurface& split) {
  std::map<int, std::vector<std::uint32_t>> parts;
  if (surface.face_materials.empty()) parts[0] = split.corners;
  for (std::size_t triangle = 0; triangle < surface.face_materials.size(); ++triangle) {
    const auto first = split.corners.begin() + static_cast<std::ptrdiff_t>(3 * triangle);
    std::vector<std::uint32_t>& corners = parts[surface.face_materials[triangle]];
    corners.insert(corners.end(), first, first + 3);
  }
  return parts;
}

std::vector<float> gather(std::span<const float> values, const std::vector<std::uint32_t>& rows) {
  std::vector<float> result;
  result.reserve(3 * rows.size());
  for (const std::size_t row : rows) {
    result.insert(result.end(), {values[3 * row], values[3 * row + 1], values[3 * row + 2]});
  }
  return result;
}

void write_floats(AtomicFile& file, std::span<const float> values) {
  file.write(std::as_bytes(values));
}

/// One body's data, made when asked for. Lives until the builder has written.
class GlbBody {
 public:
  /// `tolerance`: of the body's size. `tick` is called as each target is prepared and as it is
  /// written.
  GlbBody(const TriMesh& surface, FramePoints frames, std::size_t frame_count, double tolerance,
          std::function<void()> tick)
      : surface_(surface),
        frames_(std::move(frames)),
        frame_count_(frame_count),
        tick_(std::move(tick)),
        shading_(surface),
        split_(split(surface, shading_)),
        normals_(3 * shading_.normal_count()) {
    base_positions_ = gather(frames_(0), split_.vertex);
    base_normals_ = gather(normals(0), split_.normal);
    targets_ = morph_targets(
        frames_, [this](std::size_t frame) { return normals(frame); }, frame_count,
        tolerance * size_of(frames_(0)));
  }
  GlbBody(const GlbBody&) = delete;
  GlbBody& operator=(const GlbBody&) = delete;

  [[nodiscard]] bool moves() const { return targets_->count() > 0; }

  /// The mesh object with its primitives; materials are numbered from `first_material` on.
  json add_mesh(glb::Builder& builder, int first_material) const;
  /// Weights of all targets, frame by frame.
  int add_weights(glb::Builder& builder) const;
  /// One for each material used by a triangle, in their order.
  void add_materials(glb::Materials& materials, const std::string& body_name, int number) const;

 private:
  [[nodiscard]] json add_attributes(glb::Builder& builder) const;
  [[nodiscard]] json add_targets(glb::Builder& builder) const;

  [[nodiscard]] std::vector<float> offsets(std::size_t target) const {
    return gather(targets_->point_offsets(target), split_.vertex);
  }
  /// Valid until the next call.
  std::span<const float> normals(std::size_t frame) {
    shading_.normals(frames_(frame), normals_);
    return normals_;
  }
  /// The diagonal of the box around the points, m.
  static double size_of(std::span<const float> points) {
    const glb::Bounds box = glb::bounds_of(points, glb::Type::vec3);
    return std::hypot(box.max[0] - box.min[0], box.max[1] - box.min[1], box.max[2] - box.min[2]);
  }

  const TriMesh& surface_;  // outlives this: it belongs to the writer
  FramePoints frames_;
  std::size_t frame_count_;
  std::function<void()> tick_;
  Shading shading_;
  SplitSurface split_;
  std::vector<float> normals_;
  std::vector<float> base_positions_;
  std::vector<float> base_normals_;
  std::unique_ptr<MorphTargets> targets_;
};

json GlbBody::add_attributes(glb::Builder& builder) const {
  using glb::Target;
  using glb::Type;
  json attributes = {
      {"POSITION", builder.add_accessor(base_positions_, Type::vec3, Target::vertices, true)},
      {"NORMAL", builder.add_accessor(base_normals_, Type::vec3, Target::vertices)}};
  if (!split_.uv.empty()) {
    std::vector<float> uv = split_.uv;
    for (std::size_t i = 1; i < uv.size(); i += 2) uv[i] = 1 - uv[i];  // glTF's v points down
    attributes["TEXCOORD_0"] = builder.add_accessor(uv, Type::vec2, Target::vertices);
  }
  if (surface_.colours.rows() > 0) {
    const std::span<const float> colours(surface_.colours.data(),
                                         static_cast<std::size_t>(surface_.colours.size()));
    std::vector<float> split_colours = gather(colours, split_.vertex);
    for (float& value : split_colours) value = std::clamp(value, 0.0F, 1.0F);
    attributes["COLOR_0"] = builder.add_accessor(split_colours, Type::vec3, Target::vertices);
  }
  return attributes;
}

json GlbBody::add_targets(glb::Builder& builder) const {
  json targets = json::array();
  for (std::size_t target = 0; target < targets_->count(); ++target) {
    glb::Layout layout{
        glb::Type::vec3, glb::Component::f32, split_.vertex.size(), glb::Target::vertices, {}};
    const int normal = builder.add_accessor(layout, [this, target](AtomicFile& file) {
      write_floats(file, gather(targets_->normal_offsets(target), split_.normal));
      tick_();
    });
    tick_();
    layout.bounds = glb::bounds_of(offsets(target), glb::Type::vec3);
    const int position = builder.add_accessor(
        layout, [this, target](AtomicFile& file) { write_floats(file, offsets(target)); });
    targets.push_back({{"POSITION", position}, {"NORMAL", normal}});
  }
  return targets;
}

json GlbBody::add_mesh(glb::Builder& builder, int first_material) const {
  const json attributes = add_attributes(builder);
  const json targets = add_targets(builder);
  json primitives = json::array();
  for (const auto& [material, corners] : parts_by_material(surface_, split_)) {
    primitives.push_back({{"attributes", attributes},
                          {"indices", builder.add_indices(corners)},
                          {"material", first_material + static_cast<int>(primitives.size())}});
    if (moves()) primitives.back()["targets"] = targets;
  }
  json mesh = {{"primitives", primitives}};
  if (moves()) {
    mesh["weights"] = std::vector<int>(targets_->count(), 0);
    // Not in the standard, but what Blender and three.js name targets by.
    json names = json::array();
    for (std::size_t target = 0; target < targets_->count(); ++target) {
      names.push_back(targets_->name(target));
    }
    mesh["extras"]["targetNames"] = std::move(names);
    if (targets_->error() > 0) mesh["extras"]["largestErrorInMetres"] = targets_->error();
  }
  return mesh;
}

int GlbBody::add_weights(glb::Builder& builder) const {
  const std::size_t width = targets_->count();
  const glb::Layout layout{
      glb::Type::scalar, glb::Component::f32, width * frame_count_, glb::Target::none, {}};
  return builder.add_accessor(layout, [this, width](AtomicFile& file) {
    std::vector<float> weights(width);
    for (std::size_t frame = 0; frame < frame_count_; ++frame) {
      targets_->weights(frame, weights);
      write_floats(file, weights);
    }
  });
}

void GlbBody::add_materials(glb::Materials& materials, const std::string& body_name,
                            int number) const {
  for (const auto& [material, corners] : parts_by_material(surface_, split_)) {
    const auto row = static_cast<std::size_t>(material);
    const bool named = material >= 0 && row < surface_.material_names.size();
    materials.add(named ? surface_.material_names[row] : body_name, surface_.look(material),
                  {number++, surface_.colours.rows() > 0, !split_.uv.empty(), shading_.is_open()});
  }
}

class GlbWriter final : public SurfaceWriter {
 public:
  GlbWriter(const std::filesystem::path& path, BodyList bodies, double fps)
      : SurfaceWriter(path, std::move(bodies), fps) {}

 private:
  std::vector<std::filesystem::path> write(const Progress& progress) override {
    // Each frame of each body is made twice: for its bounds, and to be written.
    const double ticks = 2.0 * static_cast<double>(bodies().size() * times().size());
    const std::string stage = "writing " + path().filename().string();
    double done = 0;
    const auto tick = [&] { report(progress, stage, std::min(++done / ticks, 1.0)); };

    glb::Builder builder;
    const std::string title = path().stem().string();
    builder.document["scene"] = 0;
    builder.document["scenes"] = {{{"name", title}, {"nodes", json::array()}}};
    json animation = {{"name", title}, {"samplers", json::array()}, {"channels", json::array()}};
    const std::vector<float> seconds(times().begin(), times().end());
    const int input = times().size() > 1 ? builder.add_accessor(seconds, glb::Type::scalar,
                                                                glb::Target::none, true)
                                         : -1;
    glb::Materials materials(builder);
    std::deque<GlbBody> held;  // the builder's functions refer to them
    for (std::size_t b = 0; b < bodies().size(); ++b) {
      const auto frames = [this, b](std::size_t frame) { return surface(frame, b); };
      held.emplace_back(bodies()[b].surface, frames, times().size(), allowed_error(), tick);
      add_body(builder, materials, held.back(), b);
      if (held.back().moves()) animate(animation, b, input, held.back().add_weights(builder));
    }
    if (!animation["channels"].empty()) builder.document["animations"] = json::array({animation});
    builder.write(path());
    return {path()};
  }

  void add_body(glb::Builder& builder, glb::Materials& materials, const GlbBody& data,
                std::size_t number) const {
    json& document = builder.document;
    const std::string& name = bodies()[number].name;
    const int first_material = static_cast<int>(document["materials"].size());
    json mesh = data.add_mesh(builder, first_material);
    mesh["name"] = name;
    data.add_materials(materials, name, first_material);
    document["meshes"].push_back(std::move(mesh));
    document["nodes"].push_back({{"name", name}, {"mesh", number}});
    document["scenes"][0]["nodes"].push_back(number);
  }

  static void animate(json& animation, std::size_t node, int input, int output) {
    animation["channels"].push_back({{"sampler", animation["samplers"].size()},
                                     {"target", {{"node", node}, {"path", "weights"}}}});
    animation["samplers"].push_back(
        {{"input", input}, {"output", output}, {"interpolation", "LINEAR"}});
  }
};

}  // namespace

WriterPointer open_glb(const std::filesystem::path& path, BodyList bodies, double fps) {
  return std::make_unique<GlbWriter>(path, std::move(bodies), fps);
}

}  // namespace limber
