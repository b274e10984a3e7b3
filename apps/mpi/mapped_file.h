// A file of which only what is looked at takes memory.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string_view>

namespace limber {

/// Read-only, for as long as this lives. Somebody who shortens the file meanwhile ends the program
/// with SIGBUS, which main() tells in a line; to read it whole first, as FileBytes does, is what
/// large files do not allow.
class MappedFile {
 public:
  /// Throws Error when the file is missing, a directory, or cannot be read.
  explicit MappedFile(const std::filesystem::path& path);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  [[nodiscard]] std::string_view text() const { return {data_, size_}; }

 private:
  const char* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace limber
