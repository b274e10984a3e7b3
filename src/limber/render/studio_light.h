// The light of the studio: key light, sky, backdrop. Linear RGB; white paper in full light is 1.
#pragma once

#include <algorithm>
#include <cmath>

#include "limber/render/shape.h"

namespace limber {

struct StudioLight {
  Vec3f up;
  Vec3f key;  // unit, towards the key light
  Vec3f rim;  // unit, towards a light behind the body that outlines it

  static constexpr float kKeyRadius = 0.16f;  // of the key light's disc at unit distance: 18° wide
  static constexpr float kKeyPower = 0.95f;
  static constexpr float kRimPower = 0.10f;

  [[nodiscard]] Vec3f key_colour() const { return kKeyPower * Vec3f(1.0f, 0.965f, 0.91f); }
  [[nodiscard]] Vec3f rim_colour() const { return kRimPower * Vec3f(0.9f, 0.95f, 1.0f); }

  /// Light from a direction of the dome; a cosine average over the upper half is about 0.5.
  [[nodiscard]] Vec3f sky(const Vec3f& direction) const {
    const float height = direction.dot(up);
    const float t = std::clamp(0.5f * (height + 1), 0.0f, 1.0f);
    return (1 - t) * Vec3f(0.26f, 0.27f, 0.29f) + t * Vec3f(0.40f, 0.43f, 0.49f);
  }

  /// What a polished surface sees: the sky with a large soft panel around the key light.
  [[nodiscard]] Vec3f panel(const Vec3f& direction) const {
    const float c = direction.dot(key);
    const float glow = std::clamp((c - 0.80f) / 0.16f, 0.0f, 1.0f);
    return sky(direction) + glow * glow * (3 - 2 * glow) * Vec3f(2.6f, 2.5f, 2.35f);
  }
};

/// The key light over the viewer's left shoulder, the rim light behind to the right.
inline StudioLight make_studio_light(const Vec3f& right, const Vec3f& backwards, const Vec3f& up) {
  const Vec3f level = (backwards - backwards.dot(up) * up).normalized();
  StudioLight light;
  light.up = up;
  light.key = (-0.62f * right + 0.55f * level + 0.95f * up).normalized();
  light.rim = (0.75f * right - 0.75f * level + 0.55f * up).normalized();
  return light;
}

}  // namespace limber
