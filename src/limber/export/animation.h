// Animations for other programs: bodies whose surfaces (and tetrahedra) move from frame to frame.
//
// | ending | program              | holds                                                        |
// |--------|----------------------|--------------------------------------------------------------|
// | .glb   | any viewer, Blender  | surfaces, morph targets, normals, colours, uv                |
// | .mdd   | LightWave, Blender   | surface points, seconds; one file a body                     |
// | .pc2   | 3ds Max, Blender     | surface points, evenly spaced frames; one file a body        |
// | .pvd   | ParaView             | tetrahedra (or surface), displacement, velocity, regions     |
// | .usda  | Houdini, Maya, ...   | surfaces, normals, extents, colours, uv, materials           |
// | .npz   | numpy                | nodes in double precision, tetrahedra, triangles, times      |
//
// World coordinates in metres, y up, as given. Every file but .npz holds single precision.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "limber/core/progress.h"
#include "limber/core/types.h"
#include "limber/mesh/tet_mesh.h"
#include "limber/mesh/tri_mesh.h"

namespace limber {

/// A body at rest. `tets` may be empty.
struct AnimatedBody {
  std::string name;
  TriMesh surface;
  TetMesh tets;
};

/// One frame of one body, in world coordinates.
struct BodyFrame {
  Positions surface;     ///< one row a vertex of the surface, always
  Positions nodes;       ///< one row a node of the tets; may be empty unless wants_nodes()
  Positions velocities;  ///< of the nodes, m/s; empty where unknown
};

/// Of a body's size, for allow_error(): a hundredth of a millimetre of a metre, which nobody sees.
inline constexpr double kInvisibleError = 1e-5;

/// Takes frames one by one and keeps them on disk, not in memory; nothing appears under the final
/// name before finish(), and nothing stays behind when it is never called.
class AnimationWriter {
 public:
  virtual ~AnimationWriter();
  AnimationWriter(const AnimationWriter&) = delete;
  AnimationWriter& operator=(const AnimationWriter&) = delete;

  /// Bodies in the order given to open_animation(). Throws Error when a count differs from the
  /// body's, a number is not finite, or time does not grow. A frame refused leaves the writer as
  /// it was.
  void add_frame(double time, std::span<const BodyFrame> bodies);

  /// Writes everything and returns the files, the one to open in front; a folder of frames counts
  /// as one. Throws Error when there was no frame. To be called once.
  std::vector<std::filesystem::path> finish(const Progress& progress = {});

  /// Lets points be off by this share of their body's size where that makes the file smaller: .glb
  /// then mixes all frames of a few shapes (motion_basis.h), .usda has fewer decimals. Zero, the
  /// default, keeps single precision. To be called before finish().
  void allow_error(double share_of_size) { allowed_error_ = share_of_size; }

  /// Whether this format shows the nodes of bodies with tets; otherwise callers may leave
  /// BodyFrame::nodes empty.
  [[nodiscard]] virtual bool wants_nodes() const { return false; }
  [[nodiscard]] std::size_t frame_count() const { return times_.size(); }

 protected:
  AnimationWriter(std::filesystem::path path, std::vector<AnimatedBody> bodies,
                  double frames_per_second);

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  [[nodiscard]] const std::vector<AnimatedBody>& bodies() const { return bodies_; }
  [[nodiscard]] const std::vector<double>& times() const { return times_; }
  [[nodiscard]] double frames_per_second() const { return frames_per_second_; }
  [[nodiscard]] double allowed_error() const { return allowed_error_; }

 private:
  /// Keeps one frame, already checked; times() does not hold its time yet.
  virtual void append(double time, std::span<const BodyFrame> bodies) = 0;
  /// Writes times().size() ≥ 1 frames.
  virtual std::vector<std::filesystem::path> write(const Progress& progress) = 0;

  std::filesystem::path path_;
  std::vector<AnimatedBody> bodies_;
  std::vector<double> times_;
  double frames_per_second_;
  double allowed_error_ = 0;
  bool finished_ = false;
};

/// The writer for the path's ending. Throws Error for an unknown ending, a folder that cannot be
/// written, no body, or a body whose surface is empty or refers to vertices it has not.
[[nodiscard]] std::unique_ptr<AnimationWriter> open_animation(const std::filesystem::path& path,
                                                              std::vector<AnimatedBody> bodies,
                                                              double frames_per_second);

/// Whether the path's ending, in any case, names one of the formats above. `.glb` is also a format
/// of still surfaces: the caller knows which it has.
[[nodiscard]] bool is_animation_format(const std::filesystem::path& path);

}  // namespace limber
