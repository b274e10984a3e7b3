// Memory that runs out at every point of loading and saving: an error, nothing leaked, the old file
// whole. Every n-th call of operator new fails once, for all n until the work succeeds.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <new>

#include "export/moving_bodies.h"
#include "limber/core/file.h"
#include "limber/export/animation.h"
#include "limber/mesh/write_mesh.h"
#include "limber/modes/playback/baked_file.h"
#include "limber/scene/scene_file.h"
#include "mesh/sample_files.h"
#include "support/baked_bar.h"

namespace {
long calls_until_failure = -1;  // −1: none fails
long live_blocks = 0;

void* allocate(std::size_t size, std::size_t alignment) {
  if (calls_until_failure == 0) {
    calls_until_failure = -1;
    throw std::bad_alloc();
  }
  if (calls_until_failure > 0) --calls_until_failure;
  void* const memory =
      std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
  if (memory == nullptr) throw std::bad_alloc();
  ++live_blocks;
  return memory;
}
void release(void* memory) {
  if (memory != nullptr) --live_blocks;
  std::free(memory);
}
}  // namespace

void* operator new(std::size_t size) { return allocate(size, 16); }
void* operator new[](std::size_t size) { return allocate(size, 16); }
void* operator new(std::size_t size, std::align_val_t a) {
  return allocate(size, static_cast<std::size_t>(a));
}
void* operator new[](std::size_t size, std::align_val_t a) {
  return allocate(size, static_cast<std::size_t>(a));
}
void operator delete(void* memory) noexcept { release(memory); }
void operator delete[](void* memory) noexcept { release(memory); }
void operator delete(void* memory, std::size_t) noexcept { release(memory); }
void operator delete[](void* memory, std::size_t) noexcept { release(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { release(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { release(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { release(memory); }
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept { release(memory); }

namespace limber {
namespace {

namespace fs = std::filesystem;

/// Runs `work` with the first allocation failing, then the second, and so on until none is left to
/// fail. Calls `check` after each failure. Returns how many points there were.
template <class Work, class Check>
long fail_everywhere(const std::string& name, const Work& work, const Check& check) {
  work();  // what is kept for ever is made now
  constexpr long kMostPoints = 1'000'000;
  for (long n = 0; n < kMostPoints; ++n) {
    const long before = live_blocks;
    bool failed = false;
    calls_until_failure = n;
    try {
      work();
    } catch (const std::bad_alloc&) {
      failed = true;
    } catch (const Error&) {
      failed = true;  // some say it in their own words
    }
    const bool reached = calls_until_failure < 0;
    calls_until_failure = -1;
    EXPECT_EQ(live_blocks, before) << name << " leaks when allocation " << n << " fails";
    if (!reached) return n;
    if (failed) check(n);
    if (testing::Test::HasFailure()) return n;
  }
  return kMostPoints;
}

class Faults : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() /
              ("limber_faults_" +
               std::string(testing::UnitTest::GetInstance()->current_test_info()->name()));
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  [[nodiscard]] std::ptrdiff_t entries() const {
    return std::distance(fs::directory_iterator(folder_), {});
  }

  fs::path folder_;
};

TEST_F(Faults, EveryReaderSurvivesEveryFailedAllocation) {
  for (const auto& files : {tet_files(), surface_files()}) {
    for (const SampleFile& file : files) {
      EXPECT_GT(fail_everywhere(
                    file.name, [&] { file.read(file.bytes); }, [](long) {}),
                3);
    }
  }
}

TEST_F(Faults, ScenesSurviveEveryFailedAllocation) {
  const std::string text(FileBytes(fs::path(LIMBER_SOURCE_DIR) / "scenes" / "bar.json").text());
  EXPECT_GT(fail_everywhere(
                "scene", [&] { (void)parse_scene(text, ".", "a"); }, [](long) {}),
            50);
}

TEST_F(Faults, BakedBodiesSurviveEveryFailedAllocation) {
  const fs::path path = folder_ / "a.limber";
  const ModalModel body = baked_bar(2);
  const BakedBody baked{body, pack_surface(body, Precision::float32)};
  write_baked(path, baked);
  EXPECT_GT(fail_everywhere(
                "read", [&] { (void)read_baked(path); }, [](long) {}),
            3);
  const std::string old(FileBytes(path).text());
  EXPECT_GT(fail_everywhere(
                "write", [&] { write_baked(path, baked); },
                [&](long n) {
                  EXPECT_EQ(FileBytes(path).text(), old) << n;
                  EXPECT_EQ(entries(), 1) << n;
                }),
            3);
}

TEST_F(Faults, AnimationsLeaveTheOldFileWhole) {
  const testing_support::Sample bar =
      testing_support::sample_of("bar", limber::bar({1, 1, 1}, {1, 1, 1}));
  for (const char* ending : {"glb", "mdd", "pc2", "usda", "npz", "pvd"}) {
    const fs::path path = folder_ / (std::string("a.") + ending);
    const auto save = [&] {
      const auto writer = open_animation(path, {bar.body}, 10);
      for (int k = 0; k < 2; ++k) {
        writer->add_frame(0.1 * k, std::vector<BodyFrame>{swaying(bar, 0.1 * k)});
      }
      writer->finish();
    };
    save();
    const std::string old(FileBytes(path).text());
    const std::ptrdiff_t before = entries();
    fail_everywhere(ending, save, [&](long n) {
      EXPECT_EQ(FileBytes(path).text(), old) << ending << ", allocation " << n;
      EXPECT_EQ(entries(), before) << ending << ", allocation " << n;
    });
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
}

}  // namespace
}  // namespace limber
