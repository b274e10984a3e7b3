// Local detail by García et al. 2010: all nodes within some rings of those that are touched move by
// their own equations, between a border that follows the modes. Symbols as in ring_system.h.
//
// Who is local: touched nodes (seeds; at most `max_nodes`) and the nodes in rings around them. A
// seed leaves when nothing has touched it for `release_time` and it is calm; other nodes when they
// are outside all rings and calm. Those that are touched never leave, fixed and excluded ones never
// join.
//
// Contacts see the compliance of the seeds inside their rows: W_ij = E_iᵀ S_L⁻¹ (E_j − MΦΦ_jᵀ), of
// which rows take the symmetric part; it is symmetric itself when the region is the whole body.
#pragma once

#include <vector>

#include "limber/dynamics/local/awake_nodes.h"
#include "limber/dynamics/local/local_detail.h"
#include "limber/dynamics/rings/modal_share.h"
#include "limber/dynamics/rings/ring_field.h"

namespace limber {

class RingsDetail final : public LocalDetail {
 public:
  /// `mesh`, `materials` and `mass` are those that the model was made from. `excluded`: nodes that
  /// are never local, besides the fixed ones; the elements among them are those that the paper lets
  /// users exclude. Throws Error when options are out of range.
  RingsDetail(const TetMesh& mesh, const Materials& materials, const ModalModel& model,
              const LocalOptions& options, std::span<const int> excluded = {},
              MassKind mass = MassKind::consistent);
  RingsDetail(const RingsDetail&) = delete;
  RingsDetail& operator=(const RingsDetail&) = delete;

  [[nodiscard]] int node_count() const override { return static_cast<int>(field_.nodes().size()); }
  void set_damping(const Damping& damping) override;
  void predict(double h) noexcept override;
  void commit() noexcept override;
  void cancel() noexcept override;
  void reserve_rows(int rows) override;
  [[nodiscard]] int row_length(int rows) const noexcept override {
    return 3 * (room_ >= 0 ? room_ : seeds_.room(rows));
  }
  void set_rows(std::span<const DetailRow> rows, double h, float* scaled,
                std::ptrdiff_t stride) noexcept override;
  void scaled_motion(float* velocity, float* displacement) const noexcept override;
  void apply(std::span<const double> impulses, bool move) noexcept override;
  [[nodiscard]] Vec3 displacement(int node) const noexcept override {
    return field_.displacement(node);
  }
  [[nodiscard]] Vec3 velocity(int node) const noexcept override { return field_.velocity(node); }
  [[nodiscard]] double kinetic_energy() const override { return field_.kinetic_energy(); }
  [[nodiscard]] double elastic_energy() const override { return field_.elastic_energy(); }
  void stand_still() override { field_.stand_still(); }
  void clear() override;
  void archive(StateArchive& state) override;

  /// How many rings from the next rows on; what is too far away then fades. Throws Error below 1.
  void set_rings(int rings);
  [[nodiscard]] std::span<const int> seeds() const { return seeds_.nodes(); }
  [[nodiscard]] std::span<const int> local_nodes() const { return field_.local_nodes(); }
  [[nodiscard]] std::span<const int> fading_nodes() const { return field_.fading_nodes(); }
  [[nodiscard]] bool is_factored() const { return field_.system().is_factored(); }

 private:
  void choose(std::span<const DetailRow> rows, int room, double h);
  void update_region(std::span<TouchedNode> touched, int room, double h);
  void rest_untouched(double h);
  void update_compliance();
  void factor_compliance();
  [[nodiscard]] int seed(int k) const { return seeds_.nodes()[static_cast<std::size_t>(k)]; }

  NodalRows rows_;
  LocalOptions options_;
  AwakeNodes seeds_;
  RingField field_;  // looks into rows_
  ModalShare share_;
  double untouched_ = 0;  // s, since rows were set
  double step_ = 0;

  // Of the seeds, 3 a seed.
  ModeMatrix along_;  // E_iᵀ S_L⁻¹ (MΦ)_L
  ModeMatrix W_;      // the compliance, then L of W = LLᵀ
  bool compliance_known_ = false;
  Eigen::MatrixXd columns_;
  std::vector<DetailRow> detail_rows_;
  Vector start_;
  mutable Vector seed_values_;
  Vector modal_;  // Φᵀ of an impulse
  Vector taken_;  // Φᵀf of the last step: what the modes took, N
  int room_ = -1;  // seeds that the rows of this step have room for; -1 before they are set
  std::vector<TouchedNode> touched_;
  std::vector<double> touch_weights_;  // of all nodes; zero but inside choose()
  std::vector<char> calm_;
  std::vector<int> kept_;
};

}  // namespace limber
