#include "limber/modes/playback/section_file.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "limber/core/checksum.h"
#include "limber/core/error.h"

namespace limber {

static_assert(std::endian::native == std::endian::little, "baked files are little-endian");

namespace {

constexpr std::uint32_t kVersion = 1;
constexpr std::uint64_t kBorder = 64;
/// The line break is damaged by programs that take the file for text.
constexpr std::array<char, 8> kMagic{'L', 'I', 'M', 'B', 'E', 'R', '\r', '\n'};

struct Header {
  std::array<char, 8> magic;
  std::uint32_t version;
  std::uint32_t section_count;
  std::uint64_t file_size;
  std::uint64_t checksum;
  std::array<char, 32> unused;
};
static_assert(sizeof(Header) == kBorder);

struct Entry {
  std::array<char, 32> name;
  NumberKind kind;
  std::uint32_t unused;
  std::uint64_t count;
  std::uint64_t offset;
  std::uint64_t also_unused;
};
static_assert(sizeof(Entry) == kBorder);

std::uint64_t next_border(std::uint64_t offset) {
  return (offset + kBorder - 1) / kBorder * kBorder;
}

std::uint64_t number_size(NumberKind kind) {
  switch (kind) {
    case NumberKind::float64:
      return 8;
    case NumberKind::float32:
    case NumberKind::int32:
      return 4;
    case NumberKind::int16:
      return 2;
    case NumberKind::text:
      return 1;
  }
  return 0;
}

void append(std::vector<std::byte>& image, std::span<const std::byte> bytes) {
  image.insert(image.end(), bytes.begin(), bytes.end());
  image.resize(next_border(image.size()));
}

}  // namespace

void SectionWriter::add(std::string_view name, NumberKind kind, std::uint64_t count,
                        std::span<const std::byte> bytes) {
  sections_.push_back({std::string(name), kind, count, bytes});
}

void SectionWriter::write(const std::filesystem::path& path) const {
  Header header{kMagic, kVersion, static_cast<std::uint32_t>(sections_.size()), 0, 0, {}};
  std::uint64_t offset = sizeof(Header) + sections_.size() * sizeof(Entry);
  std::vector<std::byte> image;
  std::uint64_t size = offset;
  for (const Section& section : sections_) size = next_border(size + section.bytes.size());
  image.reserve(size);
  image.resize(sizeof(Header));
  for (const Section& section : sections_) {
    Entry entry{{}, section.kind, 0, section.count, offset, 0};
    section.name.copy(entry.name.data(), entry.name.size() - 1);
    append(image, std::as_bytes(std::span(&entry, 1)));
    offset = next_border(offset + section.bytes.size());
  }
  for (const Section& section : sections_) append(image, section.bytes);
  header.file_size = image.size();
  header.checksum = checksum(std::span(image).subspan(sizeof(Header)));
  std::memcpy(image.data(), &header, sizeof header);
  AtomicFile file(path);
  file.write(image);
  file.commit();
}

void SectionReader::refuse(const std::string& what, const std::string& remedy) const {
  throw Error(what, name_, remedy);
}

SectionReader::SectionReader(const std::filesystem::path& path) : name_(path.string()) {
  const auto file = std::make_shared<const FileBytes>(path);
  owner_ = file;
  bytes_ = file->bytes();
  check();
}

SectionReader::SectionReader(std::string name, std::shared_ptr<const void> owner,
                             std::span<const std::byte> bytes)
    : name_(std::move(name)), owner_(std::move(owner)), bytes_(bytes) {
  check();
}

void SectionReader::check() const {
  Header header{};
  if (bytes_.size() >= sizeof header) std::memcpy(&header, bytes_.data(), sizeof header);
  if (header.magic != kMagic) refuse("not a baked body", "make one with `limber bake`");
  if (header.version != kVersion) {
    refuse("baked by another version of Limber (format " + std::to_string(header.version) +
               ", this program reads " + std::to_string(kVersion) + ")",
           "bake the body again");
  }
  if (header.file_size != bytes_.size()) {
    refuse("the file is cut short or has grown: " + std::to_string(bytes_.size()) + " bytes of " +
               std::to_string(header.file_size),
           "copy or bake it again");
  }
  if (header.checksum != checksum(bytes_.subspan(sizeof header)) ||
      header.section_count > (bytes_.size() - sizeof header) / sizeof(Entry)) {
    refuse("the file is damaged: its checksum does not fit", "copy or bake it again");
  }
}

bool SectionReader::has(std::string_view name) const {
  Header header{};
  std::memcpy(&header, bytes_.data(), sizeof header);
  for (std::uint32_t k = 0; k < header.section_count; ++k) {
    Entry entry{};
    std::memcpy(&entry, bytes_.data() + sizeof header + k * sizeof entry, sizeof entry);
    entry.name.back() = 0;
    if (name == entry.name.data()) return true;
  }
  return false;
}

std::span<const std::byte> SectionReader::find(std::string_view name, NumberKind kind) const {
  Header header{};
  std::memcpy(&header, bytes_.data(), sizeof header);
  for (std::uint32_t k = 0; k < header.section_count; ++k) {
    Entry entry{};
    std::memcpy(&entry, bytes_.data() + sizeof header + k * sizeof entry, sizeof entry);
    entry.name.back() = 0;
    if (name != entry.name.data()) continue;
    const std::uint64_t room =
        entry.offset <= bytes_.size() ? (bytes_.size() - entry.offset) / number_size(kind) : 0;
    if (entry.kind != kind || entry.count > room || entry.offset % kBorder != 0) break;
    return bytes_.subspan(entry.offset, entry.count * number_size(kind));
  }
  refuse("section \"" + std::string(name) + "\" is missing or of another kind", "bake it again");
}

}  // namespace limber
