// The largest stable time steps of Müller et al. 2002, section 4.2: a tube of a thousand tets, 50
// cm by 13 cm, dropped slanting from 50 cm. "Seconds" are time steps here, not processor time.
#include <cmath>
#include <string>
#include <vector>

#include "bench.h"
#include "limber/core/error.h"
#include "limber/core/rotation.h"
#include "limber/dynamics/full_space/full_body.h"
#include "limber/mesh/sample_shapes.h"
#include "stepping.h"

namespace limber {

namespace {

TetMesh slanting_tube() {
  TetMesh mesh = tube(0.065, 0.045, 0.5, 12, 14, 1);
  mesh.V = mesh.V * rotation_exp(Vec3(0, 0, 0.8)).transpose();
  mesh.V.col(1).array() += 0.5 - mesh.V.col(1).minCoeff();
  return mesh;
}

/// Whether the tube is in one piece after the impact, which comes at 0.32 s.
bool survives(Method method, double young, double h) {
  constexpr double kDuration = 0.8;
  constexpr double kInOnePiece = 1;  // m; the tube is half a metre long
  FullBodyOptions options;
  options.method = method;
  options.mass = MassKind::lumped;
  options.damping = {1, 0};
  Loads loads;
  loads.gravity.push_back({Vec3(0, -9.81, 0)});
  const TetMesh mesh = slanting_tube();
  FullBody body(mesh, Material{young, 0.33, 1000}, {}, options, loads);
  body.set_ground(GroundPlane{Vec3::UnitY(), 0, 0.3});
  try {
    while (body.time() < kDuration) {
      step(body, h);
      const Positions& x = body.positions();
      if ((x.colwise().maxCoeff() - x.colwise().minCoeff()).maxCoeff() > kInOnePiece) return false;
    }
  } catch (const Error&) {
    return false;
  }
  return true;
}

/// Of these steps (descending) the first that is stable, or 0.
double largest_step(Method method, double young, const std::vector<double>& steps) {
  for (const double h : steps) {
    if (survives(method, young, h)) return h;
  }
  return 0;
}

struct PaperRow {
  double young, warped, nonlinear;  // Pa, s, s
};

std::vector<BenchResult> tube_steps() {
  constexpr PaperRow kRows[] = {{2e6, 0.03, 0.005},
                                {1e6, 0.02, 0.005},
                                {5e5, 0.01, 0.002},
                                {2e5, 0.01, 0.001},
                                {1e5, 0.01, 0.001}};
  std::vector<BenchResult> results;
  for (const PaperRow& row : kRows) {
    const std::string name = "tube, E = " + std::to_string(row.young / 1e6).substr(0, 3) + " MPa";
    const double warped =
        largest_step(Method::stiffness_warping, row.young, {0.05, 0.04, 0.03, 0.02, 0.01});
    results.push_back({name + ", largest step warped", warped, row.warped, warped / row.warped, 1,
                       "the paper's step", "of 50, 40, 30, 20, 10 ms"});
    const double nonlinear = largest_step(Method::stvk, row.young, {0.02, 0.01, 0.005});
    results.push_back({name + ", largest step nonlinear", nonlinear, row.nonlinear,
                       nonlinear / row.nonlinear, 0, "the paper's step",
                       "StVK; of 20, 10, 5 ms, 0 for none of them"});
  }
  return results;
}

const RegisterBench kTube("tube", &tube_steps);

}  // namespace

}  // namespace limber
