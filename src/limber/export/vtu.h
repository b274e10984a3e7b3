// VTK's XML unstructured grid (.vtu): appended raw data, zlib-compressed block by block.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace limber {

/// VTK's numbers for the cells that Limber writes.
enum class VtkCell : std::uint8_t { triangle = 5, tetra = 10 };

class VtuBuilder {
 public:
  /// All cells are of one kind; `connectivity` holds the points of each in turn.
  VtuBuilder(std::size_t point_count, VtkCell cell, std::span<const std::int32_t> connectivity);

  /// x, y, z a point; called once.
  void set_points(std::span<const float> points);
  /// Three numbers a point under a name.
  void add_point_vectors(std::string_view name, std::span<const float> values);
  /// One whole number a cell under a name.
  void add_cell_numbers(std::string_view name, std::span<const std::int32_t> values);

  /// The whole file.
  [[nodiscard]] std::string take();

 private:
  template <class T>
  std::string array(std::string_view name, std::string_view type, int components,
                    std::span<const T> values);

  std::size_t point_count_;
  std::size_t cell_count_;
  std::string points_xml_, cells_xml_, point_data_xml_, cell_data_xml_;
  std::string appended_;
};

}  // namespace limber
