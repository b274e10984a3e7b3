// Files read whole or mapped, and files that appear whole or not at all.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace limber {

/// The bytes of a file, mapped read-only for as long as this lives.
class MappedFile {
 public:
  enum class Loading {
    at_once,   ///< for what is read whole
    on_demand  ///< only what is looked at takes memory
  };

  /// Throws Error when the file is missing, a directory, or cannot be read.
  explicit MappedFile(const std::filesystem::path& path, Loading loading = Loading::at_once);
  ~MappedFile();
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  [[nodiscard]] std::span<const std::byte> bytes() const { return {data_, size_}; }
  [[nodiscard]] std::string_view text() const {
    return {reinterpret_cast<const char*>(data_), size_};
  }

 private:
  const std::byte* data_ = nullptr;
  std::size_t size_ = 0;
};

/// Writes beside the target and renames on commit(); destroyed before that, it leaves nothing.
/// Throws Error (work_failed) when the disk is full or the folder cannot be written.
class AtomicFile {
 public:
  explicit AtomicFile(const std::filesystem::path& target);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(std::span<const std::byte> bytes);
  void write(std::string_view text);
  /// Where the bytes are until commit(): others may write into it too.
  [[nodiscard]] const std::filesystem::path& temporary() const { return temporary_; }
  /// Bytes written so far.
  [[nodiscard]] std::size_t size() const { return size_; }
  /// Hands over what write() still holds, so that a full disk shows before any commit().
  void flush();
  void commit();

 private:
  std::filesystem::path target_;
  std::filesystem::path temporary_;
  std::string buffer_;
  std::size_t size_ = 0;
  int descriptor_ = -1;
};

/// Writes `contents` to `target`, whole or not at all.
void write_file(const std::filesystem::path& target, std::string_view contents);

}  // namespace limber
