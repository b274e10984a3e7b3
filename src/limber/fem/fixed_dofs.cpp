#include "limber/fem/fixed_dofs.h"

#include <string>

#include "limber/core/error.h"

namespace limber {

void refuse_all_fixed(int node_count) {
  throw Error("every node is fixed", std::to_string(node_count) + " nodes",
              "choose a smaller selection, so that something can move");
}

FreeDofs::FreeDofs(int node_count, const std::vector<int>& fixed_nodes)
    : free_of_node_(node_count, 0) {
  for (const int node : fixed_nodes) {
    if (node < 0 || node >= node_count) {
      throw Error("fixed node " + std::to_string(node) + " does not exist",
                  std::to_string(node_count) + " nodes", "nodes count from 0");
    }
    free_of_node_[node] = -1;
  }
  for (int node = 0; node < node_count; ++node) {
    if (free_of_node_[node] < 0) {
      fixed_.push_back(node);
    } else {
      free_of_node_[node] = static_cast<int>(nodes_.size());
      nodes_.push_back(node);
    }
  }
  if (nodes_.empty()) refuse_all_fixed(node_count);
}

SparseMatrix FreeDofs::reduce(const SparseMatrix& A, int block) const {
  const int size = block * static_cast<int>(nodes_.size());
  const auto free_row = [&](int row) {
    const int node = free_of_node_[row / block];
    return node < 0 ? -1 : block * node + row % block;
  };
  SparseMatrix reduced(size, size);
  int* const offsets = reduced.outerIndexPtr();
  const auto for_each_kept = [&](auto&& visit) {
    for (int column = 0; column < size; ++column) {
      const int source = block * nodes_[column / block] + column % block;
      for (SparseMatrix::InnerIterator entry(A, source); entry; ++entry) {
        const int row = free_row(static_cast<int>(entry.row()));
        if (row >= 0) visit(column, row, entry.value());
      }
    }
  };
  for_each_kept([&](int column, int, double) { ++offsets[column + 1]; });
  for (int column = 0; column < size; ++column) offsets[column + 1] += offsets[column];
  reduced.resizeNonZeros(offsets[size]);
  int next = 0;
  for_each_kept([&](int, int row, double value) {
    reduced.innerIndexPtr()[next] = row;
    reduced.valuePtr()[next++] = value;
  });
  return reduced;
}

Eigen::MatrixXd FreeDofs::reduce(const Eigen::Ref<const Eigen::MatrixXd>& field) const {
  Eigen::MatrixXd reduced(3 * nodes_.size(), field.cols());
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    reduced.middleRows<3>(3 * i) = field.middleRows<3>(3 * nodes_[i]);
  }
  return reduced;
}

Eigen::MatrixXd FreeDofs::expand(const Eigen::Ref<const Eigen::MatrixXd>& free_field) const {
  Eigen::MatrixXd field = Eigen::MatrixXd::Zero(3 * node_count(), free_field.cols());
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    field.middleRows<3>(3 * nodes_[i]) = free_field.middleRows<3>(3 * i);
  }
  return field;
}

}  // namespace limber
