#include "limber/skin/triangle_normals.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "limber/core/error.h"
#include "limber/core/threads.h"
#include "limber/skin/triangle_normals_kernel.h"

namespace limber {

namespace {

/// The neighbours that a triangle spans with a vertex, in the triangle's direction.
struct Spanned {
  std::int32_t from, to;
};

/// For each vertex its triangles, by rows: those of v are starts[v], …, starts[v + 1] − 1.
struct Fans {
  std::vector<std::size_t> starts;
  std::vector<Spanned> triangles;
};

Fans fans_of(int vertices, std::span<const std::int32_t> triangles) {
  Fans fans{std::vector<std::size_t>(static_cast<std::size_t>(vertices) + 1, 0),
            std::vector<Spanned>(triangles.size())};
  for (const std::int32_t vertex : triangles) ++fans.starts[static_cast<std::size_t>(vertex) + 1];
  for (std::size_t v = 1; v < fans.starts.size(); ++v) fans.starts[v] += fans.starts[v - 1];
  std::vector<std::size_t> next(fans.starts.begin(), fans.starts.end() - 1);
  for (std::size_t corner = 0; corner < triangles.size(); ++corner) {
    const std::size_t first = corner / 3 * 3;
    fans.triangles[next[static_cast<std::size_t>(triangles[corner])]++] = {
        triangles[first + (corner + 1) % 3], triangles[first + (corner + 2) % 3]};
  }
  return fans;
}

/// The neighbours of `vertex` in order around it, the vertex itself between fans that do not
/// join. Each triangle appears once as a neighbour and the next.
void append_ring(std::int32_t vertex, std::span<Spanned> left, std::vector<std::int32_t>& ring) {
  while (!left.empty()) {
    if (!ring.empty()) ring.push_back(vertex);
    // An open fan begins at the side that no other triangle leads to.
    const auto begins = [&](const Spanned& one) {
      return std::none_of(left.begin(), left.end(),
                          [&](const Spanned& other) { return other.to == one.from; });
    };
    auto next = std::find_if(left.begin(), left.end(), begins);
    if (next == left.end()) next = left.begin();
    ring.push_back(next->from);
    while (next != left.end()) {
      const std::int32_t to = next->to;
      ring.push_back(to);
      std::iter_swap(next, left.begin());
      left = left.subspan(1);
      next = std::find_if(left.begin(), left.end(),
                          [to](const Spanned& one) { return one.from == to; });
    }
  }
}

double mean_side(std::span<const double> positions, std::span<const std::int32_t> triangles) {
  double sum = 0;
  for (std::size_t corner = 0; corner < triangles.size(); ++corner) {
    const std::size_t next = corner % 3 == 2 ? corner - 2 : corner + 1;
    const double* const a = positions.data() + 3 * static_cast<std::size_t>(triangles[corner]);
    const double* const b = positions.data() + 3 * static_cast<std::size_t>(triangles[next]);
    sum += std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
  }
  return triangles.empty() ? 1 : sum / static_cast<double>(triangles.size());
}

}  // namespace

TriangleNormals::TriangleNormals(std::span<const double> rest_positions,
                                 std::span<const std::int32_t> triangles)
    : vertex_count_(static_cast<int>(rest_positions.size() / 3)) {
  const bool fits = std::all_of(triangles.begin(), triangles.end(), [this](std::int32_t vertex) {
    return vertex >= 0 && vertex < vertex_count_;
  });
  if (!fits || triangles.size() % 3 != 0 || rest_positions.size() % 3 != 0) {
    throw Error("a triangle names a vertex that is not there", "TriangleNormals",
                "give the triangles of these vertices, three numbers each");
  }
  const double side = mean_side(rest_positions, triangles);
  if (side > 0 && std::isfinite(1 / side)) inverse_length_ = static_cast<float>(1 / side);
  Fans fans = fans_of(vertex_count_, triangles);
  std::vector<std::vector<std::int32_t>> rings(kBlock);
  for (int first = 0; first < vertex_count_; first += kBlock) {
    std::size_t rows = 0;
    for (int lane = 0; lane < kBlock; ++lane) {
      const int vertex = first + lane;
      rings[lane].clear();
      if (vertex < vertex_count_) {
        append_ring(
            vertex,
            std::span(fans.triangles)
                .subspan(fans.starts[vertex], fans.starts[vertex + 1] - fans.starts[vertex]),
            rings[lane]);
      }
      rows = std::max(rows, rings[lane].size());
    }
    starts_.push_back(std::ssize(rings_));
    for (std::size_t row = 0; row < rows; ++row) {
      for (int lane = 0; lane < kBlock; ++lane) {
        const int own = std::min(first + lane, vertex_count_ - 1);
        rings_.push_back(3 * (row < rings[lane].size() ? rings[lane][row] : own));
      }
    }
  }
  starts_.push_back(std::ssize(rings_));
}

void TriangleNormals::update(std::span<const float> positions, std::span<float> normals,
                             int threads) const {
  const std::size_t numbers = 3 * static_cast<std::size_t>(vertex_count_);
  if (positions.size() != numbers || normals.size() != numbers) {
    throw Error("an array has the wrong length", "TriangleNormals::update",
                "give " + std::to_string(numbers) + " numbers for positions and normals");
  }
  const NormalsJob job{starts_.data(), rings_.data(),   positions.data(),
                       normals.data(), inverse_length_, vertex_count_};
  const int blocks = static_cast<int>(starts_.size()) - 1;
  const int parts = std::clamp(threads, 1, std::max(1, blocks));
  run_parts(parts, [&](int part) {
    const auto border = [&](int k) { return static_cast<int>(std::int64_t{blocks} * k / parts); };
    triangle_normals_blocks(job, border(part), border(part + 1));
  });
}

}  // namespace limber
