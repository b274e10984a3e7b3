#include "limber/core/output_target.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <string_view>

#include "limber/core/error.h"

namespace limber {

namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const std::string& what, const fs::path& path, const char* remedy,
                         Error::Kind kind = Error::Kind::bad_input) {
  throw Error(what, path.string(), remedy, kind);
}

[[noreturn]] void refuse_for_errno(const fs::path& path) {
  switch (errno) {
    case ENAMETOOLONG:
      refuse("the name is too long (" + std::to_string(path.filename().string().size()) +
                 " characters)",
             path, "give a shorter one");
    case ELOOP:
      refuse("symbolic links that lead in a circle", path, "give another name");
    default:
      refuse(std::string("cannot write here: ") + std::strerror(errno), path,
             "check that the folder exists and is writable", Error::Kind::work_failed);
  }
}

/// The number behind /dev/fd/3 or /proc/self/fd/3, −1 for other paths.
int own_descriptor(const fs::path& path) {
  const std::string text = path.string();
  for (const std::string_view folder : {"/dev/fd/", "/proc/self/fd/"}) {
    if (!text.starts_with(folder)) continue;
    int number = -1;
    const char* const end = text.data() + text.size();
    const auto [stop, failure] = std::from_chars(text.data() + folder.size(), end, number);
    if (failure == std::errc() && stop == end && ::fcntl(number, F_GETFD) >= 0) return number;
  }
  return -1;
}

/// The file behind symbolic links, which need not exist.
fs::path behind_links(const fs::path& path) {
  constexpr int kMostLinks = 40;  // as the system itself
  fs::path real = path;
  for (int k = 0; k < kMostLinks; ++k) {
    struct stat status {};
    if (::lstat(real.c_str(), &status) != 0) {
      if (errno == ENOENT) return real;
      refuse_for_errno(path);
    }
    if (!S_ISLNK(status.st_mode)) return real;
    std::error_code failed;
    const fs::path next = fs::read_symlink(real, failed);
    if (failed) {
      errno = failed.value();
      refuse_for_errno(path);
    }
    if (own_descriptor(real) >= 0) return real;
    real = next.is_absolute() ? next : real.parent_path() / next;
  }
  errno = ELOOP;
  refuse_for_errno(path);
}

void check_folder_of(const fs::path& real, const fs::path& named) {
  const fs::path folder = real.has_parent_path() ? real.parent_path() : fs::path(".");
  struct stat status {};
  if (::stat(folder.c_str(), &status) != 0) refuse_for_errno(named);
  if (!S_ISDIR(status.st_mode)) {
    errno = ENOTDIR;
    refuse_for_errno(named);
  }
  if (::access(folder.c_str(), W_OK | X_OK) != 0) refuse_for_errno(named);
}

OutputTarget find(const fs::path& path) {
  if (path.filename().empty()) refuse("no file name", path, "give one");
  OutputTarget target;
  target.named = path;
  target.real = behind_links(path);
  target.exists = ::stat(target.real.c_str(), &target.status) == 0;
  if (!target.exists && errno != ENOENT) refuse_for_errno(path);
  return target;
}

}  // namespace

bool OutputTarget::same_as(const OutputTarget& other) const {
  if (exists && other.exists) {
    return status.st_dev == other.status.st_dev && status.st_ino == other.status.st_ino;
  }
  std::error_code ignored;
  return exists == other.exists && fs::weakly_canonical(fs::absolute(real), ignored) ==
                                       fs::weakly_canonical(fs::absolute(other.real), ignored);
}

OutputTarget file_target(const fs::path& path) {
  OutputTarget target = find(path);
  if (target.exists && S_ISDIR(target.status.st_mode)) {
    refuse("cannot write: this is a directory", path, "give a file name");
  }
  target.own_descriptor = own_descriptor(target.real);
  target.streamed =
      target.own_descriptor >= 0 || (target.exists && !S_ISREG(target.status.st_mode));
  if (target.streamed) return target;
  // The system lets an administrator write what nobody may; we do not.
  const bool writable = !target.exists || ((target.status.st_mode & 0222) != 0 &&
                                           ::access(target.real.c_str(), W_OK) == 0);
  if (!writable) refuse("this file is read-only", path, "give another name, or make it writable");
  check_folder_of(target.real, path);
  return target;
}

OutputTarget folder_target(const fs::path& path) {
  OutputTarget target = find(path);
  if (target.exists && !S_ISDIR(target.status.st_mode)) {
    refuse("a folder of this name is needed, and a file has it", path, "move the file");
  }
  check_folder_of(target.real, path);
  return target;
}

}  // namespace limber
