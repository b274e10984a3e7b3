// The bytes of a .glb, taken apart again by the rules of glTF 2.0, chapter 4.
#include "limber/mesh/formats/glb_container.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>

namespace limber::glb {
namespace {

std::uint32_t word(std::string_view bytes, std::size_t offset) {
  std::uint32_t value = 0;
  std::memcpy(&value, bytes.substr(offset, 4).data(), 4);
  return value;
}

class GlbContainer : public testing::Test {
 protected:
  void write(Builder& builder) {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    const auto path = std::filesystem::temp_directory_path() /
                      (std::string("limber_") + test->name() + std::to_string(::getpid()) + ".glb");
    builder.write(path);
    bytes_ = std::string(FileBytes(path).text());
    std::filesystem::remove(path);
    const std::size_t json_size = word(bytes_, 12);
    document_ = nlohmann::json::parse(bytes_.substr(20, json_size));
    binary_start_ = 20 + json_size + 8;
  }

  std::string bytes_;
  nlohmann::json document_;
  std::size_t binary_start_ = 0;
};

TEST_F(GlbContainer, HeaderAndChunksAddUp) {
  Builder builder;
  builder.document["scene"] = 0;
  builder.add_indices(std::vector<std::uint32_t>{0, 1, 2});
  builder.add_accessor(std::vector<float>{1, 2, 3}, Type::vec3);
  write(builder);
  EXPECT_EQ(bytes_.substr(0, 4), "glTF");
  EXPECT_EQ(word(bytes_, 4), 2U);
  EXPECT_EQ(word(bytes_, 8), bytes_.size());
  EXPECT_EQ(bytes_.substr(16, 4), "JSON");
  EXPECT_EQ(word(bytes_, 12) % 4, 0U);
  EXPECT_EQ(bytes_.substr(binary_start_ - 4, 4), std::string("BIN\0", 4));
  EXPECT_EQ(word(bytes_, binary_start_ - 8), bytes_.size() - binary_start_);
  EXPECT_EQ(document_["buffers"][0]["byteLength"], bytes_.size() - binary_start_);
  EXPECT_EQ(document_["scene"], 0);
  EXPECT_EQ(document_["asset"]["version"], "2.0");
}

TEST_F(GlbContainer, AccessorsStartAtMultiplesOfFourAndHoldTheirNumbers) {
  Builder builder;
  builder.add_indices(std::vector<std::uint32_t>{7, 8, 9});  // six bytes, so two of padding
  const int second = builder.add_accessor(std::vector<float>{1, -2, 3, 0, 5, -6}, Type::vec3,
                                          Target::vertices, true);
  EXPECT_EQ(second, 1);
  write(builder);
  const auto view = document_["bufferViews"][1];
  EXPECT_EQ(view["byteOffset"], 8);
  EXPECT_EQ(view["byteLength"], 24);
  EXPECT_EQ(view["target"], 34962);
  const auto accessor = document_["accessors"][1];
  EXPECT_EQ(accessor["count"], 2);
  EXPECT_EQ(accessor["type"], "VEC3");
  EXPECT_EQ(accessor["min"], (std::vector<float>{0, -2, -6}));
  EXPECT_EQ(accessor["max"], (std::vector<float>{1, 5, 3}));
  float last = 0;
  std::memcpy(&last, bytes_.data() + binary_start_ + 8 + 20, 4);
  EXPECT_EQ(last, -6.0F);
}

TEST_F(GlbContainer, IndicesTakeSixteenBitsOnlyWhereTheyFit) {
  Builder builder;
  builder.add_indices(std::vector<std::uint32_t>{0, 1, 65534});
  builder.add_indices(std::vector<std::uint32_t>{0, 1, 65535});
  write(builder);
  EXPECT_EQ(document_["accessors"][0]["componentType"], 5123);
  EXPECT_EQ(document_["accessors"][1]["componentType"], 5125);
  EXPECT_EQ(word(bytes_, binary_start_ + 8 + 8), 65535U);
}

TEST_F(GlbContainer, StreamedBytesMustMatchTheirAnnouncedLength) {
  Builder builder;
  builder.add_accessor(Layout{Type::scalar, Component::f32, 2, Target::none, {}},
                       [](AtomicFile& file) { file.write("1234"); });
  EXPECT_THROW(write(builder), std::logic_error);
}

TEST_F(GlbContainer, MoreThanFourGibibytesIsRefusedBeforeAnyDataIsMade) {
  Builder builder;
  const std::size_t half = (std::size_t{1} << 31) / 4;
  for (int i = 0; i < 2; ++i) {
    builder.add_accessor(Layout{Type::scalar, Component::f32, half, Target::none, {}},
                         [](AtomicFile&) { FAIL() << "data were asked for"; });
  }
  EXPECT_ANY_THROW(write(builder));
}

TEST_F(GlbContainer, DocumentWithoutDataHasNoBinaryChunk) {
  Builder builder;
  write(builder);
  EXPECT_FALSE(document_.contains("buffers"));
  EXPECT_EQ(bytes_.size(), 20 + word(bytes_, 12));
}

}  // namespace
}  // namespace limber::glb
