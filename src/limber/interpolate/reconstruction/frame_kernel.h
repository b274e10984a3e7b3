// One frame of a motion, from displacements to the right-hand side of the reconstruction, several
// elements at a time:
//
//   w = axial(B u) + r + Σ c_j ŵ_j,  S = sym(B u) + Σ c_j Ŝ_j,  rows_k += weight exp(w)(I + S) ∇N_k
//
// Symbols: u (n×3) modal displacements W z, r (3) a rotation of all, (ŵ_j, Ŝ_j) coordinate fields
// with coefficients c_j. Elements lie in blocks of kLanes; a block's numbers of one kind lie
// together. The last block is filled up with copies of no weight.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "limber/interpolate/reconstruction/reconstruction.h"

namespace limber {

/// Rotation-strain coordinates in the order of a FrameKernel.
struct CoordinateField {
  std::vector<double> values;  // a block: 3 of w, then 9 of S, column by column; kLanes each
};

/// Coordinates of one element.
struct ElementCoordinates {
  Vec3 w;
  Mat3 S;
};

/// A field and how much of it.
struct FieldTerm {
  const CoordinateField* field = nullptr;
  double coefficient = 0;
};

class FrameKernel {
 public:
  static constexpr int kLanes = 8;
  static constexpr int kFieldNumbers = 12;

  /// For frames that `reconstruction` solves; weights are its own.
  explicit FrameKernel(const Reconstruction& reconstruction);

  [[nodiscard]] CoordinateField field(const RotationStrain& coordinates) const;
  /// The same into a field that is there already; nothing is allocated when it has its size.
  void write_field(const RotationStrain& coordinates, CoordinateField& field) const;

  /// Adds to `rows` (Reconstruction::rows()). u has 3 numbers a node.
  void accumulate(const double* u, const Vec3& rotation, std::span<const FieldTerm> terms,
                  double* rows) const;
  /// What loads on the reconstructed shape do to u by virtual work: g (3 numbers a node) += the
  /// derivative by u of Σ weight ⟨exp(w)(I + S), ∇y⟩, y (3 numbers a node) being the loads'
  /// multipliers (Reconstruction::spread()). Tets alone.
  void pull_back(const double* u, const double* y, double* g) const;
  /// The coordinates that accumulate() uses for one element.
  [[nodiscard]] ElementCoordinates coordinates_of(int element, const double* u,
                                                  const Vec3& rotation,
                                                  std::span<const FieldTerm> terms) const;

  /// What the kernel reads, a block after the other.
  struct Layout {
    int blocks = 0;
    bool shell = false;
    std::vector<std::int32_t> displacements;  // 4·kLanes a block: where a corner's u begins
    std::vector<std::int32_t> rows;           // 4·kLanes a block: where a corner's row begins
    std::vector<double> gradients;            // 9·kLanes a block: ∇N of corners 1, 2, 3
    std::vector<double> weights;              // kLanes a block
    std::vector<double> normals;              // 3·kLanes a block, shells only
  };

 private:
  std::shared_ptr<const Elements> elements_;
  Layout layout_;
};

}  // namespace limber
