#include "limber/mesh/formats/glb_materials.h"

#include <algorithm>
#include <string_view>

namespace limber::glb {

namespace {
/// The extension of a texture whose picture is neither PNG nor JPEG; none for those.
const char* texture_extension(const SurfaceImage& image) {
  const std::string_view type = image.mime_type;
  if (type == "image/webp") return "EXT_texture_webp";
  return type == "image/ktx2" ? "KHR_texture_basisu" : nullptr;
}
}  // namespace

int Materials::add(const std::string& name, const SurfaceLook& look, const Wearer& wearer) {
  nlohmann::json material = look.gltf ? carried(*look.gltf, wearer) : plain(name, look, wearer);
  material["name"] = name;
  nlohmann::json& list = builder_.document["materials"];
  list.push_back(std::move(material));
  return static_cast<int>(list.size()) - 1;
}

nlohmann::json Materials::plain(const std::string& name, const SurfaceLook& look,
                                const Wearer& wearer) {
  nlohmann::json material =
      plain_material(name, wearer.number, wearer.vertex_colours, wearer.double_sided);
  nlohmann::json& pbr = material["pbrMetallicRoughness"];
  const bool pictured = look.image && wearer.uv_sets > 0;
  if (look.colour || pictured) {
    const std::array<float, 3> colour = look.colour.value_or(std::array<float, 3>{1, 1, 1});
    pbr["baseColorFactor"] = {colour[0], colour[1], colour[2], 1.0F};
  }
  if (pictured) pbr["baseColorTexture"] = {{"index", texture(look.image, "")}};
  return material;
}

nlohmann::json Materials::carried(const GltfMaterial& material, const Wearer& wearer) {
  nlohmann::json json = nlohmann::json::parse(material.json, nullptr, false);
  if (!json.is_object()) json = nlohmann::json::object();
  settle(json, material, wearer);
  return json;
}

void Materials::settle(nlohmann::json& value, const GltfMaterial& material, const Wearer& wearer) {
  if (!value.is_object()) return;
  for (auto entry = value.begin(); entry != value.end();) {
    nlohmann::json& below = entry.value();
    const bool is_texture = entry.key().ends_with("Texture") && below.is_object();
    if (is_texture) {
      const auto index = below.value("index", std::size_t{0});
      if (below.value("texCoord", 0) >= wearer.uv_sets || index >= material.textures.size()) {
        entry = value.erase(entry);
        continue;
      }
      const GltfMaterial::Texture& used = material.textures[index];
      below["index"] = texture(used.image, used.sampler);
    }
    if (entry.key() == "extensions" && below.is_object()) {
      for (const auto& [name, content] : below.items()) use_extension(name);
    }
    if (entry.key() != "extras") settle(below, material, wearer);
    ++entry;
  }
}

void Materials::use_extension(const std::string& name, bool required) {
  for (const char* const key : {"extensionsUsed", "extensionsRequired"}) {
    if (!required && std::string_view(key) == "extensionsRequired") continue;
    nlohmann::json& list = builder_.document[key];
    if (std::find(list.begin(), list.end(), name) == list.end()) list.push_back(name);
  }
}

int Materials::texture(const Image& image, const std::string& sampler) {
  const int source = image_number(image);
  const Texture settled{images_[static_cast<std::size_t>(source)], sampler};
  const auto known = std::find(textures_.begin(), textures_.end(), settled);
  if (known != textures_.end()) return static_cast<int>(known - textures_.begin());
  nlohmann::json described = nlohmann::json::object();
  if (const char* const extension = texture_extension(*image)) {
    described["extensions"][extension]["source"] = source;
    use_extension(extension, true);
  } else {
    described["source"] = source;
  }
  if (!sampler.empty()) described["sampler"] = sampler_number(sampler);
  builder_.document["textures"].push_back(std::move(described));
  textures_.push_back(settled);
  return static_cast<int>(textures_.size()) - 1;
}

int Materials::image_number(const Image& image) {
  const auto known = std::find_if(images_.begin(), images_.end(), [&](const Image& other) {
    return other == image || other->bytes == image->bytes;
  });
  if (known != images_.end()) return static_cast<int>(known - images_.begin());
  const int view = builder_.add_view(image->bytes.size(),
                                     [image](AtomicFile& file) { file.write(image->bytes); });
  builder_.document["images"].push_back({{"bufferView", view}, {"mimeType", image->mime_type}});
  images_.push_back(image);
  return static_cast<int>(images_.size()) - 1;
}

int Materials::sampler_number(const std::string& sampler) {
  const auto known = std::find(samplers_.begin(), samplers_.end(), sampler);
  if (known != samplers_.end()) return static_cast<int>(known - samplers_.begin());
  nlohmann::json json = nlohmann::json::parse(sampler, nullptr, false);
  builder_.document["samplers"].push_back(json.is_object() ? std::move(json)
                                                           : nlohmann::json::object());
  samplers_.push_back(sampler);
  return static_cast<int>(samplers_.size()) - 1;
}

}  // namespace limber::glb
