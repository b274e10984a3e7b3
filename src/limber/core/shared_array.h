// An immutable array that several owners share, in memory of its own or inside a file read whole.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "limber/core/types.h"

namespace limber {

/// Copies are cheap: they share the numbers and keep whatever holds them alive.
template <class T>
class SharedArray {
 public:
  SharedArray() = default;

  /// Takes over a vector's or an Eigen matrix's memory; a matrix is read in its storage order.
  explicit SharedArray(std::vector<T> values) { adopt(std::move(values)); }
  template <int Rows, int Cols, int Options>
  explicit SharedArray(Eigen::Matrix<T, Rows, Cols, Options> values) {
    adopt(std::move(values));
  }
  /// Looks into memory that `owner` keeps alive.
  SharedArray(std::shared_ptr<const void> owner, std::span<const T> values)
      : owner_(std::move(owner)), values_(values) {}

  [[nodiscard]] const T* data() const { return values_.data(); }
  [[nodiscard]] std::size_t size() const { return values_.size(); }
  [[nodiscard]] bool empty() const { return values_.empty(); }
  [[nodiscard]] const T& operator[](std::size_t i) const { return values_[i]; }
  [[nodiscard]] auto begin() const { return values_.begin(); }
  [[nodiscard]] auto end() const { return values_.end(); }
  [[nodiscard]] std::span<const T> span() const { return values_; }

 private:
  template <class Container>
  void adopt(Container&& values) {
    auto held = std::make_shared<const std::decay_t<Container>>(std::forward<Container>(values));
    values_ = {held->data(), static_cast<std::size_t>(held->size())};
    owner_ = std::move(held);
  }

  std::shared_ptr<const void> owner_;
  std::span<const T> values_;
};

}  // namespace limber
