// The warped surface update against the machine's read bandwidth, int16 against float, and both
// against Eigen's products with a scalar Rodrigues loop.
#include <fmt/format.h>

#include <Eigen/Geometry>
#include <random>

#include "bandwidth.h"
#include "bench.h"
#include "limber/core/rotation.h"
#include "limber/skin/skin.h"
#include "limber/skin/triangle_normals.h"
#include "timing.h"

namespace limber {

namespace {

struct Case {
  int vertices;
  int modes;
};

/// Vertices that are nodes, with random modes and rotations within a turn.
ModalModel random_body(const Case& size) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> uniform(-1, 1);
  const auto n = static_cast<std::size_t>(size.vertices);
  const auto numbers = [&](std::size_t count) {
    std::vector<double> values(count);
    for (double& value : values) value = 0.2 * uniform(random);
    return SharedArray<double>(std::move(values));
  };
  ModalModel body;
  body.rest_positions_data = numbers(3 * n);
  body.eigenvalues_data = numbers(size.modes);
  body.Phi_data = numbers(3 * n * size.modes);
  body.Psi_data = numbers(3 * n * size.modes);
  body.surface.rest_positions = body.rest_positions_data;
  body.surface.rest_normals = numbers(3 * n);
  std::vector<std::int32_t> nodes(4 * n);
  std::vector<double> weights(4 * n, 0.0);
  for (std::size_t k = 0; k < 4 * n; ++k) nodes[k] = static_cast<std::int32_t>(k / 4);
  for (std::size_t v = 0; v < n; ++v) weights[4 * v] = 1;
  body.surface.binding = {SharedArray<std::int32_t>(std::move(nodes)),
                          SharedArray<double>(std::move(weights))};
  return body;
}

/// What one would write first: two products in float, then Rodrigues vertex by vertex.
class EigenSkin {
 public:
  explicit EigenSkin(const ModalModel& body)
      : Phi_(body.Phi().cast<float>()),
        Psi_(body.Psi().cast<float>()),
        rest_(Eigen::Map<const Vector>(body.surface.rest_positions.data(), Phi_.rows())
                  .cast<float>()),
        normals_(
            Eigen::Map<const Vector>(body.surface.rest_normals.data(), Phi_.rows()).cast<float>()) {
  }

  void update(const Eigen::VectorXf& q, float* positions, float* normals) {
    u_.noalias() = Phi_ * q;
    w_.noalias() = Psi_ * q;
    for (Eigen::Index v = 0; v < Phi_.rows(); v += 3) {
      const Eigen::Vector3f w = w_.segment<3>(v);
      const Eigen::Vector3f u = u_.segment<3>(v);
      const Eigen::Vector3f n = normals_.segment<3>(v);
      const float angle = w.norm();
      const float s = angle > 1e-6f ? std::sin(angle) / angle : 1.0f;
      const float c = angle > 1e-6f ? (1 - std::cos(angle)) / (angle * angle) : 0.5f;
      const float e = angle > 1e-3f ? (1 - s) / (angle * angle) : 1.0f / 6;
      const Eigen::Vector3f wu = w.cross(u);
      const Eigen::Vector3f wn = w.cross(n);
      Eigen::Map<Eigen::Vector3f>(positions + v) =
          rest_.segment<3>(v) + u + c * wu + e * w.cross(wu);
      Eigen::Map<Eigen::Vector3f>(normals + v) = n + s * wn + c * w.cross(wn);
    }
  }

 private:
  using Matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  Matrix Phi_;
  Matrix Psi_;
  Eigen::VectorXf rest_;
  Eigen::VectorXf normals_;
  Eigen::VectorXf u_;
  Eigen::VectorXf w_;
};

/// Two triangles a vertex on a band 100 vertices wide: six neighbours, numbered as meshes are.
std::vector<std::int32_t> strip_of_triangles(int vertices) {
  constexpr int kWidth = 100;
  std::vector<std::int32_t> triangles;
  for (std::int32_t v = 0; v + kWidth + 1 < vertices; ++v) {
    triangles.insert(triangles.end(), {v, v + 1, v + kWidth, v + 1, v + kWidth + 1, v + kWidth});
  }
  return triangles;
}

std::vector<BenchResult> skin_case(const Case& size) {
  const ModalModel body = random_body(size);
  const PackedSurface packed = pack_surface(body, Precision::float32);
  const Skin float_skin(packed);
  const Skin int16_skin(quantised(packed));
  EigenSkin eigen_skin(body);
  std::vector<float> positions(3 * size.vertices);
  std::vector<float> normals(3 * size.vertices);
  std::vector<double> q(size.modes);
  for (int k = 0; k < size.modes; ++k) q[k] = std::sin(1.0 + k);
  const Eigen::VectorXf qf = Eigen::Map<const Vector>(q.data(), size.modes).cast<float>();
  const int repeats = 1 + 4'000'000 / (size.vertices * size.modes);
  const auto time = [&](const auto& work) { return best_seconds_each(work, repeats); };
  const double in_float =
      time([&] { float_skin.update(q, SkinMethod::warped, positions, normals); });
  const double in_int16 =
      time([&] { int16_skin.update(q, SkinMethod::warped, positions, normals); });
  const double by_eigen = time([&] { eigen_skin.update(qf, positions.data(), normals.data()); });
  const std::vector<std::int32_t> triangles = strip_of_triangles(size.vertices);
  const TriangleNormals triangle_normals(body.surface.rest_positions.span(), triangles);
  const double with_triangles = time([&] {
    float_skin.update(q, SkinMethod::warped, positions, {});
    triangle_normals.update(positions, normals);
  });
  const double limit = read_seconds(packed.byte_count());
  const std::string label = fmt::format("{}k x {}", size.vertices / 1000, size.modes);
  const std::string traffic = fmt::format("{:.1f} MB read", 1e-6 * packed.byte_count());
  return {{"skin in float, " + label, in_float, limit, limit / in_float, 0.8,
           "reading as many bytes", traffic},
          {"skin in int16, " + label, in_int16, in_float, in_float / in_int16, 1.5,
           "the float kernel", ""},
          {"skin with normals from triangles, " + label, with_triangles, in_float,
           in_float / with_triangles, 0.3, "the float kernel with turned normals", ""},
          {"skin in float, " + label, in_float, by_eigen, by_eigen / in_float, 1.5,
           "Eigen's Phi*q, Psi*q in float and a scalar Rodrigues loop", ""}};
}

std::vector<BenchResult> skin() {
  std::vector<BenchResult> results;
  for (const Case& size : {Case{1000, 20}, {13000, 20}, {28000, 8}, {28000, 64}, {100000, 20}}) {
    for (BenchResult& result : skin_case(size)) results.push_back(std::move(result));
  }
  return results;
}

const RegisterBench kSkin("skin", &skin);

}  // namespace

}  // namespace limber
