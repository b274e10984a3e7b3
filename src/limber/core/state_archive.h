// The state of a world as bytes: one listing of what there is serves saving and restoring.
//
//   void Spring::archive(StateArchive& state) { state.value(length_); state.numbers(force_); }
#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <cstring>
#include <type_traits>
#include <vector>

namespace limber {

class StateArchive {
 public:
  /// Writes to `bytes` from its beginning; memory that it has is used again.
  static StateArchive saving(std::vector<std::byte>& bytes) {
    bytes.clear();
    return StateArchive(bytes, true);
  }
  /// Reads what saving() wrote. The bytes are not changed.
  static StateArchive loading(const std::vector<std::byte>& bytes) {
    return StateArchive(const_cast<std::vector<std::byte>&>(bytes), false);
  }

  [[nodiscard]] bool is_loading() const { return !saving_; }

  void raw(void* data, std::size_t size) {
    if (size == 0) return;
    if (saving_) {
      const auto* first = static_cast<const std::byte*>(data);
      bytes_.insert(bytes_.end(), first, first + size);
    } else {
      std::memcpy(data, bytes_.data() + at_, size);
      at_ += size;
    }
  }

  /// Numbers, and structures without pointers.
  template <class T>
  void value(T& item) {
    static_assert(std::is_trivially_destructible_v<T>);
    raw(static_cast<void*>(&item), sizeof(T));
  }

  /// Eigen's vectors and matrices; the size is part of the state.
  template <class Matrix>
  void numbers(Matrix& matrix) {
    Eigen::Index rows = matrix.rows(), cols = matrix.cols();
    value(rows);
    value(cols);
    if (!saving_) matrix.resize(rows, cols);
    raw(matrix.data(), sizeof(typename Matrix::Scalar) * static_cast<std::size_t>(matrix.size()));
  }

  /// Items without pointers: numbers, small structures of numbers and Eigen's fixed vectors.
  template <class T>
  void list(std::vector<T>& items) {
    static_assert(std::is_trivially_destructible_v<T>);
    std::size_t count = items.size();
    value(count);
    if (!saving_) items.resize(count);
    raw(static_cast<void*>(items.data()), count * sizeof(T));
  }

  /// A list whose items list their own state by archive().
  template <class T>
  void each(std::vector<T>& items) {
    std::size_t count = items.size();
    value(count);
    if (!saving_) items.resize(count);
    for (T& item : items) item.archive(*this);
  }

 private:
  StateArchive(std::vector<std::byte>& bytes, bool saving) : bytes_(bytes), saving_(saving) {}

  std::vector<std::byte>& bytes_;  // lives as long as the archive's user says
  std::size_t at_ = 0;
  bool saving_;
};

}  // namespace limber
