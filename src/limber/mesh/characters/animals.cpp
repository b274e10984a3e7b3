// The characters with a face: flubber, dino, elephant, bird, bunny.
#include <cmath>

#include "limber/mesh/characters/cast.h"
#include "limber/mesh/characters/sculptor.h"

namespace limber {

Implicit flubber_solid() {
  Implicit s;
  const int skin = s.add_paint("body", linear_colour(0x5fd33a));
  const int arms = s.add_paint("arms", linear_colour(0x5fd33a));
  const int feet = s.add_paint("feet", linear_colour(0x49b82c));
  s.add(blob({0, 0.29, 0}, {0.27, 0.27, 0.24}, skin, 0));
  s.add(blob({0, 0.70, 0.01}, {0.235, 0.22, 0.21}, skin, 0.2));
  s.add_both(curve({{{0.15, 0.47, 0}, 0.08},
                    {{0.33, 0.44, 0.05}, 0.062},
                    {{0.46, 0.58, 0.08}, 0.07},
                    {{0.49, 0.68, 0.09}, 0.088}},
                   arms, 0.09));
  s.add_both(blob({0.14, 0.065, 0.07}, {0.13, 0.075, 0.17}, feet, 0.06));
  // A drop that would rather be elsewhere.
  s.add(curve({{{0, 0.86, 0}, 0.09}, {{0.015, 0.96, -0.01}, 0.045}, {{0.06, 1.02, -0.01}, 0.03}},
              skin, 0.12));
  add_eyes(s, {0.088, 0.755, 0.165, 0.068, 0.58, {-0.1, 0.05, 1}});
  add_smile(s, {0.115, 0.625, 0.205}, {0, 0.565, 0.235}, 0.024, 0x1f6b1a);
  const int cheek = s.add_paint("cheeks", linear_colour(0x9be86a));
  s.patch_both({ball({0.165, 0.655, 0.15}, 0.04), cheek});
  const int tummy = s.add_paint("tummy", linear_colour(0xa9ec7c));
  s.patch({ellipsoid({0, 0.29, 0.22}, {0.15, 0.17, 0.1}), tummy});
  return s;
}

Implicit dino_solid() {
  Implicit s;
  const int skin = s.add_paint("body", linear_colour(0x3fa7a0));
  const int neck = s.add_paint("neck", linear_colour(0x3fa7a0));
  const int head = s.add_paint("head", linear_colour(0x3fa7a0));
  const int tail = s.add_paint("tail", linear_colour(0x3fa7a0));
  const int legs = s.add_paint("legs", linear_colour(0x2f8a86));
  const int spikes = s.add_paint("spikes", linear_colour(0xf4a64a));
  s.add(blob({0, 0.36, -0.02}, {0.2, 0.2, 0.31}, skin, 0));
  s.add(curve({{{0, 0.40, 0.18}, 0.15},
               {{0, 0.55, 0.36}, 0.095},
               {{0, 0.74, 0.42}, 0.075},
               {{0, 0.90, 0.45}, 0.08}},
              neck, 0.12));
  s.add(blob({0, 0.925, 0.53}, {0.105, 0.098, 0.155}, head, 0.08, turned(8, Vec3::UnitX())));
  s.add(curve({{{0, 0.34, -0.2}, 0.16},
               {{0, 0.27, -0.48}, 0.1},
               {{0.04, 0.2, -0.74}, 0.06},
               {{0.1, 0.24, -0.95}, 0.036},
               {{0.12, 0.36, -1.07}, 0.024}},
              tail, 0.12));
  for (const double z : {0.16, -0.2}) {
    s.add_both(curve(
        {{{0.12, 0.3, z}, 0.1}, {{0.15, 0.15, z + 0.01}, 0.082}, {{0.155, 0.07, z + 0.015}, 0.086}},
        legs, 0.07));
    s.add_both(blob({0.158, 0.045, z + 0.04}, {0.09, 0.05, 0.1}, legs, 0.05));
  }
  const std::vector<Joint> back{
      {{0, 0.88, 0.37}, 0.03},    {{0, 0.74, 0.34}, 0.036},   {{0, 0.63, 0.265}, 0.042},
      {{0, 0.57, 0.13}, 0.052},   {{0, 0.565, -0.02}, 0.058}, {{0, 0.525, -0.17}, 0.052},
      {{0, 0.435, -0.31}, 0.045}, {{0, 0.37, -0.45}, 0.038},  {{0.01, 0.305, -0.59}, 0.03}};
  for (const Joint& plate : back) {
    s.add(blob(plate.at, {0.4 * plate.radius, 1.3 * plate.radius, plate.radius}, spikes, 0.01));
  }
  add_eyes(s, {0.07, 0.975, 0.555, 0.045, 0.62, {0.45, 0.1, 1}});
  add_smile(s, {0.088, 0.905, 0.59}, {0, 0.875, 0.69}, 0.014, 0x1b5e5b);
  const int nose = s.add_paint("nostrils", linear_colour(0x1b5e5b));
  s.patch_both({ball({0.03, 0.945, 0.675}, 0.013), nose});
  const int pale = s.add_paint("tummy", linear_colour(0xcfe9b8));
  s.patch({ellipsoid({0, 0.2, 0.05}, {0.13, 0.13, 0.3}), pale});
  const int spots = s.add_paint("spots", linear_colour(0x2a7f86));
  for (const Vec3& at : {Vec3(0.19, 0.42, 0.06), Vec3(0.17, 0.48, -0.12), Vec3(0.19, 0.38, -0.18),
                         Vec3(0.13, 0.52, -0.02)}) {
    s.patch_both({ball(at, 0.042), spots});
  }
  const int nails = s.add_paint("nails", linear_colour(0xf6efd8));
  for (const double z : {0.16, -0.2}) {
    for (const double x : {0.105, 0.16, 0.212}) {
      s.patch_both({ball({x, 0.02, z + 0.135 - 3 * (x - 0.158) * (x - 0.158)}, 0.024), nails});
    }
  }
  return s;
}

Implicit elephant_solid() {
  Implicit s;
  const int skin = s.add_paint("body", linear_colour(0x9aa7bd));
  const int trunk = s.add_paint("trunk", linear_colour(0x9aa7bd));
  const int ears = s.add_paint("ears", linear_colour(0x8d9ab2));
  const int legs = s.add_paint("legs", linear_colour(0x8996ae));
  const int tail = s.add_paint("tail", linear_colour(0x9aa7bd));
  const int tusks = s.add_paint("tusks", linear_colour(0xfbf6e6));
  s.add(blob({0, 0.50, -0.14}, {0.29, 0.27, 0.36}, skin, 0));
  s.add(blob({0, 0.73, 0.25}, {0.235, 0.235, 0.22}, skin, 0.1));
  s.add(curve({{{0, 0.66, 0.40}, 0.11},
               {{0, 0.50, 0.53}, 0.085},
               {{0, 0.33, 0.56}, 0.07},
               {{0, 0.23, 0.66}, 0.06},
               {{0, 0.29, 0.78}, 0.056},
               {{0, 0.39, 0.81}, 0.06}},
              trunk, 0.08));
  const Mat3 ear_turn = turned(28, Vec3::UnitY()) * turned(-12, Vec3::UnitZ());
  const Part ear{
      disc({0.34, 0.77, 0.15}, 0.19, 0.032, 0.9, ear_turn), {{0.34, 0.77, 0.15}, 0.28}, 0.05, ears};
  s.add_both(ear);
  for (const double z : {0.1, -0.34}) {
    s.add_both(curve({{{0.15, 0.38, z}, 0.12}, {{0.16, 0.2, z}, 0.105}, {{0.16, 0.09, z}, 0.115}},
                     legs, 0.08));
    s.add_both(blob({0.16, 0.035, z + 0.01}, {0.125, 0.04, 0.13}, legs, 0.05));
  }
  s.add(curve({{{0, 0.56, -0.46}, 0.04},
               {{0.02, 0.47, -0.57}, 0.028},
               {{0.05, 0.36, -0.60}, 0.026},
               {{0.06, 0.31, -0.6}, 0.045}},
              tail, 0.04));
  s.add_both(
      curve({{{0.11, 0.60, 0.40}, 0.04}, {{0.135, 0.53, 0.50}, 0.034}, {{0.13, 0.53, 0.58}, 0.024}},
            tusks, 0.015));
  add_eyes(s, {0.115, 0.80, 0.42, 0.05, 0.66, {0.15, 0.05, 1}});
  const int pink = s.add_paint("pink", linear_colour(0xe9a9b4));
  s.patch_both({ellipsoid({0.36, 0.77, 0.2}, {0.14, 0.15, 0.045}, ear_turn), pink});
  s.patch({ball({0, 0.43, 0.83}, 0.055), pink});
  const int nails = s.add_paint("nails", linear_colour(0xefe9dc));
  for (const double z : {0.1, -0.34}) {
    for (const double x : {0.08, 0.16, 0.24}) {
      s.patch_both({ball({x, 0.03, z + 0.145 - 5 * (x - 0.16) * (x - 0.16)}, 0.034), nails});
    }
  }
  return s;
}

Implicit bird_solid() {
  Implicit s;
  const int skin = s.add_paint("body", linear_colour(0x6f7f95));
  const int wings = s.add_paint("wings", linear_colour(0x56667d));
  const int beak = s.add_paint("beak", linear_colour(0xf0b13c));
  const int tail = s.add_paint("tail", linear_colour(0xe9e4d4));
  const int legs = s.add_paint("legs", linear_colour(0xe39a34));
  s.add(blob({0, 0.40, -0.06}, {0.235, 0.225, 0.30}, skin, 0, turned(-14, Vec3::UnitX())));
  s.add(
      curve({{{0, 0.52, 0.12}, 0.13}, {{0, 0.68, 0.21}, 0.1}, {{0, 0.80, 0.22}, 0.1}}, skin, 0.12));
  s.add(blob({0, 0.845, 0.235}, {0.145, 0.14, 0.155}, skin, 0.08));
  // Long and hooked.
  s.add(curve({{{0, 0.835, 0.34}, 0.075},
               {{0, 0.825, 0.46}, 0.062},
               {{0, 0.785, 0.56}, 0.05},
               {{0, 0.70, 0.595}, 0.03}},
              beak, 0.03));
  s.add_both(blob({0.225, 0.40, -0.1}, {0.05, 0.13, 0.2}, wings, 0.03,
                  turned(10, Vec3::UnitY()) * turned(-28, Vec3::UnitX())));
  for (const double x : {-0.055, 0.0, 0.055}) {
    s.add(curve(
        {{{0.5 * x, 0.50, -0.30}, 0.06}, {{x, 0.62, -0.40}, 0.055}, {{1.4 * x, 0.69, -0.5}, 0.05}},
        tail, 0.05));
  }
  s.add_both(
      curve({{{0.11, 0.26, 0}, 0.075}, {{0.115, 0.1, 0.01}, 0.052}, {{0.115, 0.06, 0.02}, 0.05}},
            legs, 0.06));
  s.add_both(blob({0.118, 0.035, 0.06}, {0.085, 0.04, 0.13}, legs, 0.04));
  add_eyes(s, {0.085, 0.885, 0.33, 0.048, 0.6, {0.35, 0.05, 1}});
  const int pale = s.add_paint("breast", linear_colour(0xc9d1da));
  s.patch({ellipsoid({0, 0.36, 0.19}, {0.15, 0.2, 0.14}), pale});
  return s;
}

Implicit bunny_solid() {
  Implicit s;
  const int fur = s.add_paint("body", linear_colour(0xc9a27e));
  const int ears = s.add_paint("ears", linear_colour(0xc9a27e));
  const int legs = s.add_paint("legs", linear_colour(0xbb9370));
  const int white = s.add_paint("tail", linear_colour(0xfaf4ea));
  s.add(blob({0, 0.24, -0.07}, {0.215, 0.225, 0.27}, fur, 0));
  s.add(blob({0, 0.37, 0.06}, {0.16, 0.18, 0.16}, fur, 0.1));
  s.add(blob({0, 0.575, 0.15}, {0.155, 0.145, 0.165}, fur, 0.07));
  s.add_both(blob({0.055, 0.535, 0.27}, {0.065, 0.055, 0.055}, fur, 0.04));
  s.add_both(curve({{{0.07, 0.66, 0.09}, 0.045},
                    {{0.1, 0.79, 0.03}, 0.062},
                    {{0.125, 0.92, -0.03}, 0.056},
                    {{0.13, 0.98, -0.055}, 0.035}},
                   ears, 0.04));
  s.add_both(blob({0.185, 0.16, -0.1}, {0.095, 0.145, 0.175}, legs, 0.05));
  s.add_both(blob({0.175, 0.045, 0.1}, {0.07, 0.048, 0.17}, legs, 0.04));
  s.add_both(
      curve({{{0.1, 0.33, 0.15}, 0.065}, {{0.1, 0.2, 0.22}, 0.055}, {{0.1, 0.06, 0.24}, 0.055}},
            legs, 0.04));
  s.add_both(blob({0.1, 0.035, 0.275}, {0.058, 0.038, 0.08}, legs, 0.03));
  s.add(blob({0, 0.2, -0.36}, {0.09, 0.09, 0.085}, white, 0.02));
  add_eyes(s, {0.1, 0.615, 0.255, 0.045, 0.7, {0.35, 0.05, 1}});
  const int pink = s.add_paint("pink", linear_colour(0xe79aa5));
  s.patch({ellipsoid({0, 0.57, 0.325}, {0.028, 0.02, 0.03}), pink});
  s.patch_both(
      {ellipsoid({0.115, 0.85, 0.06}, {0.032, 0.1, 0.05}, turned(-24, Vec3::UnitX())), pink});
  s.patch({ellipsoid({0, 0.3, 0.2}, {0.1, 0.14, 0.1}), white});
  return s;
}

}  // namespace limber
