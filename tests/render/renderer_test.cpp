#include "limber/render/renderer.h"

#include <gtest/gtest.h>

#include <array>

#include "limber/core/error.h"
#include "limber/mesh/boundary.h"
#include "limber/mesh/sample_shapes.h"
#include "limber/render/labels.h"
#include "limber/render/sampling.h"

namespace limber {
namespace {

Shape cube(const Colour& colour, const Vec3& at = Vec3::Zero(), double side = 1) {
  const TetMesh mesh = bar(Vec3::Constant(side), {1, 1, 1});
  const TriMesh surface = boundary_surface(mesh).surface;
  const Positions placed = surface.V.rowwise() + (at - Vec3(side / 2, 0, side / 2)).transpose();
  return make_shape(surface, Shading(surface), placed, colour);
}

Camera from_front() { return look_at({0, 2, 9}, {0, 0.5, 0}, Vec3::UnitY(), 1); }

RenderOptions small(int samples = 16) {
  RenderOptions options;
  options.width = options.height = 64;
  options.samples = samples;
  options.threads = 1;
  return options;
}

Floor ground_at(double height) {
  Floor ground;
  ground.height = height;
  return ground;
}

int brightness(const std::uint8_t* pixel) { return pixel[0] + pixel[1] + pixel[2]; }

TEST(Renderer, BodyHasItsColourAndTheBackdropIsBright) {
  const Image red = render({cube(colour(0xD55E00))}, from_front(), ground_at(0), small());
  const std::uint8_t* const middle = red.pixel(32, 32);
  EXPECT_GT(middle[0], 1.5 * middle[1]);
  EXPECT_GT(middle[1], middle[2]);
  for (const auto& [x, y] : {std::array{1, 1}, {62, 1}, {1, 30}}) {
    EXPECT_GT(brightness(red.pixel(x, y)), 3 * 215);
  }
}

TEST(Renderer, ThreadsDoNotChangeAPixelAndSeedsDo) {
  RenderOptions options = small(8);
  const std::vector<Shape> shapes{cube(colour(0x0072B2))};
  const Image one = render(shapes, from_front(), ground_at(0), options);
  options.threads = 3;
  EXPECT_EQ(one.rgb, render(shapes, from_front(), ground_at(0), options).rgb);
  options.seed = 2;
  EXPECT_NE(one.rgb, render(shapes, from_front(), ground_at(0), options).rgb);
}

TEST(Renderer, GroundIsDarkerUnderABodyThanBesideIt) {
  // A wide plate a little above the ground, seen from the side: the gap below it is in its shadow.
  const Camera camera = look_at({0, 0.9, 6}, {0, 0.3, 0}, Vec3::UnitY(), 1);
  const std::vector<Shape> shapes{cube(colour(0x009E73), {0, 0.35, 0})};
  const Image with = render(shapes, camera, ground_at(0), small(64));
  const Image without = render({}, camera, ground_at(0), small(4));
  const Vec3 below = camera.project({0, 0, 0});
  const int x = static_cast<int>(32 * (1 + below.x())), y = static_cast<int>(32 * (1 - below.y()));
  EXPECT_LT(brightness(with.pixel(x, y)), 0.8 * brightness(without.pixel(x, y)));
  // Far to the left, on the side of the key light, nothing is hidden. Two grey levels for grain.
  EXPECT_NEAR(brightness(with.pixel(2, 60)), brightness(without.pixel(2, 60)), 3 * 12);
}

TEST(Renderer, DeepShadowsHaveNoBlackSpeckles) {
  // Under a plate close above the ground one ray in some tens finds the sky. A pixel that
  // stopped before it did would have no red at all, since the plate hands on blue alone.
  Shape plate = cube(colour(0x0072B2), {0, 0.08, 0}, 1);
  plate.positions.col(0) *= 4;
  plate.positions.col(2) *= 0.4f;
  const Camera camera = look_at({0, 0.35, 3}, {0, 0, 0.23}, Vec3::UnitY(), 1);
  RenderOptions options = small(64);
  options.width = options.height = 160;
  const Image image = render({plate}, camera, ground_at(0), options);
  int dark = 0, black = 0;
  for (int y = 0; y < 160; ++y) {
    for (int x = 0; x < 160; ++x) {
      const std::uint8_t* const pixel = image.pixel(x, y);
      if (pixel[2] > 120) continue;  // the plate itself, or ground in the light
      ++dark;
      black += pixel[0] < 6;
    }
  }
  EXPECT_GT(dark, 100);
  EXPECT_LT(black, dark / 50);
}

TEST(Renderer, WhatIsSeenThroughLetsTheBodyBehindShow) {
  Shape veil = cube(colour(0x888888), {0, -0.5, 0}, 2);
  veil.opacity = 0.15;
  const std::vector<Shape> shapes{cube(colour(0xD55E00)), veil};
  const Image image = render(shapes, from_front(), ground_at(-1), small());
  const std::uint8_t* const middle = image.pixel(32, 32);
  EXPECT_GT(middle[0], 1.2 * middle[2]);
}

TEST(Renderer, ABubbleOnTheFacesOfABodyTearsNoHolesIntoIt) {
  // As a rest shape does where the body has moved along its own faces: triangles differ, planes do
  // not, and rounding decides which is met first.
  const std::vector<Shape> alone{cube(colour(0xD55E00), {0.013, 0.1, 0})};
  std::vector<Shape> both = alone;
  both.push_back(alone[0]);
  both.back().positions.col(0) *= 1.31f;
  both.back().positions.col(1) *= 1.17f;
  both.back().colour = colour(0x8C96A3);
  both.back().opacity = 0.16;
  const Image plain = render(alone, from_front(), ground_at(0), small());
  const Image veiled = render(both, from_front(), ground_at(0), small());
  int body = 0;
  for (int y = 0; y < 64; ++y) {
    for (int x = 0; x < 64; ++x) {
      const std::uint8_t *const p = plain.pixel(x, y), *const v = veiled.pixel(x, y);
      if (p[0] < 1.8 * p[2]) continue;
      ++body;
      EXPECT_GT(v[0], 1.1 * v[2]) << x << ", " << y;  // still red, also where seen edge-on
      EXPECT_LT(v[0], p[0] + 3);                      // and grey over it everywhere
    }
  }
  EXPECT_GT(body, 200);
}

TEST(Renderer, EdgesDarkenTheOutlineOfTriangles) {
  Shape plain = cube(colour(0xE69F00));
  Shape outlined = plain;
  outlined.edges = true;
  const Image a = render({plain}, from_front(), ground_at(0), small());
  const Image b = render({outlined}, from_front(), ground_at(0), small());
  long darker = 0;
  for (int y = 0; y < 64; ++y) {
    for (int x = 0; x < 64; ++x) {
      darker += brightness(b.pixel(x, y)) + 60 < brightness(a.pixel(x, y));
    }
  }
  EXPECT_GT(darker, 20);   // the face's diagonal alone is as long
  EXPECT_LT(darker, 600);  // lines, not faces
}

TEST(Renderer, SenselessSizesAndSamplesAreRefused) {
  for (const auto& [width, samples] : {std::array{0, 4}, {-5, 4}, {100000, 4}, {64, 0}}) {
    RenderOptions options = small(samples);
    options.width = width;
    EXPECT_THROW((void)render({}, from_front(), ground_at(0), options), Error);
  }
}

TEST(Sampling, SixteenPointsOfAPairFallOneIntoEachCell) {
  for (std::uint32_t pixel : {0u, 1u, 77u, 123456u}) {
    SampleSequence random(5, pixel);
    for (const Choice choice : {Choice::pixel, Choice::key_light, Choice::reflection}) {
      std::array<int, 16> cells{}, columns{};
      for (int sample = 0; sample < 16; ++sample) {
        random.start(sample);
        const auto [a, b] = random.pair(choice);
        ++cells[4 * static_cast<int>(4 * a) + static_cast<int>(4 * b)];
        ++columns[static_cast<int>(16 * a)];
      }
      for (int k = 0; k < 16; ++k) {
        EXPECT_EQ(cells[k], 1);
        EXPECT_EQ(columns[k], 1);
      }
    }
  }
}

TEST(Sampling, CosineDirectionsHaveTheirMeanAtTwoThirds) {
  // E[cos θ] = 2/3 under the density cos/π; 256 even points miss it by far less than 1/256.
  SampleSequence random(1, 9);
  const Vec3f normal = Vec3f(1, -2, 0.5f).normalized();
  double sum = 0;
  for (int sample = 0; sample < 256; ++sample) {
    random.start(sample);
    const Vec3f direction = cosine_direction(normal, random.pair(Choice::hemisphere));
    EXPECT_NEAR(direction.norm(), 1, 1e-5);
    sum += direction.dot(normal);
  }
  EXPECT_NEAR(sum / 256, 2.0 / 3, 1.0 / 256);
}

TEST(Labels, LegendShowsItsColourAndLeavesTheRestAlone) {
  Image white(600, 480);
  std::fill(white.rgb.begin(), white.rgb.end(), 255);
  Labels labels;
  labels.legend = {{"one", colour(0xD55E00)}};
  const Image image = draw_labels(white, labels);
  const std::uint8_t* const dot = image.pixel(24, 24);
  EXPECT_EQ((std::array{dot[0], dot[1], dot[2]}), (std::array<std::uint8_t, 3>{0xD5, 0x5E, 0}));
  EXPECT_EQ(brightness(image.pixel(500, 400)), 765);
}

/// Outermost places of points (n×3) in a picture.
std::array<Vec3, 2> seen_box(const Camera& camera, const Positions& points) {
  Vec3 low = Vec3::Constant(INFINITY), high = -low;
  for (Eigen::Index k = 0; k < points.rows(); ++k) {
    const Vec3 seen = camera.project(points.row(k).transpose());
    low = low.cwiseMin(seen);
    high = high.cwiseMax(seen);
  }
  return {low, high};
}

TEST(Labels, BodiesAreFramedBesideOrBelowTheLegend) {
  Labels labels;
  for (int k = 0; k < 6; ++k) labels.legend.push_back({"stiffness-warping", colour(0xD55E00)});
  for (const auto& [width, height] : {std::array{640, 400}, {400, 640}, {1280, 720}}) {
    for (const auto& [x, y] : {std::array{3.0, 1.0}, {1.0, 1.0}, {0.5, 2.0}}) {
      Positions points(8, 3);
      for (int k = 0; k < 8; ++k) points.row(k) << (k & 1) * x, (k >> 1 & 1) * y, (k >> 2) * 0.4;
      const View view{.azimuth = 0.5, .elevation = 0.26, .zoom = 1, .up = Vec3::UnitY()};
      const Camera camera = frame_clear_of_labels(points, view, width, height, labels);
      const auto [low, high] = seen_box(camera, points);
      // The legend's box, found where drawing it changes a grey picture.
      Image grey(width, height);
      std::fill(grey.rgb.begin(), grey.rgb.end(), 128);
      const Image drawn = draw_labels(grey, labels);
      int right = 0, bottom = 0;
      for (int row = 0; row < height; ++row) {
        for (int column = 0; column < width; ++column) {
          if (brightness(drawn.pixel(column, row)) == 3 * 128) continue;
          right = std::max(right, column);
          bottom = std::max(bottom, row);
        }
      }
      const bool beside = low.x() > 2.0 * right / width - 1;
      const bool below = high.y() < 1 - 2.0 * bottom / height;
      bool corner_free = true;  // a slanting body may leave the corner free by itself
      for (Eigen::Index k = 0; k < 8; ++k) {
        const Vec3 seen = camera.project(points.row(k).transpose());
        corner_free &= seen.x() > 2.0 * right / width - 1 || seen.y() < 1 - 2.0 * bottom / height;
      }
      EXPECT_TRUE(beside || below || corner_free) << width << "x" << height << ", " << x;
      EXPECT_LT(std::max({high.x(), high.y(), -low.x(), -low.y()}), 0.9);
    }
  }
}

TEST(Labels, NumbersOfAColourScaleEndInsideThePicture) {
  Image white(640, 400);
  std::fill(white.rgb.begin(), white.rgb.end(), 255);
  for (const Paint paint : {Paint::displacement, Paint::volume}) {
    Labels labels;
    labels.paint = paint;
    labels.most = 0.000123;
    const Image image = draw_labels(white, labels);
    for (int y = 0; y < 400; ++y) {
      for (int x = 630; x < 640; ++x) ASSERT_EQ(brightness(image.pixel(x, y)), 765);
    }
  }
}

TEST(Labels, FramingIsAsEverWhereTheLegendIsInNobodysWay) {
  Labels labels;
  labels.legend = {{"a", colour(0xD55E00)}};
  Positions points(2, 3);
  points << -1, 0, 0, 1, 0, 0;  // a thin level rod in the middle of the picture
  const View view;
  const Camera plain = frame_points(points, view, 1.6);
  EXPECT_EQ(frame_clear_of_labels(points, view, 640, 400, labels).eye, plain.eye);
  EXPECT_EQ(frame_clear_of_labels(points, view, 640, 400, {}).eye, plain.eye);
}

}  // namespace
}  // namespace limber
