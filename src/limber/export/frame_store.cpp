#include "limber/export/frame_store.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "limber/core/error.h"
#include "limber/core/output_target.h"
#include "limber/core/temporary.h"

namespace limber {

SpoolFile::SpoolFile(const std::filesystem::path& target) : target_(target) {
  const OutputTarget output = file_target(target);
  descriptor_ = open_nameless(output.streamed ? std::filesystem::temp_directory_path()
                                              : output.real.parent_path());
  if (descriptor_ < 0) {
    throw Error(std::string("cannot write here: ") + std::strerror(errno), target.string(),
                "check that the folder exists and is writable", Error::Kind::work_failed);
  }
}

SpoolFile::~SpoolFile() {
  if (mapped_ != nullptr) ::munmap(mapped_, size_);
  if (descriptor_ >= 0) ::close(descriptor_);
}

void SpoolFile::append(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t written =
        ::pwrite(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(size_));
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) {
      throw Error(std::string("cannot write: ") + std::strerror(errno), target_.string(),
                  "free some disk space", Error::Kind::work_failed);
    }
    size_ += static_cast<std::size_t>(written);
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
}

void SpoolFile::truncate(std::size_t size) { size_ = std::min(size_, size); }

std::span<const std::byte> SpoolFile::map() {
  if (mapped_ == nullptr && size_ > 0) {
    void* mapped = ::mmap(nullptr, size_, PROT_READ, MAP_SHARED, descriptor_, 0);
    if (mapped == MAP_FAILED) {
      throw Error(std::string("cannot read frames back: ") + std::strerror(errno), target_.string(),
                  "write fewer frames", Error::Kind::work_failed);
    }
    mapped_ = mapped;
  }
  return {static_cast<const std::byte*>(mapped_), size_};
}

template <class Real>
FrameStore<Real>::FrameStore(const std::filesystem::path& target, std::vector<std::size_t> points)
    : file_(target), offsets_(1, 0) {
  for (const std::size_t count : points) offsets_.push_back(offsets_.back() + 3 * count);
  frame_.resize(offsets_.back());
}

template <class Real>
void FrameStore<Real>::append(std::span<const Positions* const> arrays) {
  Real* to = frame_.data();
  for (const Positions* points : arrays) {
    to = std::transform(points->data(), points->data() + points->size(), to,
                        [](double value) { return static_cast<Real>(value); });
  }
  // A frame that failed half-way, on a full disk, is written over.
  file_.truncate(frames_ * frame_.size() * sizeof(Real));
  file_.append(std::as_bytes(std::span<const Real>(frame_)));
  ++frames_;
}

template <class Real>
std::span<const Real> FrameStore<Real>::points(std::size_t frame, std::size_t array) {
  if (all_.empty()) {
    const std::span<const std::byte> bytes = file_.map();
    all_ = {reinterpret_cast<const Real*>(bytes.data()), bytes.size() / sizeof(Real)};
  }
  return all_.subspan(frame * offsets_.back() + offsets_[array],
                      offsets_[array + 1] - offsets_[array]);
}

template class FrameStore<float>;
template class FrameStore<double>;

}  // namespace limber
