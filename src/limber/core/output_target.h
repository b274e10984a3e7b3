// Where an output goes, found out before anything is written.
#pragma once

#include <sys/stat.h>

#include <filesystem>

namespace limber {

/// A file, a folder of frames, or a device.
struct OutputTarget {
  std::filesystem::path named;  ///< as the user wrote it, for messages
  std::filesystem::path real;   ///< behind symbolic links
  struct stat status {};        ///< of what is there
  bool exists = false;
  /// A device, pipe or socket: written through, never replaced. So are the process's own open files
  /// (/dev/stdout), whatever they are.
  bool streamed = false;
  int own_descriptor = -1;  ///< of such a file

  /// Of the same file, whatever the paths look like.
  [[nodiscard]] bool same_as(const OutputTarget& other) const;
};

/// Follows symbolic links. Throws Error when the folder is missing, the name too long, or a file
/// that is there is a folder or read-only.
[[nodiscard]] OutputTarget file_target(const std::filesystem::path& path);

/// The same for a folder; throws Error when a file has its name.
[[nodiscard]] OutputTarget folder_target(const std::filesystem::path& path);

}  // namespace limber
