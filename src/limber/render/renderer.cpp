#include "limber/render/renderer.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <atomic>
#include <cmath>
#include <thread>

#include "limber/core/error.h"
#include "limber/core/threads.h"
#include "limber/render/ray_scene.h"
#include "limber/render/sampling.h"
#include "limber/render/studio_light.h"

namespace limber {

namespace {

constexpr int kMostPixels = 16384;   // a side
constexpr int kMostSamples = 65536;  // a pixel
constexpr int kBand = 16;            // rows between two reports of progress
constexpr int kMostLayers = 24;      // of things seen through

const Vec3f kBackdropLow(0.80f, 0.81f, 0.83f);
const Vec3f kBackdropHigh(0.90f, 0.92f, 0.95f);
const Vec3f kGroundColour(0.86f, 0.86f, 0.87f);

float smoothstep(float low, float high, float x) {
  const float t = std::clamp((x - low) / (high - low), 0.0f, 1.0f);
  return t * t * (3 - 2 * t);
}

struct Surface {
  Vec3f point;
  Vec3f normal;  // towards the viewer
  Vec3f albedo;
};

/// All that one picture's samples share.
class Tracer {
 public:
  Tracer(const std::vector<Shape>& shapes, const Camera& camera, const Floor& ground,
         const RenderOptions& options)
      : rays_(shapes),
        camera_(camera),
        ground_(ground),
        width_(options.width),
        height_(options.height),
        up_(ground.up.cast<float>().normalized()),
        light_(make_studio_light(camera.frame.col(0).cast<float>(),
                                 camera.frame.col(2).cast<float>(), up_)),
        epsilon_(1e-4f * static_cast<float>(ground.radius)),
        pixel_angle_(static_cast<float>(2 * camera.half_height / options.height)) {}

  /// Light through a place of the picture, from pixel (x, y).
  [[nodiscard]] Vec3f sample(int x, int y, const SampleSequence& random) const {
    const auto [a, b] = random.pair(Choice::pixel);
    // A tent two pixels wide: the filter that softens edges.
    const double px = x + 0.5 + tent(a), py = y + 0.5 + tent(b);
    const Vec3f direction = camera_.ray(2 * px / width_ - 1, 1 - 2 * py / height_).cast<float>();
    return through_layers(camera_.eye.cast<float>(), direction, random);
  }

 private:
  static double tent(float u) {
    return u < 0.5f ? std::sqrt(2.0 * u) - 1 : 1 - std::sqrt(2.0 * (1 - u));
  }

  /// The first thing that hides all behind it, and over it what is seen through. A bubble on the
  /// very face of a body counts as before it: rounding would else tear holes into the one or the
  /// other.
  [[nodiscard]] Vec3f through_layers(const Vec3f& origin, const Vec3f& direction,
                                     const SampleSequence& random) const {
    const float floor = ground_distance(origin, direction);
    const Hit last = rays_.first_opaque(origin, direction, 0, floor);
    const float end = last.shape != nullptr ? last.distance + epsilon_ : floor;
    Vec3f seen = Vec3f::Zero();
    float left = 1;  // share of the light behind that comes through
    float least = 0;
    for (int layer = 0; layer < kMostLayers && least < end; ++layer) {
      const Hit hit = rays_.first_seen_through(origin, direction, least, end);
      if (hit.shape == nullptr) break;
      const float opacity = layer_opacity(hit, direction);
      if (opacity > 0) seen += left * opacity * shaded(hit, origin, direction, random);
      left *= 1 - opacity;
      if (left < 1e-3f) return seen;
      least = hit.distance + epsilon_;
    }
    if (last.shape != nullptr) return seen + left * shaded(last, origin, direction, random);
    return seen + left * (std::isfinite(floor)
                              ? floor_light(origin + floor * direction, direction, random)
                              : backdrop(direction));
  }

  /// What is seen through looks like a bubble: denser where it is seen edge-on. Its far side is
  /// left out, since several bubbles at one place would turn to mud.
  [[nodiscard]] static float layer_opacity(const Hit& hit, const Vec3f& direction) {
    const auto opacity = static_cast<float>(hit.shape->opacity);
    const float facing = -geometric_normal(hit).dot(direction);
    return facing < 0 ? 0 : opacity + (1 - opacity) * 0.7f * std::pow(1 - facing, 3.0f);
  }

  [[nodiscard]] float ground_distance(const Vec3f& origin, const Vec3f& direction) const {
    const float falling = -direction.dot(up_);
    const float above = origin.dot(up_) - static_cast<float>(ground_.height);
    return ground_.visible && falling > 1e-6f && above > 0 ? above / falling : INFINITY;
  }

  [[nodiscard]] Vec3f backdrop(const Vec3f& direction) const {
    const float t = smoothstep(-0.25f, 0.45f, direction.dot(up_));
    return (1 - t) * kBackdropLow + t * kBackdropHigh;
  }

  /// The ground takes shadows near the bodies and becomes the backdrop far away.
  [[nodiscard]] Vec3f floor_light(const Vec3f& point, const Vec3f& direction,
                                  const SampleSequence& random) const {
    const auto radius = static_cast<float>(ground_.radius);
    const Vec3f off = point - ground_.centre.cast<float>();
    const float away = (off - off.dot(up_) * up_).norm() / radius;
    const float far = smoothstep(1.2f, 7.0f, away);
    const Vec3f plain = (1 - far) * kGroundColour + far * backdrop(direction);
    if (far >= 1) return plain;
    const Vec3f key =
        disc_direction(light_.key, StudioLight::kKeyRadius, random.pair(Choice::key_light));
    const Vec3f dome = cosine_direction(up_, random.pair(Choice::hemisphere));
    const float key_share = StudioLight::kKeyPower * light_.key.dot(up_);
    constexpr float kDomeShare = 0.55f;
    Vec3f lit = Vec3f::Zero();
    if (!rays_.blocked(point, key, epsilon_)) lit += key_share * Vec3f::Ones();
    const Hit hider = rays_.first_opaque(point, dome, epsilon_, INFINITY);
    lit += kDomeShare * (hider.shape == nullptr ? Vec3f(Vec3f::Ones()) : glow(hider));
    const Vec3f shade = lit / (key_share + kDomeShare);
    return plain.cwiseProduct((1 - far) * shade + far * Vec3f::Ones());
  }

  /// Light that a body hands on, without following it further.
  [[nodiscard]] static Vec3f glow(const Hit& hit) { return 0.45f * albedo(hit); }

  [[nodiscard]] Vec3f shaded(const Hit& hit, const Vec3f& origin, const Vec3f& direction,
                             const SampleSequence& random) const {
    Surface surface{origin + hit.distance * direction, facing_normal(hit, direction), albedo(hit)};
    if (hit.shape->edges) surface.albedo *= 1 - 0.62f * edge_cover(hit, direction);
    const Vec3f face = geometric_normal(hit);
    const Vec3f outwards = face.dot(direction) > 0 ? Vec3f(-face) : face;
    const Vec3f start = surface.point + epsilon_ * outwards;
    return diffuse(surface, start, random) + gloss(surface, start, outwards, direction, random);
  }

  [[nodiscard]] Vec3f diffuse(const Surface& surface, const Vec3f& start,
                              const SampleSequence& random) const {
    const Vec3f key =
        disc_direction(light_.key, StudioLight::kKeyRadius, random.pair(Choice::key_light));
    Vec3f lit = Vec3f::Zero();
    const float cosine = surface.normal.dot(key);
    if (cosine > 0 && !rays_.blocked(start, key, 0)) lit += cosine * light_.key_colour();
    lit += std::max(0.0f, surface.normal.dot(light_.rim)) * light_.rim_colour();
    const Vec3f dome = cosine_direction(surface.normal, random.pair(Choice::hemisphere));
    lit += dome_light(start, dome);
    return surface.albedo.cwiseProduct(lit) * 1.12f;
  }

  /// Sky, or what the ground or another body sends instead.
  [[nodiscard]] Vec3f dome_light(const Vec3f& start, const Vec3f& direction) const {
    const Hit hit = rays_.first_opaque(start, direction, 0, INFINITY);
    if (hit.shape != nullptr) return glow(hit);
    if (std::isfinite(ground_distance(start, direction))) return 0.36f * kGroundColour;
    return light_.sky(direction);
  }

  /// Reflection of the studio in a smooth coat; Schlick 1994 with 4 % at normal incidence.
  [[nodiscard]] Vec3f gloss(const Surface& surface, const Vec3f& start, const Vec3f& outwards,
                            const Vec3f& direction, const SampleSequence& random) const {
    constexpr float kRoughness = 0.22f;
    const float cosine = std::clamp(-surface.normal.dot(direction), 0.0f, 1.0f);
    const float share = 0.04f + 0.5f * 0.96f * std::pow(1 - cosine, 5.0f);
    const Vec3f mirrored = direction - 2 * surface.normal.dot(direction) * surface.normal;
    const Vec3f reflected =
        disc_direction(mirrored.normalized(), kRoughness, random.pair(Choice::reflection));
    if (reflected.dot(outwards) <= 0) return Vec3f::Zero();  // grazing: into the body itself
    const Hit hit = rays_.first_opaque(start, reflected, 0, INFINITY);
    if (hit.shape != nullptr) return share * glow(hit);
    if (std::isfinite(ground_distance(start, reflected))) return share * 0.7f * kGroundColour;
    return share * light_.panel(reflected);
  }

  [[nodiscard]] static Vec3f corner(const Hit& hit, int c) {
    return hit.shape->positions.row(hit.shape->triangles(hit.triangle, c));
  }

  [[nodiscard]] static Vec3f geometric_normal(const Hit& hit) {
    const Vec3f n = (corner(hit, 1) - corner(hit, 0)).cross(corner(hit, 2) - corner(hit, 0));
    const float length = n.norm();
    return length > 0 ? Vec3f(n / length) : Vec3f(Vec3f::UnitY());
  }

  [[nodiscard]] static Vec3f facing_normal(const Hit& hit, const Vec3f& direction) {
    const auto normal = [&hit](int c) -> Vec3f {
      return hit.shape->normals.row(hit.shape->corner_normals[3 * hit.triangle + c]);
    };
    const Vec3f face = geometric_normal(hit);
    const Vec3f sum = (1 - hit.u - hit.v) * normal(0) + hit.u * normal(1) + hit.v * normal(2);
    Vec3f n = sum.norm() > 1e-6f ? Vec3f(sum.normalized()) : face;
    if (face.dot(direction) > 0) n = -n;  // the inside of an open or turned surface
    // Near outlines an interpolated normal may look away from the viewer: bend it back.
    const float away = n.dot(direction);
    return away < 0 ? n : Vec3f((n - (away + 1e-3f) * direction).normalized());
  }

  [[nodiscard]] static Vec3f albedo(const Hit& hit) {
    const Shape& shape = *hit.shape;
    const bool plain = shape.vertex_colours.rows() == 0;
    if (shape.paint) {
      const Vec3f painted = shape.paint->at(hit.triangle, hit.u, hit.v);
      return plain ? painted : Vec3f(painted.cwiseProduct(vertex_colour(hit)));
    }
    return plain ? linear_light(shape.colour) : vertex_colour(hit);
  }

  [[nodiscard]] static Vec3f vertex_colour(const Hit& hit) {
    const Shape& shape = *hit.shape;
    const auto at = [&](int c) -> Vec3f {
      return shape.vertex_colours.row(shape.triangles(hit.triangle, c));
    };
    return (1 - hit.u - hit.v) * at(0) + hit.u * at(1) + hit.v * at(2);
  }

  /// 1 on an edge, 0 a pixel and a half beside it.
  [[nodiscard]] float edge_cover(const Hit& hit, const Vec3f& direction) const {
    const Vec3f a = corner(hit, 0), b = corner(hit, 1), c = corner(hit, 2);
    const float double_area = (b - a).cross(c - a).norm();
    const float nearest =
        std::min({(1 - hit.u - hit.v) * double_area / (c - b).norm(),
                  hit.u * double_area / (c - a).norm(), hit.v * double_area / (b - a).norm()});
    const float slant = std::max(0.25f, std::abs(geometric_normal(hit).dot(direction)));
    const float pixel = hit.distance * pixel_angle_ / slant;
    return 1 - smoothstep(0.3f, 1.2f, nearest / pixel);
  }

  RayScene rays_;
  Camera camera_;
  Floor ground_;
  int width_;
  int height_;
  Vec3f up_;
  StudioLight light_;
  float epsilon_;
  float pixel_angle_;
};

/// Straight up to 0.75, then bending towards 1, so that highlights keep their colour.
float film(float x) {
  constexpr float kKnee = 0.75f;
  return x <= kKnee ? x : 1 - (1 - kKnee) * std::exp(-(x - kKnee) / (1 - kKnee));
}

/// Rounds up or down as `dither` in [0, 1) says, so that gentle slopes show no steps.
std::uint8_t screen_byte(float light, float dither) {
  const float x = film(std::max(0.0f, light));
  const float s = x <= 0.0031308f ? 12.92f * x : 1.055f * std::pow(x, 1 / 2.4f) - 0.055f;
  return static_cast<std::uint8_t>(255 * std::clamp(s, 0.0f, 1.0f) + std::min(dither, 0.999f));
}

/// Averages samples; stops at a quarter of them where they agree. Not in the dark: there the one
/// ray in fifty that finds the sky is seen, and those who stopped before it would stand out black.
Vec3f pixel_light(const Tracer& tracer, int x, int y, const RenderOptions& options,
                  SampleSequence& random) {
  const int first_part = std::max(4, options.samples / 4);
  Vec3f sum = Vec3f::Zero();
  float squares = 0;
  int count = 0;
  while (count < options.samples) {
    random.start(count++);
    const Vec3f light = tracer.sample(x, y, random);
    sum += light;
    squares += light.squaredNorm();
    if (count == first_part) {
      const float variance = squares / count - (sum / count).squaredNorm();
      // A third of a grey level out of 256: no eye sees it.
      constexpr float kVisible = 1.0f / 768;
      constexpr float kBright = 0.25f;
      if (variance <= count * kVisible * kVisible && sum.maxCoeff() > count * kBright) break;
    }
  }
  return sum / count;
}

void check(const RenderOptions& options) {
  if (options.width < 1 || options.height < 1 || options.width > kMostPixels ||
      options.height > kMostPixels) {
    throw Error(fmt::format("a picture of {}x{} pixels", options.width, options.height), "--size",
                fmt::format("give a width and height from 1 to {}", kMostPixels));
  }
  if (options.samples < 1 || options.samples > kMostSamples) {
    throw Error(fmt::format("{} samples a pixel", options.samples), "--samples",
                fmt::format("give a number from 1 to {}", kMostSamples));
  }
}

}  // namespace

Image render(const std::vector<Shape>& shapes, const Camera& camera, const Floor& ground,
             const RenderOptions& options, const Progress& progress) {
  check(options);
  const Tracer tracer(shapes, camera, ground, options);
  const int threads = options.threads > 0
                          ? options.threads
                          : static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  Image image(options.width, options.height);
  for (int begin = 0; begin < options.height; begin += kBand) {
    const int end = std::min(begin + kBand, options.height);
    std::atomic<int> next = begin;
    run_parts(threads, [&](int) {
      for (int y = next++; y < end; y = next++) {
        for (int x = 0; x < options.width; ++x) {
          SampleSequence random(options.seed, static_cast<std::uint32_t>(y) * options.width + x);
          const Vec3f light = pixel_light(tracer, x, y, options, random);
          for (int c = 0; c < 3; ++c) {
            image.pixel(x, y)[c] = screen_byte(light[c], random.dither(c));
          }
        }
      }
    });
    report(progress, "render", static_cast<double>(end) / options.height);
  }
  return image;
}

}  // namespace limber
