// A plane that bodies fall on: a one-sided spring at each surface node, and dry friction.
//
// Both act at the end of the step. Friction −c s opposes the slip velocity s with a coefficient c
// that keeps |c s| at μ times the pressure, or sticks where that is enough; c follows from the last
// pass, so that the system stays symmetric.
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

  [[nodiscard]] int contact_count() const;
  /// All that it pushes by, N, frame coordinates.
  [[nodiscard]] Vec3 force(const NodeMotion& motion) const;
  /// Of the lowest free node above the plane, m; frame coordinates, as of begin_step().
  [[nodiscard]] double lowest_gap(const Positions& positions) const;
  /// Frame coordinates, as of begin_step().
  [[nodiscard]] const Vec3& normal() const { return normal_; }
  [[nodiscard]] const GroundPlane& plane() const { return plane_; }

  void archive(StateArchive& state) { state.each(contacts_); }

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
  [[nodiscard]] Vec3 slip_velocity(const Contact& contact, const NodeMotion& motion) const;

  GroundPlane plane_;
  std::vector<Contact> contacts_;  // one for each free surface node
  // The plane in the frame at the end of the step, and where old positions are seen from there.
  Vec3 normal_ = Vec3::UnitY();
  double height_ = 0;
  Vec3 old_shift_ = Vec3::Zero();
  Mat3 old_turn_ = Mat3::Identity();
};

}  // namespace limber
