// The container of binary glTF 2.0 (.glb): a JSON chunk and one binary chunk of accessors.
//
// A caller fills `document` (scenes, nodes, meshes, ...) and refers to accessors by the numbers
// that add_accessor() returns; the builder keeps offsets, padding and lengths right. Large data
// need not stay in memory: an accessor may give a function that writes its bytes when their turn
// comes.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "limber/core/file.h"

namespace limber::glb {

/// glTF's numbers for the type of one component.
enum class Component : int { u8 = 5121, u16 = 5123, u32 = 5125, f32 = 5126 };
/// Components an element.
enum class Type : int { scalar = 1, vec2 = 2, vec3 = 3, vec4 = 4 };
/// What a viewer uploads the data as; `none` for animation data.
enum class Target : int { none = 0, vertices = 34962, indices = 34963 };

/// Smallest and largest value of each component; empty where glTF asks for none. It asks for them
/// on POSITION, on POSITION of morph targets and on the times of an animation.
struct Bounds {
  std::vector<float> min, max;
};

/// Everything of an accessor but its bytes.
struct Layout {
  Type type = Type::scalar;
  Component component = Component::f32;
  std::size_t count = 0;  ///< elements, at least 1
  Target target = Target::none;
  Bounds bounds;

  /// Elements of vertex data must start at multiples of four bytes: no u8/u16 vec3 here.
  [[nodiscard]] std::size_t byte_size() const { return count * element_size(); }
  [[nodiscard]] std::size_t element_size() const;
};

/// Floats as they lie in memory.
void write_floats(AtomicFile& file, std::span<const float> values);

/// Bounds of `values` read as elements of the given type.
[[nodiscard]] Bounds bounds_of(std::span<const float> values, Type type);

class Builder {
 public:
  /// Starts with the asset's version and generator alone.
  Builder();

  nlohmann::json document;

  /// Copies the data; bounds are computed when asked for. Returns the accessor's number.
  int add_accessor(std::span<const float> values, Type type, Target target = Target::none,
                   bool with_bounds = false);
  /// Vertex numbers of triangles (or others), stored in 16 bits where they fit.
  int add_indices(std::span<const std::uint32_t> values);
  /// `write_bytes` is called once, in write(), and must write exactly layout.byte_size() bytes.
  int add_accessor(const Layout& layout, std::function<void(AtomicFile&)> write_bytes);
  /// Vertex data that several accessors look into, each through add_window(); `whole.bounds` do not
  /// matter. Returns the number of its view.
  int add_vertex_view(const Layout& whole, std::function<void(AtomicFile&)> write_bytes);
  /// `part.count` elements of such a view from element `first` on; returns the accessor's number.
  int add_window(int view, const Layout& part, std::size_t first);
  /// Bytes that no accessor reads, as an image's; returns the number of their buffer view.
  int add_view(std::size_t bytes, std::function<void(AtomicFile&)> write_bytes,
               Target target = Target::none);

  /// Writes the whole file; `document` gets its buffers, bufferViews and accessors here.
  /// Throws Error when it would pass the format's 4 GiB.
  void write(AtomicFile& file);
  void write(const std::filesystem::path& path);

 private:
  struct Chunk {
    std::size_t bytes;
    std::function<void(AtomicFile&)> write_bytes;
  };
  std::vector<Chunk> chunks_;
  std::size_t binary_size_ = 0;
  nlohmann::json accessors_ = nlohmann::json::array();
  nlohmann::json views_ = nlohmann::json::array();
};

/// The look of a surface that brings none: matt, one of a few soft colours by `number`; white under
/// vertex colours. `double_sided` for surfaces with a border.
[[nodiscard]] nlohmann::json plain_material(const std::string& name, int number,
                                            bool vertex_colours, bool double_sided);

/// The colour plain_material() gives `number`: linear red, green, blue in 0..1.
[[nodiscard]] std::array<float, 3> palette_colour(int number);

}  // namespace limber::glb
