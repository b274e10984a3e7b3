#include "limber/mesh/formats/glb_container.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

#include "limber/core/error.h"

namespace limber::glb {

namespace {
static_assert(std::endian::native == std::endian::little, "glTF stores little-endian numbers");

constexpr std::uint32_t kMagic = 0x46546C67;        // "glTF"
constexpr std::uint32_t kJsonChunk = 0x4E4F534A;    // "JSON"
constexpr std::uint32_t kBinaryChunk = 0x004E4942;  // "BIN"

constexpr std::size_t component_size(Component component) {
  switch (component) {
    case Component::u8:
      return 1;
    case Component::u16:
      return 2;
    default:
      return 4;
  }
}

const char* type_name(Type type) {
  constexpr const char* names[] = {"SCALAR", "VEC2", "VEC3", "VEC4"};
  return names[static_cast<int>(type) - 1];
}

std::size_t padding(std::size_t size) { return (4 - size % 4) % 4; }

void write_words(AtomicFile& file, std::initializer_list<std::uint32_t> words) {
  file.write(std::as_bytes(std::span(words.begin(), words.size())));
}

template <class T>
std::function<void(AtomicFile&)> copied(std::vector<T> values) {
  return [held = std::move(values)](AtomicFile& file) {
    file.write(std::as_bytes(std::span<const T>(held)));
  };
}

std::string padded_text(const nlohmann::json& document) {
  // Names may hold any bytes; what is not UTF-8 becomes the replacement character.
  std::string text = document.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  text.append(padding(text.size()), ' ');
  return text;
}
}  // namespace

std::size_t Layout::element_size() const {
  return static_cast<std::size_t>(type) * component_size(component);
}

void write_floats(AtomicFile& file, std::span<const float> values) {
  file.write(std::as_bytes(values));
}

Bounds bounds_of(std::span<const float> values, Type type) {
  const std::size_t width = static_cast<std::size_t>(type);
  if (values.size() < width) return {};
  Bounds bounds{{values.begin(), values.begin() + width}, {values.begin(), values.begin() + width}};
  for (std::size_t i = width; i < values.size(); ++i) {
    bounds.min[i % width] = std::min(bounds.min[i % width], values[i]);
    bounds.max[i % width] = std::max(bounds.max[i % width], values[i]);
  }
  return bounds;
}

Builder::Builder() { document["asset"] = {{"version", "2.0"}, {"generator", "Limber"}}; }

int Builder::add_accessor(std::span<const float> values, Type type, Target target,
                          bool with_bounds) {
  Layout layout{type, Component::f32, values.size() / static_cast<std::size_t>(type), target, {}};
  if (with_bounds) layout.bounds = bounds_of(values, type);
  return add_accessor(layout, copied(std::vector<float>(values.begin(), values.end())));
}

int Builder::add_indices(std::span<const std::uint32_t> values) {
  // 65535 itself is set apart as the restart value (glTF 2.0, 3.7.2.1).
  const bool small = std::all_of(values.begin(), values.end(), [](auto v) { return v < 65535; });
  const Layout layout{
      Type::scalar, small ? Component::u16 : Component::u32, values.size(), Target::indices, {}};
  if (small) {
    return add_accessor(layout, copied(std::vector<std::uint16_t>(values.begin(), values.end())));
  }
  return add_accessor(layout, copied(std::vector<std::uint32_t>(values.begin(), values.end())));
}

int Builder::add_accessor(const Layout& layout, std::function<void(AtomicFile&)> write_bytes) {
  return add_window(add_view(layout.byte_size(), std::move(write_bytes), layout.target), layout, 0);
}

int Builder::add_vertex_view(const Layout& whole, std::function<void(AtomicFile&)> write_bytes) {
  const int view = add_view(whole.byte_size(), std::move(write_bytes), Target::vertices);
  // glTF 2.0, 3.6.2.4: asked for where accessors share a view.
  views_[static_cast<std::size_t>(view)]["byteStride"] = whole.element_size();
  return view;
}

int Builder::add_window(int view, const Layout& part, std::size_t first) {
  nlohmann::json accessor = {{"bufferView", view},
                             {"componentType", static_cast<int>(part.component)},
                             {"count", part.count},
                             {"type", type_name(part.type)}};
  if (first > 0) accessor["byteOffset"] = first * part.element_size();
  if (!part.bounds.min.empty()) {
    accessor["min"] = part.bounds.min;
    accessor["max"] = part.bounds.max;
  }
  accessors_.push_back(std::move(accessor));
  return static_cast<int>(accessors_.size()) - 1;
}

int Builder::add_view(std::size_t bytes, std::function<void(AtomicFile&)> write_bytes,
                      Target target) {
  nlohmann::json view = {{"buffer", 0}, {"byteOffset", binary_size_}, {"byteLength", bytes}};
  if (target != Target::none) view["target"] = static_cast<int>(target);
  views_.push_back(std::move(view));
  chunks_.push_back({bytes, std::move(write_bytes)});
  binary_size_ += bytes + padding(bytes);
  return static_cast<int>(views_.size()) - 1;
}

void Builder::write(AtomicFile& file) {
  if (!chunks_.empty()) {
    document["buffers"] = {{{"byteLength", binary_size_}}};
    document["bufferViews"] = views_;
    document["accessors"] = accessors_;
  }
  const std::string text = padded_text(document);
  const std::size_t binary_chunk = chunks_.empty() ? 0 : 8 + binary_size_;
  const std::size_t total = 12 + 8 + text.size() + binary_chunk;
  if (total > std::numeric_limits<std::uint32_t>::max()) {
    throw Error("the animation or mesh needs more than the 4 GiB a .glb can hold", "",
                "write fewer frames, a coarser surface or another format");
  }
  write_words(file, {kMagic, 2, static_cast<std::uint32_t>(total)});
  write_words(file, {static_cast<std::uint32_t>(text.size()), kJsonChunk});
  file.write(text);
  if (chunks_.empty()) return;
  write_words(file, {static_cast<std::uint32_t>(binary_size_), kBinaryChunk});
  for (const Chunk& chunk : chunks_) {
    const std::size_t before = file.size();
    chunk.write_bytes(file);
    if (file.size() - before != chunk.bytes) {
      throw std::logic_error("a glb accessor wrote another number of bytes than it announced");
    }
    file.write(std::string(padding(chunk.bytes), '\0'));
  }
}

void Builder::write(const std::filesystem::path& path) {
  AtomicFile file(path);
  write(file);
  file.commit();
}

std::array<float, 3> palette_colour(int number) {
  // Soft and apart in hue, chosen to read well on white and on dark grey; the first is apricot.
  constexpr std::array<std::array<float, 3>, 6> colours = {{{0.80F, 0.36F, 0.14F},
                                                            {0.10F, 0.38F, 0.52F},
                                                            {0.30F, 0.50F, 0.16F},
                                                            {0.72F, 0.52F, 0.12F},
                                                            {0.45F, 0.20F, 0.46F},
                                                            {0.62F, 0.16F, 0.20F}}};
  return colours[static_cast<std::size_t>(number) % colours.size()];
}

nlohmann::json plain_material(const std::string& name, int number, bool vertex_colours,
                              bool double_sided) {
  const std::array<float, 3> colour =
      vertex_colours ? std::array<float, 3>{1, 1, 1} : palette_colour(number);
  nlohmann::json material = {{"name", name},
                             {"pbrMetallicRoughness",
                              {{"baseColorFactor", {colour[0], colour[1], colour[2], 1.0F}},
                               {"metallicFactor", 0.0},
                               {"roughnessFactor", 0.5}}}};
  if (double_sided) material["doubleSided"] = true;
  return material;
}

}  // namespace limber::glb
