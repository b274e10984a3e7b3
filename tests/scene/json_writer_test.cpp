// JSON that leaves the program: finite numbers and valid UTF-8, or an Error that names the place.
#include "limber/scene/json_writer.h"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "limber/core/error.h"
#include "limber/scene/json_reader.h"

namespace limber {
namespace {

using Json = nlohmann::ordered_json;

TEST(JsonWriter, FiniteDocumentsComeBack) {
  const Json document{{"a", {1.5, -2, 1e308}}, {"b", nullptr}, {"c", "x"}};
  EXPECT_EQ(Json::parse(json_text(document, "r.json")), document);
}

TEST(JsonWriter, NumbersThatAreNotFiniteAreNamed) {
  for (const double bad : {HUGE_VAL, -HUGE_VAL, std::nan("")}) {
    const Json document{{"frames", {{{"volume", 1.0}}, {{"volume", bad}}}}};
    try {
      (void)json_text(document, "r.json");
      FAIL();
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), Error::Kind::work_failed);
      EXPECT_EQ(std::string(error.what()).find("frames[1].volume is not a finite number (r.json)"),
                0U);
    }
  }
  EXPECT_THROW((void)json_text(Json{1.0, std::nan("")}, "r"), Error);
}

TEST(JsonWriter, BytesThatAreNoUtf8AreReplaced) {
  EXPECT_EQ(Json::parse(json_text(Json{{"name", "caf\xE9"}}, "r"))["name"], "caf\xEF\xBF\xBD");
}

TEST(JsonReader, NumbersBeyondTheRangeAreRefusedInPlainWords) {
  try {
    (void)parse_json(R"({"a": 1e400})", "s.json");
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "a number is too large: '1e400' (s.json): write one below 1e308");
  }
}

TEST(JsonReader, DamageIsToldWithItsLine) {
  try {
    (void)parse_json("{\n\"a\": 1,\n}", "s.json");
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("near line 3"), std::string::npos);
  }
}

}  // namespace
}  // namespace limber
