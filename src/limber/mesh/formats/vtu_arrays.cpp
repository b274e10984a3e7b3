#include "limber/mesh/formats/vtu_arrays.h"

#include <array>
#include <charconv>

#include "limber/core/error.h"
#include "limber/mesh/formats/base64.h"

namespace limber {

namespace {
constexpr auto kVtuTypes = std::to_array<NamedType>({
    {"Int8", {1, false, true}},
    {"UInt8", {1, false, false}},
    {"Int16", {2, false, true}},
    {"UInt16", {2, false, false}},
    {"Int32", {4, false, true}},
    {"UInt32", {4, false, false}},
    {"Int64", {8, false, true}},
    {"UInt64", {8, false, false}},
    {"Float32", {4, true, true}},
    {"Float64", {8, true, true}},
});

/// zlib never shrinks more than this, so a larger size stated for a block is a lie.
constexpr std::uint64_t kMostCompression = 1032;

/// Bytes that the raw or base64 text can hold at most.
std::uint64_t room(std::string_view stored) { return stored.size(); }
}  // namespace

VtuArrays::VtuArrays(const XmlElement& root, Scanner& scanner)
    : scanner_(scanner),
      order_(root.attribute("byte_order", "LittleEndian") == "BigEndian" ? std::endian::big
                                                                         : std::endian::little),
      word_(root.attribute("header_type", "UInt32") == "UInt64" ? 8 : 4),
      compressor_(root.attribute("compressor")) {
  if (const XmlElement* const data = root.child("AppendedData")) {
    appended_base64_ = data->attribute("encoding") == "base64";
    const std::size_t mark = data->text.find('_');
    if (mark == std::string_view::npos)
      scanner.fail_as_a_whole("appended data do not begin with _");
    appended_ = data->text.substr(mark + 1);
  }
}

NumberType VtuArrays::number_type(const XmlElement& array) const {
  const std::string_view name = array.attribute("type");
  const auto* const known = std::find_if(kVtuTypes.begin(), kVtuTypes.end(),
                                         [&](const NamedType& type) { return type.name == name; });
  if (known == kVtuTypes.end()) scanner_.fail_as_a_whole("unknown number type " + in_quotes(name));
  return known->type;
}

VtuArrays::InPlace VtuArrays::in_place(const XmlElement& array) const {
  if (array.attribute("format") != "appended" || appended_base64_ || !compressor_.empty()) {
    throw Error("array " + in_quotes(array.attribute("Name", "Points")) + " is encoded",
                scanner_.file_name(), "save it with raw appended data, without compression");
  }
  const std::string_view stored = appended(array);
  const std::uint64_t size = header(stored, false, 1)[0];
  if (size > stored.size() - word_) scanner_.fail_as_a_whole("data end too early");
  return {stored.substr(word_, size), number_type(array)};
}

std::string_view VtuArrays::appended(const XmlElement& array) const {
  const std::string_view text = array.attribute("offset", "0");
  std::size_t offset = 0;
  const auto [stop, problem] = std::from_chars(text.data(), text.data() + text.size(), offset);
  if (problem != std::errc{} || offset > appended_.size())
    scanner_.fail_as_a_whole("offset out of range");
  return appended_.substr(offset);
}

std::vector<double> VtuArrays::read(const XmlElement& array, std::int64_t count) const {
  std::vector<double> numbers;
  if (array.attribute("format") == "ascii") {
    numbers = read_text(array);
  } else {
    const NumberType type = number_type(array);
    const std::string bytes = read_bytes(array);
    Scanner values(bytes, scanner_.file_name());
    numbers.resize(bytes.size() / type.bytes);
    for (double& number : numbers) number = raw_number(values, type, order_);
  }
  if (count >= 0 && numbers.size() != static_cast<std::uint64_t>(count)) {
    scanner_.fail_as_a_whole("array " + in_quotes(array.attribute("Name", "Points")) + " has " +
                             std::to_string(numbers.size()) + " numbers instead of " +
                             std::to_string(count));
  }
  return numbers;
}

std::vector<double> VtuArrays::read_text(const XmlElement& array) const {
  const std::string_view name = array.attribute("Name", "Points");
  Scanner text(array.text, scanner_.file_name() + ", array " + in_quotes(name));
  std::vector<double> numbers;
  while (!text.at_end()) numbers.push_back(text.number());
  return numbers;
}

std::string VtuArrays::read_bytes(const XmlElement& array) const {
  const std::string_view format = array.attribute("format");
  if (format != "binary" && format != "appended") {
    scanner_.fail_as_a_whole("unknown data format " + in_quotes(format));
  }
  std::string_view stored = trimmed(array.text);
  const bool base64 = format == "binary" || appended_base64_;
  if (format == "appended") stored = appended(array);
  return compressor_.empty() ? read_plain(stored, base64) : read_compressed(stored, base64);
}

std::string VtuArrays::decode(std::string_view stored, bool base64, std::size_t most) const {
  if (!base64) return std::string(stored.substr(0, most));
  std::optional<std::string> bytes = base64_decoded(stored, most);
  if (!bytes) scanner_.fail_as_a_whole("damaged base64 data");
  return std::move(*bytes);
}

std::vector<std::uint64_t> VtuArrays::header(std::string_view stored, bool base64,
                                             std::size_t words) const {
  const std::string bytes = decode(stored, base64, words * word_);
  if (bytes.size() != words * word_) scanner_.fail_as_a_whole("data end too early");
  Scanner scanner(bytes, scanner_.file_name());
  std::vector<std::uint64_t> numbers(words);
  for (std::uint64_t& number : numbers) {
    number = word_ == 8 ? scanner.raw<std::uint64_t>(order_) : scanner.raw<std::uint32_t>(order_);
  }
  return numbers;
}

/// size, data
std::string VtuArrays::read_plain(std::string_view stored, bool base64) const {
  const std::uint64_t size = header(stored, base64, 1)[0];
  if (size > room(stored)) scanner_.fail_as_a_whole("data end too early");
  std::string bytes = decode(stored, base64, word_ + size);
  if (bytes.size() != word_ + size) scanner_.fail_as_a_whole("data end too early");
  return bytes.substr(word_);
}

/// blocks, size of a block, size of the last one if it is smaller, compressed sizes, data
std::string VtuArrays::read_compressed(std::string_view stored, bool base64) const {
  if (compressor_ != "vtkZLibDataCompressor") {
    throw Error("is compressed by " + in_quotes(compressor_), scanner_.file_name(),
                "save it with zlib compression or none");
  }
  const std::uint64_t blocks = header(stored, base64, 1)[0];
  if (blocks == 0) return {};
  if (blocks > room(stored) / word_) scanner_.fail_as_a_whole("data end too early");
  const std::vector<std::uint64_t> head = header(stored, base64, 3 + blocks);
  std::uint64_t packed = 0;
  for (std::uint64_t b = 0; b < blocks; ++b) {
    if (head[3 + b] > room(stored)) scanner_.fail_as_a_whole("data end too early");
    packed += head[3 + b];
  }
  if (packed > room(stored)) scanner_.fail_as_a_whole("data end too early");
  const std::size_t head_bytes = head.size() * word_;
  const std::string bytes = decode(stored, base64, head_bytes + packed);
  if (bytes.size() != head_bytes + packed) scanner_.fail_as_a_whole("data end too early");

  std::string data;
  std::size_t begin = head_bytes;
  for (std::uint64_t b = 0; b < blocks; ++b) {
    const std::uint64_t size = b + 1 == blocks && head[2] > 0 ? head[2] : head[1];
    const std::uint64_t packed_size = head[3 + b];
    if (size / kMostCompression > packed_size) scanner_.fail_as_a_whole("damaged compressed data");
    const std::string_view block = std::string_view(bytes).substr(begin, packed_size);
    const std::optional<std::string> plain = inflated(block, size);
    if (!plain) scanner_.fail_as_a_whole("damaged compressed data");
    data += *plain;
    begin += packed_size;
  }
  return data;
}

}  // namespace limber
