#include "limber/mesh/formats/gltf_looks.h"

#include <algorithm>
#include <cmath>

#include "limber/core/error.h"
#include "limber/mesh/formats/base64.h"

namespace limber {

namespace {
constexpr std::size_t kNone = static_cast<std::size_t>(-1);

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
}  // namespace

SurfaceLook GltfLooks::look(const nlohmann::json& material) {
  SurfaceLook look;
  look.colour = {1, 1, 1};
  const auto pbr = material.find("pbrMetallicRoughness");
  if (pbr == material.end() || !pbr->is_object()) return look;
  look.colour = base_colour(*pbr);
  const auto reference = pbr->find("baseColorTexture");
  if (reference == pbr->end() || !reference->is_object()) return look;
  try {
    look.image = texture(*reference);
  } catch (const Error&) {  // names what is not there
    look.image = nullptr;
  }
  return look;
}

GltfLooks::Image GltfLooks::texture(const nlohmann::json& reference) {
  // Only the first set of texture coordinates is read.
  if (document_.whole(reference, "texCoord", 0) != 0) return nullptr;
  const nlohmann::json& texture =
      document_.item("textures", document_.whole(reference, "index", kNone));
  const std::size_t number = document_.whole(texture, "source", kNone);
  const auto known = images_.find(number);
  if (known != images_.end()) return known->second;
  return images_[number] = read_image(document_.item("images", number));
}

GltfLooks::Image GltfLooks::read_image(const nlohmann::json& description) {
  // Many images may name the same bytes: together they stay within the bound of one.
  const std::size_t left = kMostImageBytes - bytes_read_;
  Image image;
  if (description.contains("bufferView")) {
    const std::string_view bytes =
        document_.bytes_of_view(document_.whole(description["bufferView"]));
    if (bytes.size() <= left) image = surface_image(bytes);
  } else if (const auto uri = description.find("uri");
             uri != description.end() && uri->is_string()) {
    const auto& text = uri->get_ref<const std::string&>();
    const std::size_t data = text.find(";base64,");
    if (!text.starts_with("data:") || data == std::string::npos) return nullptr;
    const std::string_view digits = std::string_view(text).substr(data + 8);
    if (digits.size() / 4 * 3 > left) return nullptr;
    const auto bytes = base64_decoded(digits, left);
    if (bytes) image = surface_image(*bytes);
  }
  if (image) bytes_read_ += image->bytes.size();
  return image;
}

}  // namespace limber
