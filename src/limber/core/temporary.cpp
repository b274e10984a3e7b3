#include "limber/core/temporary.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <random>
#include <span>
#include <utility>

#include "limber/core/checksum.h"
#include "limber/core/error.h"

namespace limber {

namespace {

namespace fs = std::filesystem;

/// What a signal handler may read: no memory that another thread could free. More temporaries at a
/// time than slots are removed in the ordinary course only.
constexpr int kSlots = 256;
constexpr std::size_t kLongestPath = 4096;
enum SlotState { kFree, kBeingFilled, kInUse };
struct Slot {
  std::atomic<int> state{kFree};
  std::array<char, kLongestPath> path{};
};
std::array<Slot, kSlots> slots;

std::atomic<bool> ending{false};
std::atomic<int> renaming{0};
std::atomic<int> postponed_signal{0};

int fill_slot(const std::string& path) {
  if (path.size() >= kLongestPath) return -1;
  for (int k = 0; k < kSlots; ++k) {
    int expected = kFree;
    if (!slots[k].state.compare_exchange_strong(expected, kBeingFilled)) continue;
    std::memcpy(slots[k].path.data(), path.c_str(), path.size() + 1);
    slots[k].state = kInUse;
    return k;
  }
  return -1;
}

/// Linux's own layout of a folder's entries: readdir() may not be called in a signal handler.
struct DirectoryEntry {
  std::uint64_t inode;
  std::int64_t next;
  unsigned short length;
  unsigned char kind;
  char name[1];
};

/// A folder of plain files, which is all that temporaries hold. Async-signal-safe.
void remove_folder(const char* path) noexcept {
  const int folder = ::open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (folder >= 0) {
    alignas(DirectoryEntry) std::array<char, 4096> buffer;
    long bytes = 0;
    while ((bytes = ::syscall(SYS_getdents64, folder, buffer.data(), buffer.size())) > 0) {
      for (long at = 0; at < bytes;) {
        const auto* entry = reinterpret_cast<const DirectoryEntry*>(buffer.data() + at);
        ::unlinkat(folder, entry->name, 0);
        at += entry->length;
      }
    }
    ::close(folder);
  }
  ::rmdir(path);
}

std::string hash_of(const std::string& name) {
  constexpr const char* kDigits = "0123456789abcdef";
  std::uint64_t number = checksum(std::as_bytes(std::span(name)));
  std::string text;
  for (int k = 0; k < 16; ++k, number >>= 4) text += kDigits[number & 15];
  return text;
}

std::string random_letters() {
  constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyz0123456789";
  thread_local std::minstd_rand random{std::random_device{}()};
  std::string text;
  for (int k = 0; k < 6; ++k) text += kLetters[random() % kLetters.size()];
  return text;
}

fs::path folder_of(const fs::path& target) {
  return target.has_parent_path() ? target.parent_path() : fs::path(".");
}

std::string prefix_of(const fs::path& target) {
  return ".limber-" + hash_of(target.filename().string()) + "-";
}

[[noreturn]] void refuse(const fs::path& target) {
  throw Error(std::string("cannot write here: ") + std::strerror(errno), target.string(),
              "check that the folder exists and is writable", Error::Kind::work_failed);
}

/// What another process still holds stays.
void remove_left_overs(const fs::path& target) {
  const std::string prefix = prefix_of(target);
  std::error_code failed;
  for (fs::directory_iterator entry(folder_of(target), failed), end; !failed && entry != end;
       entry.increment(failed)) {
    if (!entry->path().filename().string().starts_with(prefix)) continue;
    const int held = ::open(entry->path().c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    if (held < 0) continue;
    std::error_code ignored;
    if (::flock(held, LOCK_EX | LOCK_NB) == 0) fs::remove_all(entry->path(), ignored);
    ::close(held);
  }
}

int make(const std::string& path, Temporary::Kind kind) {
  if (kind == Temporary::Kind::file) {
    return ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  }
  if (::mkdir(path.c_str(), 0777) != 0) return -1;
  const int folder = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) {
    // Gone already: another run took it for a left-over, and the next name may stay.
    const int why = errno == ENOENT ? EEXIST : errno;
    ::rmdir(path.c_str());
    errno = why;
  }
  return folder;
}

/// Between making and locking it another run may have taken it for a left-over.
bool still_there(const std::string& path, int descriptor) {
  struct stat named {};
  struct stat opened {};
  return ::stat(path.c_str(), &named) == 0 && ::fstat(descriptor, &opened) == 0 &&
         named.st_ino == opened.st_ino && named.st_dev == opened.st_dev;
}

}  // namespace

namespace {

/// No signal comes between making a temporary and remembering it.
class SignalsHeldBack {
 public:
  SignalsHeldBack() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before_);
  }
  ~SignalsHeldBack() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  SignalsHeldBack(const SignalsHeldBack&) = delete;
  SignalsHeldBack& operator=(const SignalsHeldBack&) = delete;

 private:
  sigset_t before_;
};

}  // namespace

Temporary::Temporary(const fs::path& target, Kind kind) {
  remove_left_overs(target);
  constexpr int kAttempts = 100;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    if (make_as(name_beside(target), kind)) return;
    if (errno != EEXIST) break;
  }
  refuse(target);
}

Temporary::Temporary(const fs::path& target, Kind kind, const fs::path& name) {
  remove_left_overs(target);
  if (!make_as(name, kind)) refuse(target);
}

fs::path Temporary::name_beside(const fs::path& target) {
  // Programs that are given the temporary to fill go by its ending; longer ones mean nothing.
  constexpr std::size_t kLongestEnding = 8;
  const std::string extension = target.extension().string();
  const std::string kept = extension.size() <= kLongestEnding ? extension : "";
  return folder_of(target) / (prefix_of(target) + random_letters() + kept);
}

bool Temporary::make_as(const fs::path& name, Kind kind) {
  const SignalsHeldBack quiet;
  descriptor_ = make(name.string(), kind);
  if (descriptor_ < 0) return false;
  ::flock(descriptor_, LOCK_EX);
  if (still_there(name.string(), descriptor_)) {
    path_ = name;
    slot_ = fill_slot(name.string());
    return true;
  }
  ::close(std::exchange(descriptor_, -1));
  errno = EEXIST;
  return false;
}

Temporary::~Temporary() { remove(); }

Temporary::Temporary(Temporary&& other) noexcept
    : path_(std::exchange(other.path_, {})),
      descriptor_(std::exchange(other.descriptor_, -1)),
      slot_(std::exchange(other.slot_, -1)) {}

Temporary& Temporary::operator=(Temporary&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(descriptor_, other.descriptor_);
  std::swap(slot_, other.slot_);
  return *this;
}

void Temporary::remove() noexcept {
  if (!path_.empty()) {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  moved_away();
}

void Temporary::moved_away() {
  path_.clear();
  if (descriptor_ >= 0) ::close(std::exchange(descriptor_, -1));
  if (slot_ >= 0) slots[static_cast<std::size_t>(std::exchange(slot_, -1))].state = kFree;
}

bool remove_all_temporaries(int signal_number) noexcept {
  ending = true;
  if (renaming != 0) {
    postponed_signal = signal_number;
    ending = false;
    // The renames may have ended between the two lines above.
    int unseen = signal_number;
    if (renaming != 0 || !postponed_signal.compare_exchange_strong(unseen, 0)) return false;
  }
  for (Slot& slot : slots) {
    if (slot.state != kInUse) continue;
    if (::unlink(slot.path.data()) != 0) remove_folder(slot.path.data());
  }
  return true;
}

UninterruptedRenames::UninterruptedRenames() {
  ++renaming;
  while (ending) ::usleep(1000);  // a signal handler is about to end the process, or waits itself
}

UninterruptedRenames::~UninterruptedRenames() {
  if (--renaming != 0) return;
  if (const int signal_number = postponed_signal.exchange(0); signal_number != 0) {
    std::raise(signal_number);
  }
}

int open_nameless(const fs::path& folder) {
  const fs::path place = folder.empty() ? fs::path(".") : folder;
  const int descriptor = ::open(place.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (descriptor >= 0) return descriptor;
  // Not every file system knows files without a name: make one and take the name away.
  std::string pattern = (place / ".limber-XXXXXX").string();
  const int named = ::mkostemp(pattern.data(), O_CLOEXEC);
  if (named >= 0) ::unlink(pattern.c_str());
  return named;
}

}  // namespace limber
