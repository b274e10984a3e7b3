#include "limber/rig/bvh.h"

#include <array>
#include <cmath>
#include <numbers>

#include "limber/core/error.h"
#include "limber/core/file.h"
#include "limber/mesh/formats/scanner.h"
#include "limber/mesh/tet_geometry.h"

namespace limber {

namespace {
constexpr int kDeepest = 500;
constexpr double kShortestFrame = 1e-12, kLongestFrame = 1e9;  // s

struct Channel {
  bool turns = false;
  int axis = 0;
};

struct BvhJoint {
  std::string name;
  int parent = -1;
  Vec3 offset = Vec3::Zero();
  Vec3 end = Vec3::Zero();  ///< of the end site, from the joint
  bool has_end = false;
  std::vector<Channel> channels;

  /// From the joint to its parent; `values` are those of its channels.
  [[nodiscard]] Eigen::Affine3d place(const double* values) const {
    Vec3 position = offset;
    Mat3 rotation = Mat3::Identity();
    for (std::size_t c = 0; c < channels.size(); ++c) {
      if (channels[c].turns) {
        const double angle = values[c] * std::numbers::pi / 180;
        rotation = rotation * Eigen::AngleAxisd(angle, Vec3::Unit(channels[c].axis));
      } else {
        position[channels[c].axis] = values[c];
      }
    }
    Eigen::Affine3d place = Eigen::Affine3d::Identity();
    place.translation() = position;
    place.linear() = rotation;
    return place;
  }
};

struct Motion {
  std::vector<BvhJoint> joints;  ///< parents first
  double frame_time = 0;
  std::size_t frames = 0;
  std::size_t width = 0;       ///< channels a frame
  std::vector<double> values;  ///< frames × width
};

class BvhReader {
 public:
  BvhReader(std::string_view text, const std::string& file_name) : scanner_(text, file_name) {}

  Motion read() {
    scanner_.expect("HIERARCHY");
    while (scanner_.peek() == "ROOT") {
      scanner_.word();
      read_joint(-1, 0);
    }
    if (motion_.joints.empty()) scanner_.fail("a BVH file without a ROOT");
    read_frames();
    return std::move(motion_);
  }

 private:
  Vec3 vector() {
    Vec3 v;
    for (int c = 0; c < 3; ++c) v[c] = bounded();
    return v;
  }

  /// A place or an angle; so that sums over bones stay numbers.
  double bounded() {
    const double value = scanner_.number();
    if (!(std::abs(value) <= kLargestCoordinate)) scanner_.fail("a number beyond every place");
    return value;
  }

  void read_joint(int parent, int depth) {
    if (depth > kDeepest) scanner_.fail("joints nested too deeply");
    const auto number = motion_.joints.size();
    motion_.joints.push_back({});
    motion_.joints.back().parent = parent;
    // Names may hold blanks: they end with the line or at the brace.
    std::string_view name = trimmed(scanner_.line());
    const bool opened = name.ends_with('{');
    if (opened) name = trimmed(name.substr(0, name.size() - 1));
    motion_.joints.back().name = std::string(name);
    if (!opened) scanner_.expect("{");
    for (std::string_view word = scanner_.word(); word != "}"; word = scanner_.word()) {
      if (word == "OFFSET") {
        motion_.joints[number].offset = vector();
      } else if (word == "CHANNELS") {
        read_channels(motion_.joints[number]);
      } else if (word == "JOINT") {
        read_joint(static_cast<int>(number), depth + 1);
      } else if (word == "End") {
        scanner_.line();
        scanner_.expect("{");
        scanner_.expect("OFFSET");
        motion_.joints[number].end = vector();
        motion_.joints[number].has_end = true;
        scanner_.expect("}");
      } else {
        scanner_.fail("expected OFFSET, CHANNELS, JOINT or End, found " + in_quotes(word));
      }
    }
  }

  void read_channels(BvhJoint& joint) {
    if (!joint.channels.empty()) scanner_.fail("a joint with two lists of channels");
    const std::int64_t count = scanner_.integer();
    if (count < 0 || count > 6) scanner_.fail("a joint has up to 6 channels");
    for (std::int64_t c = 0; c < count; ++c) {
      const std::string name = lower_case(scanner_.word());
      const bool turns = name.ends_with("rotation");
      if (name.empty() || name[0] < 'x' || name[0] > 'z' ||
          (!turns && !name.ends_with("position"))) {
        scanner_.fail("unknown channel " + in_quotes(name));
      }
      joint.channels.push_back({turns, name[0] - 'x'});
    }
    motion_.width += joint.channels.size();
  }

  void read_frames() {
    if (motion_.width == 0) scanner_.fail("a BVH file without channels");
    scanner_.expect("MOTION");
    scanner_.expect("Frames:");
    motion_.frames = scanner_.count("frames", 2 * motion_.width);
    scanner_.expect("Frame");
    scanner_.expect("Time:");
    motion_.frame_time = bounded();
    if (motion_.frames == 0) scanner_.fail("a BVH file without motion");
    if (!(motion_.frame_time >= kShortestFrame && motion_.frame_time <= kLongestFrame)) {
      scanner_.fail("the time of a frame must lie between 1e-12 s and 1e9 s");
    }
    motion_.values.reserve(motion_.frames * motion_.width);
    for (std::size_t i = 0; i < motion_.frames * motion_.width; ++i) {
      motion_.values.push_back(bounded());
    }
  }

  Scanner scanner_;
  Motion motion_;
};

std::vector<Eigen::Affine3d> world_frames(const Motion& motion, const std::vector<double>& values,
                                          double scale) {
  std::vector<Eigen::Affine3d> frames;
  const double* next = values.data();
  for (const BvhJoint& joint : motion.joints) {
    const Eigen::Affine3d place = joint.place(next);
    next += joint.channels.size();
    frames.push_back(joint.parent < 0 ? place : frames[joint.parent] * place);
  }
  for (Eigen::Affine3d& frame : frames) frame.translation() *= scale;
  return frames;
}

/// At rest rotations are zero and offsets stand.
std::vector<double> rest_values(const Motion& motion) {
  std::vector<double> values;
  for (const BvhJoint& joint : motion.joints) {
    for (const Channel& channel : joint.channels) {
      values.push_back(channel.turns ? 0 : joint.offset[channel.axis]);
    }
  }
  return values;
}

std::vector<Bone> bones_at_rest(const Motion& motion, double scale) {
  const std::vector<Eigen::Affine3d> frames = world_frames(motion, rest_values(motion), scale);
  std::vector<Bone> bones;
  std::vector<int> children(motion.joints.size(), 0);
  for (std::size_t j = 0; j < motion.joints.size(); ++j) {
    const BvhJoint& joint = motion.joints[j];
    const Vec3 head = frames[j].translation();
    bones.push_back({joint.name, joint.parent, frames[j], head + scale * joint.end});
    if (joint.parent < 0 || motion.joints[joint.parent].has_end) continue;
    // A running mean of the children's heads.
    Bone& parent = bones[joint.parent];
    if (children[joint.parent]++ == 0) parent.tail.setZero();
    parent.tail += (head - parent.tail) / children[joint.parent];
  }
  return bones;
}

class BvhSkeleton final : public Skeleton {
 public:
  BvhSkeleton(const std::string& file_name, Motion motion, double scale)
      : Skeleton(
            file_name, bones_at_rest(motion, scale),
            {{std::filesystem::path(file_name).stem().string(), 0,
              static_cast<double>(motion.frames - 1) * motion.frame_time, 1 / motion.frame_time}}),
        motion_(std::move(motion)),
        scale_(scale) {}

  /// Between two frames joints turn the short way at an even pace.
  [[nodiscard]] std::vector<Eigen::Affine3d> frames(int /*clip*/, double time) const override {
    const double last = static_cast<double>(motion_.frames - 1);
    const double at = std::clamp(time / motion_.frame_time, 0.0, last);
    const auto before = static_cast<std::size_t>(at);
    const double t = at - static_cast<double>(before);
    if (t == 0) return world_frames(motion_, frame(before), scale_);
    const std::vector<double> a = frame(before);
    const std::vector<double> b = frame(before + 1);
    std::vector<Eigen::Affine3d> result;
    std::size_t first = 0;
    for (const BvhJoint& joint : motion_.joints) {
      const Eigen::Affine3d from = joint.place(&a[first]);
      const Eigen::Affine3d to = joint.place(&b[first]);
      first += joint.channels.size();
      Eigen::Affine3d place = Eigen::Affine3d::Identity();
      place.translation() = (1 - t) * from.translation() + t * to.translation();
      place.linear() = Eigen::Quaterniond(from.linear())
                           .slerp(t, Eigen::Quaterniond(to.linear()))
                           .toRotationMatrix();
      result.push_back(joint.parent < 0 ? place : result[joint.parent] * place);
    }
    for (Eigen::Affine3d& placed : result) placed.translation() *= scale_;
    return result;
  }

 private:
  [[nodiscard]] std::vector<double> frame(std::size_t number) const {
    const auto first = motion_.values.begin() + static_cast<std::ptrdiff_t>(number * motion_.width);
    return {first, first + static_cast<std::ptrdiff_t>(motion_.width)};
  }

  Motion motion_;
  double scale_;
};
}  // namespace

std::unique_ptr<const Skeleton> read_bvh(std::string_view text, const std::string& file_name,
                                         double scale) {
  return std::make_unique<const BvhSkeleton>(file_name, BvhReader(text, file_name).read(), scale);
}

std::unique_ptr<const Skeleton> read_bvh(const std::filesystem::path& path, double scale) {
  const FileBytes file(path);
  return read_bvh(file.text(), path.string(), scale);
}

}  // namespace limber
