#include "limber/mesh/gltf/gltf_mesh.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <string>
#include <utility>

#include "limber/mesh/coincident.h"

namespace limber {

namespace {
constexpr std::size_t kMostTargets = 4096;
constexpr std::size_t kMostInfluenceSets = 16;

enum Mode : std::size_t { kTriangles = 4, kStrip = 5, kFan = 6 };

/// Appends primitives to a mesh.
class PrimitiveReader {
 public:
  PrimitiveReader(const GltfDocument& document, GltfMesh& mesh)
      : document_(document), mesh_(mesh) {}

  void add(const nlohmann::json& primitive) {
    if (!primitive.is_object() || !primitive.contains("attributes") ||
        !primitive["attributes"].is_object()) {
      document_.fail("damaged mesh primitive");
    }
    const std::size_t mode = document_.whole(primitive, "mode", kTriangles);
    if (mode < kTriangles || mode > kFan) {
      ++mesh_.groups_left_out;
      return;
    }
    const std::size_t first = first_vertex(primitive);
    add_triangles(vertex_list(primitive), mode, static_cast<std::int64_t>(first),
                  document_.whole(primitive, "material", GltfDocument::kNone));
  }

  void finish() {
    const auto rows = static_cast<Eigen::Index>(coordinates_.size() / 3);
    mesh_.positions = Eigen::Map<const Positions>(coordinates_.data(), rows, 3);
    for (std::vector<double>& offsets : targets_) {
      offsets.resize(coordinates_.size(), 0.0);
      mesh_.targets.emplace_back(Eigen::Map<const Positions>(offsets.data(), rows, 3));
    }
    if (!normals_complete_) mesh_.normals.clear();
    pack_influences();
  }

 private:
  using Numbers = GltfDocument::Numbers;
  using Influences = std::vector<std::pair<int, double>>;  // of one vertex
  struct VertexSet {
    std::size_t first;
    std::size_t count;
  };

  /// Reads the primitive's vertices, unless an earlier one has the very same; returns the first's
  /// number.
  std::size_t first_vertex(const nlohmann::json& primitive) {
    const nlohmann::json& attributes = primitive["attributes"];
    const nlohmann::json& targets = gltf_list(primitive, "targets");
    const std::size_t first = coordinates_.size() / 3;
    const auto [known, is_new] =
        vertex_sets_.try_emplace(attributes.dump() + targets.dump(), VertexSet{first, 0});
    if (is_new) {
      const std::size_t count = add_positions(attributes);
      known->second.count = count;
      add_uv(attributes, count);
      add_second_uv(attributes, first, count);
      add_colours(attributes, first, count);
      add_normals(attributes, first, count);
      add_influences(attributes, first, count);
      add_targets(targets, first, count);
    }
    given_ = known->second.count;
    return known->second.first;
  }

  /// Values of an attribute, none without it.
  Numbers attribute(const nlohmann::json& attributes, const std::string& name, std::size_t count,
                    std::size_t components) const {
    const auto found = attributes.find(name);
    if (found == attributes.end()) return {};
    Numbers numbers = document_.accessor(document_.whole(*found));
    if (numbers.count() != count || numbers.components < components) {
      document_.fail("attribute " + name + " does not fit the positions");
    }
    return numbers;
  }

  std::size_t add_positions(const nlohmann::json& attributes) {
    const auto found = attributes.find("POSITION");
    if (found == attributes.end()) document_.fail("a mesh has no positions");
    const Numbers numbers = document_.accessor(document_.whole(*found));
    if (numbers.components != 3) document_.fail("positions are not three-dimensional");
    coordinates_.insert(coordinates_.end(), numbers.values.begin(), numbers.values.end());
    return numbers.count();
  }

  void add_uv(const nlohmann::json& attributes, std::size_t count) {
    constexpr float kNone = std::numeric_limits<float>::quiet_NaN();
    const Numbers numbers = attribute(attributes, "TEXCOORD_0", count, 2);
    for (std::size_t i = 0; i < count; ++i) {
      const double* const uv =
          numbers.values.empty() ? nullptr : &numbers.values[numbers.components * i];
      mesh_.uv.push_back(uv != nullptr ? static_cast<float>(uv[0]) : kNone);
      mesh_.uv.push_back(uv != nullptr ? static_cast<float>(1 - uv[1]) : kNone);
    }
  }

  void add_second_uv(const nlohmann::json& attributes, std::size_t first, std::size_t count) {
    const Numbers numbers = attribute(attributes, "TEXCOORD_1", count, 2);
    if (numbers.values.empty() && mesh_.second_uv.empty()) return;
    mesh_.second_uv.resize(2 * first, 0.0F);  // earlier primitives without
    for (std::size_t i = 0; i < count; ++i) {
      const double* const uv =
          numbers.values.empty() ? nullptr : &numbers.values[numbers.components * i];
      mesh_.second_uv.push_back(uv != nullptr ? static_cast<float>(uv[0]) : 0.0F);
      mesh_.second_uv.push_back(uv != nullptr ? static_cast<float>(1 - uv[1]) : 0.0F);
    }
  }

  void add_colours(const nlohmann::json& attributes, std::size_t first, std::size_t count) {
    const Numbers numbers = attribute(attributes, "COLOR_0", count, 3);
    if (numbers.values.empty() && mesh_.colours.empty()) return;
    mesh_.colours.resize(4 * first, 1.0F);  // earlier primitives without colours
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t c = 0; c < 4; ++c) {
        const bool given = !numbers.values.empty() && c < numbers.components;
        mesh_.colours.push_back(
            given ? static_cast<float>(numbers.values[numbers.components * i + c]) : 1.0F);
      }
    }
  }

  void add_normals(const nlohmann::json& attributes, std::size_t first, std::size_t count) {
    const Numbers numbers = attribute(attributes, "NORMAL", count, 3);
    normals_complete_ = normals_complete_ && numbers.components == 3 &&
                        mesh_.normals.size() == 3 * first && numbers.count() == count;
    mesh_.normals.insert(mesh_.normals.end(), numbers.values.begin(), numbers.values.end());
  }

  void add_influences(const nlohmann::json& attributes, std::size_t first, std::size_t count) {
    influences_.resize(first + count);
    for (std::size_t set = 0; set < kMostInfluenceSets; ++set) {
      const std::string number = std::to_string(set);
      const Numbers joints = attribute(attributes, "JOINTS_" + number, count, 4);
      const Numbers shares = attribute(attributes, "WEIGHTS_" + number, count, 4);
      if (joints.values.empty() || shares.values.empty()) {
        if (set == 0 && count > 0) carried_ = false;
        return;
      }
      for (std::size_t i = 0; i < 4 * count; ++i) {
        const double joint = joints.values[i];
        if (!(joint >= 0 && joint < 65536)) document_.fail("damaged joints of a skin");
        if (!std::isfinite(shares.values[i])) document_.fail("damaged weights of a skin");
        influences_[first + i / 4].emplace_back(static_cast<int>(joint), shares.values[i]);
      }
    }
  }

  /// Shares sum to one; where they are all zero the first joint has it all, as in three.js. Zero
  /// shares go, and the same joint twice becomes one.
  static void tidy(Influences& influences) {
    double sum = 0;
    for (const auto& [joint, share] : influences) sum += share;
    if (!(std::abs(sum) > 0)) influences = {{influences.front().first, 1.0}}, sum = 1;
    std::sort(influences.begin(), influences.end());
    Influences kept;
    for (const auto& [joint, share] : influences) {
      if (share == 0) continue;
      if (!kept.empty() && kept.back().first == joint) {
        kept.back().second += share / sum;
      } else {
        kept.emplace_back(joint, share / sum);
      }
    }
    influences = std::move(kept);
  }

  void pack_influences() {
    if (!carried_ || influences_.empty()) return;
    for (Influences& influences : influences_) {
      tidy(influences);
      mesh_.influences = std::max(mesh_.influences, influences.size());
    }
    for (Influences& influences : influences_) {
      influences.resize(mesh_.influences, {influences.front().first, 0.0});
      for (const auto& [joint, share] : influences) {
        mesh_.joints.push_back(joint);
        mesh_.shares.push_back(share);
      }
    }
  }

  void add_targets(const nlohmann::json& targets, std::size_t first, std::size_t count) {
    if (targets.size() > kMostTargets) document_.fail("has too many morph targets");
    if (targets.size() > targets_.size()) targets_.resize(targets.size());
    for (std::size_t t = 0; t < targets.size(); ++t) {
      if (!targets[t].is_object()) document_.fail("damaged morph target");
      const Numbers numbers = attribute(targets[t], "POSITION", count, 3);
      if (numbers.values.empty()) continue;
      if (numbers.components != 3) document_.fail("damaged morph target");
      targets_[t].resize(3 * first, 0.0);
      targets_[t].insert(targets_[t].end(), numbers.values.begin(), numbers.values.end());
    }
  }

  std::vector<std::int64_t> vertex_list(const nlohmann::json& primitive) const {
    std::vector<std::int64_t> vertices;
    if (!primitive.contains("indices")) {
      for (std::size_t i = 0; i < given_; ++i) vertices.push_back(static_cast<std::int64_t>(i));
      return vertices;
    }
    for (const double index : document_.accessor(document_.whole(primitive["indices"])).values) {
      if (!(index >= 0 && index < static_cast<double>(given_))) {
        document_.fail("a triangle names a vertex that is not there");
      }
      vertices.push_back(static_cast<std::int64_t>(index));
    }
    return vertices;
  }

  void add_triangles(const std::vector<std::int64_t>& vertices, std::size_t mode,
                     std::int64_t first, std::size_t material) {
    const std::size_t step = mode == kTriangles ? 3 : 1;
    for (std::size_t i = 0; i + 2 < vertices.size(); i += step) {
      std::array<std::int64_t, 3> v = {vertices[mode == kFan ? 0 : i], vertices[i + 1],
                                       vertices[i + 2]};
      if (mode == kStrip && i % 2 == 1) std::swap(v[1], v[2]);
      for (const std::int64_t vertex : v) mesh_.corners.push_back(first + vertex);
      mesh_.materials.push_back(material);
    }
  }

  const GltfDocument& document_;
  GltfMesh& mesh_;
  std::size_t given_ = 0;  // vertices of the primitive at hand
  std::map<std::string, VertexSet> vertex_sets_;
  std::vector<double> coordinates_;
  std::vector<std::vector<double>> targets_;
  std::vector<Influences> influences_;
  bool carried_ = true;
  bool normals_complete_ = true;
};

/// Numbers in [0.5, 1.5) without pattern: multiples of the golden ratio (Weyl's sequence).
double generic_number(std::size_t i) {
  const double multiple = 0.6180339887498949 * static_cast<double>(i + 1);
  return 0.5 + multiple - std::floor(multiple);
}
}  // namespace

GltfMesh read_gltf_mesh(const GltfDocument& document, std::size_t number) {
  GltfMesh mesh;
  PrimitiveReader reader(document, mesh);
  for (const nlohmann::json& primitive : gltf_list(document.item("meshes", number), "primitives")) {
    reader.add(primitive);
  }
  reader.finish();
  return mesh;
}

std::vector<int> first_companions(const GltfMesh& mesh) {
  // The same place in a pose without pattern is the same place in all: equal inputs give equal
  // sums bit for bit, others would have to meet by chance in 53 bits three times.
  Positions generic = mesh.positions;
  for (std::size_t t = 0; t < mesh.targets.size(); ++t) {
    generic += generic_number(t) * mesh.targets[t];
  }
  for (int vertex = 0; vertex < mesh.vertex_count() && mesh.influences > 0; ++vertex) {
    Eigen::RowVector3d carried = Eigen::RowVector3d::Zero();
    for (std::size_t k = 0; k < mesh.influences; ++k) {
      const std::size_t entry = mesh.influences * static_cast<std::size_t>(vertex) + k;
      const auto joint = static_cast<std::size_t>(mesh.joints[entry]);
      for (int c = 0; c < 3; ++c) {
        const std::size_t seed = 6 * joint + 2 * static_cast<std::size_t>(c);
        carried[c] += mesh.shares[entry] *
                      (generic_number(seed) * generic(vertex, c) + generic_number(seed + 1));
      }
    }
    generic.row(vertex) = carried;
  }
  return first_coincident(generic);
}

}  // namespace limber
