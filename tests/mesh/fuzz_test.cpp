// Damaged files of every format: an Error or a valid mesh, no more memory than the file warrants.
#include <fstream>

#include "limber/mesh/formats/mtl.h"
#include "mesh/sample_files.h"
#include "mesh/textured_files.h"
#include "support/allocation_counter.h"
#include "support/damage.h"

namespace limber {
namespace {

constexpr int kDamagedCopies = 1500;
/// The samples have up to 3 kB; a compressed one may rightly ask for 1032 times its size.
constexpr std::size_t kMostMemory = 4 << 20;

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
    std::ofstream(folder_ / "two words.mtl", std::ios::binary) << damage.damaged(kLibrary);
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
