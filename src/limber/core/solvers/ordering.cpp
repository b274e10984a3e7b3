#include "limber/core/solvers/ordering.h"

#include <metis.h>

#include <csignal>
#include <mutex>
#include <numeric>

namespace limber {

namespace {

/// METIS seeds and draws from the C library's rand(), one state for the whole process: two calls at
/// once would take numbers from each other, and each end in another order.
std::mutex metis_turn;

/// METIS takes SIGTERM for its own errors while it works: it jumps out of wherever the signal meets
/// it and frees what it may be freeing, which ends in an abort or never. So none meets it; who
/// waits comes when it is done, to the handler as it was: METIS puts it back for one signal only.
/// SIGABRT is not held back: METIS raises it when memory runs out.
class TerminationHeldBack {
 public:
  TerminationHeldBack() {
    sigset_t termination;
    sigemptyset(&termination);
    sigaddset(&termination, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &termination, &mask_);
    sigaction(SIGTERM, nullptr, &handling_);
  }
  ~TerminationHeldBack() {
    sigaction(SIGTERM, &handling_, nullptr);
    pthread_sigmask(SIG_SETMASK, &mask_, nullptr);
  }
  TerminationHeldBack(const TerminationHeldBack&) = delete;
  TerminationHeldBack& operator=(const TerminationHeldBack&) = delete;

 private:
  sigset_t mask_;
  struct sigaction handling_;
};

/// Off-diagonal pattern of the groups, as METIS wants it.
struct Graph {
  std::vector<idx_t> offsets{0};
  std::vector<idx_t> neighbours;
};

Graph group_graph(const SparseMatrix& A, int block_size) {
  Graph graph;
  const int groups = static_cast<int>(A.cols()) / block_size;
  std::vector<int> last_seen_by(groups, -1);
  for (int group = 0; group < groups; ++group) {
    last_seen_by[group] = group;
    for (SparseMatrix::InnerIterator entry(A, group * block_size); entry; ++entry) {
      const int other = static_cast<int>(entry.row()) / block_size;
      if (last_seen_by[other] == group) continue;
      last_seen_by[other] = group;
      graph.neighbours.push_back(other);
    }
    graph.offsets.push_back(static_cast<idx_t>(graph.neighbours.size()));
  }
  return graph;
}

}  // namespace

std::vector<int> nested_dissection(const SparseMatrix& A, int block_size) {
  Graph graph = group_graph(A, block_size);
  idx_t groups = static_cast<idx_t>(graph.offsets.size()) - 1;
  std::vector<idx_t> order(groups);
  std::iota(order.begin(), order.end(), 0);
  if (!graph.neighbours.empty()) {
    std::vector<idx_t> inverse(groups);
    idx_t options[METIS_NOPTIONS];
    METIS_SetDefaultOptions(options);
    options[METIS_OPTION_SEED] = 1;  // the same order in every run
    const std::lock_guard turn(metis_turn);
    const TerminationHeldBack quiet;
    METIS_NodeND(&groups, graph.offsets.data(), graph.neighbours.data(), nullptr, options,
                 order.data(), inverse.data());
  }
  std::vector<int> expanded;
  expanded.reserve(order.size() * block_size);
  for (const idx_t group : order) {
    for (int k = 0; k < block_size; ++k) expanded.push_back(group * block_size + k);
  }
  return expanded;
}

}  // namespace limber
