// Layout after PKWARE's APPNOTE 6.3: 4.3.7 local header, 4.3.12 directory, 4.3.14 to 4.3.16 end.
#include "limber/export/zip_store.h"

#include <zlib.h>

#include <algorithm>

namespace limber {

namespace {

constexpr std::uint32_t kFull32 = 0xFFFFFFFF;  // "see the zip64 field"
constexpr std::uint16_t kFull16 = 0xFFFF;
constexpr std::uint16_t kUtf8Names = 0x0800;
constexpr std::uint16_t kDate = 0x21;     // 1980-01-01
constexpr std::uint16_t kVersion = 20;    // 2.0
constexpr std::uint16_t kVersion64 = 45;  // 4.5, zip64

/// Little-endian numbers in a row.
class Record {
 public:
  template <class T>
  Record& put(T value) {
    for (std::size_t i = 0; i < sizeof value; ++i) {
      bytes_ += static_cast<char>(static_cast<std::uint64_t>(value) >> (8 * i));
    }
    return *this;
  }
  Record& put(const std::string& bytes) {
    bytes_ += bytes;
    return *this;
  }
  [[nodiscard]] const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

std::uint32_t clamped(std::uint64_t value) {
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(value, kFull32));
}

/// The extra field for the numbers that do not fit 32 bits; none when all do.
std::string zip64_field(std::initializer_list<std::uint64_t> numbers) {
  Record record;
  for (const std::uint64_t number : numbers) record.put(number);
  return Record()
      .put(std::uint16_t{1})
      .put(static_cast<std::uint16_t>(record.bytes().size()))
      .put(record.bytes())
      .bytes();
}

std::string local_header(const std::string& name, std::uint32_t checksum, std::uint64_t size) {
  const bool large = size >= kFull32;
  const std::string extra = large ? zip64_field({size, size}) : "";
  return Record()
      .put(std::uint32_t{0x04034b50})
      .put(large ? kVersion64 : kVersion)
      .put(kUtf8Names)
      .put(std::uint16_t{0})  // stored
      .put(std::uint16_t{0})  // midnight
      .put(kDate)
      .put(checksum)
      .put(clamped(size))
      .put(clamped(size))
      .put(static_cast<std::uint16_t>(name.size()))
      .put(static_cast<std::uint16_t>(extra.size()))
      .put(name)
      .put(extra)
      .bytes();
}

}  // namespace

void ZipStore::add(const std::string& name, const Source& source) {
  std::uint64_t size = 0;
  uLong checksum = crc32(0, nullptr, 0);
  source([&](std::span<const std::byte> bytes) {
    checksum = crc32_z(checksum, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size());
    size += bytes.size();
  });
  members_.push_back({name, static_cast<std::uint32_t>(checksum), size, file_.size()});
  file_.write(local_header(name, members_.back().checksum, size));
  source([&](std::span<const std::byte> bytes) { file_.write(bytes); });
}

void ZipStore::finish() {
  const std::uint64_t start = file_.size();
  for (const Member& member : members_) {
    const bool large = member.size >= kFull32 || member.offset >= kFull32;
    const std::string extra =
        large ? zip64_field({member.size, member.size, member.offset}) : std::string();
    const std::uint32_t size = large ? kFull32 : static_cast<std::uint32_t>(member.size);
    file_.write(Record()
                    .put(std::uint32_t{0x02014b50})
                    .put(kVersion64)  // made by
                    .put(large ? kVersion64 : kVersion)
                    .put(kUtf8Names)
                    .put(std::uint32_t{0})  // stored, midnight
                    .put(kDate)
                    .put(member.checksum)
                    .put(size)
                    .put(size)
                    .put(static_cast<std::uint16_t>(member.name.size()))
                    .put(static_cast<std::uint16_t>(extra.size()))
                    .put(std::uint16_t{0})  // no comment
                    .put(std::uint32_t{0})  // first disk, binary
                    .put(std::uint32_t{0})  // no attributes
                    .put(large ? kFull32 : static_cast<std::uint32_t>(member.offset))
                    .put(member.name)
                    .put(extra)
                    .bytes());
  }
  const std::uint64_t end = file_.size();
  const std::uint64_t count = members_.size();
  const bool large = end >= kFull32 || count >= kFull16;
  if (large) {
    file_.write(Record()
                    .put(std::uint32_t{0x06064b50})
                    .put(std::uint64_t{44})  // bytes that follow
                    .put(kVersion64)
                    .put(kVersion64)
                    .put(std::uint64_t{0})  // one disk
                    .put(count)
                    .put(count)
                    .put(end - start)
                    .put(start)
                    .put(std::uint32_t{0x07064b50})  // where that record is
                    .put(std::uint32_t{0})
                    .put(end)
                    .put(std::uint32_t{1})
                    .bytes());
  }
  const auto short_count = static_cast<std::uint16_t>(std::min<std::uint64_t>(count, kFull16));
  file_.write(Record()
                  .put(std::uint32_t{0x06054b50})
                  .put(std::uint32_t{0})  // one disk
                  .put(short_count)
                  .put(short_count)
                  .put(clamped(end - start))
                  .put(clamped(start))
                  .put(std::uint16_t{0})
                  .bytes());
}

}  // namespace limber
