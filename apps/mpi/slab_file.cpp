#include "slab_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <optional>

#include "limber/core/checksum.h"
#include "limber/core/error.h"
#include "limber/core/output_unit.h"

namespace limber {

namespace {

/// What a signal handler may still read: the temporary of the last file, which is gone when that is
/// in its place.
std::array<char, 4096> unfinished{};

[[noreturn]] void fail_to_write(const std::filesystem::path& path) {
  throw Error(std::string("cannot write: ") + std::strerror(errno), path.string(),
              "free some disk space", Error::Kind::work_failed);
}

/// One rank's hand on the file that all write to.
class Slabs {
 public:
  Slabs(const std::filesystem::path& temporary, std::filesystem::path target)
      : target_(std::move(target)), descriptor_(::open(temporary.c_str(), O_WRONLY | O_CLOEXEC)) {
    if (descriptor_ < 0) fail_to_write(target_);
  }
  ~Slabs() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  Slabs(const Slabs&) = delete;
  Slabs& operator=(const Slabs&) = delete;

  void write(std::span<const std::byte> bytes, std::uint64_t offset) const {
    while (!bytes.empty()) {
      const ssize_t written =
          ::pwrite(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
      if (written < 0 && errno == EINTR) continue;
      if (written <= 0) fail_to_write(target_);
      bytes = bytes.subspan(static_cast<std::size_t>(written));
      offset += static_cast<std::uint64_t>(written);
    }
  }
  /// A full disk may show only here.
  void close() {
    if (::close(std::exchange(descriptor_, -1)) != 0) fail_to_write(target_);
  }

 private:
  std::filesystem::path target_;
  int descriptor_;
};

/// The sections with the counts of all ranks, and where this rank's slabs begin within them.
struct Plan {
  std::vector<Section> whole;
  std::vector<std::uint64_t> before;  // bytes
};

Plan plan(const Ranks& ranks, const std::vector<Section>& slabs) {
  Plan result;
  for (const Section& slab : slabs) {
    const auto count = static_cast<std::int64_t>(slab.count);
    const auto bytes = static_cast<std::int64_t>(slab.bytes.size());
    result.whole.push_back(
        {slab.name, slab.kind, static_cast<std::uint64_t>(ranks.sum(count)), {}});
    result.before.push_back(static_cast<std::uint64_t>(ranks.sum_before(bytes)));
  }
  return result;
}

OutputTarget shared_target(const std::filesystem::path& path) {
  OutputTarget target = file_target(path);
  if (target.streamed) {
    throw Error("only a file can be written by several processes", path.string(),
                "give the name of a file");
  }
  return target;
}

constexpr int kSumTag = 7;

/// The sum over the table and all sections: it travels through the ranks once a section.
std::uint64_t checksum_of_all(const Ranks& ranks, const SectionLayout& layout,
                              const std::vector<Section>& slabs) {
  const std::array<std::byte, 64> zeros{};
  Checksum sum;
  if (ranks.first()) sum.add(layout.table());
  const int last = ranks.size() - 1;
  for (std::size_t k = 0; k < slabs.size(); ++k) {
    const bool begins = ranks.first() && k == 0;
    if (!begins && ranks.size() > 1) {
      const int from = ranks.first() ? last : ranks.rank() - 1;
      MPI_Recv(&sum, sizeof sum, MPI_BYTE, from, kSumTag, ranks.comm(), MPI_STATUS_IGNORE);
    }
    sum.add(slabs[k].bytes);
    if (ranks.rank() == last) sum.add(std::span(zeros).first(layout.padding(k)));
    const bool ends = ranks.rank() == last && k + 1 == slabs.size();
    if (!ends && ranks.size() > 1) {
      MPI_Send(&sum, sizeof sum, MPI_BYTE, ranks.rank() == last ? 0 : ranks.rank() + 1, kSumTag,
               ranks.comm());
    }
  }
  std::uint64_t value = sum.value();
  MPI_Bcast(&value, 1, MPI_UINT64_T, last, ranks.comm());
  return value;
}

}  // namespace

void remove_unfinished_file() noexcept {
  if (unfinished[0] != 0) ::unlink(unfinished.data());
}

void write_slabs(const Ranks& ranks, const std::filesystem::path& path,
                 const std::vector<Section>& slabs) {
  const Plan all = plan(ranks, slabs);
  const SectionLayout layout(all.whole);
  const std::uint64_t checksum = checksum_of_all(ranks, layout, slabs);
  std::optional<OutputTarget> target;
  std::string name;
  ranks.together([&] {
    if (!ranks.first()) return;
    target = shared_target(path);
    name = Temporary::name_beside(target->real).string();
  });
  const std::filesystem::path temporary = ranks.broadcast(name, 0);
  // All know it before it is there: when the first rank is killed, another removes it.
  unfinished.fill(0);
  temporary.string().copy(unfinished.data(), unfinished.size() - 1);
  std::optional<StagedOutput> file;
  ranks.together([&] {
    if (!ranks.first()) return;
    Temporary made(target->real, Temporary::Kind::file, temporary);
    file.emplace(StagedOutput{std::move(*target), std::move(made)});
  });
  ranks.together([&] {
    Slabs hand(temporary, path);
    for (std::size_t k = 0; k < slabs.size(); ++k) {
      hand.write(slabs[k].bytes, layout.offset(k) + all.before[k]);
      if (ranks.rank() + 1 < ranks.size()) continue;
      // The last byte of the padding makes the file long enough; a hole reads as zeros.
      const std::byte zero{};
      if (layout.padding(k) > 0) {
        hand.write({&zero, 1},
                   k + 1 < slabs.size() ? layout.offset(k + 1) - 1 : layout.file_size() - 1);
      }
    }
    if (ranks.first()) {
      hand.write(layout.header(checksum), 0);
      hand.write(layout.table(), layout.header(checksum).size());
    }
    hand.close();
  });
  ranks.together([&] {
    if (ranks.first()) put_in_place(std::move(*file));
  });
}

void read_slabs(const Ranks& ranks, const std::filesystem::path& path,
                const std::vector<Section>& slabs, const std::vector<std::span<std::byte>>& into) {
  const Plan all = plan(ranks, slabs);
  const SectionLayout layout(all.whole);
  std::ifstream file(path, std::ios::binary);
  const auto read = [&](std::span<std::byte> bytes, std::uint64_t offset) {
    file.seekg(static_cast<std::streamoff>(offset));
    file.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  };
  for (std::size_t k = 0; k < slabs.size(); ++k) {
    read(into[k].first(slabs[k].bytes.size()), layout.offset(k) + all.before[k]);
  }
  const std::vector<std::byte> header = layout.header(checksum_of_all(ranks, layout, slabs));
  ranks.together([&] {
    std::vector<std::byte> begins(header.size() + layout.table().size());
    read(begins, 0);
    std::error_code problem;
    if (!file || std::filesystem::file_size(path, problem) != layout.file_size() ||
        !std::equal(header.begin(), header.end(), begins.begin()) ||
        !std::equal(layout.table().begin(), layout.table().end(),
                    begins.begin() + static_cast<std::ptrdiff_t>(header.size()))) {
      throw Error("the file is damaged or of another mesh", path.string(),
                  "remove it or name another file");
    }
  });
}

}  // namespace limber
