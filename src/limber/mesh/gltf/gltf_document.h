// A parsed .glb or .gltf: its JSON, its buffers, and the numbers of its accessors.
#pragma once

#include <deque>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "limber/core/file.h"

namespace limber {

/// The items of `object[key]`; none where it is missing or no list.
[[nodiscard]] const nlohmann::json& gltf_list(const nlohmann::json& object, const char* key);

/// Views the file's bytes, which must outlive it. Everything out of order throws Error.
/// A .gltf's buffers may be data URIs or files beside it.
class GltfDocument {
 public:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  GltfDocument(std::string_view bytes, std::string file_name);
  GltfDocument(const GltfDocument&) = delete;
  GltfDocument& operator=(const GltfDocument&) = delete;

  [[nodiscard]] const nlohmann::json& json() const { return json_; }
  [[nodiscard]] const std::string& file_name() const { return file_name_; }
  [[nodiscard]] std::size_t file_size() const { return file_size_; }

  /// The object `number` of the top-level array `list`.
  [[nodiscard]] const nlohmann::json& item(const char* list, std::size_t number) const;
  [[nodiscard]] std::size_t item_count(const char* list) const;

  struct Numbers {
    std::vector<double> values;
    std::size_t components = 1;  ///< 3 for VEC3, 16 for MAT4, …
    [[nodiscard]] std::size_t count() const { return values.size() / components; }
  };
  /// An accessor's elements; normalised integers as fractions, sparse ones put in their places.
  [[nodiscard]] Numbers accessor(std::size_t number) const;

  /// The bytes of a buffer view that no accessor reads: an image's.
  [[nodiscard]] std::string_view bytes_of_view(std::size_t number) const;

  /// The bytes of a data URI or of a file beside this one; at most `most`.
  [[nodiscard]] std::string bytes_of_uri(const std::string& uri, std::size_t most) const;

  /// A whole number that is not negative.
  [[nodiscard]] std::size_t whole(const nlohmann::json& value) const;
  /// That of `object[key]`, or `otherwise` when there is none.
  [[nodiscard]] std::size_t whole(const nlohmann::json& object, const char* key,
                                  std::size_t otherwise) const;
  /// `object["name"]`, or `otherwise` when there is none.
  [[nodiscard]] static std::string name(const nlohmann::json& object, const std::string& otherwise);

  [[noreturn]] void fail(const std::string& what) const;

 private:
  void read_container(std::string_view bytes);
  void refuse_unsupported() const;
  void open_buffers();
  /// The bytes of a buffer view, and its stride or 0.
  [[nodiscard]] std::string_view buffer_view(std::size_t number, std::size_t& stride) const;
  void place_sparse(const nlohmann::json& sparse, std::size_t component_type, Numbers& numbers,
                    bool normalised) const;

  std::string file_name_;
  std::size_t file_size_;
  nlohmann::json json_;
  std::string_view binary_;
  std::deque<std::string> loaded_;         // buffers that are not in the file's binary chunk
  std::vector<std::string_view> buffers_;  // views of binary_ and loaded_
};

}  // namespace limber
