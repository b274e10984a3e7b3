// A body and its poses as files give them: tets, a surface carried by tets (given or made), or a
// thin shell.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "limber/interpolate/motion/motion_frames.h"
#include "limber/mesh/tri_mesh.h"

namespace limber {

struct PosedBodyOptions {
  std::filesystem::path rest;
  std::vector<std::filesystem::path> poses;
  std::string clip;                ///< of a rigged surface: its poses in place of files
  std::vector<double> clip_times;  ///< s, where the clip is sampled
  std::vector<std::pair<double, std::filesystem::path>> inserted;  // time and file
  std::filesystem::path surface;  ///< at rest, when the poses are surfaces on the tets
  double surface_stiffness = 30;  ///< how strongly a posed surface pulls at the tets
  int cells = 0;  ///< of the lattice that fills a closed surface; 0: as `limber mesh`
  bool shell = false;
  double thickness = 0;
  int modes = 80;
  Material material;
  std::vector<std::string> fix;   ///< clamped: modes stand still there
  std::vector<std::string> hold;  ///< held in place, modes as of a free body

  /// Everything that is read.
  [[nodiscard]] std::vector<std::filesystem::path> files() const;
  /// The surface at rest.
  [[nodiscard]] const std::filesystem::path& surface_file() const {
    return surface.empty() ? rest : surface;
  }
};

/// What moves, and how to see it.
class PosedBody {
 public:
  /// Reads everything. Throws Error when a pose has other connectivity than the rest shape.
  PosedBody(const PosedBodyOptions& options, const Progress& progress);

  [[nodiscard]] const TriMesh& surface() const { return surface_; }
  /// Empty for shells.
  [[nodiscard]] const TetMesh& tets() const { return tets_; }
  [[nodiscard]] const std::shared_ptr<const PoseModes>& modes() const { return modes_; }
  [[nodiscard]] const std::vector<Positions>& poses() const { return poses_; }
  /// The poses of surface(), one for each of poses().
  [[nodiscard]] std::vector<Positions> surface_poses() const;
  /// Of the surface that tets carry: how many vertices lie outside the tets.
  [[nodiscard]] int vertices_outside() const { return vertices_outside_; }
  /// How long the modes took.
  [[nodiscard]] double eigen_seconds() const { return eigen_seconds_; }

  /// The motion through the poses, `still` those passed at rest; constraints of the body are added
  /// to the options. With `gamma` the poses are a given motion (QuasiStatic).
  void start(const std::vector<double>& times, InterpolationOptions options,
             const std::optional<double>& gamma, const std::vector<int>& still);
  /// After start().
  [[nodiscard]] ShapeInterpolation& motion() { return carried_ ? carried_->shape() : *shape_; }
  /// How far the motion at time t is from a pose, m: of the surface where surfaces are posed.
  [[nodiscard]] double miss(std::size_t pose, double t);

  struct Frame {
    Positions surface;
    Positions nodes;
  };
  void evaluate(double t, Frame& frame);

 private:
  /// `fixed` nodes, and what --hold selects of tets and posed surface.
  void hold(const PosedBodyOptions& options, const std::vector<int>& fixed);
  /// The boundary's vertices among the nodes.
  void shown(const Positions& nodes, Positions& surface) const;
  void fill(const PosedBodyOptions& options, const Progress& progress);
  void read_tets(const PosedBodyOptions& options, const Progress& progress);
  void read_posed_surfaces(const PosedBodyOptions& options, const Progress& progress);
  void read_shell(const PosedBodyOptions& options, const Progress& progress);
  [[nodiscard]] std::vector<std::optional<Positions>> velocities(
      const std::vector<int>& still) const;
  void start_surface(const std::vector<KeyPose>& keys, const std::vector<double>& times,
                     const InterpolationOptions& options);

  TriMesh surface_;
  TetMesh tets_;
  std::vector<int> boundary_nodes_;  // of the surface's vertices; empty for shells
  std::vector<int> held_;
  std::vector<int> held_vertices_;  // of a posed surface
  std::shared_ptr<const PoseModes> modes_;
  double eigen_seconds_ = 0;
  std::vector<Positions> poses_;
  std::vector<std::pair<double, Positions>> inserted_;
  std::optional<ShapeInterpolation> shape_;

  // Where surfaces are posed.
  SurfaceBinding binding_;
  int vertices_outside_ = 0;
  std::vector<Positions> posed_surfaces_;     // as poses_
  std::vector<Positions> inserted_surfaces_;  // as inserted_
  std::optional<SurfaceInterpolation> carried_;
};

}  // namespace limber
