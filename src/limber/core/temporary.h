// Files and folders under a name of their own beside what they shall become.
//
//   .limber-HASH-XXXXXX.glb     HASH: of the target's name, so that the next run finds what a
//                               killed one left; XXXXXX: at random; the target's ending
//
// The name is short whatever the target's is. While its process lives it is locked (flock), so that
// a left-over is told from the temporary of another run at work.
#pragma once

#include <filesystem>
#include <string>

namespace limber {

/// Gone when this is, with all it holds, unless it was moved away.
class Temporary {
 public:
  enum class Kind { file, folder };

  /// Made in the folder of `target`, after removing what killed runs left there for the same
  /// target. Throws Error (work_failed) when nothing can be made there.
  Temporary(const std::filesystem::path& target, Kind kind);
  /// The same under a name from name_beside(target), for those who tell it to others before.
  Temporary(const std::filesystem::path& target, Kind kind, const std::filesystem::path& name);
  [[nodiscard]] static std::filesystem::path name_beside(const std::filesystem::path& target);
  ~Temporary();
  Temporary(Temporary&& other) noexcept;
  Temporary& operator=(Temporary&& other) noexcept;
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  /// Open for reading and writing (a file), or for reading (a folder).
  [[nodiscard]] int descriptor() const { return descriptor_; }
  /// It has its final name now.
  void moved_away();

 private:
  /// False with errno, EEXIST when another name may do.
  bool make_as(const std::filesystem::path& name, Kind kind);
  void remove() noexcept;

  std::filesystem::path path_;
  int descriptor_ = -1;
  int slot_ = -1;  // in the table for signal handlers
};

/// For a signal handler that ends the process: removes every temporary of this process. Returns
/// false while outputs are being put in place; the signal is raised again when they are.
[[nodiscard]] bool remove_all_temporaries(int signal_number) noexcept;

/// While one lives, remove_all_temporaries() waits: several renames look like one to signals.
class UninterruptedRenames {
 public:
  UninterruptedRenames();
  ~UninterruptedRenames();
  UninterruptedRenames(const UninterruptedRenames&) = delete;
  UninterruptedRenames& operator=(const UninterruptedRenames&) = delete;
};

/// A file that has no name, in `folder`: gone when its descriptor is closed. −1 when none can be
/// made there.
[[nodiscard]] int open_nameless(const std::filesystem::path& folder);

}  // namespace limber
