#include "limber/mesh/gltf/gltf_looks.h"

#include <algorithm>
#include <cmath>

#include "limber/core/error.h"

namespace limber {

namespace {
/// Sets of texture coordinates that are kept.
constexpr std::size_t kUvSets = 2;

/// baseColorFactor without its opacity; white where it is missing or damaged (glTF 2.0, 5.22).
std::array<float, 3> base_colour(const nlohmann::json& pbr) {
  std::array<float, 3> colour = {1, 1, 1};
  const auto given = pbr.find("baseColorFactor");
  if (given == pbr.end() || !given->is_array() || given->size() < 3) return colour;
  for (std::size_t c = 0; c < 3; ++c) {
    const double value = (*given)[c].is_number() ? (*given)[c].get<double>() : 1.0;
    colour[c] = std::isfinite(value) ? static_cast<float>(std::clamp(value, 0.0, 1.0)) : 1.0F;
  }
  return colour;
}

/// The picture of a texture: an extension's where it names one that we carry, else its own.
std::size_t source_of(const GltfDocument& document, const nlohmann::json& texture) {
  const std::size_t own = document.whole(texture, "source", GltfDocument::kNone);
  if (own != GltfDocument::kNone) return own;
  for (const char* const extension : {"EXT_texture_webp", "KHR_texture_basisu"}) {
    const nlohmann::json::json_pointer pointer(std::string("/extensions/") + extension + "/source");
    if (texture.contains(pointer)) return document.whole(texture[pointer]);
  }
  return GltfDocument::kNone;
}

bool is_texture_key(const std::string& key) { return key.ends_with("Texture"); }
}  // namespace

SurfaceLook GltfLooks::look(const nlohmann::json& material) {
  SurfaceLook look;
  look.colour = {1, 1, 1};
  GltfMaterial whole;
  nlohmann::json kept = material;
  collect(kept, whole);
  const auto pbr = kept.find("pbrMetallicRoughness");
  if (pbr != kept.end() && pbr->is_object()) {
    look.colour = base_colour(*pbr);
    const auto painted = pbr->find("baseColorTexture");
    if (painted != pbr->end() && document_.whole(*painted, "texCoord", 0) == 0) {
      const Image& image = whole.textures[(*painted)["index"].get<std::size_t>()].image;
      const std::string_view type = image->mime_type;
      if (type == "image/png" || type == "image/jpeg") look.image = image;
    }
  }
  whole.json = kept.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  look.gltf = std::make_shared<const GltfMaterial>(std::move(whole));
  return look;
}

void GltfLooks::collect(nlohmann::json& value, GltfMaterial& whole) {
  if (!value.is_object()) return;
  for (auto entry = value.begin(); entry != value.end();) {
    const bool texture = is_texture_key(entry.key());
    if (!texture && entry.key() != "extras") collect(entry.value(), whole);
    entry =
        texture && !collect_texture(entry.value(), whole) ? value.erase(entry) : std::next(entry);
  }
}

bool GltfLooks::collect_texture(nlohmann::json& reference, GltfMaterial& whole) {
  GltfMaterial::Texture found;
  try {
    found = texture(reference);
  } catch (const Error&) {  // names what is not there
    found.image = nullptr;
  }
  if (!found.image) {
    ++left_out_;
    return false;
  }
  const auto known = std::find_if(
      whole.textures.begin(), whole.textures.end(), [&](const GltfMaterial::Texture& other) {
        return other.image == found.image && other.sampler == found.sampler;
      });
  reference["index"] = known - whole.textures.begin();
  if (known == whole.textures.end()) whole.textures.push_back(std::move(found));
  return true;
}

GltfMaterial::Texture GltfLooks::texture(const nlohmann::json& reference) {
  if (!reference.is_object()) return {};
  const std::size_t set = document_.whole(reference, "texCoord", 0);
  const nlohmann::json& described =
      document_.item("textures", document_.whole(reference, "index", GltfDocument::kNone));
  if (set >= kUvSets) return {};
  GltfMaterial::Texture found;
  found.image = image(source_of(document_, described));
  if (described.contains("sampler")) {
    found.sampler = document_.item("samplers", document_.whole(described["sampler"])).dump();
  }
  return found;
}

GltfLooks::Image GltfLooks::image(std::size_t number) {
  const auto known = images_.find(number);
  if (known != images_.end()) return known->second;
  Image image = read_image(document_.item("images", number));
  if (image) bytes_read_ += image->bytes.size();
  return images_[number] = std::move(image);
}

GltfLooks::Image GltfLooks::read_image(const nlohmann::json& description) const {
  // Many images may name the same bytes: together they stay within the bound.
  const std::size_t left = kMostImageBytes - std::min(kMostImageBytes, bytes_read_);
  if (description.contains("bufferView")) {
    const std::string_view bytes =
        document_.bytes_of_view(document_.whole(description["bufferView"]));
    return bytes.size() <= left ? carried_image(bytes) : nullptr;
  }
  const auto uri = description.find("uri");
  if (uri == description.end() || !uri->is_string()) return nullptr;
  const std::string bytes = document_.bytes_of_uri(uri->get<std::string>(), left + 1);
  return bytes.size() <= left ? carried_image(bytes) : nullptr;
}

}  // namespace limber
