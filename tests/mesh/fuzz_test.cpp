// Damaged files of every format: an Error or a valid mesh, no more memory than the file warrants.
#include <random>

#include "limber/mesh/formats/mtl.h"
#include "mesh/sample_files.h"
#include "mesh/textured_files.h"
#include "support/allocation_counter.h"

namespace limber {
namespace {

constexpr int kDamagedCopies = 1500;
/// The samples have up to 3 kB; a compressed one may rightly ask for 1032 times its size.
constexpr std::size_t kMostMemory = 4 << 20;

class Damage {
 public:
  explicit Damage(unsigned seed) : random_(seed) {}

  std::string damaged(std::string bytes) {
    for (int times = up_to(3); times >= 0; --times) {
      switch (up_to(7)) {
        case 0:
          flip_bits(bytes);
          break;
        case 1:
          bytes.resize(up_to(bytes.size()));
          break;
        case 2:
          bytes.erase(up_to(bytes.size()), up_to(16));
          break;
        case 3:
          bytes.insert(up_to(bytes.size()), bytes.substr(up_to(bytes.size()), up_to(64)));
          break;
        case 4:
          put_extreme_bytes(bytes);
          break;
        default:
          exchange_number(bytes);
      }
    }
    return bytes;
  }

 private:
  /// 0 to most, both included.
  std::size_t up_to(std::size_t most) {
    return std::uniform_int_distribution<std::size_t>(0, most)(random_);
  }

  void flip_bits(std::string& bytes) {
    if (bytes.empty()) return;
    for (std::size_t n = up_to(8) + 1; n > 0; --n) {
      char& byte = bytes[up_to(bytes.size() - 1)];
      byte = static_cast<char>(byte ^ (1 << up_to(7)));
    }
  }

  /// Limits of the integers and not-a-numbers of the floats.
  void put_extreme_bytes(std::string& bytes) {
    static const std::vector<std::string> kExtremes = {
        std::string(8, '\xFF'),         std::string(4, '\xFF'),
        bytes_of(std::int32_t{-1}),     bytes_of(std::numeric_limits<std::int64_t>::min()),
        std::string(8, '\0'),           bytes_of(1'000'000'000),
        bytes_of(std::nan("")),         bytes_of(std::numeric_limits<float>::infinity()),
        bytes_of(std::int64_t{1} << 40)};
    const std::string& extreme = kExtremes[up_to(kExtremes.size() - 1)];
    if (bytes.size() < extreme.size()) return;
    bytes.replace(up_to(bytes.size() - extreme.size()), extreme.size(), extreme);
  }

  void exchange_number(std::string& bytes) {
    static const std::vector<std::string> kNumbers = {"-1",
                                                      "0",
                                                      "1",
                                                      "2",
                                                      "3",
                                                      "1000000000",
                                                      "9223372036854775807",
                                                      "-9223372036854775808",
                                                      "18446744073709551616",
                                                      "1e308",
                                                      "nan",
                                                      "inf",
                                                      "0.5",
                                                      "4294967295",
                                                      "",
                                                      "-0",
                                                      "x",
                                                      "1e9"};
    const std::string digits = "0123456789.-+e";
    const std::size_t begin = bytes.find_first_of("0123456789", up_to(bytes.size()));
    if (begin == std::string::npos) return;
    const std::size_t end = std::min(bytes.find_first_not_of(digits, begin), bytes.size());
    bytes.replace(begin, end - begin, kNumbers[up_to(kNumbers.size() - 1)]);
  }

  std::mt19937 random_;
};

void survive(const SampleFile& file) {
  Damage damage(20240611);
  int refused = 0;
  for (int i = 0; i < kDamagedCopies; ++i) {
    const std::string bytes = damage.damaged(file.bytes);
    test::largest_allocation = 0;
    try {
      file.read(bytes);  // throws unless the mesh passes check()
    } catch (const Error& error) {
      ++refused;
      EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
    } catch (const std::exception& other) {
      ADD_FAILURE() << file.name << ", copy " << i << ": " << other.what();
    }
    ASSERT_LE(test::largest_allocation, kMostMemory) << file.name << ", copy " << i;
  }
  EXPECT_GT(refused, kDamagedCopies / 10) << file.name << ": the damage was too mild";
}

TEST(Fuzz, DamagedTetFilesGiveAnErrorOrAValidMesh) {
  for (const SampleFile& file : tet_files()) survive(file);
}

TEST(Fuzz, DamagedSurfaceFilesGiveAnErrorOrAValidSurface) {
  for (const SampleFile& file : surface_files()) survive(file);
}

class DamagedLibraries : public FolderTest {};

TEST_F(DamagedLibraries, NeverStopASurface) {
  write_textured_cube(folder_);
  Damage damage(20240612);
  int pictured = 0;
  for (int i = 0; i < kDamagedCopies; ++i) {
    write_file(folder_ / "two words.mtl", damage.damaged(kLibrary));
    test::largest_allocation = 0;
    for (const SurfaceLook& look :
         read_looks({"two words.mtl"}, {"red paint", "map", "again"}, folder_)) {
      pictured += look.image ? 1 : 0;
      for (const float value : look.colour.value_or(std::array<float, 3>{})) {
        ASSERT_TRUE(value >= 0 && value <= 1) << "copy " << i;
      }
    }
    ASSERT_LE(test::largest_allocation, kMostMemory) << "copy " << i;
  }
  EXPECT_GT(pictured, kDamagedCopies / 10) << "the damage was too hard";
  EXPECT_LT(pictured, 2 * kDamagedCopies) << "the damage was too mild";
}

}  // namespace
}  // namespace limber
