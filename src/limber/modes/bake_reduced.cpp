#include "limber/modes/bake_reduced.h"

#include "limber/fem/operators.h"

namespace limber {

TrainedTets bake_reduced(const TetMesh& mesh, const Materials& materials, ModalModel& model,
                         const ReducedBakeOptions& options, const Progress& progress) {
  const ReducedBasis basis = reduced_basis(mesh, materials, model, options.basis, progress);
  report(progress, "train reduced body", 0);
  ReducedTrainingOptions training;
  training.tets = options.tets_per_field * options.basis.size;
  const TrainedTets trained = train_reduced(mesh, materials, basis, training);

  std::vector<double> lame;
  for (const Vector& weights : trained.weights) {
    for (const ReducedTet& tet : weighted_tets(mesh, materials, trained.tets, weights)) {
      lame.push_back(tet.lambda);
      lame.push_back(tet.mu);
    }
  }
  const ModeMatrix Phi = basis.Phi;
  const ModeMatrix Psi = curl_operator(mesh) * basis.Phi;
  model.reduced.eigenvalues_data = SharedArray<double>(basis.eigenvalues);
  model.reduced.Phi_data = SharedArray<double>(Phi);
  model.reduced.Psi_data = SharedArray<double>(Psi);
  model.reduced.tets = SharedArray<std::int32_t>(
      std::vector<std::int32_t>(trained.tets.begin(), trained.tets.end()));
  model.reduced.lame = SharedArray<double>(std::move(lame));
  return trained;
}

}  // namespace limber
