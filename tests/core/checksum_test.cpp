// The checksum of baked files: the same in one piece or many, and different after any change.
#include "limber/core/checksum.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace limber {
namespace {

std::vector<std::byte> random_bytes(std::size_t size) {
  std::mt19937 random(7);
  std::vector<std::byte> bytes(size);
  for (std::byte& byte : bytes) byte = static_cast<std::byte>(random());
  return bytes;
}

TEST(Checksum, PiecesOfAnyLengthGiveTheSumOfTheWhole) {
  const std::vector<std::byte> bytes = random_bytes(1000);
  for (const std::size_t piece : {1u, 7u, 63u, 64u, 65u, 128u, 999u}) {
    Checksum sum;
    std::span<const std::byte> left = bytes;
    while (!left.empty()) {
      const std::size_t taken = std::min(piece, left.size());
      sum.add(left.first(taken));
      sum.add({});
      left = left.subspan(taken);
    }
    EXPECT_EQ(sum.value(), checksum(bytes)) << piece;
  }
}

TEST(Checksum, FilesWrittenBeforeStillFit) {
  // Taken when the sum was one function over one piece: baked files keep their sums.
  std::vector<std::byte> bytes(200);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>(i * 37 + 11);
  EXPECT_EQ(checksum(bytes), 0xB4FA807C2F7FBDA1u);
}

TEST(Checksum, AnyChangedByteAndAnyAddedZeroShow) {
  std::vector<std::byte> bytes = random_bytes(150);
  const std::uint64_t before = checksum(bytes);
  for (std::byte& byte : bytes) {
    byte ^= std::byte{1};
    EXPECT_NE(checksum(bytes), before);
    byte ^= std::byte{1};
  }
  bytes.push_back(std::byte{0});
  EXPECT_NE(checksum(bytes), before);
}

}  // namespace
}  // namespace limber
