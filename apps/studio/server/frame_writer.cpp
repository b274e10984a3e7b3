#include "server/frame_writer.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace limber::studio {

static_assert(std::endian::native == std::endian::little, "frames are written as they lie");

template <class T>
void FrameWriter::put(T value) {
  char raw[sizeof(T)];
  std::memcpy(raw, &value, sizeof(T));
  bytes_.append(raw, sizeof(T));
}

FrameWriter::FrameWriter(const FrameHeader& header) {
  put<std::uint8_t>(1);
  put<std::uint8_t>(0);
  put(static_cast<std::uint16_t>(header.generation));
  put(header.step);
  put(header.time);
  put(static_cast<float>(1e6 * header.step_seconds));
  put(static_cast<std::uint16_t>(std::clamp(header.contacts, 0, 65535)));
  put(static_cast<std::uint16_t>(header.inputs));
}

void FrameWriter::begin(std::uint8_t kind, std::size_t count, bool placed, double volume_ratio,
                        double error) {
  put(kind);
  put(static_cast<std::uint8_t>((placed ? 1 : 0) | ((count >> 16) << 1)));
  put(static_cast<std::uint16_t>(count));
  put(static_cast<float>(volume_ratio));
  put(static_cast<float>(error));
}

void FrameWriter::put_place(const BodyPlace& place) {
  for (int c = 0; c < 3; ++c) put(static_cast<float>(place.position[c]));
  for (int c = 0; c < 4; ++c) put(static_cast<float>(place.rotation[c]));
}

void FrameWriter::add_modes(std::span<const double> amplitudes, bool warped, const BodyPlace& place,
                            double volume_ratio, double error) {
  const bool placed = !place.is_origin();
  begin(warped ? 1 : 0, amplitudes.size(), placed, volume_ratio, error);
  if (placed) put_place(place);
  for (const double amplitude : amplitudes) put(static_cast<float>(amplitude));
}

void FrameWriter::add_positions(std::span<const float> positions, double volume_ratio,
                                double error) {
  begin(2, positions.size() / 3, false, volume_ratio, error);
  bytes_.append(reinterpret_cast<const char*>(positions.data()), positions.size_bytes());
}

void FrameWriter::add_obstacle(const BodyPlace& place) {
  begin(3, 0, true, 1, 0);
  put_place(place);
}

void FrameWriter::add_contacts(std::span<const float> points_and_forces) {
  begin(4, points_and_forces.size() / 3, false, 1, 0);
  bytes_.append(reinterpret_cast<const char*>(points_and_forces.data()),
                points_and_forces.size_bytes());
}

void FrameWriter::add_joints(std::span<const float> numbers) { add_numbers(6, numbers); }

void FrameWriter::add_motion(std::span<const float> numbers) { add_numbers(7, numbers); }

void FrameWriter::add_field(std::span<const float> values) { add_numbers(8, values); }

void FrameWriter::add_numbers(std::uint8_t kind, std::span<const float> numbers) {
  begin(kind, numbers.size(), false, 1, 0);
  bytes_.append(reinterpret_cast<const char*>(numbers.data()), numbers.size_bytes());
}

void FrameWriter::add_costs(std::span<const double> seconds) {
  begin(5, seconds.size(), false, 1, 0);
  for (const double cost : seconds) put(static_cast<float>(1e6 * cost));
}

}  // namespace limber::studio
