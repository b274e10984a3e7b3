// What `modes` prints, whoever found the modes.
#pragma once

#include <string>

#include "limber/core/types.h"

namespace limber {

struct ModesReport {
  std::int64_t nodes = 0;
  std::int64_t tets = 0;
  std::int64_t fixed_nodes = 0;
  int parts = 1;
  int rigid_modes = 0;
  std::string solver;
  double max_residual = 0;
  Vector eigenvalues;
  double assemble_seconds = 0;
  double factorize_seconds = 0;
  double eigensolve_seconds = 0;
  // Of many processes; 0 where one did it all.
  int ranks = 0;
  int iterations = 0;
  double peak_bytes = 0;  ///< of the process that took most
};

/// A table, or JSON, on stdout; `mesh` is the file that an error would be about.
void print(const ModesReport& report, bool json, const std::string& mesh);

/// "bar.limber: 99 nodes, 8 modes (1.2 to 30 Hz), 0 rigid modes, residual 1e-09".
[[nodiscard]] std::string baked_line(const std::string& file, const ModesReport& report);

}  // namespace limber
