#include "limber/interpolate/reconstruction/reconstruction.h"

#include <fmt/format.h>

#include <algorithm>

#include "limber/core/error.h"

namespace limber {

namespace {

constexpr int kRow = NodalFactor::kRowSize;

void check_constraints(const Elements& elements, const ReconstructionConstraints& constraints) {
  const auto check_node = [&](int node) {
    if (node < 0 || node >= elements.node_count() || elements.parts[node] < 0) {
      throw Error(fmt::format("node {} is not part of the body", node), "constraints",
                  "give nodes of the mesh that belong to an element");
    }
  };
  std::vector<char> seen(elements.node_count(), 0);
  for (const int node : constraints.held_nodes) {
    check_node(node);
    if (seen[node]) {
      throw Error(fmt::format("node {} is held twice", node), "constraints", "name it once");
    }
    seen[node] = 1;
  }
  for (const ReconstructionSpring& spring : constraints.springs) {
    for (const int node : spring.nodes) check_node(node);
    if (!(spring.stiffness > 0)) {
      throw Error(fmt::format("a spring of stiffness {:g}", spring.stiffness), "constraints",
                  "give a positive stiffness");
    }
  }
  if (constraints.element_factors.size() != 0 &&
      (constraints.element_factors.size() != elements.element_count() ||
       !(constraints.element_factors.minCoeff() > 0))) {
    throw Error("element factors that are not positive or not one an element", "constraints",
                "give one positive factor an element");
  }
}

}  // namespace

Reconstruction::Reconstruction(std::shared_ptr<const Elements> elements,
                               ReconstructionConstraints constraints)
    : elements_(std::move(elements)), constraints_(std::move(constraints)) {
  check_constraints(*elements_, constraints_);
  weights_ = elements_->weights;
  if (constraints_.element_factors.size() > 0) {
    weights_ = weights_.cwiseProduct(constraints_.element_factors);
  }
  part_weights_ = Vector::Zero(elements_->part_count);
  for (int node = 0; node < elements_->node_count(); ++node) {
    const int part = elements_->parts[node];
    if (part >= 0) part_weights_[part] += elements_->node_weights[node];
  }
  shifts_.resize(elements_->part_count, 3);
  number_rows();
  assemble();
  rows_.assign(static_cast<std::size_t>(kRow) * (free_count_ + coupling_.cols()), 0.0);
}

/// Free nodes in node order for now; assemble() puts them into elimination order.
void Reconstruction::number_rows() {
  const Elements& elements = *elements_;
  anchored_.assign(elements.part_count, 0);
  for (const int node : constraints_.held_nodes) anchored_[elements.parts[node]] = 1;
  for (const ReconstructionSpring& spring : constraints_.springs) {
    anchored_[elements.parts[spring.nodes[0]]] = 1;
  }
  std::vector<char> pinned = anchored_;
  row_of_node_.assign(elements.node_count(), 0);
  for (int node = 0; node < elements.node_count(); ++node) {
    const int part = elements.parts[node];
    if (part < 0) row_of_node_[node] = -1;
    if (part < 0 || pinned[part]) continue;
    pinned[part] = 1;
    pins_.push_back(node);
  }
  for (const int node : constraints_.held_nodes) row_of_node_[node] = -1;
  for (const int node : pins_) row_of_node_[node] = -1;
  for (int& row : row_of_node_) {
    if (row == 0) row = free_count_++;
  }
  int next = free_count_;
  for (const int node : constraints_.held_nodes) row_of_node_[node] = next++;
  for (const int node : pins_) row_of_node_[node] = next++;
}

void Reconstruction::assemble() {
  using Entry = Eigen::Triplet<double>;
  const Elements& elements = *elements_;
  std::vector<Entry> free_entries;
  std::vector<Entry> held_entries;
  const auto add = [&](int node, int other, double value) {
    const int row = row_of_node_[node];
    const int column = row_of_node_[other];
    if (row >= free_count_) return;
    if (column < free_count_) {
      free_entries.emplace_back(row, column, value);
    } else {
      held_entries.emplace_back(row, column - free_count_, value);
    }
  };
  free_entries.reserve(16 * static_cast<std::size_t>(elements.element_count()));
  for (int element = 0; element < elements.element_count(); ++element) {
    for (int i = 0; i < elements.corner_count(); ++i) {
      for (int j = 0; j < elements.corner_count(); ++j) {
        add(elements.corners(element, i), elements.corners(element, j),
            weights_[element] * elements.gradient(element, i).dot(elements.gradient(element, j)));
      }
    }
  }
  for (const ReconstructionSpring& spring : constraints_.springs) {
    for (int i = 0; i < 4; ++i) {
      for (int j = 0; j < 4; ++j) {
        add(spring.nodes[i], spring.nodes[j],
            spring.stiffness * spring.weights[i] * spring.weights[j]);
      }
    }
  }
  const int held = static_cast<int>(constraints_.held_nodes.size() + pins_.size());
  coupling_.resize(free_count_, held);
  if (free_count_ == 0) return;
  SparseMatrix A(free_count_, free_count_);
  A.setFromTriplets(free_entries.begin(), free_entries.end());
  factor_.emplace(A);
  std::vector<int> row_in_order(free_count_);
  for (int k = 0; k < free_count_; ++k) row_in_order[factor_->order()[k]] = k;
  for (int& row : row_of_node_) {
    if (row >= 0 && row < free_count_) row = row_in_order[row];
  }
  for (Entry& entry : held_entries) {
    entry = Entry(row_in_order[entry.row()], entry.col(), entry.value());
  }
  coupling_.setFromTriplets(held_entries.begin(), held_entries.end());
}

void Reconstruction::clear() { std::fill(rows_.begin(), rows_.end(), 0.0); }

void Reconstruction::solve(std::span<const Mat3> gradients, const ReconstructionTargets& targets,
                           Positions& positions) {
  clear();
  const Elements& elements = *elements_;
  for (int element = 0; element < elements.element_count(); ++element) {
    const Mat3 weighted = weights_[element] * gradients[element];
    for (int k = 0; k < elements.corner_count(); ++k) {
      double* const row = rows_.data() + kRow * row_of_node_[elements.corners(element, k)];
      Eigen::Map<Vec3>(row) += weighted * elements.gradient(element, k);
    }
  }
  finish(targets, positions);
}

Positions Reconstruction::solve(const RotationStrain& coordinates,
                                const ReconstructionTargets& targets) {
  if (coordinates.element_count() != elements_->element_count() ||
      coordinates.w.rows() != elements_->element_count()) {
    throw Error(fmt::format("coordinates of {} elements where there are {}",
                            coordinates.element_count(), elements_->element_count()),
                "reconstruction", "give coordinates of the same mesh");
  }
  std::vector<Mat3> gradients(elements_->element_count());
  for (int element = 0; element < elements_->element_count(); ++element) {
    gradients[element] = deformation_gradient(coordinates, element);
  }
  Positions positions;
  solve(gradients, targets, positions);
  return positions;
}

ReconstructionTargets Reconstruction::targets_at(const Positions& pose) const {
  ReconstructionTargets targets;
  targets.barycentres = barycentres(*elements_, pose);
  targets.held.resize(constraints_.held_nodes.size(), 3);
  for (std::size_t k = 0; k < constraints_.held_nodes.size(); ++k) {
    targets.held.row(k) = pose.row(constraints_.held_nodes[k]);
  }
  targets.springs.setZero(constraints_.springs.size(), 3);
  for (std::size_t k = 0; k < constraints_.springs.size(); ++k) {
    const ReconstructionSpring& spring = constraints_.springs[k];
    for (int i = 0; i < 4; ++i) {
      targets.springs.row(k) += spring.weights[i] * pose.row(spring.nodes[i]);
    }
  }
  return targets;
}

void Reconstruction::finish(const ReconstructionTargets& targets, Positions& positions) {
  apply_held(targets);
  apply_springs(targets);
  if (factor_) factor_->solve_in_place(rows_.data());
  read_back(targets, positions);
}

/// A part without constraint has its barycentre fixed: loads on it count without what moves that.
void Reconstruction::spread(const Positions& loads, Positions& multipliers) {
  const Elements& elements = *elements_;
  shifts_.setZero();
  for (int node = 0; node < elements.node_count(); ++node) {
    const int part = elements.parts[node];
    if (part >= 0 && !anchored_[part]) shifts_.row(part) += loads.row(node) / part_weights_[part];
  }
  clear();
  for (int node = 0; node < elements.node_count(); ++node) {
    const int row = row_of_node_[node];
    if (row < 0 || row >= free_count_) continue;
    Eigen::Map<Vec3>(rows_.data() + static_cast<std::size_t>(kRow) * row) =
        loads.row(node) - elements.node_weights[node] * shifts_.row(elements.parts[node]);
  }
  if (factor_) factor_->solve_in_place(rows_.data());
  multipliers.resize(elements.node_count(), 3);
  for (int node = 0; node < elements.node_count(); ++node) {
    const int row = row_of_node_[node];
    if (row < 0 || row >= free_count_) {
      multipliers.row(node).setZero();
    } else {
      multipliers.row(node) =
          Eigen::Map<const Vec3>(rows_.data() + static_cast<std::size_t>(kRow) * row).transpose();
    }
  }
}

/// Puts held nodes and pins in place and their forces on the right-hand side.
void Reconstruction::apply_held(const ReconstructionTargets& targets) {
  double* const held = rows_.data() + static_cast<std::size_t>(kRow) * free_count_;
  const int held_count = static_cast<int>(constraints_.held_nodes.size());
  for (int k = 0; k < held_count; ++k) Eigen::Map<Vec3>(held + kRow * k) = targets.held.row(k);
  for (std::size_t k = 0; k < pins_.size(); ++k) {
    Eigen::Map<Vec3>(held + kRow * (held_count + k)) = elements_->rest.row(pins_[k]);
  }
  for (int row = 0; row < free_count_; ++row) {
    Vec3 sum = Vec3::Zero();
    for (SparseRows::InnerIterator entry(coupling_, row); entry; ++entry) {
      sum += entry.value() * Eigen::Map<const Vec3>(held + kRow * entry.col());
    }
    Eigen::Map<Vec3>(rows_.data() + static_cast<std::size_t>(kRow) * row) -= sum;
  }
}

void Reconstruction::apply_springs(const ReconstructionTargets& targets) {
  for (std::size_t k = 0; k < constraints_.springs.size(); ++k) {
    const ReconstructionSpring& spring = constraints_.springs[k];
    const Vec3 pull = spring.stiffness * targets.springs.row(k).transpose();
    for (int i = 0; i < 4; ++i) {
      const int row = row_of_node_[spring.nodes[i]];
      if (row >= free_count_) continue;
      Eigen::Map<Vec3>(rows_.data() + static_cast<std::size_t>(kRow) * row) +=
          spring.weights[i] * pull;
    }
  }
}

void Reconstruction::read_back(const ReconstructionTargets& targets, Positions& positions) {
  const Elements& elements = *elements_;
  positions.resize(elements.node_count(), 3);
  for (int node = 0; node < elements.node_count(); ++node) {
    const int row = row_of_node_[node];
    if (row < 0) {
      positions.row(node) = elements.rest.row(node);
    } else {
      positions.row(node) =
          Eigen::Map<const Vec3>(rows_.data() + static_cast<std::size_t>(kRow) * row).transpose();
    }
  }
  if (!pins_.empty()) shift_to(targets.barycentres, positions);
}

/// Moves each part without constraint so that its barycentre stands where it should.
void Reconstruction::shift_to(const Positions& goal, Positions& positions) {
  const Elements& elements = *elements_;
  shifts_.setZero();
  for (int node = 0; node < elements.node_count(); ++node) {
    const int part = elements.parts[node];
    if (part >= 0) shifts_.row(part) -= elements.node_weights[node] * positions.row(node);
  }
  for (int part = 0; part < elements.part_count; ++part) {
    if (anchored_[part]) {
      shifts_.row(part).setZero();
    } else {
      shifts_.row(part) = goal.row(part) + shifts_.row(part) / part_weights_[part];
    }
  }
  for (int node = 0; node < elements.node_count(); ++node) {
    const int part = elements.parts[node];
    if (part >= 0) positions.row(node) += shifts_.row(part);
  }
}

Positions reconstruct(const TetMesh& mesh, const RotationStrain& coordinates,
                      const std::optional<Vec3>& barycentre) {
  return reconstruct(std::make_shared<const Elements>(elements_of(mesh)), coordinates, barycentre);
}

Positions reconstruct(std::shared_ptr<const Elements> elements, const RotationStrain& coordinates,
                      const std::optional<Vec3>& barycentre) {
  Reconstruction reconstruction(elements);
  ReconstructionTargets targets = reconstruction.targets_at(elements->rest);
  if (barycentre) {
    const Vec3 whole =
        elements->rest.transpose() * elements->node_weights / elements->node_weights.sum();
    targets.barycentres.rowwise() += (*barycentre - whole).transpose();
  }
  return reconstruction.solve(coordinates, targets);
}

}  // namespace limber
