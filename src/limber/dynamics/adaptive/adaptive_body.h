// A body at full resolution with fine elements where it is bent, held or touched, and coarse ones
// elsewhere (Debunne et al. 2001; Müller et al. 2002, 1.1: "We also use this method in our
// system").
//
// Outside it is a body of the finest mesh: nodes, points, handles, loads and states are that
// mesh's. Inside it is a FullBody of the leaves that there are for now, made anew when they change,
// by any method. Between changes it is that body, bit by bit.
//
// A change of the leaves, x and v being the fields of before, m the finest mesh's lumped masses, P
// from the new leaves' nodes to the finest mesh, m' = Pᵀ m:
//   nodes that stay    x' = x + (m')⁻¹ Pᵀ m (x − P x)      (v' in the same way)
//   nodes that come    x' = (x_a + x_b)/2
// Where nothing goes x' = x: the field is the same. Where nodes go, the mass centre and the
// momentum stay, and linear fields, rigid motions among them, are exact. What is left of the
// angular momentum is set right on free bodies. Fixed nodes stay, and so does what they would take.
// Friction of the body's own ground begins afresh, and what stiffness warping passes on to the next
// step (three thousandths of a step's impulses at most) is lost.
// Steps that change the leaves allocate; others do not.
#pragma once

#include <memory>
#include <optional>

#include "limber/dynamics/adaptive/adaptive_handles.h"
#include "limber/dynamics/adaptive/leaf_choice.h"
#include "limber/dynamics/full_space/full_body.h"

namespace limber {

class AdaptiveBody final : public DynamicBody {
 public:
  /// All nodes are those of tree->finest(). Throws Error as FullBody does, and for a core.
  AdaptiveBody(std::shared_ptr<const TetTree> tree, Materials materials,
               const std::vector<int>& fixed_nodes, const AdaptiveOptions& adaptive,
               const FullBodyOptions& options = {}, Loads loads = {}, SupportMotion support = {});

  [[nodiscard]] Method method() const override { return inner_->method(); }
  [[nodiscard]] int node_count() const override { return tree_->finest().node_count(); }
  [[nodiscard]] bool is_free() const override { return inner_->is_free(); }
  [[nodiscard]] double mass() const override { return inner_->mass(); }

  [[nodiscard]] Fault predict(double h, StepKind kind) noexcept override;
  [[nodiscard]] Fault commit() noexcept override;
  [[nodiscard]] const StepStatus& last_step() const override { return inner_->last_step(); }
  void end_touching() noexcept override;
  void idle(double h) noexcept override { inner_->idle(h); }

  void point_states(std::span<const BodyPoint> points,
                    std::span<PointState> states) const noexcept override;
  [[nodiscard]] Vec3 point_turn(const BodyPoint& point) const override;
  void reserve_rows(int rows) override;
  void set_rows(std::span<const BodyRow> rows, double h, float* scaled,
                std::ptrdiff_t stride) noexcept override;
  [[nodiscard]] int row_length(int rows) const noexcept override {
    return inner_->row_length(rows);
  }
  void scaled_motion(float* velocity, float* displacement) const noexcept override {
    inner_->scaled_motion(velocity, displacement);
  }
  void apply(std::span<const double> impulses, bool move,
             std::span<const Vec3> carried = {}) noexcept override;

  [[nodiscard]] Handles& handles() override { return handles_; }
  [[nodiscard]] const Handles& handles() const override { return handles_; }
  void set_loads(Loads loads) override;
  [[nodiscard]] const Loads& loads() const override { return loads_; }
  void set_support(SupportMotion support) override;
  [[nodiscard]] const SupportMotion& support() const override { return support_; }
  void set_damping(const Damping& damping) override;
  void apply_impulse(const BodyPoint& point, const Vec3& impulse) override;
  void place(const Vec3& position, const Mat3& rotation) override {
    inner_->place(position, rotation);
  }
  void set_velocity(const Vec3& velocity, const Vec3& angular_velocity) override {
    inner_->set_velocity(velocity, angular_velocity);
  }
  /// The leaves of now take it where their nodes are.
  void set_node_state(const Positions& positions, const Positions& velocities) override;
  /// Refines until the equilibrium asks for no more.
  SettleStatus settle(const SettleOptions& options = {}) override;

  void node_positions(Eigen::Ref<Positions> positions) const override;
  void node_velocities(Eigen::Ref<Positions> velocities) const override;
  [[nodiscard]] double kinetic_energy() const override { return inner_->kinetic_energy(); }
  [[nodiscard]] double elastic_energy() const override { return inner_->elastic_energy(); }
  [[nodiscard]] Momentum momentum() const override { return inner_->momentum(); }
  [[nodiscard]] double time() const override { return inner_->time(); }
  [[nodiscard]] const FrameState& frame() const override { return inner_->frame(); }
  [[nodiscard]] RestPlace rest_place() const override { return inner_->rest_place(); }
  [[nodiscard]] int contact_count() const override { return inner_->contact_count(); }
  [[nodiscard]] Vec3 contact_force() const override { return inner_->contact_force(); }
  void archive(StateArchive& state) override;

  /// None: no ground.
  void set_ground(const std::optional<GroundPlane>& plane);
  /// These instead of what was chosen, until the next choice.
  void set_leaves(const LevelMarks& marks);
  [[nodiscard]] const TetTree& tree() const { return *tree_; }
  [[nodiscard]] const LeafMesh& leaves() const { return leaves_; }
  /// The body of the leaves, which lives until they change.
  [[nodiscard]] const FullBody& inner() const { return *inner_; }

 private:
  [[nodiscard]] std::vector<int> lasting_nodes() const;
  [[nodiscard]] std::unique_ptr<FullBody> make_inner(SupportMotion support) const;
  [[nodiscard]] Loads leaf_loads() const;
  bool adapt();
  void adapt_after_step() noexcept;
  void move_to_new_leaves();
  void restrict_field(const Positions& fine, const Vector& mass, Positions& leaf);

  std::shared_ptr<const TetTree> tree_;
  Materials materials_;
  std::vector<char> fixed_;  // of the nodes of the finest mesh
  FullBodyOptions options_;
  Loads loads_;
  SupportMotion support_;
  std::optional<GroundPlane> ground_;
  Vector fine_mass_;  // lumped
  double interval_;   // s between choices
  double chosen_at_;
  LeafMesh leaves_;
  LeafChoice choice_;
  std::unique_ptr<FullBody> inner_;
  AdaptiveHandles handles_;
  int most_rows_ = 0;
  std::vector<BodyRow> rows_;          // of the leaves
  std::vector<BodyPoint> row_points_;  // of the finest mesh
  bool touching_ = false;              // rows act until end_touching()
  Fault fault_;                        // of a change of the leaves
  Positions x_, v_, left_;             // of the finest mesh, world: scratch
  mutable Positions leaf_;             // of the leaves: scratch
};

}  // namespace limber
