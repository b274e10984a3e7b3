#include "limber/modes/rigid_motions.h"

#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <algorithm>

#include "limber/core/rotation.h"

namespace limber {

namespace {

/// Fixed nodes closer than this to a line or point, relative to the part's size, count as on it.
/// Lengths are squared below, and their squares must stay clear of rounding.
constexpr double kCollinear = 1e-6;

}  // namespace

RigidBlock unit_motions(const Vec3& from_centre) {
  RigidBlock block;
  block << Mat3::Identity(), -skew(from_centre);
  return block;
}

Eigen::MatrixXd motions_that_keep(const Eigen::Matrix<double, 6, 6>& gram) {
  if (gram.isZero(0)) return Eigen::MatrixXd::Identity(6, 6);
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(gram);  // ascending
  const double limit = kCollinear * kCollinear * eigen.eigenvalues()[5];
  const auto kept = (eigen.eigenvalues().array() <= limit).count();
  return eigen.eigenvectors().leftCols(kept);
}

Eigen::MatrixXd rigid_motions(const Positions& rest_positions, const std::vector<int>& parts,
                              const FreeDofs& free) {
  const int part_count = parts.empty() ? 0 : *std::max_element(parts.begin(), parts.end()) + 1;
  Eigen::MatrixXd N(3 * free.nodes().size(), 0);
  for (int part = 0; part < part_count; ++part) {
    std::vector<int> members;
    for (int node = 0; node < free.node_count(); ++node) {
      if (parts[node] == part) members.push_back(node);
    }
    Vec3 centre = Vec3::Zero();
    for (const int node : members) centre += rest_positions.row(node).transpose() / members.size();
    double size = 0;
    for (const int node : members) {
      size = std::max(size, (rest_positions.row(node).transpose() - centre).norm());
    }
    const auto scaled = [&](int node) {
      return Vec3((rest_positions.row(node).transpose() - centre) / size);
    };
    Eigen::Matrix<double, 6, 6> gram = Eigen::Matrix<double, 6, 6>::Zero();
    for (const int node : members) {
      if (free.free_index(node) >= 0) continue;
      const RigidBlock block = unit_motions(scaled(node));
      gram += block.transpose() * block;
    }
    const Eigen::MatrixXd motions = motions_that_keep(gram);
    const Eigen::Index first = N.cols();
    N.conservativeResize(Eigen::NoChange, first + motions.cols());
    N.rightCols(motions.cols()).setZero();
    for (const int node : members) {
      const int row = 3 * free.free_index(node);
      if (row < 0) continue;
      N.block(row, first, 3, motions.cols()) = unit_motions(scaled(node)) * motions;
    }
  }
  return N;
}

std::vector<int> holding_unknowns(const Eigen::MatrixXd& N) {
  if (N.cols() == 0) return {};
  const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(N.transpose());
  std::vector<int> unknowns(N.cols());
  for (Eigen::Index k = 0; k < N.cols(); ++k) {
    unknowns[k] = qr.colsPermutation().indices()[k];
  }
  return unknowns;
}

}  // namespace limber
