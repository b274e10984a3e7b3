#include "limber/dynamics/full_space/simulated_mesh.h"

#include <numeric>

#include "limber/mesh/checks.h"

namespace limber {

namespace {

TetMesh checked(TetMesh mesh) {
  check(mesh);
  return mesh;
}

Materials checked(Materials materials) {
  check(materials);
  return materials;
}

std::vector<int> with_unused(const TetMesh& mesh, std::vector<int> held) {
  const std::vector<int> unused = unused_nodes(mesh);
  held.insert(held.end(), unused.begin(), unused.end());
  return held;
}

std::vector<int> numbers_up_to(int count) {
  std::vector<int> numbers(count);
  std::iota(numbers.begin(), numbers.end(), 0);
  return numbers;
}

}  // namespace

SimulatedMesh::SimulatedMesh(TetMesh mesh, Materials materials, const std::vector<int>& held_nodes,
                             MassKind mass_kind)
    : mesh_(checked(std::move(mesh))),
      materials_(checked(std::move(materials))),
      geometry_(element_geometry(mesh_)),
      graph_(mesh_),
      free_(mesh_.node_count(), with_unused(mesh_, held_nodes)),
      pattern_(std::make_shared<const BlockPattern>(block_pattern(graph_, free_))),
      tets_(mesh_, materials_, geometry_),
      slots_(tet_slots(*pattern_, free_, mesh_, numbers_up_to(mesh_.tet_count()))),
      lumped_(mass_kind == MassKind::lumped),
      mass_(scalar_mass(mesh_, materials_, mass_kind, geometry_, graph_)),
      block_mass_(pattern_->block_count(), 0.0),
      node_mass_(mass_ * Vector::Ones(mesh_.node_count())) {
  for (int row = 0; row < free_count(); ++row) {
    for (SparseMatrix::InnerIterator entry(mass_, free_.nodes()[row]); entry; ++entry) {
      const int column = free_.free_index(static_cast<int>(entry.row()));
      if (column >= 0) block_mass_[pattern_->find(row, column)] = entry.value();
    }
  }
}

void SimulatedMesh::multiply_mass(const Positions& field, Positions& out) const {
  if (lumped_) {
    out = node_mass_.asDiagonal() * field;
    return;
  }
  const int* const begin = mass_.outerIndexPtr();
  for (int node = 0; node < node_count(); ++node) {
    Eigen::RowVector3d sum = Eigen::RowVector3d::Zero();
    for (int k = begin[node]; k < begin[node + 1]; ++k) {
      sum += mass_.valuePtr()[k] * field.row(mass_.innerIndexPtr()[k]);
    }
    out.row(node) = sum;
  }
}

double SimulatedMesh::kinetic_energy(const Positions& velocities) const {
  const int* const begin = mass_.outerIndexPtr();
  double twice = 0;
  for (int node = 0; node < node_count(); ++node) {
    for (int k = begin[node]; k < begin[node + 1]; ++k) {
      twice +=
          mass_.valuePtr()[k] * velocities.row(node).dot(velocities.row(mass_.innerIndexPtr()[k]));
    }
  }
  return twice / 2;
}

void SimulatedMesh::set_mass(double factor, BlockMatrix& A) const {
  double* value = A.data();
  for (const double mass : block_mass_) {
    const double scaled = factor * mass;
    value[0] = value[4] = value[8] = scaled;
    value[1] = value[2] = value[3] = value[5] = value[6] = value[7] = 0;
    value += 9;
  }
}

void SimulatedMesh::gather(const Positions& field, Vector& values) const {
  double* value = values.data();
  for (const int node : free_.nodes()) {
    value = std::copy_n(field.data() + 3 * static_cast<std::size_t>(node), 3, value);
  }
}

void SimulatedMesh::add_scattered(double factor, const Vector& values, Positions& field) const {
  const double* value = values.data();
  for (const int node : free_.nodes()) {
    double* const row = field.data() + 3 * static_cast<std::size_t>(node);
    for (int c = 0; c < 3; ++c) row[c] += factor * *value++;
  }
}

}  // namespace limber
