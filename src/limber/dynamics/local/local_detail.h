// Detail beyond the modes where a body is touched, as the body sees it: displacements d (in the
// body's frame, before they are turned with the nodes, m) that move by their own equations and give
// way to the impulses of contacts.
//
// Node i stands at X + R~(Ψq)(Φq + d); García et al. 2010, eq. 14. Forces of contacts alone drive
// d: the small remainder that gravity leaves would keep nodes awake for ever.
#pragma once

#include <array>
#include <span>

#include "limber/core/state_archive.h"
#include "limber/core/types.h"
#include "limber/material/material.h"

namespace limber {

/// A row of contacts as detail sees it: Σ gradients_k · d of nodes_k.
struct DetailRow {
  std::array<std::int32_t, 4> nodes{};
  std::array<Vec3, 4> gradients{Vec3::Zero(), Vec3::Zero(), Vec3::Zero(), Vec3::Zero()};
};

class ResidualDetail;

/// As in DynamicBody, a step is predict → (rows, impulses) → commit; what is seen between them is
/// the end of the step. Nothing here throws after construction.
class LocalDetail {
 public:
  virtual ~LocalDetail() = default;

  /// Nodes with detail now.
  [[nodiscard]] virtual int node_count() const = 0;
  /// Whether it moves any node: also what fades of those that have left.
  [[nodiscard]] virtual bool shows() const { return node_count() > 0; }

  virtual void set_damping(const Damping& damping) = 0;
  /// The modal amplitudes at the start of the step that predict() is about to make; detail that
  /// obeys the linear law does not ask for them.
  virtual void see(const Vector& /*q*/) noexcept {}
  virtual void predict(double h) noexcept = 0;
  virtual void commit() noexcept = 0;
  /// The step did not come about.
  virtual void cancel() noexcept = 0;

  /// Allocates for so many rows.
  virtual void reserve_rows(int rows) = 0;
  /// The most numbers that a row of so many may have.
  [[nodiscard]] virtual int row_length(int rows) const noexcept = 0;
  /// Touched nodes wake, calm ones rest; then as DynamicBody::set_rows(): row_length(k) numbers a
  /// row.
  virtual void set_rows(std::span<const DetailRow> rows, double h, float* scaled,
                        std::ptrdiff_t stride) noexcept = 0;
  virtual void scaled_motion(float* velocity, float* displacement) const noexcept = 0;
  virtual void apply(std::span<const double> impulses, bool move) noexcept = 0;

  [[nodiscard]] virtual Vec3 displacement(int node) const noexcept = 0;
  [[nodiscard]] virtual Vec3 velocity(int node) const noexcept = 0;
  [[nodiscard]] virtual double kinetic_energy() const = 0;
  [[nodiscard]] virtual double elastic_energy() const = 0;

  /// All of it, where it is residual modes and handles are to act on them as well. Null: handles
  /// hold the modes alone.
  [[nodiscard]] virtual ResidualDetail* residual() { return nullptr; }

  /// The most nodes that may have detail from now on, between steps: of those that there are too
  /// many the last to come leave, and what they displaced fades. Kinds that cannot do with fewer
  /// have 0 here, and do not mind.
  [[nodiscard]] virtual int most_nodes() const { return 0; }
  virtual void want_nodes(int /*most*/) noexcept {}
  /// Once a step of the world, before it.
  virtual void fade(double /*h*/) noexcept {}

  /// The shape stays, its motion goes; or both go.
  virtual void stand_still() = 0;
  virtual void clear() = 0;
  virtual void archive(StateArchive& state) = 0;
};

}  // namespace limber
