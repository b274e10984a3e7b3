// Columns of a regression for terms of categorical factors: each level against the first, with the
// intercept at the mean of all levels (for two levels −½ and ½); interactions are products.
#pragma once

#include <Eigen/Dense>
#include <string>
#include <vector>

namespace limber::study {

/// A factor of a design and its levels, the first being what the others are compared with.
struct Factor {
  std::string name;
  std::vector<std::string> levels;

  friend bool operator==(const Factor&, const Factor&) = default;
};

/// Numbers of the factors whose product it is.
using Term = std::vector<int>;

/// As in "model × stiffness".
[[nodiscard]] std::string name_of(const Term& term, const std::vector<Factor>& factors);
/// As in "model: global-local, stiffness: soft", one for each column.
[[nodiscard]] std::vector<std::string> column_names(const Term& term,
                                                    const std::vector<Factor>& factors);
/// The term's numbers where the factors have these levels.
[[nodiscard]] Eigen::VectorXd columns(const Term& term, const std::vector<Factor>& factors,
                                      const std::vector<int>& levels);
/// All terms of one factor, then all of two.
[[nodiscard]] std::vector<Term> main_effects_and_pairs(int factors);

}  // namespace limber::study
