// A frame as it goes over the wire; web/src/net/protocol.ts reads it. Little-endian:
//   u8 1, u8 0, u16 generation, u32 step, f64 time (s), f32 step time (µs), u16 contacts, u16
//   inputs
// then for every lane and body
//   u8 kind (0 modes, 1 warped modes, 2 positions), u8 flags, u16 count, f32 volume ratio, f32
//   error [7 f32 position and quaternion when flag 1 is set], count f32 (positions: 3·count f32)
// Bits 1 to 7 of the flags extend the count of positions beyond 65535. Behind them, in the same
// form, for every lane and obstacle its place (kind 3, no numbers), for every lane that shows them
// its contacts (kind 4, positions: point and force by turns, m and N), and once what a step of each
// lane costs (kind 5, f32 µs), for every lane of a scene with joints what they are doing (kind 6,
// ten f32 each: the point on either side, m, the axis, the force, N; −1 where it has broken), for
// every lane the energies (kinetic, elastic, potential, J), momentum (kg m/s) and angular momentum
// about the mass centre (kg m²/s) of its bodies (kind 7, nine f32 each), and while it is shown for
// every lane and body the stress at its vertices (kind 8, Pa).
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "limber/core/types.h"

namespace limber::studio {

struct FrameHeader {
  std::uint32_t generation = 0;
  std::uint32_t step = 0;
  double time = 0;
  double step_seconds = 0;
  int contacts = 0;
  std::uint32_t inputs = 0;
};

/// Where a body's own frame stands. Bodies that hang on a support at rest have none.
struct BodyPlace {
  Vec3 position = Vec3::Zero();
  Eigen::Vector4d rotation{0, 0, 0, 1};  // x y z w
  [[nodiscard]] bool is_origin() const {
    return position.isZero(0) && rotation == Eigen::Vector4d(0, 0, 0, 1);
  }
};

class FrameWriter {
 public:
  explicit FrameWriter(const FrameHeader& header);

  void add_modes(std::span<const double> amplitudes, bool warped, const BodyPlace& place,
                 double volume_ratio, double error);
  /// x, y, z of every vertex, in the world.
  void add_positions(std::span<const float> positions, double volume_ratio, double error);
  void add_obstacle(const BodyPlace& place);
  /// Six numbers a contact: where it is, m, and the force there, N.
  void add_contacts(std::span<const float> points_and_forces);
  /// Ten numbers a joint: see above.
  void add_joints(std::span<const float> numbers);
  /// Nine numbers a body.
  void add_motion(std::span<const float> numbers);
  /// One number a vertex.
  void add_field(std::span<const float> values);
  /// s a step, lane by lane.
  void add_costs(std::span<const double> seconds);

  [[nodiscard]] std::string take() { return std::move(bytes_); }

 private:
  template <class T>
  void put(T value);
  void add_numbers(std::uint8_t kind, std::span<const float> numbers);
  void put_place(const BodyPlace& place);
  void begin(std::uint8_t kind, std::size_t count, bool placed, double volume_ratio, double error);

  std::string bytes_;
};

}  // namespace limber::studio
