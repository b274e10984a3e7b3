#include "limber/modes/surface_source.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "limber/core/error.h"

namespace limber {

namespace {
using nlohmann::json;
using Image = std::shared_ptr<const SurfaceImage>;

template <class T>
json blob(const T* values, std::size_t count) {
  std::vector<std::uint8_t> bytes(count * sizeof(T));
  if (count > 0) std::memcpy(bytes.data(), values, bytes.size());
  return json::binary(std::move(bytes));
}

template <class T>
std::vector<T> values_of(const json& source, const char* key) {
  const std::vector<std::uint8_t>& bytes = source.at(key).get_binary();
  std::vector<T> values(bytes.size() / sizeof(T));
  if (!values.empty()) std::memcpy(values.data(), bytes.data(), values.size() * sizeof(T));
  return values;
}

template <class Matrix>
Matrix matrix_of(const json& source, const char* key) {
  using Scalar = typename Matrix::Scalar;
  const std::vector<Scalar> values = values_of<Scalar>(source, key);
  constexpr int kColumns = Matrix::ColsAtCompileTime;
  return Eigen::Map<const Matrix>(values.data(),
                                  static_cast<Eigen::Index>(values.size() / kColumns), kColumns);
}

/// Pictures are stored once; those that a look shows already are only named.
class ImageList {
 public:
  explicit ImageList(const TriMesh& surface) : surface_(surface) {}

  json place(const Image& image) {
    for (std::size_t i = 0; i < surface_.looks.size(); ++i) {
      if (surface_.looks[i].image == image) return {{"look", i}};
    }
    const auto [known, is_new] = numbers_.try_emplace(image, images_.size());
    if (is_new) images_.push_back(blob(image->bytes.data(), image->bytes.size()));
    return {{"image", known->second}};
  }
  [[nodiscard]] const json& images() const { return images_; }

 private:
  const TriMesh& surface_;
  std::map<Image, std::size_t> numbers_;
  json images_ = json::array();
};

json packed_materials(const TriMesh& surface, ImageList& images) {
  json materials = json::array();
  for (const SurfaceLook& look : surface.looks) {
    if (!look.gltf) {
      materials.push_back(nullptr);
      continue;
    }
    json textures = json::array();
    for (const GltfMaterial::Texture& texture : look.gltf->textures) {
      json packed = images.place(texture.image);
      packed["sampler"] = texture.sampler;
      textures.push_back(std::move(packed));
    }
    materials.push_back({{"json", look.gltf->json}, {"textures", std::move(textures)}});
  }
  return materials;
}

Image image_of(const json& texture, const std::vector<Image>& images, const TriMesh& surface) {
  if (texture.contains("look")) return surface.looks.at(texture["look"].get<std::size_t>()).image;
  return images.at(texture.at("image").get<std::size_t>());
}

void unpack_materials(const json& source, TriMesh& surface) {
  std::vector<Image> images;
  for (const json& image : source.at("images")) {
    const std::vector<std::uint8_t>& bytes = image.get_binary();
    images.push_back(carried_image({reinterpret_cast<const char*>(bytes.data()), bytes.size()}));
  }
  const json& materials = source.at("materials");
  for (std::size_t m = 0; m < materials.size(); ++m) {
    if (materials[m].is_null()) continue;
    GltfMaterial material;
    material.json = materials[m].at("json").get<std::string>();
    for (const json& texture : materials[m].at("textures")) {
      material.textures.push_back(
          {image_of(texture, images, surface), texture.at("sampler").get<std::string>()});
      if (!material.textures.back().image) throw std::out_of_range("a picture");
    }
    surface.looks.at(m).gltf = std::make_shared<const GltfMaterial>(std::move(material));
  }
}

bool fits(const FileVertices& file, const TriMesh& surface) {
  const auto within = [](const auto& values, std::int64_t limit) {
    return std::all_of(values.begin(), values.end(),
                       [&](std::int64_t value) { return value >= 0 && value < limit; });
  };
  const auto count = static_cast<Eigen::Index>(file.vertex.size());
  return within(file.vertex, surface.vertex_count()) &&
         (file.normal.empty() || std::ssize(file.normal) == count) &&
         within(file.normal, surface.vertex_count() + count) &&
         file.corners.rows() == (count > 0 ? surface.F.rows() : 0) &&
         within(file.corners.reshaped(), count) &&
         (file.second_uv.rows() == 0 || file.second_uv.rows() == count) &&
         (file.colours.rows() == 0 || file.colours.rows() == count);
}
}  // namespace

std::vector<char> packed_source(const TriMesh& surface) {
  const bool whole_materials =
      std::any_of(surface.looks.begin(), surface.looks.end(),
                  [](const SurfaceLook& look) { return look.gltf != nullptr; });
  if (!whole_materials && !surface.is_as_in_file()) return {};
  ImageList images(surface);
  json source = {{"materials", packed_materials(surface, images)}};
  source["images"] = images.images();
  const FileVertices file = surface.is_as_in_file() ? surface.file : FileVertices{};
  const auto size = [](const auto& matrix) { return static_cast<std::size_t>(matrix.size()); };
  source["vertex"] = blob(file.vertex.data(), file.vertex.size());
  source["normal"] = blob(file.normal.data(), file.normal.size());
  source["corners"] = blob(file.corners.data(), size(file.corners));
  source["second_uv"] = blob(file.second_uv.data(), size(file.second_uv));
  source["colours"] = blob(file.colours.data(), size(file.colours));
  const std::vector<std::uint8_t> bytes = json::to_cbor(source);
  return {bytes.begin(), bytes.end()};
}

void unpack_source(std::span<const char> bytes, TriMesh& surface) {
  if (bytes.empty()) return;
  try {
    const json source = json::from_cbor(bytes.begin(), bytes.end());
    unpack_materials(source, surface);
    FileVertices file;
    file.vertex = values_of<std::int32_t>(source, "vertex");
    file.normal = values_of<std::int32_t>(source, "normal");
    file.corners = matrix_of<Triangles>(source, "corners");
    file.second_uv = matrix_of<decltype(file.second_uv)>(source, "second_uv");
    file.colours = matrix_of<decltype(file.colours)>(source, "colours");
    if (!fits(file, surface)) throw std::out_of_range("vertices");
    surface.file = std::move(file);
  } catch (const std::exception& error) {
    throw Error(std::string("the surface's source does not fit it: ") + error.what(), "baked body",
                "bake it again");
  }
}

}  // namespace limber
