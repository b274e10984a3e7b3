#include "limber/mesh/gltf/gltf_clips.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>

namespace limber {

namespace {
using Moves = GltfCurve::Moves;
using Between = GltfCurve::Between;

std::optional<Moves> moved_by(const nlohmann::json& target) {
  const std::string path =
      target.is_object() && target.contains("path") && target["path"].is_string()
          ? target["path"].get<std::string>()
          : "";
  if (path == "translation") return Moves::translation;
  if (path == "rotation") return Moves::rotation;
  if (path == "scale") return Moves::scale;
  if (path == "weights") return Moves::weights;
  return std::nullopt;
}

Between between_keys(const GltfDocument& document, const nlohmann::json& sampler) {
  const auto given = sampler.find("interpolation");
  if (given == sampler.end() || *given == "LINEAR") return Between::linear;
  if (*given == "STEP") return Between::step;
  if (*given == "CUBICSPLINE") return Between::cubic;
  document.fail("a clip has an unknown interpolation");
}

void check_numbers(const GltfDocument& document, const std::string& clip, const GltfCurve& curve) {
  const auto finite = [](double x) { return std::isfinite(x); };
  if (!std::all_of(curve.times.begin(), curve.times.end(), finite) ||
      !std::all_of(curve.values.begin(), curve.values.end(), finite)) {
    document.fail("clip \"" + clip + "\" has numbers that are not finite");
  }
  if (std::adjacent_find(curve.times.begin(), curve.times.end(), std::greater_equal<>()) !=
      curve.times.end()) {
    document.fail("clip \"" + clip + "\" has times that do not ascend");
  }
}

/// Sets the curve's width from the count of its values.
void fit_width(const GltfDocument& document, const std::string& clip, GltfCurve& curve) {
  const std::size_t keys = curve.times.size() * (curve.between == Between::cubic ? 3 : 1);
  curve.width = keys > 0 ? curve.values.size() / keys : 0;
  const bool fits = curve.width * keys == curve.values.size() &&
                    (curve.moves == Moves::weights    ? curve.width > 0
                     : curve.moves == Moves::rotation ? curve.width == 4
                                                      : curve.width == 3);
  if (!fits) document.fail("clip \"" + clip + "\" has a wrong number of values");
}

void set_range(GltfClip& clip) {
  bool any = false;
  for (const GltfCurve& curve : clip.curves) {
    clip.first = any ? std::min(clip.first, curve.times.front()) : curve.times.front();
    clip.last = any ? std::max(clip.last, curve.times.back()) : curve.times.back();
    any = true;
    const double span = curve.times.back() - curve.times.front();
    if (span > 0) {
      clip.frame_rate =
          std::max(clip.frame_rate, static_cast<double>(curve.times.size() - 1) / span);
    }
  }
}

Eigen::Quaterniond quaternion(const std::vector<double>& xyzw, std::size_t first) {
  return Eigen::Quaterniond(xyzw[first + 3], xyzw[first], xyzw[first + 1], xyzw[first + 2]);
}

std::vector<double> numbers_of(const Eigen::Quaterniond& q) { return {q.x(), q.y(), q.z(), q.w()}; }

/// The shorter way round between unit quaternions, whatever lengths the file gives.
std::vector<double> slerped(const std::vector<double>& values, std::size_t before, double t) {
  const Eigen::Quaterniond a = quaternion(values, before);
  const Eigen::Quaterniond b = quaternion(values, before + 4);
  if (a.norm() == 0 || b.norm() == 0) return numbers_of(a.norm() == 0 ? b : a);
  return numbers_of(a.normalized().slerp(t, b.normalized()));
}
}  // namespace

std::vector<double> GltfCurve::at(double time) const {
  const bool cubic = between == Between::cubic;
  const std::size_t stride = cubic ? 3 * width : width;
  const std::size_t value = cubic ? width : 0;  // within a key
  const auto key = [&](std::size_t k) {
    const auto first = values.begin() + static_cast<std::ptrdiff_t>(k * stride + value);
    return std::vector<double>(first, first + static_cast<std::ptrdiff_t>(width));
  };
  if (!(time > times.front())) return key(0);
  if (time >= times.back()) return key(times.size() - 1);
  const auto next =
      static_cast<std::size_t>(std::upper_bound(times.begin(), times.end(), time) - times.begin());
  const std::size_t before = next - 1;
  if (between == Between::step) return key(before);
  const double span = times[next] - times[before];
  const double t = (time - times[before]) / span;
  if (!cubic) {
    if (moves == Moves::rotation) return slerped(values, before * stride, t);
    std::vector<double> mixed = key(before);
    const std::vector<double> after = key(next);
    for (std::size_t i = 0; i < width; ++i) mixed[i] += t * (after[i] - mixed[i]);
    return mixed;
  }
  std::vector<double> mixed(width);
  const double* const a = &values[before * stride];
  const double* const b = &values[next * stride];
  const double t2 = t * t;
  const double t3 = t2 * t;
  for (std::size_t i = 0; i < width; ++i) {
    mixed[i] = (2 * t3 - 3 * t2 + 1) * a[width + i] + span * (t3 - 2 * t2 + t) * a[2 * width + i] +
               (3 * t2 - 2 * t3) * b[width + i] + span * (t3 - t2) * b[i];
  }
  return mixed;
}

void GltfClip::apply(double time, GltfPose& pose) const {
  for (const GltfCurve& curve : curves) {
    const std::vector<double> value = curve.at(time);
    const auto node = static_cast<std::size_t>(curve.node);
    if (curve.moves == Moves::weights) {
      pose.weights[node] = value;
      continue;
    }
    NodePlace& place = pose.places[node];
    place.decompose();
    if (curve.moves == Moves::rotation) {
      const Eigen::Quaterniond rotation = quaternion(value, 0);
      if (rotation.norm() > 0) place.rotation = rotation.normalized();
    } else {
      (curve.moves == Moves::scale ? place.scale : place.translation) << value[0], value[1],
          value[2];
    }
  }
}

std::vector<GltfClip> read_clips(const GltfDocument& document, const GltfNodes& nodes,
                                 std::size_t& left_out) {
  std::vector<GltfClip> clips;
  for (std::size_t c = 0; c < document.item_count("animations"); ++c) {
    const nlohmann::json& described = document.item("animations", c);
    GltfClip clip;
    clip.name = GltfDocument::name(described, "clip " + std::to_string(c));
    const nlohmann::json& samplers = gltf_list(described, "samplers");
    for (const nlohmann::json& channel : gltf_list(described, "channels")) {
      if (!channel.is_object() || !channel.contains("target")) document.fail("damaged clip");
      const nlohmann::json& target = channel["target"];
      const std::optional<Moves> moves = moved_by(target);
      if (!moves || !target.contains("node")) {
        ++left_out;
        continue;
      }
      const std::size_t node = document.whole(target["node"]);
      const std::size_t number = document.whole(channel, "sampler", GltfDocument::kNone);
      if (node >= nodes.nodes().size() || number >= samplers.size() ||
          !samplers[number].is_object()) {
        document.fail("clip \"" + clip.name + "\" names what is not there");
      }
      const nlohmann::json& sampler = samplers[number];
      GltfCurve curve;
      curve.node = static_cast<int>(node);
      curve.moves = *moves;
      curve.between = between_keys(document, sampler);
      curve.times = document.accessor(document.whole(sampler, "input", GltfDocument::kNone)).values;
      curve.values =
          document.accessor(document.whole(sampler, "output", GltfDocument::kNone)).values;
      fit_width(document, clip.name, curve);
      check_numbers(document, clip.name, curve);
      clip.curves.push_back(std::move(curve));
    }
    set_range(clip);
    clips.push_back(std::move(clip));
  }
  return clips;
}

}  // namespace limber
