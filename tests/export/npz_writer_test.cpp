// .npz taken apart by a small parser of our own; numpy opens the same files in
// tests/python/test_export_npz.py.
#include <gtest/gtest.h>
#include <zlib.h>

#include <cstring>
#include <map>

#include "limber/core/file.h"
#include "limber/export/zip_store.h"
#include "moving_bodies.h"
#include "test_folder.h"

namespace limber {
namespace {

using testing_support::lone_triangle;
using testing_support::sample_of;
using testing_support::TestFolder;

template <class T>
T number(const std::string& bytes, std::size_t offset) {
  T value{};
  std::memcpy(&value, bytes.substr(offset, sizeof value).data(), sizeof value);
  return value;
}

/// Members by name, found through the directory at the end; checks every checksum.
std::map<std::string, std::string> members(const std::filesystem::path& path) {
  const std::string bytes(FileBytes(path).text());
  std::map<std::string, std::string> result;
  const std::size_t end = bytes.size() - 22;
  EXPECT_EQ(bytes.substr(end, 4), "PK\5\6");
  const auto count = number<std::uint16_t>(bytes, end + 10);
  std::size_t entry = number<std::uint32_t>(bytes, end + 16);
  for (int i = 0; i < count; ++i) {
    EXPECT_EQ(bytes.substr(entry, 4), "PK\1\2");
    const auto size = number<std::uint32_t>(bytes, entry + 24);
    const auto name_size = number<std::uint16_t>(bytes, entry + 28);
    const std::string name = bytes.substr(entry + 46, name_size);
    const std::size_t local = number<std::uint32_t>(bytes, entry + 42);
    EXPECT_EQ(bytes.substr(local, 4), "PK\3\4");
    EXPECT_EQ(bytes.substr(local + 30, name_size), name);
    const std::string data = bytes.substr(local + 30 + name_size, size);
    EXPECT_EQ(crc32(0, reinterpret_cast<const Bytef*>(data.data()), size),
              number<std::uint32_t>(bytes, entry + 16));
    EXPECT_EQ(number<std::uint32_t>(bytes, local + 14), number<std::uint32_t>(bytes, entry + 16));
    result[name] = data;
    entry += 46U + name_size;
  }
  EXPECT_EQ(entry, end);
  return result;
}

std::string header(const std::string& npy) {
  EXPECT_EQ(npy.substr(0, 8), std::string("\x93NUMPY\x01\x00", 8));
  const auto size = number<std::uint16_t>(npy, 8);
  EXPECT_EQ((10 + size) % 64, 0);
  EXPECT_EQ(npy[9 + size], '\n');
  return npy.substr(10, npy.find('}') - 9);
}

std::map<std::string, std::string> written(const std::filesystem::path& path,
                                           const AnimatedBody& body) {
  const auto writer = open_animation(path, {body}, 10);
  for (int i = 0; i < 2; ++i) {
    writer->add_frame(
        i, std::vector<BodyFrame>{{body.surface.V.array() + i, body.tets.V.array() + i, {}}});
  }
  writer->finish();
  return members(path);
}

TEST(NpzWriter, HeadersSayTypeAndShape) {
  const TestFolder folder;
  auto data = written(folder / "a.npz", sample_of("bar", bar({1, 1, 1}, {1, 1, 1})).body);
  EXPECT_EQ(data.size(), 6U);
  EXPECT_EQ(header(data["times.npy"]), "{'descr': '<f8', 'fortran_order': False, 'shape': (2,), }");
  EXPECT_EQ(header(data["bodies.npy"]),
            "{'descr': '<U3', 'fortran_order': False, 'shape': (1,), }");
  EXPECT_EQ(header(data["bar/positions.npy"]),
            "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 8, 3), }");
  EXPECT_EQ(header(data["bar/T.npy"]),
            "{'descr': '<i4', 'fortran_order': False, 'shape': (6, 4), }");
  EXPECT_EQ(header(data["bar/F.npy"]),
            "{'descr': '<i4', 'fortran_order': False, 'shape': (12, 3), }");
}

TEST(NpzWriter, EmbeddedSurfaceHasRowsOfItsOwn) {
  const TestFolder folder;
  AnimatedBody body = sample_of("bar", bar({1, 1, 1}, {1, 1, 1})).body;
  body.surface.V *= 0.9;  // inside the tets now
  auto data = written(folder / "a.npz", body);
  EXPECT_FALSE(data.contains("bar/F.npy"));
  EXPECT_EQ(header(data["bar/surface.npy"]),
            "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 8, 3), }");
  EXPECT_TRUE(data.contains("bar/surface_rest.npy"));
  EXPECT_TRUE(data.contains("bar/surface_F.npy"));
  // The last number of the second frame: the far corner at 0.9, moved by 1.
  EXPECT_EQ(number<double>(data["bar/surface.npy"], data["bar/surface.npy"].size() - 8), 1.9);
}

TEST(NpzWriter, SurfaceOfNodesThatCoincideIsNotGuessed) {
  const TestFolder folder;
  AnimatedBody body = sample_of("bar", bar({1, 1, 1}, {1, 1, 1})).body;
  body.tets.V.conservativeResize(9, 3);
  body.tets.V.row(8) = body.tets.V.row(0);
  EXPECT_TRUE(written(folder / "a.npz", body).contains("bar/surface_F.npy"));
}

TEST(NpzWriter, BodyWithoutTetsHasItsSurfaceAsPositions) {
  const TestFolder folder;
  auto data = written(folder / "a.npz", lone_triangle("leaf"));
  EXPECT_FALSE(data.contains("leaf/T.npy"));
  EXPECT_EQ(header(data["leaf/positions.npy"]),
            "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3, 3), }");
  EXPECT_TRUE(data.contains("leaf/F.npy"));
}

TEST(ZipStore, MoreMembersThanSixteenBitsCountAreFoundThroughZip64) {
  const TestFolder folder;
  AtomicFile file(folder / "a.zip");
  ZipStore zip(file);
  constexpr std::uint64_t count = 65536;
  for (std::uint64_t i = 0; i < count; ++i) zip.add(std::to_string(i), [](const auto&) {});
  zip.finish();
  file.commit();
  const std::string bytes(FileBytes(folder / "a.zip").text());
  const std::size_t end = bytes.size() - 22;
  EXPECT_EQ(number<std::uint16_t>(bytes, end + 10), 0xFFFF);
  const auto record = number<std::uint64_t>(bytes, end - 20 + 8);  // from the locator
  EXPECT_EQ(bytes.substr(record, 4), "PK\6\6");
  EXPECT_EQ(number<std::uint64_t>(bytes, record + 32), count);
  const auto start = number<std::uint64_t>(bytes, record + 48);
  EXPECT_EQ(bytes.substr(start, 4), "PK\1\2");
  EXPECT_EQ(start + number<std::uint64_t>(bytes, record + 40), record);
}

}  // namespace
}  // namespace limber
