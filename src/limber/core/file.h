// Files read whole, and files that appear whole or not at all.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "limber/core/output_target.h"
#include "limber/core/temporary.h"

namespace limber {

/// The bytes of a file, read whole: somebody may shorten the file while we look at it, and a
/// mapping would end the program then. Page-aligned, given back to the system when this goes.
class FileBytes {
 public:
  /// Throws Error when the file is missing, a directory, cannot be read, or shrinks meanwhile.
  explicit FileBytes(const std::filesystem::path& path);
  ~FileBytes();
  FileBytes(FileBytes&& other) noexcept;
  FileBytes& operator=(FileBytes&& other) noexcept;
  FileBytes(const FileBytes&) = delete;
  FileBytes& operator=(const FileBytes&) = delete;

  [[nodiscard]] std::span<const std::byte> bytes() const { return {data_, size_}; }
  [[nodiscard]] std::string_view text() const {
    return {reinterpret_cast<const char*>(data_), size_};
  }

 private:
  const std::byte* data_ = nullptr;
  std::size_t size_ = 0;
};

/// Writes beside the target; commit() puts the whole file, on disk, under the target's name.
/// Destroyed before that, it leaves nothing. Symbolic links are followed, permissions of a file
/// that is there are kept, read-only ones refused; devices and pipes get all bytes at commit().
/// Inside an OutputUnit files appear when that commits. Throws Error (work_failed) when the disk is
/// full or the folder cannot be written.
class AtomicFile {
 public:
  explicit AtomicFile(const std::filesystem::path& target);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(std::span<const std::byte> bytes);
  void write(std::string_view text);
  /// Bytes written so far.
  [[nodiscard]] std::size_t size() const { return size_; }
  void commit();

 private:
  void flush();
  [[noreturn]] void fail(const std::string& what, const char* remedy) const;

  OutputTarget target_;
  std::optional<Temporary> temporary_;  // none for devices
  std::string buffer_;
  std::size_t size_ = 0;
  int descriptor_ = -1;  // the temporary's, or a nameless file's for devices, which is ours
};

/// Writes `contents` to `target`, whole or not at all.
void write_file(const std::filesystem::path& target, std::string_view contents);

/// Straight to the name, for files in a temporary folder: the folder appears whole or not at all.
void write_within(const Temporary& folder, const std::string& name, std::string_view contents);

}  // namespace limber
