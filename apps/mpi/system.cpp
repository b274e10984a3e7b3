#include "system.h"

#include <algorithm>
#include <cmath>

#include "limber/fem/node_graph.h"
#include "limber/fem/operators.h"
#include "limber/fem/stiffness.h"

namespace limber {

namespace {

/// Rows of an owned block of nodes, `block` unknowns a node.
void create_rows(const Ranks& ranks, const Supports& supports, int block, OwnedMat& A) {
  petsc(MatCreate(ranks.comm(), A.put()));
  petsc(MatSetSizes(A.get(), block * supports.owned_free, block * supports.owned_free,
                    block * supports.free_count, block * supports.free_count));
  petsc(MatSetBlockSize(A.get(), block));
  petsc(MatSetType(A.get(), MATAIJ));
}

/// Room for as many blocks a row as nodes share a tet, those of other ranks apart.
void preallocate(const DistributedMesh& mesh, const Supports& supports, const NodeGraph& graph,
                 OwnedMat& A) {
  std::vector<PetscInt> own;
  std::vector<PetscInt> others;
  for (int node = 0; node < mesh.owned; ++node) {
    if (supports.fixed[node] != 0) continue;
    own.push_back(0);
    others.push_back(0);
    for (const int neighbour : graph.neighbours(node)) {
      if (supports.fixed[neighbour] == 0) ++(neighbour < mesh.owned ? own : others).back();
    }
  }
  PetscInt block = 1;
  petsc(MatGetBlockSize(A.get(), &block));
  petsc(MatXAIJSetPreallocation(A.get(), block, own.data(), others.data(), nullptr, nullptr));
}

void finish(Mat A) {
  petsc(MatAssemblyBegin(A, MAT_FINAL_ASSEMBLY));
  petsc(MatAssemblyEnd(A, MAT_FINAL_ASSEMBLY));
  petsc(MatSetOption(A, MAT_SPD, PETSC_TRUE));
}

void fill_stiffness(const DistributedMesh& mesh, const Materials& materials,
                    const Supports& supports, const NodeGraph& graph, Mat K) {
  const SparseMatrix local = stiffness(mesh.local, materials, element_geometry(mesh.local), graph);
  std::vector<PetscInt> columns;
  for (int node = 0; node < mesh.owned; ++node) {
    if (supports.fixed[node] != 0) continue;
    columns.clear();
    // PETSc leaves out negative columns: those of fixed nodes.
    for (const int neighbour : graph.neighbours(node)) {
      columns.push_back(supports.free_index[neighbour]);
    }
    // K is symmetric: the three stored columns of a node are its three rows.
    const PetscInt row = supports.free_index[node];
    petsc(MatSetValuesBlocked(
        K, 1, &row, static_cast<PetscInt>(columns.size()), columns.data(),
        local.valuePtr() + 9 * static_cast<std::ptrdiff_t>(graph.offset(node)), INSERT_VALUES));
  }
}

/// Calls visit(row, column, m_ij) for owned free nodes i and free nodes j.
template <class Visit>
void for_each_mass(const DistributedMesh& mesh, const SparseMatrix& m, const Supports& supports,
                   const Visit& visit) {
  for (int node = 0; node < mesh.owned; ++node) {
    if (supports.fixed[node] != 0) continue;
    for (SparseMatrix::InnerIterator entry(m, node); entry; ++entry) {
      const int column = supports.free_index[entry.row()];
      if (column >= 0) visit(supports.free_index[node], column, entry.value());
    }
  }
}

Vector diagonal(Mat A) {
  OwnedVec vec;
  petsc(MatCreateVecs(A, nullptr, vec.put()));
  petsc(MatGetDiagonal(A, vec.get()));
  return as_rows(vec.get());
}

/// A body's lowest elastic eigenvalue is about the mesh's highest, tr K / tr M, times (mesh
/// width / length)² ≈ n^(−2/3), and a hundredth of that for slender bodies. A tenth of this still
/// makes K + shift·M definite for the solver; how much below the lowest mode it lies hardly
/// matters, since loads in balance with the rigid motions never excite them.
double small_shift(double trace_K, double trace_M, double nodes) {
  return 1e-3 * trace_K / trace_M * std::pow(nodes, -2.0 / 3);
}

}  // namespace

DistributedSystem assemble(const Ranks& ranks, const DistributedMesh& mesh,
                           const Materials& materials, const SparseMatrix& m,
                           const Supports& supports, bool moves_rigidly) {
  const NodeGraph graph(mesh.local);
  DistributedSystem system;
  create_rows(ranks, supports, 3, system.K);
  preallocate(mesh, supports, graph, system.K);
  fill_stiffness(mesh, materials, supports, graph, system.K.get());
  finish(system.K.get());

  OwnedMat scalar;
  create_rows(ranks, supports, 1, scalar);
  preallocate(mesh, supports, graph, scalar);
  double mass = 0;
  for_each_mass(mesh, m, supports, [&](PetscInt row, PetscInt column, double value) {
    petsc(MatSetValues(scalar.get(), 1, &row, 1, &column, &value, INSERT_VALUES));
    mass += value;
  });
  finish(scalar.get());
  system.scale = ranks.sum(mass) / supports.free_count;
  petsc(MatScale(system.K.get(), 1 / system.scale));
  petsc(MatScale(scalar.get(), 1 / system.scale));
  petsc(MatCreateMAIJ(scalar.get(), 3, system.M.put()));

  const Vector diagonal_K = diagonal(system.K.get());
  const Vector diagonal_m = diagonal(scalar.get());
  double highest = 0;
  for (Eigen::Index i = 0; i < diagonal_K.size(); ++i) {
    highest = std::max(highest, diagonal_K[i] / diagonal_m[i / 3]);
  }
  system.highest = ranks.largest(highest);
  if (!moves_rigidly) {
    petsc(PetscObjectReference(reinterpret_cast<PetscObject>(system.K.get())));
    *system.solved.put() = system.K.get();
    return system;
  }
  system.shift = small_shift(ranks.sum(diagonal_K.sum()), 3 * ranks.sum(diagonal_m.sum()),
                             supports.free_count);
  petsc(MatDuplicate(system.K.get(), MAT_COPY_VALUES, system.solved.put()));
  for_each_mass(mesh, m, supports, [&](PetscInt row, PetscInt column, double value) {
    for (PetscInt c = 0; c < 3; ++c) {
      const PetscInt i = 3 * row + c;
      const PetscInt j = 3 * column + c;
      const double added = system.shift * value / system.scale;
      petsc(MatSetValues(system.solved.get(), 1, &i, 1, &j, &added, ADD_VALUES));
    }
  });
  finish(system.solved.get());
  return system;
}

}  // namespace limber
