#include "limber/mesh/formats/glb.h"

#include <Eigen/Geometry>
#include <map>

#include "limber/core/error.h"
#include "limber/mesh/coincident.h"
#include "limber/mesh/formats/gltf_document.h"
#include "limber/mesh/formats/gltf_looks.h"
#include "limber/mesh/formats/raw_mesh.h"

namespace limber {

namespace {
/// A file may show one mesh many times. It may grow this much by that, a small one to kSmall.
constexpr std::size_t kMostNumbersAByte = 16;
constexpr std::size_t kSmall = 1'000'000;
constexpr std::size_t kNoMaterial = static_cast<std::size_t>(-1);

enum Mode : std::size_t { kTriangles = 4, kStrip = 5, kFan = 6 };

class GlbReader {
 public:
  GlbReader(std::string_view bytes, const std::string& file_name, ReadNotes& notes)
      : document_(bytes, file_name),
        looks_(document_),
        notes_(notes),
        most_numbers_(std::max(kSmall, kMostNumbersAByte * bytes.size())),
        visited_(document_.item_count("nodes"), 0) {}

  RawSurface read() {
    for (const std::size_t root : roots()) add_node(root, Eigen::Affine3d::Identity(), 0);
    if (!coloured_) raw_.colours.clear();
    if (raw_.uv.empty()) raw_.uv_corners.clear();
    if (document_.item_count("materials") == 0) {
      raw_.material_names.clear();
      raw_.looks.clear();
    }
    return std::move(raw_);
  }

 private:
  /// The nodes of the scene to show; without scenes, those that are nobody's child.
  std::vector<std::size_t> roots() const {
    std::vector<std::size_t> numbers;
    if (document_.item_count("scenes") > 0) {
      const std::size_t scene = document_.whole(document_.json(), "scene", 0);
      for (const auto& node : list(document_.item("scenes", scene), "nodes")) {
        numbers.push_back(document_.whole(node));
      }
      return numbers;
    }
    std::vector<char> is_child(visited_.size(), 0);
    for (std::size_t n = 0; n < visited_.size(); ++n) {
      for (const auto& child : list(document_.item("nodes", n), "children")) {
        if (document_.whole(child) < is_child.size()) is_child[document_.whole(child)] = 1;
      }
    }
    for (std::size_t n = 0; n < visited_.size(); ++n) {
      if (is_child[n] == 0) numbers.push_back(n);
    }
    return numbers;
  }

  static nlohmann::json list(const nlohmann::json& object, const char* key) {
    const auto found = object.find(key);
    return found != object.end() && found->is_array() ? *found : nlohmann::json::array();
  }

  void add_node(std::size_t number, const Eigen::Affine3d& parent, int depth) {
    constexpr int kDeepest = 500;
    const nlohmann::json& node = document_.item("nodes", number);
    if (visited_[number] != 0 || depth > kDeepest) document_.fail("nodes are no tree");
    visited_[number] = 1;
    const Eigen::Affine3d world = parent * transform(node);
    if (node.contains("mesh")) {
      // glTF 2.0, 3.7.3.3: a skinned mesh is placed by its joints alone.
      const bool skinned = node.contains("skin");
      if (skinned) notes_.remarks.emplace_back("left out a skin, the mesh is in its bind pose");
      add_mesh(document_.whole(node["mesh"]), skinned ? Eigen::Affine3d::Identity() : world);
    }
    for (const auto& child : list(node, "children")) {
      add_node(document_.whole(child), world, depth + 1);
    }
  }

  template <int Size>
  Eigen::Matrix<double, Size, 1> vector(const nlohmann::json& node, const char* key,
                                        const Eigen::Matrix<double, Size, 1>& otherwise) const {
    const auto found = node.find(key);
    if (found == node.end()) return otherwise;
    Eigen::Matrix<double, Size, 1> values;
    if (!found->is_array() || found->size() != Size) document_.fail("damaged node transform");
    for (int i = 0; i < Size; ++i) {
      if (!(*found)[i].is_number()) document_.fail("damaged node transform");
      values[i] = (*found)[i].get<double>();
    }
    return values;
  }

  Eigen::Affine3d transform(const nlohmann::json& node) const {
    Eigen::Affine3d local = Eigen::Affine3d::Identity();
    if (node.contains("matrix")) {
      const Eigen::Matrix<double, 16, 1> m = vector<16>(node, "matrix", {});
      local.matrix() = Eigen::Map<const Eigen::Matrix4d>(m.data());  // by columns, as Eigen's
      local.makeAffine();
      return local;
    }
    const Eigen::Vector4d q = vector<4>(node, "rotation", Eigen::Vector4d(0, 0, 0, 1));
    local.translate(vector<3>(node, "translation", Vec3::Zero()));
    local.rotate(Eigen::Quaterniond(q).normalized());
    local.scale(vector<3>(node, "scale", Vec3::Ones()));
    return local;
  }

  void add_mesh(std::size_t number, const Eigen::Affine3d& world) {
    const std::size_t first = raw_.coordinates.size() / 3;
    const std::size_t first_corner = raw_.corners.size();
    for (const auto& primitive : list(document_.item("meshes", number), "primitives")) {
      if (!primitive.is_object() || !primitive.contains("attributes")) {
        document_.fail("damaged mesh primitive");
      }
      add_primitive(primitive, world);
    }
    merge_vertices(first, first_corner);
  }

  void add_primitive(const nlohmann::json& primitive, const Eigen::Affine3d& world) {
    const std::size_t mode = document_.whole(primitive, "mode", kTriangles);
    if (mode < kTriangles || mode > kFan) {
      ++raw_.skipped["groups of points or lines"];
      return;
    }
    const nlohmann::json& attributes = primitive["attributes"];
    const auto first = static_cast<std::int64_t>(raw_.coordinates.size() / 3);
    const std::size_t count = add_positions(attributes, world);
    const std::int64_t first_pair = add_uv(attributes, count);
    add_colours(attributes, count);
    add_triangles(vertex_list(primitive, count), mode, first, first_pair,
                  material(document_.whole(primitive, "material", kNoMaterial)),
                  world.linear().determinant() < 0);
  }

  /// Values of an attribute, empty without it.
  GltfDocument::Numbers attribute(const nlohmann::json& attributes, const char* name,
                                  std::size_t count, std::size_t components) const {
    const auto found = attributes.find(name);
    if (found == attributes.end()) return {};
    GltfDocument::Numbers numbers = document_.accessor(document_.whole(*found));
    if (numbers.count() != count || numbers.components < components) {
      document_.fail(std::string("attribute ") + name + " does not fit the positions");
    }
    return numbers;
  }

  std::size_t add_positions(const nlohmann::json& attributes, const Eigen::Affine3d& world) {
    const auto found = attributes.find("POSITION");
    if (found == attributes.end()) document_.fail("a mesh has no positions");
    const GltfDocument::Numbers numbers = document_.accessor(document_.whole(*found));
    if (numbers.components != 3) document_.fail("positions are not three-dimensional");
    check_repeats(raw_.coordinates.size() + numbers.values.size());
    for (std::size_t i = 0; i < numbers.count(); ++i) {
      const Vec3 p = world * Eigen::Map<const Vec3>(&numbers.values[3 * i]);
      raw_.coordinates.insert(raw_.coordinates.end(), {p.x(), p.y(), p.z()});
    }
    return numbers.count();
  }

  void check_repeats(std::size_t numbers) const {
    if (numbers > most_numbers_) document_.fail("repeats its meshes too often");
  }

  /// Returns the first pair's number, or kNoUv. glTF's v points down, ours up.
  std::int64_t add_uv(const nlohmann::json& attributes, std::size_t count) {
    const GltfDocument::Numbers numbers = attribute(attributes, "TEXCOORD_0", count, 2);
    if (numbers.values.empty()) return RawSurface::kNoUv;
    const auto first = static_cast<std::int64_t>(raw_.uv.size() / 2);
    for (std::size_t i = 0; i < count; ++i) {
      const double* const uv = &numbers.values[numbers.components * i];
      raw_.uv.insert(raw_.uv.end(), {static_cast<float>(uv[0]), static_cast<float>(1 - uv[1])});
    }
    return first;
  }

  void add_colours(const nlohmann::json& attributes, std::size_t count) {
    const GltfDocument::Numbers numbers = attribute(attributes, "COLOR_0", count, 3);
    coloured_ = coloured_ || !numbers.values.empty();
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t c = 0; c < 3; ++c) {
        raw_.colours.push_back(
            numbers.values.empty()
                ? 1.0F
                : static_cast<float>(numbers.values[numbers.components * i + c]));
      }
    }
  }

  std::vector<std::int64_t> vertex_list(const nlohmann::json& primitive, std::size_t count) const {
    std::vector<std::int64_t> vertices;
    if (!primitive.contains("indices")) {
      for (std::size_t i = 0; i < count; ++i) vertices.push_back(static_cast<std::int64_t>(i));
      return vertices;
    }
    for (const double index : document_.accessor(document_.whole(primitive["indices"])).values) {
      if (!(index >= 0 && index < static_cast<double>(count))) {
        document_.fail("a triangle names a vertex that is not there");
      }
      vertices.push_back(static_cast<std::int64_t>(index));
    }
    return vertices;
  }

  void add_triangles(const std::vector<std::int64_t>& vertices, std::size_t mode,
                     std::int64_t first, std::int64_t first_pair, int material_number,
                     bool mirrored) {
    const std::size_t step = mode == kTriangles ? 3 : 1;
    for (std::size_t i = 0; i + 2 < vertices.size(); i += step) {
      std::array<std::int64_t, 3> v = {vertices[mode == kFan ? 0 : i], vertices[i + 1],
                                       vertices[i + 2]};
      const bool odd_in_strip = mode == kStrip && i % 2 == 1;
      if (odd_in_strip != mirrored) std::swap(v[1], v[2]);
      for (const std::int64_t vertex : v) {
        raw_.corners.push_back(first + vertex);
        raw_.uv_corners.push_back(first_pair < 0 ? RawSurface::kNoUv : first_pair + vertex);
      }
      raw_.materials.push_back(material_number);
    }
    check_repeats(raw_.corners.size());
  }

  /// The place of a glTF material among our names.
  int material(std::size_t number) {
    const auto known = materials_.find(number);
    if (known != materials_.end()) return known->second;
    std::string name = "default";
    SurfaceLook look;
    if (number != kNoMaterial) {
      const nlohmann::json& described = document_.item("materials", number);
      const auto given = described.find("name");
      name = given != described.end() && given->is_string() ? given->get<std::string>()
                                                            : "material " + std::to_string(number);
      look = looks_.look(described);
    }
    raw_.material_names.push_back(name);
    raw_.looks.push_back(std::move(look));
    return materials_[number] = static_cast<int>(raw_.material_names.size()) - 1;
  }

  /// Makes coincident vertices from `first` on one; texture pairs stay with their corners.
  void merge_vertices(std::size_t first, std::size_t first_corner) {
    const std::size_t count = raw_.coordinates.size() / 3 - first;
    const Positions positions = Eigen::Map<const Positions>(raw_.coordinates.data() + 3 * first,
                                                            static_cast<Eigen::Index>(count), 3);
    const std::vector<int> earliest = first_coincident(positions);
    std::vector<std::int64_t> merged(count);
    std::size_t kept = first;
    for (std::size_t i = 0; i < count; ++i) {
      if (earliest[i] != static_cast<int>(i)) {
        merged[i] = merged[earliest[i]];
        continue;
      }
      merged[i] = static_cast<std::int64_t>(kept);
      std::copy_n(&raw_.coordinates[3 * (first + i)], 3, &raw_.coordinates[3 * kept]);
      std::copy_n(&raw_.colours[3 * (first + i)], 3, &raw_.colours[3 * kept]);
      ++kept;
    }
    raw_.coordinates.resize(3 * kept);
    raw_.colours.resize(3 * kept);
    for (std::size_t c = first_corner; c < raw_.corners.size(); ++c) {
      raw_.corners[c] = merged[raw_.corners[c] - static_cast<std::int64_t>(first)];
    }
  }

  GltfDocument document_;
  GltfLooks looks_;
  ReadNotes& notes_;
  RawSurface raw_;
  std::size_t most_numbers_;
  std::vector<char> visited_;
  std::map<std::size_t, int> materials_;
  bool coloured_ = false;
};
}  // namespace

TriMesh read_glb(std::string_view bytes, const std::string& file_name, ReadNotes& notes) {
  try {
    return finish(GlbReader(bytes, file_name, notes).read(), file_name, notes);
  } catch (const nlohmann::json::exception&) {
    throw Error("damaged JSON", file_name, "the file is damaged, export it again");
  }
}

}  // namespace limber
