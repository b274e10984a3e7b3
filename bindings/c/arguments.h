// What callers pass in, checked: pointers, structures with their size in front, vectors, buffers.
#pragma once

#include <algorithm>
#include <cstring>
#include <string>

#include "limber/core/error.h"
#include "limber/dynamics/body_point.h"
#include "limber/dynamics/frame/frame_motion.h"
#include "limber/limber.h"

namespace limber::c {

/// Throws Error for a null pointer.
template <class Pointer>
void require(const Pointer& pointer, const char* name) {
  if (!pointer) throw Error(std::string(name) + " is null", "argument", "pass something");
}

/// Throws Error unless a number of `count` that the caller gave is the one expected.
void require_count(std::size_t given, std::size_t wanted, const char* name);

/// A structure of this or another version as one of this version. Throws Error where it has no size
/// or uses members that are not known here.
template <class Structure>
Structure versioned(const Structure* given, const char* name) {
  require(given, name);
  const std::size_t size = given->size;
  if (size < sizeof given->size || size > 4096) {
    throw Error(std::string(name) + " has no size", "argument",
                "begin it with its size: {sizeof options}");
  }
  const char* bytes = reinterpret_cast<const char*>(given);
  for (std::size_t k = sizeof(Structure); k < size; ++k) {
    if (bytes[k] != 0) {
      throw Error(std::string(name) + " has members that this version does not know", "argument",
                  "update liblimber, or leave them zero");
    }
  }
  Structure known{};
  std::memcpy(&known, bytes, std::min(size, sizeof(Structure)));
  return known;
}

/// Fills as much of the caller's structure as that has room for.
template <class Structure>
void give(Structure filled, Structure* given, const char* name) {
  const std::uint32_t size = versioned(given, name).size;
  filled.size = given->size;
  std::memcpy(given, &filled, std::min<std::size_t>(size, sizeof(Structure)));
}

/// Three finite numbers.
[[nodiscard]] Vec3 vector(const double* numbers, const char* name);
/// A rotation; all zero: none.
[[nodiscard]] Quaternion rotation(const double* xyzw, const char* name);
[[nodiscard]] std::vector<SupportKey> support_keys(const limber_key* keys, std::size_t count);
[[nodiscard]] BodyPoint point(const limber_point* given);
[[nodiscard]] limber_point point(const BodyPoint& given);

/// A stream for `components` floats of each of `count` items; null streams have no data.
class Stream {
 public:
  Stream(const limber_stream* given, std::size_t count, std::size_t components, const char* name);

  [[nodiscard]] bool wanted() const { return data_ != nullptr; }
  /// Without gaps, so that it can be written as one array.
  [[nodiscard]] bool is_dense() const { return stride_ == components_ * sizeof(float); }
  [[nodiscard]] float* data() const { return data_; }
  [[nodiscard]] std::size_t count() const { return count_; }
  void set(std::size_t item, const float* numbers) const {
    std::memcpy(reinterpret_cast<char*>(data_) + item * stride_, numbers,
                components_ * sizeof(float));
  }

 private:
  float* data_ = nullptr;
  std::size_t stride_ = 0;
  std::size_t count_;
  std::size_t components_;
};

}  // namespace limber::c
