// The numbers of a DataArray, wherever and however VTK's XML format stores them.
#pragma once

#include <vector>

#include "limber/mesh/formats/number_type.h"
#include "limber/mesh/formats/vtk_cells.h"
#include "limber/mesh/formats/xml.h"

namespace limber {

/// Holds what the root element says about all arrays. Views point into the parsed bytes.
class VtuArrays {
 public:
  VtuArrays(const XmlElement& root, Scanner& scanner);

  /// An array that stands in the file as it is: appended, raw, not compressed.
  struct InPlace {
    std::string_view bytes;
    NumberType type;
  };
  /// Throws Error for arrays that do not.
  [[nodiscard]] InPlace in_place(const XmlElement& array) const;
  [[nodiscard]] std::endian order() const { return order_; }

  /// All numbers of `array`, which must be `count` many; a negative count takes any number.
  std::vector<double> read(const XmlElement& array, std::int64_t count) const;

 private:
  [[nodiscard]] NumberType number_type(const XmlElement& array) const;
  /// What follows an appended array's offset.
  [[nodiscard]] std::string_view appended(const XmlElement& array) const;
  [[nodiscard]] std::vector<double> read_text(const XmlElement& array) const;
  [[nodiscard]] std::string read_bytes(const XmlElement& array) const;
  /// `most` decoded bytes of an array's storage from its beginning.
  [[nodiscard]] std::string decode(std::string_view stored, bool base64, std::size_t most) const;
  [[nodiscard]] std::string read_plain(std::string_view stored, bool base64) const;
  [[nodiscard]] std::string read_compressed(std::string_view stored, bool base64) const;
  [[nodiscard]] std::vector<std::uint64_t> header(std::string_view stored, bool base64,
                                                  std::size_t words) const;

  Scanner& scanner_;
  std::endian order_;
  std::size_t word_;             ///< bytes of a header's numbers
  std::string_view compressor_;  ///< empty when there is none
  bool appended_base64_ = false;
  std::string_view appended_;
};

}  // namespace limber
