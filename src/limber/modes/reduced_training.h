// Which tets stand for all the others in a reduced body's elastic force (An, Kim & James 2008,
// "Optimizing cubature for efficient integration of subspace deformations").
//
// g(q) ≈ Σ_c w_c g_c(q), g_c the force of tet c alone. The body is put under gravity, pokes, and
// forces that would excite its modes at random (twists among them), all tets resisting; at the
// shapes that it takes, at those it was bent and twisted to with every node free (grown_shapes.h),
// and at small ones of each mode, tets are chosen greedily and their weights
// w ≥ 0 are those of least error. Tets are chosen for the corotational law; every law has weights
// of its own.
#pragma once

#include <array>
#include <vector>

#include "limber/material/material.h"
#include "limber/mesh/tet_mesh.h"
#include "limber/modes/playback/reduced_elements.h"
#include "limber/modes/reduced_basis.h"

namespace limber {

struct ReducedTrainingOptions {
  int tets = 150;  ///< at most; five a field
  int random_poses = 60;
  double largest_turn = 2;  ///< rad, that the loads would turn a linear body by
};

struct TrainedTets {
  std::vector<int> tets;
  std::array<Vector, kElasticLaws> weights;   // of each law, by ElasticLaw
  std::array<double, kElasticLaws> errors{};  // of the force, relative, over the training shapes
};

[[nodiscard]] TrainedTets train_reduced(const TetMesh& mesh, const Materials& materials,
                                        const ReducedBasis& basis,
                                        const ReducedTrainingOptions& options = {});

/// All tets of the mesh with weight one, or those given with theirs.
[[nodiscard]] std::vector<ReducedTet> weighted_tets(const TetMesh& mesh,
                                                    const Materials& materials);
[[nodiscard]] std::vector<ReducedTet> weighted_tets(const TetMesh& mesh, const Materials& materials,
                                                    const std::vector<int>& tets,
                                                    const Vector& weights);

struct ReducedRest {
  Vector q;
  double residual = 0;  ///< |∂W/∂q − f| / |f|
  int iterations = 0;
};
/// Where the elastic force balances the modal force f: Newton's method with the energy as guard.
[[nodiscard]] ReducedRest reduced_rest(const ReducedElements& elements, ElasticLaw law,
                                       const Vector& eigenvalues, const Vector& f, Vector start,
                                       double tolerance = 1e-9);

}  // namespace limber
