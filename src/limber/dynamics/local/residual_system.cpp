#include "limber/dynamics/local/residual_system.h"

#include <Eigen/Cholesky>

namespace limber {

ResidualSystem::ResidualSystem(const ResidualModes& modes, int most_nodes) : modes_(modes) {
  for (Square* matrix : {&K_, &M_, &L_, &T_, &B_}) matrix->setZero(3 * most_nodes, 3 * most_nodes);
}

void ResidualSystem::set(std::span<const int> nodes, double h, const Damping& damping) {
  size_ = 3 * static_cast<Eigen::Index>(nodes.size());
  h_ = h;
  heavier_ = 1 + damping.mass * h;
  stiffer_ = damping.stiffness * h + h * h;
  if (size_ == 0) return;
  assemble(nodes);
  factor();
  const auto lower = L().triangularView<Eigen::Lower>();
  auto T = T_.topLeftCorner(size_, size_);
  auto B = B_.topLeftCorner(size_, size_);
  B = K_.topLeftCorner(size_, size_);
  lower.solveInPlace(B);  // L⁻¹ K_χ = Tᵀ
  T = B.transpose();
  B = T;
  lower.solveInPlace(B);  // L⁻¹ K_χ L⁻ᵀ
}

/// Pairs that are too far apart to be stored do not see each other.
void ResidualSystem::assemble(std::span<const int> nodes) {
  for (std::size_t a = 0; a < nodes.size(); ++a) {
    for (std::size_t b = a; b < nodes.size(); ++b) {
      const bool in_order = nodes[a] <= nodes[b];
      const std::ptrdiff_t pair =
          in_order ? modes_.find(nodes[a], nodes[b]) : modes_.find(nodes[b], nodes[a]);
      Mat3 K = Mat3::Zero(), M = Mat3::Zero();
      if (pair >= 0) {
        K = modes_.K_block(pair);
        M = modes_.M_block(pair);
        if (!in_order) {
          K.transposeInPlace();
          M.transposeInPlace();
        }
      }
      const auto i = 3 * static_cast<Eigen::Index>(a), j = 3 * static_cast<Eigen::Index>(b);
      K_.block<3, 3>(i, j) = K;
      K_.block<3, 3>(j, i) = K.transpose();
      M_.block<3, 3>(i, j) = M;
      M_.block<3, 3>(j, i) = M.transpose();
    }
  }
}

/// S is definite but for the pairs left out and for nodes that nearly coincide: a little more on
/// its diagonal, a millionth at first, then serves.
void ResidualSystem::factor() {
  constexpr double kFirstShift = 1e-6;
  auto S = L_.topLeftCorner(size_, size_);
  for (double shift = 0; shift < 1; shift = shift == 0 ? kFirstShift : 10 * shift) {
    S = heavier_ * M_.topLeftCorner(size_, size_) + stiffer_ * K_.topLeftCorner(size_, size_);
    S.diagonal() += shift * S.diagonal();
    const Eigen::LLT<Eigen::Ref<Square, 0, Eigen::OuterStride<>>> llt(S);
    if (llt.info() == Eigen::Success) return;
  }
  S.setIdentity();  // numbers beyond all range: the body's guard stops it
}

void ResidualSystem::advance(Eigen::Ref<Vector> y, Eigen::Ref<Vector> rate,
                             Eigen::Ref<Vector> scratch) const {
  scratch = (stiffer_ / heavier_) * rate + h_ * y;
  rate /= heavier_;
  rate.noalias() -= B() * scratch;
  y += h_ * rate;
}

void ResidualSystem::to_amplitudes(Eigen::Ref<Vector> x) const {
  L().transpose().triangularView<Eigen::Upper>().solveInPlace(x);
}

void ResidualSystem::from_amplitudes(Eigen::Ref<Vector> x, Eigen::Ref<Vector> scratch) const {
  scratch = x;
  x.noalias() = L().transpose().triangularView<Eigen::Upper>() * scratch;
}

void ResidualSystem::to_scaled(Eigen::Ref<Vector> row) const {
  L().triangularView<Eigen::Lower>().solveInPlace(row);
}

/// ½ ṡᵀM_χṡ, with M_χ from S and B.
double ResidualSystem::kinetic_energy(const Eigen::Ref<const Vector>& rate) const {
  return (rate.squaredNorm() - stiffer_ * rate.dot(B() * rate)) / heavier_ / 2;
}

double ResidualSystem::elastic_energy(const Eigen::Ref<const Vector>& y) const {
  return y.dot(B() * y) / 2;
}

}  // namespace limber
