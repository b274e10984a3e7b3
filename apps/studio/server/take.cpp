#include "server/take.h"

namespace limber::studio {

std::shared_ptr<const PackedBytes> Recording::packed_surfaces() const {
  std::call_once(once_, [this] {
    std::string floats;
    floats.reserve(bytes);
    for (const auto& frame : surfaces) {
      for (const std::vector<float>& surface : frame) {
        floats.append(reinterpret_cast<const char*>(surface.data()),
                      sizeof(float) * surface.size());
      }
    }
    packed_ = std::make_shared<const PackedBytes>(packed(floats));
  });
  return packed_;
}

std::size_t Take::frame_at(double time) const {
  const auto& times = recording->times;
  std::size_t frame = from;
  // Half a frame's tolerance: times are sums of steps.
  while (frame < to && times[frame + 1] - times[from] <= time + 0.5 * kFrameTime) ++frame;
  return frame;
}

std::size_t bytes_of(const std::vector<Take>& takes) {
  std::size_t sum = 0;
  for (const Take& take : takes) sum += take.recording->bytes;
  return sum;
}

}  // namespace limber::studio
