// Animations of a glTF file: curves that move nodes and weigh morph targets.
#pragma once

#include <string>
#include <vector>

#include "limber/mesh/gltf/gltf_nodes.h"

namespace limber {

/// One curve. Before its first and after its last key it keeps their values.
struct GltfCurve {
  enum class Moves { translation, rotation, scale, weights };
  enum class Between { step, linear, cubic };

  int node = 0;
  Moves moves = Moves::translation;
  Between between = Between::linear;
  std::size_t width = 3;      ///< numbers a value: 3, 4, or the number of morph targets
  std::vector<double> times;  ///< s, ascending
  std::vector<double>
      values;  ///< width a key; for cubic ones 3·width: in-tangent, value, out-tangent

  /// glTF 2.0, appendix C.
  [[nodiscard]] std::vector<double> at(double time) const;
};

struct GltfClip {
  std::string name;
  double first = 0;       ///< s, the earliest key
  double last = 0;        ///< s, the latest
  double frame_rate = 0;  ///< keys a second of the curve with most of them; 0 with one key
  std::vector<GltfCurve> curves;

  /// Moves what the clip moves; the rest stays as it is.
  void apply(double time, GltfPose& pose) const;
};

/// Channels that Limber cannot follow (KHR_animation_pointer) are counted in `left_out`.
[[nodiscard]] std::vector<GltfClip> read_clips(const GltfDocument& document, const GltfNodes& nodes,
                                               std::size_t& left_out);

}  // namespace limber
