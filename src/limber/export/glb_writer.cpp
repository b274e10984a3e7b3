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
#include "limber/export/surface_writer.h"
#include "limber/export/writers.h"
#include "limber/mesh/formats/glb_attributes.h"
#include "limber/mesh/formats/glb_container.h"
#include "limber/mesh/formats/glb_materials.h"

namespace limber {

namespace {

using nlohmann::json;

std::vector<float> gather(std::span<const float> values, const std::vector<std::uint32_t>& rows) {
  std::vector<float> result;
  result.reserve(3 * rows.size());
  for (const std::size_t row : rows) {
    result.insert(result.end(), {values[3 * row], values[3 * row + 1], values[3 * row + 2]});
  }
  return result;
}

using glb::write_floats;

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
        parts_(parts_by_material(surface, split_)),
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

  /// The mesh object with its primitives; `materials` are those of add_materials().
  json add_mesh(glb::Builder& builder, const std::map<int, int>& materials) const;
  /// Weights of all targets, frame by frame.
  int add_weights(glb::Builder& builder) const;
  /// One for each material used by a triangle, in their order: the file's number of each.
  std::map<int, int> add_materials(glb::Materials& materials, const std::string& body_name,
                                   int number) const;

 private:
  [[nodiscard]] std::vector<json> add_attributes(glb::Builder& builder) const;
  /// The targets of each part.
  [[nodiscard]] std::vector<json> add_targets(glb::Builder& builder) const;

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
  std::vector<MaterialPart> parts_;
  std::vector<float> normals_;
  std::vector<float> base_positions_;
  std::vector<float> base_normals_;
  std::unique_ptr<MorphTargets> targets_;
};

std::vector<json> GlbBody::add_attributes(glb::Builder& builder) const {
  std::vector<glb::Attribute> attributes = glb::paint_of(surface_, split_);
  attributes.push_back({"POSITION", glb::Type::vec3, base_positions_});
  if (!base_normals_.empty()) attributes.push_back({"NORMAL", glb::Type::vec3, base_normals_});
  for (glb::Attribute& tangents :
       glb::tangents_asked_for(surface_, split_, parts_, base_positions_, base_normals_)) {
    attributes.push_back(std::move(tangents));
  }
  return glb::add_attributes(builder, attributes, parts_);
}

std::vector<json> GlbBody::add_targets(glb::Builder& builder) const {
  std::vector<json> targets(parts_.size(), json::array());
  for (std::size_t target = 0; target < targets_->count(); ++target) {
    for (json& list : targets) list.push_back(json::object());
    const auto enter = [&](const char* name, const std::vector<int>& accessors) {
      for (std::size_t p = 0; p < parts_.size(); ++p) targets[p].back()[name] = accessors[p];
    };
    if (!base_normals_.empty()) {
      enter(
          "NORMAL",
          glb::add_windows(builder, base_normals_, parts_, false, [this, target](AtomicFile& file) {
            write_floats(file, gather(targets_->normal_offsets(target), split_.normal));
          }));
    }
    tick_();
    enter("POSITION", glb::add_windows(builder, offsets(target), parts_, true,
                                       [this, target](AtomicFile& file) {
                                         write_floats(file, offsets(target));
                                         tick_();
                                       }));
  }
  return targets;
}

json GlbBody::add_mesh(glb::Builder& builder, const std::map<int, int>& materials) const {
  const std::vector<json> attributes = add_attributes(builder);
  const std::vector<json> targets = add_targets(builder);
  json primitives = json::array();
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    primitives.push_back({{"attributes", attributes[p]},
                          {"indices", glb::add_corners(builder, parts_[p])},
                          {"material", materials.at(parts_[p].material)}});
    if (moves()) primitives.back()["targets"] = targets[p];
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

std::map<int, int> GlbBody::add_materials(glb::Materials& materials, const std::string& body_name,
                                          int number) const {
  const int uv_sets = glb::uv_sets(surface_, split_);
  std::map<int, int> numbers;
  for (const MaterialPart& part : parts_) {
    const int material = part.material;
    if (numbers.contains(material)) continue;
    const auto row = static_cast<std::size_t>(material);
    const bool named = material >= 0 && row < surface_.material_names.size();
    numbers[material] =
        materials.add(named ? surface_.material_names[row] : body_name, surface_.look(material),
                      {number++, surface_.colours.rows() > 0, uv_sets, shading_.is_open()});
  }
  return numbers;
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
    json mesh = data.add_mesh(builder, data.add_materials(materials, name, first_material));
    mesh["name"] = name;
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
