// A plane that bodies fall on: a one-sided spring at each surface node, and dry friction.
//
// Both act at the end of the step. Friction is a spring along the plane from where a node stuck,
// which gives way at μ times the pressure: −c (s + u/h), with the slip velocity s of the step and
// the stretch u that it began with. The coefficient c follows from the last pass, so that the
// system stays symmetric; without u, what sticks would creep under every load.
#pragma once

#include <vector>

#include "limber/core/state_archive.h"
#include "limber/dynamics/frame/frame_motion.h"
#include "limber/dynamics/full_space/attachment.h"
#include "limber/dynamics/full_space/simulated_mesh.h"

namespace limber {

/// World coordinates: the body stays where normal·X ≥ offset.
struct GroundPlane {
  Vec3 normal = Vec3::UnitY();
  double offset = 0;    ///< m
  double friction = 0;  ///< Coulomb's μ
};

/// One node on the plane; world.
struct GroundContact {
  Vec3 point = Vec3::Zero();  ///< m
  Vec3 force = Vec3::Zero();  ///< N, on the body
};

class Ground final : public Attachment {
 public:
  static constexpr double kHardness = 10;

  /// `mesh` must outlive this. Throws Error when the normal has no length or friction is negative.
  Ground(const SimulatedMesh& mesh, const GroundPlane& plane);

  /// Springs become kHardness times as stiff as the nodes themselves are, so that bodies sink in
  /// by a small part of what they deform. `rest` is the step's matrix, `elastic` its factor of K.
  void set_stiffness(const BlockMatrix& rest, double elastic);
  /// The frames at the two ends of the next step.
  void begin_step(const FrameState& start, const FrameState& end);
  /// The step is taken: remembers how far friction is stretched.
  void end_step(const NodeMotion& motion, const FrameState& end);

  [[nodiscard]] int contact_count() const;
  /// Where it touches at the end of the last step and how it pushes there (m and N, world): the
  /// springs as they are then. `positions` and `frame` are the body's now.
  [[nodiscard]] std::vector<GroundContact> contacts(const Positions& positions,
                                                    const FrameState& frame) const;
  /// All that it pushes by, N, frame coordinates.
  [[nodiscard]] Vec3 force(const NodeMotion& motion) const;
  /// Of the lowest free node above the plane, m; frame coordinates, as of begin_step().
  [[nodiscard]] double lowest_gap(const Positions& positions) const;
  /// Frame coordinates, as of begin_step().
  [[nodiscard]] const Vec3& normal() const { return normal_; }
  [[nodiscard]] const GroundPlane& plane() const { return plane_; }

  void archive(StateArchive& state) {
    state.each(contacts_);
    state.list(stretches_);
  }

  bool linearise(const NodeMotion& motion, int pass) override;
  void add_forces(const NodeMotion& motion, Positions& forces) const override;
  void add_blocks(double elastic, double damping,
                  std::vector<AttachedBlock>& blocks) const override;
  double energy(const NodeMotion& motion) const override;
  bool active() const override { return true; }

 private:
  struct Contact {
    int node = 0;
    int row = 0;           // among the free nodes
    double stiffness = 0;  // N/m
    bool touches = false;
    double friction = 0;  // c, N·s/m

    void archive(StateArchive& state) {
      state.value(node);
      state.value(row);
      state.value(stiffness);
      state.value(touches);
      state.value(friction);
    }
  };
  [[nodiscard]] double gap(const Vec3& x) const { return normal_.dot(x) + height_; }
  [[nodiscard]] Vec3 force_on(const Contact& contact, const NodeMotion& motion) const;
  /// s + u/h, along the plane.
  [[nodiscard]] Vec3 stretching(const Contact& contact, const NodeMotion& motion) const;

  GroundPlane plane_;
  std::vector<Contact> contacts_;  // one for each free surface node
  std::vector<Vec3> stretches_;    // u of each, m, world
  // The plane in the frame at the end of the step, and where old positions are seen from there.
  Vec3 normal_ = Vec3::UnitY();
  double height_ = 0;
  Vec3 old_shift_ = Vec3::Zero();
  Mat3 old_turn_ = Mat3::Identity();
  Mat3 to_frame_ = Mat3::Identity();
};

}  // namespace limber
