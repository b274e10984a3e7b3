// Local detail by residual modes: each touched contact node has three (see residual_modes.h), the
// contacts' rows have their compliance inside. No sparse matrix and no border; statics are exact.
// Symbols as in residual_system.h.
#pragma once

#include <vector>

#include "limber/dynamics/local/awake_nodes.h"
#include "limber/dynamics/local/local_detail.h"
#include "limber/dynamics/local/residual_system.h"

namespace limber {

class ResidualDetail final : public LocalDetail {
 public:
  /// `size`: of the body, m. Throws Error when options are out of range.
  ResidualDetail(ResidualModes modes, const LocalOptions& options, double size);
  ResidualDetail(const ResidualDetail&) = delete;
  ResidualDetail& operator=(const ResidualDetail&) = delete;

  [[nodiscard]] int node_count() const override { return awake_.size(); }
  [[nodiscard]] bool shows() const override { return awake_.size() > 0 || has_left_; }
  void set_damping(const Damping& damping) override;
  void predict(double h) noexcept override;
  void commit() noexcept override;
  void cancel() noexcept override;
  void reserve_rows(int rows) override;
  [[nodiscard]] int row_length(int rows) const noexcept override {
    return 3 * (room_ >= 0 ? room_ : awake_.room(rows));
  }
  void set_rows(std::span<const DetailRow> rows, double h, float* scaled,
                std::ptrdiff_t stride) noexcept override;
  void scaled_motion(float* velocity, float* displacement) const noexcept override;
  void apply(std::span<const double> impulses, bool move) noexcept override;
  [[nodiscard]] Vec3 displacement(int node) const noexcept override;
  [[nodiscard]] Vec3 velocity(int node) const noexcept override;
  [[nodiscard]] double kinetic_energy() const override;
  [[nodiscard]] double elastic_energy() const override;
  [[nodiscard]] ResidualDetail* residual() override {
    return options_.handles.value_or(true) ? this : nullptr;
  }
  [[nodiscard]] int most_nodes() const override { return options_.max_nodes; }
  void want_nodes(int most) noexcept override { awake_.want(most); }
  void fade(double h) noexcept override;
  void stand_still() override;
  void clear() override;
  void archive(StateArchive& state) override;

  /// What handles do, see ResidualHold. Nodes of the body that they act on: these are awake from
  /// the next set_rows() or wake_held() on and stay so; not between set_rows() and the end of its
  /// steps.
  void hold(std::span<const std::int32_t> nodes);
  void wake_held(double h);
  [[nodiscard]] Eigen::Index length() const { return 3 * awake_.size(); }
  [[nodiscard]] Eigen::Index most_length() const { return present_.y.size(); }
  /// y at the start of the step and at its end; zero from length() on.
  [[nodiscard]] const Vector& start_y() const { return present_.y; }
  [[nodiscard]] const Vector& end_y() const { return seen().y; }
  /// J̃ = Σ gᵀ K_χ L⁻ᵀ over the sources of the row's nodes; `result`: length() numbers.
  void write_row(const DetailRow& row, Eigen::Ref<Vector> result) const;
  void push(const Eigen::Ref<const Vector>& change, bool move) noexcept;
  /// J̃ of the rows of contacts: rows × length(), all that apply() goes by.
  [[nodiscard]] auto contact_rows() { return rows_.topLeftCorner(row_count_, length()); }
  /// At rest, before nodes turn: how far node `at` moves under a unit force on `from`, m/N.
  [[nodiscard]] Mat3 flexibility(int at, int from) const;
  /// At rest under forces on nodes of the body (N, before they are turned) and nothing else.
  void rest_under(std::span<const std::int32_t> nodes, std::span<const Vec3> forces);

  /// The contact nodes with detail, and their amplitudes s (three a node, N).
  [[nodiscard]] std::span<const int> awake() const { return awake_.nodes(); }
  [[nodiscard]] Vector amplitudes() const;
  void find_amplitudes(Eigen::Ref<Vector> s) const;

 private:
  struct State {
    Vector y, rate;  // 3 max_nodes; those in use first, zero beyond
  };
  [[nodiscard]] const State& seen() const { return predicted_ ? next_ : present_; }
  [[nodiscard]] State& seen() { return predicted_ ? next_ : present_; }
  [[nodiscard]] auto used(Vector& vector) const { return vector.head(3 * awake_.size()); }
  [[nodiscard]] auto used(const Vector& vector) const { return vector.head(3 * awake_.size()); }

  void prepare(double h);
  void choose(std::span<const DetailRow> rows, int room, double h);
  void find_calm();
  void rest_untouched(double h);
  void carry_over(double h);
  void update_field() const;
  void add_field(int contact_node, const Vec3& s, std::vector<Vec3>& field) const;
  void shed();

  ResidualModes modes_;
  LocalOptions options_;
  double size_;
  Damping damping_;
  AwakeNodes awake_;
  ResidualSystem system_;  // looks into modes_
  double h_ = 0;           // that the system belongs to

  /// What nodes displaced that had to leave, of all contact nodes: it fades.
  std::vector<Vec3> left_;
  bool has_left_ = false;
  std::vector<int> nodes_before_;

  State present_, next_;
  bool predicted_ = false;
  double step_ = 0;       // of predict()
  double untouched_ = 0;  // s, since rows were set

  Vector start_;     // y at set_rows()
  ModeMatrix rows_;  // J̃, rows × 3 max_nodes
  int row_count_ = 0;
  int room_ = -1;  // nodes that the rows of this step have room for; -1 before they are set
  std::vector<TouchedNode> touched_;
  std::vector<double> touch_weights_;  // of all contact nodes; zero but inside choose()
  std::vector<char> calm_;
  std::vector<int> kept_;
  std::vector<int> held_;  // contact nodes; scratch of hold()
  State before_;
  Vector change_;
  mutable Vector scratch_;

  // The detail of all contact nodes, found when it is first asked for.
  std::vector<std::int32_t> lower_offsets_, lower_pairs_, lower_rows_;  // pairs (i < j) by j
  mutable std::vector<Vec3> field_, field_rates_;
  mutable Vector s_, s_rate_;
  mutable bool field_known_ = true, field_zero_ = true;
};

}  // namespace limber
