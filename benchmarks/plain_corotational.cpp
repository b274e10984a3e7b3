#include "plain_corotational.h"

#include "limber/core/rotation.h"
#include "limber/fem/mass.h"
#include "limber/fem/stiffness.h"
#include "timing.h"

namespace limber {

namespace {

int slot_of(const SparseRows& A, int row, int column) {
  const int* const begin = A.innerIndexPtr() + A.outerIndexPtr()[row];
  const int* const end = A.innerIndexPtr() + A.outerIndexPtr()[row + 1];
  return static_cast<int>(std::lower_bound(begin, end, column) - A.innerIndexPtr());
}

/// Returns the number of iterations.
int jacobi_cg(const SparseRows& A, const Vector& b, double goal, Vector& x) {
  const Vector inverse_diagonal = A.diagonal().cwiseInverse();
  Vector r = b - A * x;
  Vector z = inverse_diagonal.cwiseProduct(r);
  Vector p = z;
  Vector Ap(x.size());
  double rz = r.dot(z);
  int k = 0;
  while (r.norm() > goal && k < 100000) {
    Ap.noalias() = A * p;
    const double alpha = rz / p.dot(Ap);
    x += alpha * p;
    r -= alpha * Ap;
    z = inverse_diagonal.cwiseProduct(r);
    const double fresh = r.dot(z);
    p = z + fresh / rz * p;
    rz = fresh;
    ++k;
  }
  return k;
}

}  // namespace

PlainCorotational::PlainCorotational(const TetMesh& mesh, const Material& material,
                                     const std::vector<int>& fixed)
    : mesh_(mesh),
      free_(mesh.node_count(), fixed),
      geometry_(element_geometry(mesh)),
      M_(free_.reduce(mass(mesh, material), 3)),
      A_(free_.reduce(stiffness(mesh, material), 3)) {
  const SparseMatrix scalar = scalar_mass(mesh, material);
  node_mass_ = scalar * Vector::Ones(mesh.node_count());
  slots_.resize(mesh.tet_count());
  for (int tet = 0; tet < mesh.tet_count(); ++tet) {
    const Eigen::Map<const Eigen::Matrix<double, 3, 4>> gradients(
        geometry_.gradients.row(tet).data());
    stiffness_.push_back(element_stiffness(gradients, geometry_.volumes[tet], material));
    for (int i = 0; i < 12; ++i) {
      for (int j = 0; j < 12; ++j) {
        const int row = free_.free_index(mesh.T(tet, i / 3));
        const int column = free_.free_index(mesh.T(tet, j / 3));
        slots_[tet][12 * i + j] =
            row < 0 || column < 0 ? -1 : slot_of(A_, 3 * row + i % 3, 3 * column + j % 3);
      }
    }
  }
}

/// A = M + h² Σ R K Rᵀ, elastic = Σ R K (Rᵀx − X).
void PlainCorotational::assemble(double h, const Positions& x, Vector& elastic) {
  // M has a third of A's entries: its blocks are diagonal.
  std::fill_n(A_.valuePtr(), A_.nonZeros(), 0.0);
  for (int row = 0; row < M_.rows(); ++row) {
    int k = A_.outerIndexPtr()[row];
    for (SparseRows::InnerIterator entry(M_, row); entry; ++entry) {
      while (A_.innerIndexPtr()[k] < entry.col()) ++k;
      A_.valuePtr()[k] = entry.value();
    }
  }
  elastic.setZero(3 * mesh_.node_count());
  for (int tet = 0; tet < mesh_.tet_count(); ++tet) {
    Mat3 F = Mat3::Zero();
    for (int k = 0; k < 4; ++k) {
      F += x.row(mesh_.T(tet, k)).transpose() * geometry_.gradient(tet, k).transpose();
    }
    const Mat3 R = polar_rotation(F);
    Eigen::Matrix<double, 12, 1> local;
    for (int k = 0; k < 4; ++k) {
      const int node = mesh_.T(tet, k);
      local.segment<3>(3 * k) =
          R.transpose() * x.row(node).transpose() - mesh_.V.row(node).transpose();
    }
    const Eigen::Matrix<double, 12, 1> force = stiffness_[tet] * local;
    Eigen::Matrix<double, 12, 12> turned;
    for (int a = 0; a < 4; ++a) {
      elastic.segment<3>(3 * mesh_.T(tet, a)) += R * force.segment<3>(3 * a);
      for (int b = 0; b < 4; ++b) {
        turned.block<3, 3>(3 * a, 3 * b) =
            R * stiffness_[tet].block<3, 3>(3 * a, 3 * b) * R.transpose();
      }
    }
    for (int i = 0; i < 144; ++i) {
      const int slot = slots_[tet][i];
      if (slot >= 0) A_.valuePtr()[slot] += h * h * turned(i / 12, i % 12);
    }
  }
}

PlainCorotational::Result PlainCorotational::step(double h, const Vec3& gravity, double tolerance,
                                                  Positions& x, Positions& v) {
  Result result;
  result.seconds = seconds_of([&] {
    Vector elastic;
    assemble(h, x, elastic);
    const Positions weight = node_mass_ * gravity.transpose();
    const Vector pull = free_.reduce(stacked(weight));
    const Vector resisting = free_.reduce(elastic);
    Vector velocity = free_.reduce(stacked(v));
    const Vector momentum = M_ * velocity;
    const Vector b = momentum + h * (pull - resisting);
    const double goal = tolerance * (momentum.norm() + h * (pull.norm() + resisting.norm()));
    result.solve_seconds =
        seconds_of([&] { result.iterations = jacobi_cg(A_, b, goal, velocity); });
    const Vector all = free_.expand(velocity);
    stacked(v) = all;
    x += h * v;
  });
  return result;
}

}  // namespace limber
