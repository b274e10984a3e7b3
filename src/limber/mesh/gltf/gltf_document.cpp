#include "limber/mesh/gltf/gltf_document.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "limber/core/error.h"
#include "limber/mesh/formats/base64.h"
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
constexpr auto kAccessorTypes = std::to_array<AccessorType>(
    {{"SCALAR", 1}, {"VEC2", 2}, {"VEC3", 3}, {"VEC4", 4}, {"MAT4", 16}});

const NumberType* component_type(std::size_t number) {
  const auto* const found =
      std::find_if(kComponents.begin(), kComponents.end(),
                   [number](const Component& c) { return c.number == number; });
  return found == kComponents.end() ? nullptr : &found->type;
}

/// Elements of a view, one after another or `stride` bytes apart.
struct Elements {
  std::string_view bytes;
  std::size_t offset = 0;
  std::size_t stride = 0;  ///< 0: packed
  std::size_t count = 0;
  std::size_t components = 1;
  NumberType type{4, true, true};
  bool normalised = false;  ///< integers are fractions of their largest value

  [[nodiscard]] std::size_t element_bytes() const { return type.bytes * components; }
  [[nodiscard]] std::size_t step() const { return stride == 0 ? element_bytes() : stride; }
  [[nodiscard]] bool fit() const {
    if (count == 0) return true;
    return count <= bytes.size() && step() <= bytes.size() && offset <= bytes.size() &&
           offset + step() * (count - 1) + element_bytes() <= bytes.size();
  }
  [[nodiscard]] std::vector<double> values(const std::string& file_name) const {
    const int value_bits = static_cast<int>(8 * type.bytes) - (type.is_signed ? 1 : 0);
    const bool fractions = normalised && !type.floating;
    const double scale = fractions ? 1 / (std::pow(2.0, value_bits) - 1) : 1;
    std::vector<double> result;
    result.reserve(count * components);
    Scanner scanner(bytes, file_name);
    for (std::size_t i = 0; i < count; ++i) {
      scanner.seek(offset + i * step());
      for (std::size_t c = 0; c < components; ++c) {
        const double value = raw_number(scanner, type, std::endian::little) * scale;
        result.push_back(fractions ? std::max(value, -1.0) : value);
      }
    }
    return result;
  }
};

/// Deeper than any file has reason to be; copies of what is nested without end would fill the
/// stack.
constexpr int kDeepestJson = 200;

nlohmann::json parsed(std::string_view text, const std::string& file_name) {
  const auto within_bounds = [&](int depth, nlohmann::json::parse_event_t, nlohmann::json&) {
    if (depth > kDeepestJson) throw Error("JSON nested too deeply", file_name, kExportAgain);
    return true;
  };
  return nlohmann::json::parse(text.begin(), text.end(), within_bounds, false);
}

/// "%20" and the like as the characters they stand for (RFC 3986, 2.1).
std::string percent_decoded(const std::string& text) {
  const auto digit = [](char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
  };
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool coded =
        text[i] == '%' && i + 2 < text.size() && digit(text[i + 1]) >= 0 && digit(text[i + 2]) >= 0;
    result += coded ? static_cast<char>(16 * digit(text[i + 1]) + digit(text[i + 2])) : text[i];
    if (coded) i += 2;
  }
  return result;
}
}  // namespace

const nlohmann::json& gltf_list(const nlohmann::json& object, const char* key) {
  static const nlohmann::json kEmpty = nlohmann::json::array();
  if (!object.is_object()) return kEmpty;
  const auto found = object.find(key);
  return found != object.end() && found->is_array() ? *found : kEmpty;
}

GltfDocument::GltfDocument(std::string_view bytes, std::string file_name)
    : file_name_(std::move(file_name)), file_size_(bytes.size()) {
  if (trimmed(bytes.substr(0, 64)).starts_with('{')) {
    json_ = parsed(bytes, file_name_);
  } else {
    read_container(bytes);
  }
  if (!json_.is_object()) fail("damaged JSON");
  refuse_unsupported();
  open_buffers();
}

void GltfDocument::read_container(std::string_view bytes) {
  Scanner scanner(bytes, file_name_);
  scanner.now_binary();
  if (scanner.raw<std::uint32_t>() != kMagic) scanner.fail("not a binary glTF file");
  if (scanner.raw<std::uint32_t>() != 2) scanner.fail("not glTF version 2");
  if (scanner.raw<std::uint32_t>() > bytes.size()) scanner.fail("the file ends too early");
  const auto json_size = scanner.raw<std::uint32_t>();
  if (scanner.raw<std::uint32_t>() != kJsonChunk) scanner.fail("glTF without JSON");
  const std::string_view text = scanner.take(json_size);
  json_ = parsed(text, file_name_);
  while (scanner.bytes_left() >= 8) {
    const auto size = scanner.raw<std::uint32_t>();
    const auto kind = scanner.raw<std::uint32_t>();
    const std::string_view chunk = scanner.take(size);
    if (kind == kBinaryChunk && binary_.empty()) binary_ = chunk;
  }
}

void GltfDocument::fail(const std::string& what) const {
  throw Error(what, file_name_, kExportAgain);
}

void GltfDocument::refuse_unsupported() const {
  for (const nlohmann::json& extension : gltf_list(json_, "extensionsRequired")) {
    if (!extension.is_string()) fail("damaged JSON");
    const std::string name = extension.get<std::string>();
    if (name.find("compression") == std::string::npos) continue;
    throw Error("is compressed (" + name + ")", file_name_, "export it without compression");
  }
}

void GltfDocument::open_buffers() {
  for (std::size_t i = 0; i < item_count("buffers"); ++i) {
    const nlohmann::json& buffer = item("buffers", i);
    const auto uri = buffer.find("uri");
    if (uri == buffer.end()) {
      // glTF 2.0, 4.4.3.3: the first buffer without a URI is the binary chunk.
      buffers_.push_back(i == 0 ? binary_ : std::string_view());
      continue;
    }
    if (!uri->is_string()) fail("damaged JSON");
    const std::size_t length = whole(buffer, "byteLength", 0);
    loaded_.push_back(bytes_of_uri(uri->get<std::string>(), length));
    buffers_.push_back(loaded_.back());
  }
}

std::string GltfDocument::bytes_of_uri(const std::string& uri, std::size_t most) const {
  if (uri.starts_with("data:")) {
    const std::size_t data = uri.find(";base64,");
    if (data == std::string::npos) fail("a data URI is not base64");
    auto bytes = base64_decoded(std::string_view(uri).substr(data + 8), most);
    if (!bytes) fail("damaged base64");
    return std::move(*bytes);
  }
  const std::filesystem::path beside = percent_decoded(uri);
  if (uri.find("://") != std::string::npos || beside.is_absolute()) {
    throw Error("keeps its data elsewhere: " + in_quotes(uri), file_name_,
                "export it as one .glb file");
  }
  const std::filesystem::path path = std::filesystem::path(file_name_).parent_path() / beside;
  if (!std::filesystem::is_regular_file(path)) {
    throw Error("keeps its data in another file, " + in_quotes(uri) + ", which is not there",
                file_name_, "put it beside this one, or export all as one .glb file");
  }
  const FileBytes file(path);
  return std::string(file.text().substr(0, most));
}

std::size_t GltfDocument::item_count(const char* list) const {
  return gltf_list(json_, list).size();
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

std::string GltfDocument::name(const nlohmann::json& object, const std::string& otherwise) {
  const auto given = object.find("name");
  return given != object.end() && given->is_string() ? given->get<std::string>() : otherwise;
}

std::string_view GltfDocument::buffer_view(std::size_t number, std::size_t& stride) const {
  const nlohmann::json& view = item("bufferViews", number);
  const std::size_t buffer = whole(view, "buffer", 0);
  if (buffer >= buffers_.size()) fail("names a buffer that is not there");
  const std::size_t offset = whole(view, "byteOffset", 0);
  const std::size_t length = whole(view, "byteLength", 0);
  stride = whole(view, "byteStride", 0);
  const std::string_view bytes = buffers_[buffer];
  if (offset > bytes.size() || length > bytes.size() - offset) fail("data end too early");
  return bytes.substr(offset, length);
}

std::string_view GltfDocument::bytes_of_view(std::size_t number) const {
  std::size_t stride = 0;
  return buffer_view(number, stride);
}

GltfDocument::Numbers GltfDocument::accessor(std::size_t number) const {
  const nlohmann::json& accessor = item("accessors", number);
  const std::size_t component = whole(accessor, "componentType", 0);
  const NumberType* const type = component_type(component);
  const auto type_name = accessor.find("type");
  const auto* const element =
      std::find_if(kAccessorTypes.begin(), kAccessorTypes.end(), [&](const AccessorType& known) {
        return type_name != accessor.end() && *type_name == known.name;
      });
  if (type == nullptr || element == kAccessorTypes.end()) {
    fail("accessor " + std::to_string(number) + " has an unknown type");
  }
  const auto flag = accessor.find("normalized");
  Elements elements;
  elements.count = whole(accessor, "count", 0);
  elements.components = element->components;
  elements.type = *type;
  elements.normalised = flag != accessor.end() && flag->is_boolean() && flag->get<bool>();
  Numbers numbers{{}, element->components};
  if (accessor.contains("bufferView")) {
    elements.bytes = buffer_view(whole(accessor["bufferView"]), elements.stride);
    elements.offset = whole(accessor, "byteOffset", 0);
    if (!elements.fit()) fail("accessor " + std::to_string(number) + " reaches past its data");
    numbers.values = elements.values(file_name_);
  } else {
    // glTF 2.0, 3.6.2.3: without a view all are zero. No file needs more of them than it has bytes.
    if (elements.count > file_size_) {
      fail("accessor " + std::to_string(number) + " has more elements than the file has bytes");
    }
    numbers.values.assign(elements.count * elements.components, 0.0);
  }
  if (const auto sparse = accessor.find("sparse"); sparse != accessor.end()) {
    place_sparse(*sparse, component, numbers, elements.normalised);
  }
  return numbers;
}

void GltfDocument::place_sparse(const nlohmann::json& sparse, std::size_t component,
                                Numbers& numbers, bool normalised) const {
  const auto part = [&](const char* key) -> const nlohmann::json& {
    const auto found = sparse.is_object() ? sparse.find(key) : sparse.end();
    if (found == sparse.end() || !found->is_object()) fail("damaged sparse accessor");
    return *found;
  };
  const auto read = [&](const nlohmann::json& where, std::size_t component_number,
                        std::size_t components, bool fractions) {
    const NumberType* const type = component_type(component_number);
    if (type == nullptr) fail("damaged sparse accessor");
    Elements elements;
    elements.offset = whole(where, "byteOffset", 0);
    elements.count = whole(sparse, "count", 0);
    elements.components = components;
    elements.type = *type;
    elements.normalised = fractions;
    elements.bytes = buffer_view(whole(where, "bufferView", kNone), elements.stride);
    if (!elements.fit()) fail("a sparse accessor reaches past its data");
    return elements.values(file_name_);
  };
  const std::size_t width = numbers.components;
  const std::vector<double> places =
      read(part("indices"), whole(part("indices"), "componentType", 0), 1, false);
  const std::vector<double> values = read(part("values"), component, width, normalised);
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (!(places[i] >= 0 && places[i] < static_cast<double>(numbers.count()))) {
      fail("a sparse accessor names an element that is not there");
    }
    std::copy_n(values.begin() + static_cast<std::ptrdiff_t>(width * i), width,
                numbers.values.begin() +
                    static_cast<std::ptrdiff_t>(width * static_cast<std::size_t>(places[i])));
  }
}

}  // namespace limber
