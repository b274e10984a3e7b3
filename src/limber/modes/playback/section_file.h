// A file of named arrays, read whole and used in place.
//
//   64 bytes   header: magic, version, number of sections, size of the file, checksum of the rest
//   64 bytes   each section: name, kind of number, how many, where
//   …          the arrays, each on a 64-byte border
//
// Little-endian. The checksum covers everything after the header.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "limber/core/file.h"
#include "limber/core/shared_array.h"

namespace limber {

enum class NumberKind : std::uint32_t { float64 = 1, float32 = 2, int32 = 3, int16 = 4, text = 5 };

template <class T>
constexpr NumberKind number_kind();
template <>
constexpr NumberKind number_kind<double>() {
  return NumberKind::float64;
}
template <>
constexpr NumberKind number_kind<float>() {
  return NumberKind::float32;
}
template <>
constexpr NumberKind number_kind<std::int32_t>() {
  return NumberKind::int32;
}
template <>
constexpr NumberKind number_kind<std::int16_t>() {
  return NumberKind::int16;
}
template <>
constexpr NumberKind number_kind<char>() {
  return NumberKind::text;
}

/// One array, which its owner keeps alive.
struct Section {
  std::string name;
  NumberKind kind;
  std::uint64_t count;
  std::span<const std::byte> bytes;
};

/// Where the arrays stand in a file. Only names, kinds and counts matter: the numbers may be
/// anywhere, also in several processes.
class SectionLayout {
 public:
  explicit SectionLayout(const std::vector<Section>& sections);

  [[nodiscard]] std::uint64_t file_size() const { return file_size_; }
  /// Where array k begins, and the zero bytes that fill up to the border behind it.
  [[nodiscard]] std::uint64_t offset(std::size_t k) const { return offsets_[k]; }
  [[nodiscard]] std::uint64_t padding(std::size_t k) const { return paddings_[k]; }
  /// The file's first 64 bytes. `checksum` covers the table and all arrays with their padding.
  [[nodiscard]] std::vector<std::byte> header(std::uint64_t checksum) const;
  /// What follows the header.
  [[nodiscard]] const std::vector<std::byte>& table() const { return table_; }

 private:
  std::uint64_t file_size_;
  std::vector<std::uint64_t> offsets_;
  std::vector<std::uint64_t> paddings_;
  std::vector<std::byte> table_;
};

/// Collects arrays, which must outlive it, and writes them all at once.
class SectionWriter {
 public:
  template <class T>
  void add(std::string_view name, std::span<const T> values) {
    sections_.push_back(
        {std::string(name), number_kind<T>(), values.size(), std::as_bytes(values)});
  }
  [[nodiscard]] const std::vector<Section>& sections() const { return sections_; }
  /// Whole or not at all.
  void write(const std::filesystem::path& path) const;

 private:
  std::vector<Section> sections_;
};

/// Throws Error unless the file is whole, undamaged and of a version this program reads.
class SectionReader {
 public:
  explicit SectionReader(const std::filesystem::path& path);
  /// Of memory that holds such a file and begins on a 64-byte border; `owner` keeps it alive,
  /// `name` is for messages.
  SectionReader(std::string name, std::shared_ptr<const void> owner,
                std::span<const std::byte> bytes);

  [[nodiscard]] bool contains(std::string_view name) const;
  /// The array of that name; throws Error when it is missing or of another kind.
  template <class T>
  [[nodiscard]] SharedArray<T> get(std::string_view name) const {
    const std::span<const std::byte> bytes = find(name, number_kind<T>());
    return {owner_, {reinterpret_cast<const T*>(bytes.data()), bytes.size() / sizeof(T)}};
  }

 private:
  [[nodiscard]] std::span<const std::byte> find(std::string_view name, NumberKind kind) const;
  [[noreturn]] void refuse(const std::string& what, const std::string& remedy) const;

  void check() const;

  std::string name_;
  std::shared_ptr<const void> owner_;
  std::span<const std::byte> bytes_;
};

}  // namespace limber
