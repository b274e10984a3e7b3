// Dynamic shape interpolation: poses in, a living motion out (Huang et al. 2011).
//
//   x(t) = R(t) T⁻¹( Ŵ z(t) + r(t) + Σ b_i(t) ρ̂_i + Σ φ_j(t) Δ̂_j )
//
// R(t) the frame that turns with the body, z(t) modal amplitudes that oscillate between the keys,
// r(t) and b_i(t) the mean rotation and the keys' residuals blended without oscillation, Δ̂_j
// corrections towards inserted keys, T⁻¹ the Poisson reconstruction.
//
// Deviates: residuals are kept as coordinates, ρ̂_i = T(x_i) − Ŵ z_i, not as positions: keys are met
// exactly either way, but with few modes in-betweens keep their volume. The paper's way is there
// too (Residuals::positions).
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "limber/interpolate/coordinates/pose_modes.h"
#include "limber/interpolate/motion/keyed_constraints.h"
#include "limber/interpolate/motion/keyed_fields.h"
#include "limber/interpolate/motion/pose_ranges.h"
#include "limber/interpolate/motion/rigid_guide.h"
#include "limber/interpolate/reconstruction/frame_kernel.h"
#include "limber/interpolate/reconstruction/reconstruction.h"
#include "limber/interpolate/trajectories/modal_motion.h"

namespace limber {

struct KeyPose {
  double time = 0;                    // s
  Positions pose;                     // n×3
  std::optional<Positions> velocity;  ///< n×3, m/s, where the motion must pass with it
};

/// An existing motion that vibrations are added to (Huang et al. 2011, section 3):
/// X̂ = (1−γ) X̂_given + γ (Ŵ z + …). Its first and last pose are the keys.
struct QuasiStatic {
  std::vector<double> times;
  std::vector<Positions> poses;
  double gamma = 0.5;
};

/// See InterpolationOptions::fits.
inline constexpr int kFitsOfKeptFrames = 2;

enum class Residuals { coordinates, positions };

struct InterpolationOptions {
  MotionControls controls;
  Trajectory trajectory = Trajectory::automatic;
  Residuals residuals = Residuals::coordinates;
  BarycentreOptions barycentre;
  std::vector<PositionConstraint> positions;
  /// Vertices of a carried surface that its poses hold (SurfaceInterpolation), beside those that
  /// hang on held nodes alone.
  std::vector<int> held_vertices;
  std::vector<OrientationConstraint> orientations;
  /// Rounds of rotation_fit.h after each reconstruction. Each costs about ten plain frames: none
  /// for play in real time, two for frames that are kept.
  int fits = 0;
  /// Whether edges and volumes keep between those of the two poses around (pose_ranges.h), where
  /// nothing asks them to leave: swings, paths, turned regions or a given motion. As dear as fits.
  bool within_poses = false;
  int seed = -1;  ///< element where unwrapping starts; -1: the one nearest to rest
  std::optional<QuasiStatic> quasi_static;
};

/// Whether nothing but swings can ask edges to leave the lengths of their poses.
[[nodiscard]] bool follows_poses(const InterpolationOptions& options);

class ShapeInterpolation {
 public:
  /// Keys in ascending time, at least two. Throws Error when a pose does not belong to the mesh or
  /// is not finite, times do not rise, or options are out of range.
  ShapeInterpolation(std::shared_ptr<const PoseModes> modes, const std::vector<KeyPose>& keys,
                     InterpolationOptions options = {});

  /// Other frequencies, damping, weights: only the modes' trajectories are found anew.
  void set_controls(const MotionControls& controls);
  /// Corrects the motion so that it passes through `pose` at `time`, between the keys around it.
  void insert_key(double time, const Positions& pose);
  void remove_inserted_keys();

  /// The shape at time t into `positions` (n×3). Allocates nothing once that has its size. Behind
  /// the last key modes swing on freely.
  void evaluate(double t, Positions& positions);
  [[nodiscard]] Positions evaluate(double t);
  /// The coordinates at time t, in the frame that turns with the body.
  [[nodiscard]] RotationStrain coordinates_at(double t);

  /// Of the time evaluated last: the frame that turns with the body, and one element's coordinates
  /// in it and rotation in the world.
  [[nodiscard]] const Mat3& frame() const { return frame_; }
  [[nodiscard]] ElementCoordinates coordinates_of(int element) const;
  [[nodiscard]] Mat3 rotation_of(int element) const;

  /// Whether nodes are held or regions turned.
  [[nodiscard]] bool constrained() const {
    return !options_.positions.empty() || !options_.orientations.empty();
  }

  [[nodiscard]] double start() const { return times_.front(); }
  [[nodiscard]] double end() const { return times_.back(); }
  [[nodiscard]] const ModalMotion& motion() const { return motion_; }
  [[nodiscard]] const std::vector<ModalPose>& modal_keys() const { return modal_; }
  /// What the key poses looked like on the way in.
  [[nodiscard]] const std::vector<PoseNotes>& notes() const { return notes_; }
  [[nodiscard]] const PoseModes& modes() const { return *modes_; }

 private:
  struct InsertedKey {
    double time;
    CoordinateField correction;
    Positions barycentres;  // what the guide lacks at `time`, parts×3
    Positions held;         // and the held nodes
  };

  void check_keys(const std::vector<KeyPose>& keys) const;
  void add_keys(const std::vector<KeyPose>& keys);
  void add_sequence();
  void make_room();
  void find_position_residuals(const std::vector<KeyPose>& keys);
  /// Sets z_, u_, turn_ and terms_ for time t.
  void prepare(double t);
  void add_terms(double t);
  void add_sequence_terms(double t);
  void turn_regions(double t);
  void set_targets(double t, const Mat3& frame);
  void fit(Positions& positions);
  void keep_within_poses(double t, Positions& positions);
  void add_position_residuals(double t, Positions& positions) const;
  void place_strays(double t, Positions& positions) const;
  [[nodiscard]] double bump(std::size_t inserted, double t) const;

  std::shared_ptr<const PoseModes> modes_;
  InterpolationOptions options_;
  std::vector<double> times_;
  std::vector<ModalPose> modal_;
  std::vector<std::optional<Vector>> modal_velocities_;
  std::vector<PoseNotes> notes_;
  KeyedFields residuals_;
  std::vector<Positions> position_residuals_;
  std::vector<CoordinateField> sequence_;
  std::vector<InsertedKey> inserted_;  // ascending in time
  std::vector<double> all_times_;      // keys and inserted keys
  std::optional<PoseRanges> ranges_;
  RigidGuide guide_;
  KeyedConstraints constraints_;
  Path turning_;  // r(t)
  struct Stray {
    int node;
    Path path;
  };
  std::vector<Stray> strays_;  // nodes of no element go from key to key by themselves
  ModalMotion motion_;
  std::optional<Reconstruction> reconstruction_;
  std::optional<FrameKernel> kernel_;

  // Working memory of evaluate().
  Vector z_;
  Vector u_;
  Vec3 turn_ = Vec3::Zero();
  Mat3 frame_ = Mat3::Identity();
  std::vector<FieldTerm> terms_;
  ReconstructionTargets targets_;
  std::vector<char> stiff_;      // elements of turned regions; empty: none
  std::vector<Mat3> gradients_;  // of all elements, where rotations are fitted
  std::vector<Mat3> turned_;
  std::vector<Mat3> region_turns_;
  std::vector<Vec3> region_w_;
  std::vector<Mat3> region_S_;
};

}  // namespace limber
