// Snapshots in the caller's memory: a header that tells damage and strangers, then the world's
// bytes.
#include "arguments.h"
#include "limber/core/checksum.h"
#include "results.h"
#include "world.h"

namespace {

using namespace limber;
using namespace limber::c;

struct SnapshotHeader {
  std::array<char, 8> magic{'L', 'I', 'M', 'S', 'N', 'A', 'P', '1'};
  std::uint64_t structure = 0;
  std::uint64_t size = 0;
  std::uint64_t checksum = 0;
};

std::size_t save(const limber_world* world) {
  require(world, "world");
  world->world.save(world->scratch);
  return sizeof(SnapshotHeader) + world->scratch.size();
}

}  // namespace

extern "C" {

limber_result limber_world_snapshot_size(const limber_world* world, size_t* bytes) {
  return guarded([&] {
    require(bytes, "bytes");
    *bytes = save(world);
  });
}

limber_result limber_world_save(const limber_world* world, void* buffer, size_t capacity,
                                size_t* used) {
  return guarded([&] {
    const std::size_t needed = save(world);
    require(buffer, "buffer");
    if (used != nullptr) *used = needed;
    if (capacity < needed) throw TooSmall();
    const std::span<const std::byte> bytes = world->scratch.bytes();
    SnapshotHeader header;
    header.structure = world->scratch.structure();
    header.size = bytes.size();
    header.checksum = checksum(bytes);
    std::memcpy(buffer, &header, sizeof header);
    std::copy(bytes.begin(), bytes.end(), static_cast<std::byte*>(buffer) + sizeof header);
  });
}

limber_result limber_world_restore(limber_world* world, const void* snapshot, size_t size) {
  return guarded([&] {
    require(world, "world");
    require(snapshot, "snapshot");
    const std::span<const std::byte> given(static_cast<const std::byte*>(snapshot), size);
    SnapshotHeader header;
    const std::array<char, 8> magic = header.magic;
    if (size >= sizeof header) std::memcpy(&header, snapshot, sizeof header);
    if (size < sizeof header || header.magic != magic || header.size > size - sizeof header) {
      throw Error("not a snapshot, or cut short", "restore", "give what limber_world_save() wrote");
    }
    const std::span<const std::byte> bytes = given.subspan(sizeof header, header.size);
    if (checksum(bytes) != header.checksum) {
      throw Error("the snapshot is damaged", "restore", "give what limber_world_save() wrote");
    }
    world->world.restore(
        WorldSnapshot(std::vector<std::byte>(bytes.begin(), bytes.end()), header.structure));
    for (Body& body : world->bodies) body.told = world->world.body(body.id).stopped();
  });
}

}  // extern "C"
