#include "limber/study/terms.h"

namespace limber::study {

std::string name_of(const Term& term, const std::vector<Factor>& factors) {
  std::string result;
  for (const int f : term) {
    result += (result.empty() ? "" : " × ") + factors[static_cast<std::size_t>(f)].name;
  }
  return result;
}

std::vector<std::string> column_names(const Term& term, const std::vector<Factor>& factors) {
  std::vector<std::string> names{""};
  for (const int f : term) {
    const Factor& factor = factors[static_cast<std::size_t>(f)];
    std::vector<std::string> longer;
    for (const std::string& name : names) {
      for (std::size_t level = 1; level < factor.levels.size(); ++level) {
        longer.push_back(name + (name.empty() ? "" : ", ") + factor.name + ": " +
                         factor.levels[level]);
      }
    }
    names = longer;
  }
  return names;
}

Eigen::VectorXd columns(const Term& term, const std::vector<Factor>& factors,
                        const std::vector<int>& levels) {
  Eigen::VectorXd product = Eigen::VectorXd::Ones(1);
  for (const int f : term) {
    const auto count = static_cast<int>(factors[static_cast<std::size_t>(f)].levels.size());
    Eigen::VectorXd longer(product.size() * (count - 1));
    for (Eigen::Index k = 0; k < product.size(); ++k) {
      for (int level = 1; level < count; ++level) {
        const double own = levels[static_cast<std::size_t>(f)] == level ? 1 : 0;
        longer[k * (count - 1) + level - 1] = product[k] * (own - 1.0 / count);
      }
    }
    product = longer;
  }
  return product;
}

std::vector<Term> main_effects_and_pairs(int factors) {
  std::vector<Term> terms;
  for (int f = 0; f < factors; ++f) terms.push_back({f});
  for (int a = 0; a < factors; ++a) {
    for (int b = a + 1; b < factors; ++b) terms.push_back({a, b});
  }
  return terms;
}

}  // namespace limber::study
