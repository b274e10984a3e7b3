#include "limber/mesh/formats/gltf_document.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "limber/core/error.h"
#include "limber/mesh/formats/number_type.h"

namespace limber {

namespace {
constexpr std::uint32_t kMagic = 0x46546C67;        // "glTF"
constexpr std::uint32_t kJsonChunk = 0x4E4F534A;    // "JSON"
constexpr std::uint32_t kBinaryChunk = 0x004E4942;  // "BIN"

struct Component {
  std::size_t number;
  NumberType type;
};
constexpr auto kComponents = std::to_array<Component>({
    {5120, {1, false, true}},
    {5121, {1, false, false}},
    {5122, {2, false, true}},
    {5123, {2, false, false}},
    {5125, {4, false, false}},
    {5126, {4, true, true}},
});

struct AccessorType {
  std::string_view name;
  std::size_t components;
};
constexpr auto kAccessorTypes =
    std::to_array<AccessorType>({{"SCALAR", 1}, {"VEC2", 2}, {"VEC3", 3}, {"VEC4", 4}});
}  // namespace

GltfDocument::GltfDocument(std::string_view bytes, std::string file_name)
    : file_name_(std::move(file_name)) {
  Scanner scanner(bytes, file_name_);
  scanner.now_binary();
  if (scanner.raw<std::uint32_t>() != kMagic) scanner.fail("not a binary glTF file");
  if (scanner.raw<std::uint32_t>() != 2) scanner.fail("not glTF version 2");
  if (scanner.raw<std::uint32_t>() > bytes.size()) scanner.fail("the file ends too early");
  const auto json_size = scanner.raw<std::uint32_t>();
  if (scanner.raw<std::uint32_t>() != kJsonChunk) scanner.fail("glTF without JSON");
  const std::string_view text = scanner.take(json_size);
  json_ = nlohmann::json::parse(text.begin(), text.end(), nullptr, false);
  if (!json_.is_object()) fail("damaged JSON");
  while (scanner.bytes_left() >= 8) {
    const auto size = scanner.raw<std::uint32_t>();
    const auto kind = scanner.raw<std::uint32_t>();
    const std::string_view chunk = scanner.take(size);
    if (kind == kBinaryChunk && binary_.empty()) binary_ = chunk;
  }
  refuse_unsupported();
}

void GltfDocument::fail(const std::string& what) const {
  throw Error(what, file_name_, "the file is damaged or cut short, export it again");
}

void GltfDocument::refuse_unsupported() const {
  const auto extensions = json_.find("extensionsRequired");
  if (extensions != json_.end() && extensions->is_array()) {
    for (const nlohmann::json& extension : *extensions) {
      if (!extension.is_string()) fail("damaged JSON");
      const std::string name = extension.get<std::string>();
      if (name.find("compression") == std::string::npos) continue;
      throw Error("is compressed (" + name + ")", file_name_, "export it without compression");
    }
  }
  for (std::size_t i = 0; i < item_count("buffers"); ++i) {
    if (!item("buffers", i).contains("uri")) continue;
    throw Error("keeps its data in another file", file_name_, "export it as one .glb file");
  }
}

std::size_t GltfDocument::item_count(const char* list) const {
  const auto found = json_.find(list);
  return found != json_.end() && found->is_array() ? found->size() : 0;
}

const nlohmann::json& GltfDocument::item(const char* list, std::size_t number) const {
  if (number >= item_count(list)) {
    fail("names number " + std::to_string(number) + " of its " + list + ", which is not there");
  }
  const nlohmann::json& found = json_[list][number];
  if (!found.is_object()) fail("damaged JSON");
  return found;
}

std::size_t GltfDocument::whole(const nlohmann::json& value) const {
  constexpr std::int64_t kMost = std::int64_t{1} << 40;
  if (!value.is_number_integer() || value.get<std::int64_t>() < 0 ||
      value.get<std::int64_t>() > kMost) {
    fail("expected a whole number in the JSON, found " + in_quotes(value.dump()));
  }
  return static_cast<std::size_t>(value.get<std::int64_t>());
}

std::size_t GltfDocument::whole(const nlohmann::json& object, const char* key,
                                std::size_t otherwise) const {
  const auto found = object.find(key);
  return found == object.end() ? otherwise : whole(*found);
}

std::string_view GltfDocument::buffer_view(std::size_t number, std::size_t& stride) const {
  const nlohmann::json& view = item("bufferViews", number);
  if (whole(view, "buffer", 0) != 0) fail("has more than one buffer");
  const std::size_t offset = whole(view, "byteOffset", 0);
  const std::size_t length = whole(view, "byteLength", 0);
  stride = whole(view, "byteStride", 0);
  if (offset > binary_.size() || length > binary_.size() - offset) fail("data end too early");
  return binary_.substr(offset, length);
}

std::string_view GltfDocument::bytes_of_view(std::size_t number) const {
  std::size_t stride = 0;
  return buffer_view(number, stride);
}

GltfDocument::Numbers GltfDocument::accessor(std::size_t number) const {
  const nlohmann::json& accessor = item("accessors", number);
  if (accessor.contains("sparse") || !accessor.contains("bufferView")) {
    throw Error("has sparse accessors, which are not supported", file_name_,
                "export it without sparse accessors");
  }
  const auto* const component =
      std::find_if(kComponents.begin(), kComponents.end(),
                   [number = whole(accessor, "componentType", 0)](const Component& c) {
                     return c.number == number;
                   });
  const auto type_name = accessor.find("type");
  const auto* const element =
      std::find_if(kAccessorTypes.begin(), kAccessorTypes.end(), [&](const AccessorType& type) {
        return type_name != accessor.end() && *type_name == type.name;
      });
  if (component == kComponents.end() || element == kAccessorTypes.end()) {
    fail("accessor " + std::to_string(number) + " has an unknown type");
  }
  std::size_t stride = 0;
  const std::string_view view = buffer_view(whole(accessor["bufferView"]), stride);
  const std::size_t element_bytes = component->type.bytes * element->components;
  if (stride == 0) stride = element_bytes;
  const std::size_t offset = whole(accessor, "byteOffset", 0);
  const std::size_t count = whole(accessor, "count", 0);
  if (count > view.size() || stride > view.size() || offset > view.size() ||
      (count > 0 && offset + stride * (count - 1) + element_bytes > view.size())) {
    fail("accessor " + std::to_string(number) + " reaches past its data");
  }

  const bool normalised = accessor.value("normalized", false) && !component->type.floating;
  const int value_bits =
      static_cast<int>(8 * component->type.bytes) - (component->type.is_signed ? 1 : 0);
  const double scale = normalised ? 1 / (std::pow(2.0, value_bits) - 1) : 1;
  Numbers numbers{{}, element->components};
  numbers.values.reserve(count * element->components);
  Scanner scanner(view, file_name_);
  for (std::size_t i = 0; i < count; ++i) {
    scanner.seek(offset + i * stride);
    for (std::size_t c = 0; c < element->components; ++c) {
      const double value = raw_number(scanner, component->type, std::endian::little) * scale;
      numbers.values.push_back(normalised ? std::max(value, -1.0) : value);
    }
  }
  return numbers;
}

}  // namespace limber
