// Modes against scipy's eigsh, against ARPACK on our own factor, and their growth with the mesh.
#include <sys/resource.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

#include "bench.h"
#include "limber/core/solvers/cholesky.h"
#include "limber/fem/fixed_dofs.h"
#include "limber/fem/stiffness.h"
#include "limber/mesh/sample_shapes.h"
#include "limber/mesh/select.h"
#include "limber/modes/modal_analysis.h"
#include "timing.h"
#ifdef LIMBER_WITH_ARPACK
#include "arpack.h"
#endif

extern "C" void openblas_set_num_threads(int threads);

namespace limber {

namespace {

/// The clamped bar of n×n cells in section, 30 n³ tets.
TetMesh bench_bar(int n) { return bar({5, 1, 1}, {5 * n, n, n}); }

double modes_seconds(int n, int count, double* residual = nullptr) {
  const TetMesh mesh = bench_bar(n);
  const std::vector<int> fixed = select_nodes(mesh, "x<=0");
  return seconds_of([&] {
    const ModalAnalysis analysis = modal_analysis(mesh, Material{}, fixed, {count});
    if (residual != nullptr) *residual = analysis.max_residual;
  });
}

/// Processor seconds of scipy's eigsh(K, 20, M, sigma=0) on the same bar; or 0, and what Python
/// said last in `problem`.
double scipy_seconds(int n, std::string& problem) {
  const std::string code =
      "import limber, numpy, scipy.sparse.linalg as la, time\\n"
      "mesh = limber.bar([5, 1, 1], [" +
      std::to_string(5 * n) + ", " + std::to_string(n) + ", " + std::to_string(n) +
      "])\\n"
      "free = numpy.flatnonzero(numpy.repeat(mesh.V[:, 0] > 0, 3))\\n"
      "K = limber.stiffness(mesh)[free][:, free].tocsc()\\n"
      "M = limber.mass(mesh)[free][:, free].tocsc()\\n"
      "start = time.process_time()\\n"
      "la.eigsh(K, 20, M, sigma=0)\\n"
      "print(time.process_time() - start)\\n";
  const std::string command = "printf '" + code + "' | OPENBLAS_NUM_THREADS=1 PYTHONPATH='" +
                              LIMBER_PYTHON_PATH "' '" LIMBER_PYTHON_PROGRAM "' - 2>&1";
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), &pclose);
  std::array<char, 512> line{};
  while (pipe && std::fgets(line.data(), line.size(), pipe.get()) != nullptr) problem = line.data();
  double seconds = 0;
  if (std::sscanf(problem.c_str(), "%lf", &seconds) == 1) problem.clear();
  problem = problem.substr(0, problem.find('\n'));
  return seconds;
}

BenchResult against_scipy(int n, const char* name, double target) {
  BenchResult result;
  result.name = name;
  result.reference = "scipy.sparse.linalg.eigsh(K, 20, M, sigma=0), assembly not counted";
  double residual = 0;
  result.seconds = modes_seconds(n, 20, &residual);
  std::string problem;
  result.reference_seconds = scipy_seconds(n, problem);
  result.note = "residual " + std::to_string(residual * 1e9) + "e-9";
  if (result.reference_seconds == 0) {
    result.note += "; " LIMBER_PYTHON_PROGRAM ": " + problem;
    return result;
  }
  result.ratio = result.reference_seconds / result.seconds;
  result.target = target;
  return result;
}

std::vector<BenchResult> modes_scipy() {
  openblas_set_num_threads(1);
  return {against_scipy(7, "20 modes, 10k tets", 2.5), against_scipy(13, "20 modes, 66k tets", 6)};
}

#ifdef LIMBER_WITH_ARPACK
std::vector<BenchResult> modes_arpack() {
  openblas_set_num_threads(1);
  const TetMesh mesh = bench_bar(13);
  const FreeDofs free(mesh.node_count(), select_nodes(mesh, "x<=0"));
  const SparseMatrix K = free.reduce(stiffness(mesh, Material{}), 3);
  const SparseMatrix m = free.reduce(scalar_mass(mesh, Material{}), 1);
  BenchResult result;
  result.name = "100 modes, 66k tets";
  result.reference = "ARPACK (ncv 200) on the same factor, one right-hand side at a time";
  result.target = 1.8;
  Vector ours;
  result.seconds = seconds_of(
      [&] { ours = modal_analysis(mesh, Material{}, free.fixed_nodes(), {100}).eigenvalues; });
  Vector theirs;
  result.reference_seconds = seconds_of([&] {
    const Cholesky factor(K, {Cholesky::Backend::automatic, 3});
    theirs = arpack_eigenvalues(factor, m, 100);
  });
  result.ratio = result.reference_seconds / result.seconds;
  result.note = "largest difference of eigenvalues " +
                std::to_string(((ours - theirs).array() / theirs.array()).abs().maxCoeff());
  return {result};
}
const RegisterBench kArpack("modes-arpack", &modes_arpack);
#endif

std::vector<BenchResult> modes_growth() {
  openblas_set_num_threads(1);
  const double small = modes_seconds(13, 20);
  const double large = modes_seconds(22, 20);
  const double exponent = std::log(large / small) / std::log(319440.0 / 65910.0);
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  BenchResult result;
  result.name = "20 modes, 320k tets";
  result.seconds = large;
  result.note = "the 66k one took " + std::to_string(small) + " s: exponent " +
                std::to_string(exponent) + " (at most 1.5); peak memory " +
                std::to_string(usage.ru_maxrss / 1024) + " MB (at most 2500)";
  return {result};
}

const RegisterBench kScipy("modes-scipy", &modes_scipy);
const RegisterBench kGrowth("modes-growth", &modes_growth);

}  // namespace

}  // namespace limber
