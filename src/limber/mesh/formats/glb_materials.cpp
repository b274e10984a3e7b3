#include "limber/mesh/formats/glb_materials.h"

#include <algorithm>

namespace limber::glb {

int Materials::add(const std::string& name, const SurfaceLook& look, const Wearer& wearer) {
  nlohmann::json material =
      plain_material(name, wearer.number, wearer.vertex_colours, wearer.double_sided);
  nlohmann::json& pbr = material["pbrMetallicRoughness"];
  const bool pictured = look.image && wearer.textured;
  if (look.colour || pictured) {
    const std::array<float, 3> colour = look.colour.value_or(std::array<float, 3>{1, 1, 1});
    pbr["baseColorFactor"] = {colour[0], colour[1], colour[2], 1.0F};
  }
  if (pictured) pbr["baseColorTexture"] = {{"index", texture(look.image)}};
  nlohmann::json& list = builder_.document["materials"];
  list.push_back(std::move(material));
  return static_cast<int>(list.size()) - 1;
}

int Materials::texture(const std::shared_ptr<const SurfaceImage>& image) {
  const auto known = std::find_if(images_.begin(), images_.end(), [&](const auto& other) {
    return other == image || other->bytes == image->bytes;
  });
  if (known != images_.end()) return static_cast<int>(known - images_.begin());
  nlohmann::json& document = builder_.document;
  const int view = builder_.add_view(image->bytes.size(),
                                     [image](AtomicFile& file) { file.write(image->bytes); });
  document["images"].push_back({{"bufferView", view}, {"mimeType", image->mime_type}});
  document["textures"].push_back({{"source", images_.size()}});
  images_.push_back(image);
  return static_cast<int>(images_.size()) - 1;
}

}  // namespace limber::glb
