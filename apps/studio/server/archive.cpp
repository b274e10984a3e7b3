// PKWARE's APPNOTE 6.3.10: 4.3.7 local header, 4.3.12 central directory, 4.3.16 its end.
#include "server/archive.h"

#include <zlib.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>

#include "limber/core/error.h"

namespace limber::studio {

namespace {

constexpr std::uint32_t kLocalMark = 0x04034b50, kCentralMark = 0x02014b50, kEndMark = 0x06054b50;
constexpr std::size_t kLocalSize = 30, kCentralSize = 46, kEndSize = 22;
constexpr std::uint16_t kStored = 0, kDeflated = 8;
constexpr std::uint16_t kEncrypted = 1;
constexpr std::size_t kMostEntries = 1000;
constexpr std::size_t kMostUnpacked = std::size_t{1} << 30;  // of all entries together, unpacked
constexpr int kRaw = -15;                                    // deflate without zlib's own header

void put(std::string& out, std::uint32_t value, int bytes) {
  for (int i = 0; i < bytes; ++i) out += static_cast<char>((value >> (8 * i)) & 255);
}

std::uint32_t sum_of(std::string_view bytes) {
  return static_cast<std::uint32_t>(
      crc32(0, reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uInt>(bytes.size())));
}

Bytef* in(std::string_view bytes) {
  return reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
}

std::string deflated(std::string_view bytes) {
  z_stream stream{};
  deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kRaw, 8, Z_DEFAULT_STRATEGY);
  std::string result(deflateBound(&stream, bytes.size()), '\0');
  stream.next_in = in(bytes);
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(result.data());
  stream.avail_out = static_cast<uInt>(result.size());
  const int status = deflate(&stream, Z_FINISH);
  result.resize(stream.total_out);
  deflateEnd(&stream);
  if (status != Z_STREAM_END) throw std::bad_alloc();
  return result;
}

/// Exactly `size` bytes, or nothing.
std::optional<std::string> inflated(std::string_view bytes, std::size_t size) {
  z_stream stream{};
  if (inflateInit2(&stream, kRaw) != Z_OK) throw std::bad_alloc();
  stream.next_in = in(bytes);
  stream.avail_in = static_cast<uInt>(bytes.size());
  std::string result;
  int status = Z_OK;
  while (status == Z_OK && result.size() <= size) {
    char chunk[65536];
    stream.next_out = reinterpret_cast<Bytef*>(chunk);
    stream.avail_out = sizeof chunk;
    status = inflate(&stream, Z_NO_FLUSH);
    result.append(chunk, sizeof chunk - stream.avail_out);
  }
  inflateEnd(&stream);
  if (status != Z_STREAM_END || result.size() != size) return std::nullopt;
  return result;
}

struct ZipRecord {
  std::string_view name;
  std::uint16_t flags = 0, method = 0;
  std::uint32_t sum = 0, packed = 0, size = 0, offset = 0;
};

/// What both headers say alike, from the flags to the sizes.
void put_common(std::string& out, const ZipRecord& record) {
  put(out, record.flags, 2);
  put(out, record.method, 2);
  put(out, 0x00210000, 4);  // 1 January 1980: the same entries give the same bytes
  put(out, record.sum, 4);
  put(out, record.packed, 4);
  put(out, record.size, 4);
  put(out, static_cast<std::uint32_t>(record.name.size()), 2);
  put(out, 0, 2);
}

class ZipReader {
 public:
  ZipReader(std::string_view bytes, const std::string& name) : bytes_(bytes), name_(name) {}

  std::vector<ArchiveEntry> read() {
    if (bytes_.size() < kEndSize) fail("is no project file");
    const std::size_t end = bytes_.size() - kEndSize;
    if (number(end, 4) != kEndMark) fail("is no project file, or is cut off");
    const std::size_t count = number(end + 10, 2), size = number(end + 12, 4);
    std::size_t at = number(end + 16, 4);
    if (count > kMostEntries) fail("holds too many files");
    if (number(end + 4, 4) != 0 || number(end + 8, 2) != count || at > end || size != end - at) {
      fail("has a damaged table of contents");
    }
    std::vector<ArchiveEntry> entries;
    std::set<std::string, std::less<>> names;
    std::size_t left = kMostUnpacked;
    for (std::size_t i = 0; i < count; ++i) {
      const ZipRecord record = central(at, end);
      if (!is_inner_name(record.name)) fail("holds a file whose name leaves its folder");
      if (!names.emplace(record.name).second) fail("holds a file twice");
      if (record.size > left) fail("unpacks to more than 1 GB");
      left -= record.size;
      entries.push_back({std::string(record.name), contents(record)});
    }
    if (at != end) fail("has a damaged table of contents");
    return entries;
  }

 private:
  [[noreturn]] void fail(const char* what) const {
    throw Error(what, name_, "save it again, or open another copy of it");
  }

  [[nodiscard]] std::uint32_t number(std::size_t at, int bytes) const {
    if (at + static_cast<std::size_t>(bytes) > bytes_.size()) fail("is cut off");
    std::uint32_t value = 0;
    for (int i = bytes - 1; i >= 0; --i) {
      value = (value << 8) | static_cast<unsigned char>(bytes_[at + static_cast<std::size_t>(i)]);
    }
    return value;
  }

  /// One line of the table of contents; `at` goes on behind it.
  ZipRecord central(std::size_t& at, std::size_t end) const {
    if (at + kCentralSize > end || number(at, 4) != kCentralMark) {
      fail("has a damaged table of contents");
    }
    ZipRecord record;
    record.flags = static_cast<std::uint16_t>(number(at + 8, 2));
    record.method = static_cast<std::uint16_t>(number(at + 10, 2));
    record.sum = number(at + 16, 4);
    record.packed = number(at + 20, 4);
    record.size = number(at + 24, 4);
    record.offset = number(at + 42, 4);
    const std::size_t name = number(at + 28, 2);
    const std::size_t whole = kCentralSize + name + number(at + 30, 2) + number(at + 32, 2);
    if (whole > end - at) fail("has a damaged table of contents");
    record.name = bytes_.substr(at + kCentralSize, name);
    at += whole;
    return record;
  }

  [[nodiscard]] std::string contents(const ZipRecord& record) const {
    if ((record.flags & kEncrypted) != 0) fail("is encrypted");
    const std::size_t at = record.offset;
    if (number(at, 4) != kLocalMark) fail("has a damaged table of contents");
    const std::size_t begin = at + kLocalSize + number(at + 26, 2) + number(at + 28, 2);
    if (begin > bytes_.size() || record.packed > bytes_.size() - begin) fail("is cut off");
    const std::string_view packed = bytes_.substr(begin, record.packed);
    std::optional<std::string> result;
    if (record.method == kStored && record.packed == record.size) result = std::string(packed);
    if (record.method == kDeflated) result = inflated(packed, record.size);
    if (!result || sum_of(*result) != record.sum) fail("is damaged");
    return std::move(*result);
  }

  std::string_view bytes_;
  std::string name_;
};

}  // namespace

bool is_inner_name(std::string_view name) {
  if (name.empty() || name.size() > 200) return false;
  for (const unsigned char c : name) {
    if (c < 32 || c == 127 || c == '\\' || c == ':') return false;
  }
  while (true) {
    const std::string_view part = name.substr(0, name.find('/'));
    if (part.empty() || part.front() == '.') return false;
    if (part.size() == name.size()) return true;
    name.remove_prefix(part.size() + 1);
  }
}

PackedBytes packed(std::string_view bytes) {
  if (bytes.size() > UINT32_MAX / 2) {
    throw Error("a part of the project is too large", "archive", "use smaller meshes",
                Error::Kind::work_failed);
  }
  PackedBytes result{deflated(bytes), true, sum_of(bytes),
                     static_cast<std::uint32_t>(bytes.size())};
  if (result.data.size() >= bytes.size()) {
    result.data = bytes;
    result.deflated = false;
  }
  return result;
}

std::string write_archive(std::span<const ArchiveEntry> entries) {
  std::string file, table;
  for (const ArchiveEntry& entry : entries) {
    const auto parcel =
        entry.ready ? entry.ready : std::make_shared<const PackedBytes>(packed(entry.bytes));
    if (file.size() + table.size() + parcel->data.size() > UINT32_MAX / 2) {
      throw Error("the project is too large for one file", entry.name, "use smaller meshes",
                  Error::Kind::work_failed);
    }
    const ZipRecord record{entry.name,
                           0x0800,  // names are UTF-8
                           parcel->deflated ? kDeflated : kStored,
                           parcel->sum,
                           static_cast<std::uint32_t>(parcel->data.size()),
                           parcel->size,
                           static_cast<std::uint32_t>(file.size())};
    put(table, kCentralMark, 4);
    put(table, 20, 2);
    put(table, 20, 2);
    put_common(table, record);
    put(table, 0, 2);  // comment, disk, attributes
    put(table, 0, 4);
    put(table, 0, 4);
    put(table, record.offset, 4);
    table += entry.name;
    put(file, kLocalMark, 4);
    put(file, 20, 2);
    put_common(file, record);
    file += entry.name;
    file += parcel->data;
  }
  const auto count = static_cast<std::uint32_t>(entries.size());
  const auto start = static_cast<std::uint32_t>(file.size());
  file += table;
  put(file, kEndMark, 4);
  put(file, 0, 4);
  put(file, count, 2);
  put(file, count, 2);
  put(file, static_cast<std::uint32_t>(table.size()), 4);
  put(file, start, 4);
  put(file, 0, 2);
  return file;
}

std::vector<ArchiveEntry> read_archive(std::string_view bytes, const std::string& name) {
  return ZipReader(bytes, name).read();
}

}  // namespace limber::studio
