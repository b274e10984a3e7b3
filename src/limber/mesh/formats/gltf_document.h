// A parsed .glb: its JSON, its one buffer, and the numbers of its accessors.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace limber {

/// Views the file's bytes, which must outlive it. Everything out of order throws Error.
class GltfDocument {
 public:
  GltfDocument(std::string_view bytes, std::string file_name);

  [[nodiscard]] const nlohmann::json& json() const { return json_; }

  /// The object `number` of the top-level array `list`.
  [[nodiscard]] const nlohmann::json& item(const char* list, std::size_t number) const;
  [[nodiscard]] std::size_t item_count(const char* list) const;

  struct Numbers {
    std::vector<double> values;
    std::size_t components = 1;  ///< 3 for VEC3, …
    [[nodiscard]] std::size_t count() const { return values.size() / components; }
  };
  /// An accessor's elements; normalised integers as fractions.
  [[nodiscard]] Numbers accessor(std::size_t number) const;

  /// The bytes of a buffer view that no accessor reads: an image's.
  [[nodiscard]] std::string_view bytes_of_view(std::size_t number) const;

  /// A whole number that is not negative.
  [[nodiscard]] std::size_t whole(const nlohmann::json& value) const;
  /// That of `object[key]`, or `otherwise` when there is none.
  [[nodiscard]] std::size_t whole(const nlohmann::json& object, const char* key,
                                  std::size_t otherwise) const;

  [[noreturn]] void fail(const std::string& what) const;

 private:
  void refuse_unsupported() const;
  /// The bytes of a buffer view, and its stride or 0.
  [[nodiscard]] std::string_view buffer_view(std::size_t number, std::size_t& stride) const;

  std::string file_name_;
  nlohmann::json json_;
  std::string_view binary_;
};

}  // namespace limber
