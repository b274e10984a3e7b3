#include "arguments.h"

#include <cmath>

namespace limber::c {

void require_count(std::size_t given, std::size_t wanted, const char* name) {
  if (given == wanted) return;
  throw Error(
      std::string(name) + ": " + std::to_string(given) + " instead of " + std::to_string(wanted),
      "argument", "ask limber_model_get_info() how many there are");
}

Vec3 vector(const double* numbers, const char* name) {
  require(numbers, name);
  const Vec3 result(numbers[0], numbers[1], numbers[2]);
  if (!result.allFinite()) {
    throw Error(std::string(name) + " is not finite", "argument", "give three ordinary numbers");
  }
  return result;
}

Quaternion rotation(const double* xyzw, const char* name) {
  require(xyzw, name);
  const Quaternion result(xyzw[3], xyzw[0], xyzw[1], xyzw[2]);
  const double length = result.norm();
  if (length == 0) return Quaternion::Identity();
  if (!(length > 1e-6) || !std::isfinite(length)) {
    throw Error(std::string(name) + " is no rotation", "argument",
                "give a quaternion x y z w of length one");
  }
  return result.normalized();
}

std::vector<SupportKey> support_keys(const limber_key* keys, std::size_t count) {
  require(keys, "keys");
  std::vector<SupportKey> result;
  for (std::size_t k = 0; k < count; ++k) {
    result.push_back({keys[k].time, vector(keys[k].position, "position"),
                      rotation(keys[k].rotation, "rotation")});
  }
  return result;
}

BodyPoint point(const limber_point* given) {
  require(given, "point");
  BodyPoint result;
  std::copy_n(given->nodes, 4, result.nodes.begin());
  std::copy_n(given->weights, 4, result.weights.begin());
  return result;
}

limber_point point(const BodyPoint& given) {
  limber_point result;
  std::copy_n(given.nodes.begin(), 4, result.nodes);
  std::copy_n(given.weights.begin(), 4, result.weights);
  return result;
}

Stream::Stream(const limber_stream* given, std::size_t count, std::size_t components,
               const char* name)
    : count_(count), components_(components) {
  if (given == nullptr) return;
  require(given->data, name);
  require_count(given->count, count, name);
  data_ = given->data;
  stride_ = given->stride == 0 ? components * sizeof(float) : given->stride;
  if (stride_ < components * sizeof(float) || stride_ % alignof(float) != 0) {
    throw Error(std::string(name) + ": the stride is " + std::to_string(stride_) + " bytes",
                "argument",
                "give a multiple of 4 with room for " + std::to_string(components) + " floats");
  }
}

}  // namespace limber::c
