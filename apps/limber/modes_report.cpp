#include "modes_report.h"

#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include "limber/modes/modal_analysis.h"
#include "limber/scene/json_writer.h"

namespace limber {

namespace {

nlohmann::ordered_json as_json(const ModesReport& report) {
  nlohmann::ordered_json modes = nlohmann::ordered_json::array();
  for (const double eigenvalue : report.eigenvalues) {
    modes.push_back({{"eigenvalue", eigenvalue}, {"frequency_hz", frequency_hz(eigenvalue)}});
  }
  nlohmann::ordered_json json = {{"nodes", report.nodes},
                                 {"tets", report.tets},
                                 {"fixed_nodes", report.fixed_nodes},
                                 {"parts", report.parts},
                                 {"rigid_modes", report.rigid_modes},
                                 {"solver", report.solver},
                                 {"max_residual", report.max_residual},
                                 {"modes", modes},
                                 {"seconds",
                                  {{"assemble", report.assemble_seconds},
                                   {"factorize", report.factorize_seconds},
                                   {"eigensolve", report.eigensolve_seconds}}}};
  if (report.ranks > 0) {
    json["ranks"] = report.ranks;
    json["iterations"] = report.iterations;
    json["peak_bytes_of_a_rank"] = report.peak_bytes;
  }
  return json;
}

void print_table(const ModesReport& report) {
  fmt::print("{} nodes, {} tets, {} fixed nodes, {} rigid modes\n", report.nodes, report.tets,
             report.fixed_nodes, report.rigid_modes);
  fmt::print("solver {}, largest residual {:.1e}\n\n", report.solver, report.max_residual);
  fmt::print("{:>5}  {:>16}  {:>14}\n", "mode", "eigenvalue", "frequency Hz");
  for (Eigen::Index k = 0; k < report.eigenvalues.size(); ++k) {
    fmt::print("{:>5}  {:>16.8g}  {:>14.6g}\n", k + 1, report.eigenvalues[k],
               frequency_hz(report.eigenvalues[k]));
  }
}

}  // namespace

void print(const ModesReport& report, bool json, const std::string& mesh) {
  if (json) {
    fmt::print("{}\n", json_text(as_json(report), mesh));
  } else {
    print_table(report);
  }
}

std::string baked_line(const std::string& file, const ModesReport& report) {
  return fmt::format(
      "{}: {} nodes, {} modes ({:.3g} to {:.3g} Hz), {} rigid modes, residual {:.1e}", file,
      report.nodes, report.eigenvalues.size(), frequency_hz(report.eigenvalues[0]),
      frequency_hz(report.eigenvalues[report.eigenvalues.size() - 1]), report.rigid_modes,
      report.max_residual);
}

}  // namespace limber
