// The equations of a region of nodes between the modes and full resolution, for steps of one length
// (García et al. 2010, eqs. 8-15), in the difference form.
//
// Symbols: d = u − Φq (m) what the local nodes L have beyond the modes; zero on the border, the next
// ring of nodes and fixed ones. c₁, c₂ Rayleigh damping, h the step, r what forces leave beyond the
// modes. Backward Euler,
//   S_L ḋ' = M_L ḋ − h K_L d + h r_L,  S_L = (1 + c₁h) M_L + (c₂h + h²) K_L,  d' = d + h ḋ'.
// With q by backward Euler too this is the paper's eq. 11 for u_L = Φ_L q + d; with exact
// oscillators the paper's form would push d even where the modes leave nothing out.
//
// Nodes that were local and fade out have prescribed d and act on L as a border that moves.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "limber/core/solvers/cholesky.h"
#include "limber/dynamics/full_space/krylov.h"
#include "limber/dynamics/rings/nodal_rows.h"

namespace limber {

class RingSystem {
 public:
  /// `rows` must outlive this.
  explicit RingSystem(const NodalRows& rows);

  /// Of these nodes: the local ones first, `local` of them, then those that fade. Allocates.
  void set_nodes(std::span<const int> nodes, int local);
  /// For steps of h seconds. What was factored is forgotten where they change.
  void set_step(double h, const Damping& damping);
  [[nodiscard]] int local_count() const { return local_; }
  [[nodiscard]] double h() const { return h_; }

  /// S_L = LLᵀ by a sparse factor: solves are exact from now on. Until then they take conjugate
  /// gradients, since a factor costs some three of them. Allocates; where there is no memory for
  /// it, it stays at that.
  void factor();
  [[nodiscard]] bool is_factored() const { return factor_.has_value(); }

  /// M_L ḋ − h K_L d − S_LF ḋ_F' for d and ḋ of all nodes, ḋ_F' being the next rates of the fading
  /// ones.
  void left_over(const Vector& d, const Vector& rate, const Eigen::Ref<const Vector>& fading_rate,
                 Eigen::Ref<Vector> result) const;
  /// S_L x = b in place; `guess`: where conjugate gradients start, zero unless given.
  void solve(Vector& b, const Eigen::Ref<const Vector>& guess);
  void solve(Vector& b);
  /// S_L⁻¹ E_i (3l×3) of the local node at place i. Needs a factor.
  void solve_unit(int place, Eigen::MatrixXd& columns) const;

  /// ½ xᵀKx and ½ xᵀMx over the rows of the local nodes.
  [[nodiscard]] double elastic_energy(const Vector& d) const;
  [[nodiscard]] double kinetic_energy(const Vector& rate) const;

 private:
  struct Entry {
    int column;  // place among the nodes
    double m;
    Mat3 K;
  };
  class Product;
  class Jacobi;

  [[nodiscard]] SparseMatrix matrix() const;
  void conjugate_gradients(Vector& b);  // from x_
  [[nodiscard]] std::span<const Entry> row(int i) const {
    return std::span(entries_).subspan(static_cast<std::size_t>(offsets_[i]),
                                       static_cast<std::size_t>(offsets_[i + 1] - offsets_[i]));
  }

  const NodalRows& rows_;
  int local_ = 0;
  double h_ = 0, heavier_ = 1, stiffer_ = 0;  // h, 1 + c₁h, c₂h + h²
  std::vector<int> places_;                   // of all the body's nodes, -1: not here
  std::vector<int> nodes_;
  std::vector<int> offsets_{0};
  std::vector<Entry> entries_;
  std::vector<Mat3> inverse_diagonal_;
  std::optional<Cholesky> factor_;
  std::unique_ptr<Krylov> krylov_;
  mutable Vector x_, residual_;
};

}  // namespace limber
