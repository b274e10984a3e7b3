#include "limber/modes/playback/reduced_model.h"

#include "limber/core/error.h"
#include "limber/modes/playback/modal_model.h"

namespace limber {

std::vector<ReducedTet> ReducedModel::weighted_tets(ElasticLaw law) const {
  std::vector<ReducedTet> result;
  const std::size_t first = 2 * tets.size() * static_cast<std::size_t>(law);
  for (std::size_t k = 0; k < tets.size(); ++k) {
    const double lambda = lame[first + 2 * k];
    const double mu = lame[first + 2 * k + 1];
    if (mu > 0) result.push_back({tets[k], lambda, mu});
  }
  return result;
}

ReducedModel stiffened(const ReducedModel& model, double factor) {
  const auto times = [factor](const SharedArray<double>& numbers) {
    std::vector<double> result(numbers.begin(), numbers.end());
    for (double& number : result) number *= factor;
    return SharedArray<double>(std::move(result));
  };
  ReducedModel result = model;
  result.eigenvalues_data = times(model.eigenvalues_data);
  result.lame = times(model.lame);
  return result;
}

ModalModel in_reduced_space(const ModalModel& model) {
  if (model.reduced.empty()) {
    throw Error("the body was baked without a reduced space", "method reduced",
                "bake it with --reduced");
  }
  ModalModel result = model;
  result.eigenvalues_data = model.reduced.eigenvalues_data;
  result.Phi_data = model.reduced.Phi_data;
  result.Psi_data = model.reduced.Psi_data;
  return result;
}

}  // namespace limber
