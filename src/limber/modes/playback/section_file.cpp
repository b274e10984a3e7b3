#include "limber/modes/playback/section_file.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <optional>

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

}  // namespace

SectionLayout::SectionLayout(const std::vector<Section>& sections)
    : file_size_(sizeof(Header) + sections.size() * sizeof(Entry)) {
  for (const Section& section : sections) {
    Entry entry{{}, section.kind, 0, section.count, file_size_, 0};
    section.name.copy(entry.name.data(), entry.name.size() - 1);
    const auto bytes = std::as_bytes(std::span(&entry, 1));
    table_.insert(table_.end(), bytes.begin(), bytes.end());
    const std::uint64_t end = file_size_ + section.count * number_size(section.kind);
    offsets_.push_back(file_size_);
    file_size_ = next_border(end);
    paddings_.push_back(file_size_ - end);
  }
}

std::vector<std::byte> SectionLayout::header(std::uint64_t checksum) const {
  const Header header{kMagic,     kVersion, static_cast<std::uint32_t>(offsets_.size()),
                      file_size_, checksum, {}};
  const auto bytes = std::as_bytes(std::span(&header, 1));
  return {bytes.begin(), bytes.end()};
}

void SectionWriter::write(const std::filesystem::path& path) const {
  const SectionLayout layout(sections_);
  const std::array<std::byte, kBorder> zeros{};
  const auto for_each_piece = [&](const auto& visit) {
    visit(std::span<const std::byte>(layout.table()));
    for (std::size_t k = 0; k < sections_.size(); ++k) {
      visit(sections_[k].bytes);
      visit(std::span<const std::byte>(zeros).first(layout.padding(k)));
    }
  };
  Checksum sum;
  for_each_piece([&](std::span<const std::byte> bytes) { sum.add(bytes); });
  AtomicFile file(path);
  file.write(layout.header(sum.value()));
  for_each_piece([&](std::span<const std::byte> bytes) { file.write(bytes); });
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

namespace {

/// The first section of that name in a file that check() has seen.
std::optional<Entry> entry_of(std::span<const std::byte> bytes, std::string_view name) {
  Header header{};
  std::memcpy(&header, bytes.data(), sizeof header);
  for (std::uint32_t k = 0; k < header.section_count; ++k) {
    Entry entry{};
    std::memcpy(&entry, bytes.data() + sizeof header + k * sizeof entry, sizeof entry);
    entry.name.back() = 0;
    if (name == entry.name.data()) return entry;
  }
  return std::nullopt;
}

}  // namespace

bool SectionReader::contains(std::string_view name) const {
  return entry_of(bytes_, name).has_value();
}

std::span<const std::byte> SectionReader::find(std::string_view name, NumberKind kind) const {
  if (const std::optional<Entry> entry = entry_of(bytes_, name)) {
    const std::uint64_t room =
        entry->offset <= bytes_.size() ? (bytes_.size() - entry->offset) / number_size(kind) : 0;
    if (entry->kind == kind && entry->count <= room && entry->offset % kBorder == 0)
      return bytes_.subspan(entry->offset, entry->count * number_size(kind));
  }
  refuse("section \"" + std::string(name) + "\" is missing or of another kind", "bake it again");
}

}  // namespace limber
