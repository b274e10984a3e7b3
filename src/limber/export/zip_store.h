// A zip archive whose members are stored as they are; larger than 4 GiB where need be (zip64).
// The same members give the same bytes: every one is dated 1980-01-01.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "limber/core/file.h"

namespace limber {

class ZipStore {
 public:
  using Sink = std::function<void(std::span<const std::byte>)>;
  /// Passes all bytes of a member to the sink, piece by piece, the same each time it is called.
  using Source = std::function<void(const Sink&)>;

  /// `file` must outlive this.
  explicit ZipStore(AtomicFile& file) : file_(file) {}

  /// `name` is UTF-8. Calls `source` twice: zip puts the checksum in front of the bytes.
  void add(const std::string& name, const Source& source);
  /// Writes the directory; the archive is whole then.
  void finish();

 private:
  struct Member {
    std::string name;
    std::uint32_t checksum;
    std::uint64_t size;
    std::uint64_t offset;
  };

  AtomicFile& file_;
  std::vector<Member> members_;
};

}  // namespace limber
