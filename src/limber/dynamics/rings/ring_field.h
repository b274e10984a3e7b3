// Displacements of a region of nodes that comes and goes: the region, its state and its steps.
// Symbols as in ring_system.h.
//
// Deviates from García et al. 2010: a change of the region fades. A node that joins keeps the force
// that its border held it by, one that must leave keeps its displacement as a border that moves,
// and both decay; the paper lets them jump.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "limber/core/state_archive.h"
#include "limber/dynamics/local/local_options.h"
#include "limber/dynamics/rings/ring_region.h"
#include "limber/dynamics/rings/ring_system.h"

namespace limber {

class RingField {
 public:
  /// `rows` must outlive this. `never`: nodes that are never local. `size`: of the body, m.
  RingField(const NodalRows& rows, std::span<const int> never, const LocalOptions& options,
            double size);

  [[nodiscard]] bool empty() const { return nodes_.empty(); }
  [[nodiscard]] bool may_be_local(int node) const { return region_.may_be_local(node); }
  [[nodiscard]] int local_count() const { return system_.local_count(); }
  /// Local nodes ascending; and those that fade out.
  [[nodiscard]] std::span<const int> local_nodes() const {
    return std::span(nodes_).first(static_cast<std::size_t>(local_count()));
  }
  [[nodiscard]] std::span<const int> fading_nodes() const {
    return std::span(nodes_).subspan(static_cast<std::size_t>(local_count()));
  }
  [[nodiscard]] std::span<const int> nodes() const { return nodes_; }
  /// Among nodes(), or -1.
  [[nodiscard]] int place(int node) const { return places_[static_cast<std::size_t>(node)]; }
  /// At the start of the step: what the node has and how it changes in h seconds is too little to
  /// be seen (the paper's ε_u and ε_v). Nodes that are not here are calm.
  [[nodiscard]] bool is_calm(int node, double h) const;

  /// The nodes within the rings around the seeds, and others until they are calm; these are looked
  /// at now and then, since each change costs a factor. `acts`: the force on a node beyond those of
  /// its neighbours, N, once it is local; none unless given. True when anything changed.
  bool update(std::span<const int> seeds, bool seeds_changed, double h,
              const std::function<Vec3(int)>& acts = {});
  void set_rings(int rings);
  void set_damping(const Damping& damping);

  [[nodiscard]] RingSystem& system() { return system_; }
  [[nodiscard]] const RingSystem& system() const { return system_; }
  /// Prepares for steps of h seconds; true when the equations are others than before.
  bool set_step(double h);
  /// Right after a change by conjugate gradients, from the second step on by a factor.
  void predict(double h);
  /// False when numbers grew beyond all range: the field is empty then.
  bool commit();
  void cancel() { predicted_ = false; }
  /// Forces on the local nodes over the step to come (3l, N); zero unless set.
  [[nodiscard]] Vector& forces() { return forces_; }
  /// Of the local nodes: room for an impulse (3l) on them.
  [[nodiscard]] Vector& load() { return load_; }
  /// The impulse in load() acts; `move`: as a force over the step.
  void push(bool move);

  /// Between predict() and commit() the end of the step.
  [[nodiscard]] Vec3 displacement(int node) const;
  [[nodiscard]] Vec3 velocity(int node) const;
  [[nodiscard]] double kinetic_energy() const;
  [[nodiscard]] double elastic_energy() const;
  void stand_still() { seen().rate.setZero(); }
  void clear();
  void archive(StateArchive& state);

 private:
  struct State {
    Vector d, rate;  // 3 a node, of nodes_
  };
  [[nodiscard]] const State& seen() const { return predicted_ ? next_ : present_; }
  [[nodiscard]] State& seen() { return predicted_ ? next_ : present_; }
  [[nodiscard]] Eigen::Index local_size() const { return 3 * local_count(); }

  void change(std::span<const int> local, const std::function<Vec3(int)>& acts);
  void keep_reactions(std::span<const int> local, const std::function<Vec3(int)>& acts);
  void set_places();
  void set_sizes();

  const NodalRows& rows_;
  RingRegion region_;
  RingSystem system_;
  double least_;  // m, that can be seen
  int rings_;
  Damping damping_;
  std::vector<int> nodes_;   // local ones ascending, then fading ones ascending
  std::vector<int> places_;  // of all nodes among nodes_, -1: none
  Vector reaction_;          // N, of the local nodes: what their former border holds them by
  double unchanged_ = 0;     // s, since the region was last looked at
  bool fewer_rings_ = false;
  bool fresh_ = false;  // the region changed, and no step has been made with it

  State present_, next_;
  bool predicted_ = false;
  double step_ = 0;
  double kept_ = 1;  // of what fades, over the step
  Vector forces_, load_, fading_rate_;
  std::vector<int> local_, next_nodes_;
};

}  // namespace limber
