// Baked bodies come back to the last bit, and anything else is refused.
#include "limber/modes/playback/baked_file.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>

#include "limber/core/checksum.h"
#include "limber/core/error.h"
#include "limber/core/file.h"
#include "limber/modes/playback/baked_sections.h"
#include "limber/modes/playback/contact_points.h"
#include "support/baked_bar.h"

namespace limber {
namespace {

class BakedFileTest : public testing::Test {
 protected:
  void SetUp() override {
    path_ =
        std::filesystem::temp_directory_path() /
        ("limber_baked_" +
         std::string(testing::UnitTest::GetInstance()->current_test_info()->name()) + ".limber");
    body_ = baked_bar(6);
    write_baked(path_, {body_, pack_surface(body_, Precision::float32)});
    bytes_ = std::string(FileBytes(path_).text());
  }
  void TearDown() override { std::filesystem::remove(path_); }

  /// Without waiting for the disk, hundreds of times.
  void write_bytes(const std::string& bytes) {
    std::ofstream(path_, std::ios::binary | std::ios::trunc) << bytes;
  }
  /// The file with its checksum made to fit again after a change.
  static std::string resealed(std::string bytes) {
    const std::uint64_t sum =
        checksum(std::as_bytes(std::span(bytes.data(), bytes.size())).subspan(64));
    std::memcpy(bytes.data() + 24, &sum, sizeof sum);
    return bytes;
  }

  std::filesystem::path path_;
  ModalModel body_;
  std::string bytes_;
};

template <class T>
bool same(const SharedArray<T>& a, const SharedArray<T>& b) {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin());
}

TEST_F(BakedFileTest, ComesBackToTheLastBit) {
  const BakedBody read = read_baked(path_);
  EXPECT_TRUE(same(read.body.Phi_data, body_.Phi_data));
  EXPECT_TRUE(same(read.body.Psi_data, body_.Psi_data));
  EXPECT_TRUE(same(read.body.eigenvalues_data, body_.eigenvalues_data));
  EXPECT_TRUE(same(read.body.rest_positions_data, body_.rest_positions_data));
  EXPECT_TRUE(same(read.body.tets_data, body_.tets_data));
  EXPECT_TRUE(same(read.body.fixed_nodes, body_.fixed_nodes));
  EXPECT_TRUE(same(read.body.mass.values, body_.mass.values));
  EXPECT_TRUE(same(read.body.surface.triangles, body_.surface.triangles));
  EXPECT_TRUE(same(read.surface.rows, pack_surface(body_, Precision::float32).rows));
  EXPECT_EQ(read.body.rigid_modes, 0);
  EXPECT_EQ(read.body.material, body_.material);
}

TEST_F(BakedFileTest, HoldsTheContactPointsThatWouldBeChosen) {
  const BodySurface& surface = body_.surface;
  const Eigen::Map<const Positions> V(surface.rest_positions.data(), surface.vertex_count(), 3);
  const Eigen::Map<const Triangles> F(surface.triangles.data(),
                                      static_cast<int>(surface.triangles.size() / 3), 3);
  const SharedArray<std::int32_t> chosen(choose_contact_points(V, F));
  ASSERT_FALSE(chosen.empty());
  EXPECT_TRUE(same(read_baked(path_).body.surface.contact_points, chosen));
  // Those that a body brings are kept as they are.
  body_.surface.contact_points = SharedArray<std::int32_t>(std::vector<std::int32_t>{3, 1});
  write_baked(path_, {body_, pack_surface(body_, Precision::float32)});
  EXPECT_TRUE(same(read_baked(path_).body.surface.contact_points, body_.surface.contact_points));
}

TEST_F(BakedFileTest, FilesOfBeforeWithoutContactPointsAreRead) {
  const BakedBody baked{body_, pack_surface(body_, Precision::float32)};
  const std::vector<double> numbers = single_numbers(baked);
  SectionWriter writer;
  add_sections(writer, baked, numbers);
  writer.write(path_);
  const BakedBody read = read_baked(path_);
  EXPECT_TRUE(read.body.surface.contact_points.empty());
  EXPECT_TRUE(same(read.body.Phi_data, body_.Phi_data));
}

TEST_F(BakedFileTest, ContactPointsThatAreNoVerticesOrTwiceThereAreRefused) {
  const int vertices = body_.surface.vertex_count();
  for (const std::vector<std::int32_t>& wrong :
       {std::vector<std::int32_t>{-1}, std::vector<std::int32_t>{0, vertices},
        std::vector<std::int32_t>{2, 1, 2}}) {
    body_.surface.contact_points = SharedArray<std::int32_t>(wrong);
    write_baked(path_, {body_, pack_surface(body_, Precision::float32)});
    try {
      (void)read_baked(path_);
      FAIL() << "was read";
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("contact points"), std::string::npos);
    }
  }
}

TEST_F(BakedFileTest, Int16SurfacesComeBackToo) {
  const PackedSurface packed = pack_surface(body_, Precision::int16);
  write_baked(path_, {body_, packed});
  const BakedBody read = read_baked(path_);
  EXPECT_EQ(read.surface.precision, Precision::int16);
  EXPECT_TRUE(same(read.surface.pairs, packed.pairs));
}

TEST_F(BakedFileTest, OutlivesItsName) {
  const BakedBody read = read_baked(path_);
  std::filesystem::remove(path_);
  EXPECT_EQ(read.body.Phi().rows(), body_.Phi().rows());
  EXPECT_GT(read.body.Phi().norm(), 0);
}

TEST_F(BakedFileTest, EveryTruncationIsRefused) {
  for (std::size_t size = 0; size < bytes_.size(); size += 1 + bytes_.size() / 97) {
    write_bytes(bytes_.substr(0, size));
    EXPECT_THROW((void)read_baked(path_), Error) << size;
  }
}

TEST_F(BakedFileTest, EveryFlippedBitIsRefused) {
  std::mt19937 random(1);
  for (int trial = 0; trial < 300; ++trial) {
    std::string damaged = bytes_;
    const std::size_t place = random() % damaged.size();
    // The header's last 32 bytes mean nothing.
    if (place >= 32 && place < 64) continue;
    damaged[place] = static_cast<char>(damaged[place] ^ (1 << random() % 8));
    write_bytes(damaged);
    EXPECT_THROW((void)read_baked(path_), Error) << place;
  }
}

TEST_F(BakedFileTest, BodiesThatDoNotFitTogetherNeverCrash) {
  // Damage under a checksum that fits: refused, or a body whose numbers are merely odd.
  std::mt19937 random(2);
  for (int trial = 0; trial < 300; ++trial) {
    std::string damaged = bytes_;
    const std::size_t place = 64 + random() % std::min<std::size_t>(damaged.size() - 64, 4000);
    damaged[place] = static_cast<char>(random());
    write_bytes(resealed(damaged));
    try {
      const BakedBody read = read_baked(path_);
      EXPECT_EQ(read.body.Phi_data.size(),
                3 * read.body.rest_positions_data.size() / 3 * read.body.eigenvalues_data.size());
    } catch (const Error&) {
    }
  }
}

TEST_F(BakedFileTest, InfinitiesUnderAGoodChecksumAreRefused) {
  for (const double bad : {HUGE_VAL, -HUGE_VAL, std::nan("")}) {
    int found = 0;
    for (const SharedArray<double>* array :
         {&body_.Phi_data, &body_.Psi_data, &body_.rest_positions_data, &body_.mass.values}) {
      // The array's own bytes, wherever the file keeps them.
      const std::string_view wanted(reinterpret_cast<const char*>(array->data()),
                                    array->size() * sizeof(double));
      std::string damaged = bytes_;
      const std::size_t place = damaged.find(wanted);
      ASSERT_NE(place, std::string::npos);
      std::memcpy(damaged.data() + place + 8 * (array->size() / 2), &bad, sizeof bad);
      write_bytes(resealed(damaged));
      EXPECT_THROW((void)read_baked(path_), Error) << ++found;
    }
  }
}

TEST_F(BakedFileTest, AnotherVersionIsNamed) {
  std::string other = bytes_;
  other[8] = 7;
  write_bytes(other);
  try {
    (void)read_baked(path_);
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("format 7"), std::string::npos);
  }
}

TEST(Checksum, ChangesWithEveryByteAndTheLength) {
  std::vector<std::byte> bytes(1000);
  const std::uint64_t zero = checksum(bytes);
  for (std::size_t k = 0; k < bytes.size(); ++k) {
    bytes[k] = std::byte{1};
    EXPECT_NE(checksum(bytes), zero);
    bytes[k] = std::byte{0};
  }
  bytes.push_back(std::byte{0});
  EXPECT_NE(checksum(bytes), zero);
}

}  // namespace
}  // namespace limber
