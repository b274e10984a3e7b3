#include <gtest/gtest.h>

#include "server/access.h"
#include "server/page.h"

namespace limber::studio {
namespace {

TEST(Access, IsForLoopbackNamesAlone) {
  for (const char* host : {"127.0.0.1", "127.0.0.1:8080", "localhost:1", "[::1]:8080"}) {
    EXPECT_TRUE(host_allowed(host, true)) << host;
  }
  for (const char* host : {"", "evil.example:8080", "127.0.0.1.evil.example", "192.168.0.5:8080",
                           "localhost.evil.example", "[::2]", "127.0.0.1@evil.example"}) {
    EXPECT_FALSE(host_allowed(host, true)) << host;
  }
}

TEST(Access, BeyondLoopbackIsForNumericAddresses) {
  EXPECT_TRUE(host_allowed("192.168.0.5:8080", false));
  EXPECT_TRUE(host_allowed("[fe80::1]:8080", false));
  EXPECT_FALSE(host_allowed("evil.example:8080", false));
}

TEST(Access, IsForTheStudiosOwnPage) {
  EXPECT_TRUE(origin_allowed("", "127.0.0.1:8080"));
  EXPECT_TRUE(origin_allowed("http://127.0.0.1:8080", "127.0.0.1:8080"));
  EXPECT_FALSE(origin_allowed("http://127.0.0.1:9090", "127.0.0.1:8080"));
  EXPECT_FALSE(origin_allowed("https://127.0.0.1:8080", "127.0.0.1:8080"));
  EXPECT_FALSE(origin_allowed("null", "127.0.0.1:8080"));
}

TEST(Access, BeyondLoopbackIsForThoseWhoKnowTheToken) {
  const std::string token = new_token();
  EXPECT_EQ(token.size(), 32U);
  EXPECT_NE(token, new_token());
  EXPECT_TRUE(same_token(token, token));
  EXPECT_FALSE(same_token("", token));
  EXPECT_FALSE(same_token(token.substr(1), token));
  EXPECT_FALSE(same_token(token.substr(1) + "x", token));
  EXPECT_EQ(cookie_value("a=1; limber-8080=abc; b=2", "limber-8080"), "abc");
  EXPECT_EQ(cookie_value("limber-8080=abc", "limber-8080"), "abc");
  EXPECT_EQ(cookie_value("xlimber-8080=abc; limber-80801=d", "limber-8080"), "");
  EXPECT_EQ(cookie_value("", "limber-8080"), "");
}

TEST(Targets, AreTakenApartAndDecoded) {
  const Target target = parse_target("/open?as=pose&name=a%20b%2Fc.obj&x&=y&z=%zz%4");
  EXPECT_EQ(target.path, "/open");
  EXPECT_EQ(target.parameter("as"), "pose");
  EXPECT_EQ(target.parameter("name"), "a b/c.obj");
  EXPECT_EQ(target.parameter("z"), "%zz%4");
  EXPECT_EQ(target.parameter("nothing"), "");
}

TEST(FileNames, CannotLeaveTheirFolder) {
  EXPECT_EQ(safe_file_name("bunny.obj"), "bunny.obj");
  EXPECT_EQ(safe_file_name("../../etc/passwd"), "passwd");
  EXPECT_EQ(safe_file_name("..\\..\\boot.ini"), "boot.ini");
  EXPECT_EQ(safe_file_name(".."), "");
  EXPECT_EQ(safe_file_name(".hidden"), "hidden");
  EXPECT_EQ(safe_file_name(std::string("a\0b\n.obj", 8)), "ab.obj");
}

TEST(Page, IsInsideTheProgram) {
  const Page& page = embedded_page();
  ASSERT_TRUE(page.contains("/"));
  EXPECT_NE(page.at("/").contents.find("<title>Limber</title>"), std::string::npos);
  ASSERT_TRUE(page.contains("/assets/studio.js"));
  EXPECT_GT(page.at("/assets/studio.js").contents.size(), 100000U);
}

}  // namespace
}  // namespace limber::studio
