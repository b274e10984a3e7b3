#include "limber/core/output_unit.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

#include "limber/core/error.h"
#include "limber/core/printable.h"
#include "limber/core/write_all.h"

namespace limber {

namespace {

namespace fs = std::filesystem;

thread_local OutputUnit* current_unit = nullptr;

/// For signal handlers: filled while not shown.
std::array<char, 4096> told_names{};
std::atomic<bool> names_shown{false};

void tell_names(const std::vector<fs::path>& outputs) {
  std::string text;
  for (const fs::path& output : outputs) text += (text.empty() ? "" : ", ") + output.string();
  text = printable(text).substr(0, told_names.size() - 1);
  std::memcpy(told_names.data(), text.c_str(), text.size() + 1);
  names_shown = !text.empty();
}

[[noreturn]] void fail(const OutputTarget& target) {
  throw Error(std::string("cannot finish file: ") + std::strerror(errno), target.named.string(),
              "check the disk and the folder's permissions", Error::Kind::work_failed);
}

/// All bytes on disk, with the rights of what they replace.
void finish_bytes(const StagedOutput& staged) {
  const int descriptor = staged.temporary.descriptor();
  struct stat status {};
  if (::fstat(descriptor, &status) != 0) fail(staged.target);
  if (staged.target.exists) {
    // Only an administrator may give a file away; others keep their own.
    (void)!::fchown(descriptor, staged.target.status.st_uid, staged.target.status.st_gid);
    ::fchmod(descriptor, staged.target.status.st_mode & 07777);
  }
  // One call for a folder of a thousand frames. Some file systems can neither (EINVAL).
  const bool folder = S_ISDIR(status.st_mode);
  if ((folder ? ::syncfs(descriptor) : ::fsync(descriptor)) != 0 && errno != EINVAL) {
    fail(staged.target);
  }
}

void copy_to_device(const StagedStream& staged) {
  const OutputTarget& target = staged.target;
  const int device = target.own_descriptor >= 0
                         ? ::dup(target.own_descriptor)
                         : ::open(target.real.c_str(), O_WRONLY | O_NOCTTY | O_CLOEXEC);
  if (device < 0) fail(staged.target);
  std::array<char, 1 << 16> buffer;
  ssize_t bytes = 0;
  bool whole = ::lseek(staged.descriptor, 0, SEEK_SET) == 0;
  while (whole && (bytes = ::read(staged.descriptor, buffer.data(), buffer.size())) > 0) {
    whole = write_all(device, {buffer.data(), static_cast<std::size_t>(bytes)});
  }
  const int reason = errno;
  const bool closed = ::close(device) == 0;
  if (!whole || bytes < 0) errno = reason;
  if (!whole || bytes < 0 || !closed) fail(staged.target);
}

enum class Placed { new_name, exchanged, replaced };

/// Where something is there already the two change names, which can be taken back. File systems
/// that know no exchange have a file replaced for good, and a folder moved aside first.
Placed place(const StagedOutput& staged) {
  const char* const from = staged.temporary.path().c_str();
  const char* const to = staged.target.real.c_str();
  if (!staged.target.exists) {
    if (::rename(from, to) != 0) fail(staged.target);
    return Placed::new_name;
  }
  if (::renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_EXCHANGE) == 0) return Placed::exchanged;
  if (errno == ENOENT) {  // it has been there, and somebody has removed it since
    if (::rename(from, to) != 0) fail(staged.target);
    return Placed::new_name;
  }
  if (S_ISDIR(staged.target.status.st_mode)) {
    Temporary aside(staged.target.real, Temporary::Kind::folder);
    if (::rename(to, aside.path().c_str()) != 0) fail(staged.target);
    if (::rename(from, to) != 0) {
      const int reason = errno;
      ::rename(aside.path().c_str(), to);
      errno = reason;
      fail(staged.target);
    }
    return Placed::replaced;
  }
  if (::rename(from, to) != 0) fail(staged.target);
  return Placed::replaced;
}

void take_back(const StagedOutput& staged, Placed placed) {
  const char* const from = staged.target.real.c_str();
  const char* const to = staged.temporary.path().c_str();
  if (placed == Placed::new_name) ::rename(from, to);
  if (placed == Placed::exchanged) ::renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_EXCHANGE);
}

/// A rename is on disk when its folder is.
void sync_folder_of(const OutputTarget& target) {
  const fs::path folder = target.real.has_parent_path() ? target.real.parent_path() : fs::path(".");
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  ::fsync(descriptor);  // not every file system can, and the outputs are there in any case
  ::close(descriptor);
}

void place_all(std::vector<StagedOutput>& files) {
  const UninterruptedRenames uninterrupted;
  std::vector<Placed> placed;
  placed.reserve(files.size());
  try {
    for (const StagedOutput& file : files) placed.push_back(place(file));
  } catch (const Error&) {
    while (!placed.empty()) {
      take_back(files[placed.size() - 1], placed.back());
      placed.pop_back();
    }
    throw;
  }
  for (std::size_t k = 0; k < files.size(); ++k) {
    if (placed[k] != Placed::exchanged) files[k].temporary.moved_away();
  }
  fs::path synced;
  for (const StagedOutput& file : files) {
    if (file.target.real.parent_path() == synced && !synced.empty()) continue;
    synced = file.target.real.parent_path();
    sync_folder_of(file.target);
  }
}

}  // namespace

StagedStream::~StagedStream() {
  if (descriptor >= 0) ::close(descriptor);
}
StagedStream::StagedStream(StagedStream&& other) noexcept
    : target(std::move(other.target)), descriptor(std::exchange(other.descriptor, -1)) {}
StagedStream& StagedStream::operator=(StagedStream&& other) noexcept {
  std::swap(target, other.target);
  std::swap(descriptor, other.descriptor);
  return *this;
}

OutputUnit::OutputUnit(const std::vector<fs::path>& outputs, std::vector<fs::path> inputs)
    : outer_(current_unit), inputs_(std::move(inputs)) {
  std::vector<OutputTarget> targets;
  for (const fs::path& output : outputs) {
    const OutputTarget target = file_target(output);
    for (const OutputTarget& other : targets) {
      if (!target.same_as(other) || target.streamed) continue;
      throw Error("two outputs go to this file", output.string(), "give each a name of its own");
    }
    refuse_input(target);
    targets.push_back(target);
  }
  current_unit = this;
  if (outer_ == nullptr && !outputs.empty()) {
    names_told_ = true;
    tell_names(outputs);
  }
}

OutputUnit::~OutputUnit() {
  if (names_told_) names_shown = false;
  current_unit = outer_;
}

void OutputUnit::refuse_input(const OutputTarget& target) const {
  for (const fs::path& input : inputs_) {
    std::error_code ignored;
    if (target.streamed || !fs::equivalent(target.real, input, ignored)) continue;
    throw Error("this file is read by the same command", target.named.string(),
                "give the output another name");
  }
}

void OutputUnit::refuse_second(const OutputTarget& target) const {
  for (const StagedOutput& other : files_) {
    if (!target.same_as(other.target)) continue;
    throw Error("two outputs go to this file", target.named.string(),
                "give each a name of its own");
  }
}

void OutputUnit::take(StagedOutput staged) {
  refuse_input(staged.target);
  refuse_second(staged.target);
  files_.push_back(std::move(staged));
}

void OutputUnit::commit() {
  if (outer_ != nullptr) {
    for (StagedOutput& file : files_) outer_->take(std::move(file));
    for (StagedStream& stream : streams_) outer_->streams_.push_back(std::move(stream));
  } else {
    for (const StagedStream& stream : streams_) copy_to_device(stream);  // as slow as its reader
    const UninterruptedRenames uninterrupted;
    place_all(files_);
    if (names_told_) names_shown = false;
  }
  files_.clear();
  streams_.clear();
}

OutsideUnits::OutsideUnits() : unit_(std::exchange(current_unit, nullptr)) {}
OutsideUnits::~OutsideUnits() { current_unit = unit_; }

void put_in_place(StagedOutput staged) {
  finish_bytes(staged);
  if (current_unit != nullptr) return current_unit->take(std::move(staged));
  std::vector<StagedOutput> one;
  one.push_back(std::move(staged));
  place_all(one);
}

void put_in_place(StagedStream staged) {
  if (current_unit != nullptr) {
    current_unit->streams_.push_back(std::move(staged));
  } else {
    copy_to_device(staged);
  }
}

const char* unwritten_outputs() noexcept { return names_shown ? told_names.data() : ""; }

}  // namespace limber
