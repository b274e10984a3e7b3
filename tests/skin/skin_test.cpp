// The SIMD surface update against the formulas in double precision.
#include "limber/skin/skin.h"

#include <gtest/gtest.h>
#include <hwy/targets.h>

#include <numbers>
#include <random>

#include "limber/core/error.h"
#include "limber/core/rotation.h"
#include "support/baked_bar.h"

namespace limber {
namespace {

constexpr double kPi = std::numbers::pi;

/// A body of random modes; every vertex hangs on up to four nodes.
ModalModel random_body(int vertices, int modes, double rotation_scale, unsigned seed = 1) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  const auto numbers = [&](std::size_t count, double scale) {
    std::vector<double> values(count);
    for (double& value : values) value = scale * uniform(random);
    return SharedArray<double>(std::move(values));
  };
  const int nodes = vertices + 3;
  ModalModel body;
  body.rest_positions_data = numbers(3 * nodes, 1);
  body.eigenvalues_data = numbers(modes, 1);
  body.Phi_data = numbers(3 * static_cast<std::size_t>(nodes) * modes, 0.3);
  body.Psi_data = numbers(3 * static_cast<std::size_t>(nodes) * modes, rotation_scale);
  std::vector<std::int32_t> bound;
  std::vector<double> weights;
  std::vector<double> normals;
  for (int v = 0; v < vertices; ++v) {
    for (int k = 0; k < 4; ++k) bound.push_back(v + k);
    for (const double weight : {0.4, 0.3, 0.5, -0.2}) weights.push_back(weight);
    const Vec3 normal = Vec3(uniform(random), uniform(random), uniform(random)).normalized();
    normals.insert(normals.end(), normal.begin(), normal.end());
  }
  body.surface.rest_positions = numbers(3 * static_cast<std::size_t>(vertices), 1);
  body.surface.rest_normals = SharedArray<double>(std::move(normals));
  body.surface.binding = {SharedArray<std::int32_t>(std::move(bound)),
                          SharedArray<double>(std::move(weights))};
  return body;
}

struct Expected {
  Positions positions;
  Positions normals;
};

/// u and w by the binding, then eq. 22 and appendix III in double precision.
Expected reference(const ModalModel& body, const Vector& q, SkinMethod method) {
  const int vertices = body.surface.vertex_count();
  Expected expected{Positions(vertices, 3), Positions(vertices, 3)};
  const Vector node_u = body.Phi() * q;
  const Vector node_w = body.Psi() * q;
  for (int v = 0; v < vertices; ++v) {
    Vec3 u = Vec3::Zero();
    Vec3 w = Vec3::Zero();
    for (int k = 0; k < 4; ++k) {
      const int node = body.surface.binding.nodes[4 * v + k];
      u += body.surface.binding.weights[4 * v + k] * node_u.segment<3>(3 * node);
      w += body.surface.binding.weights[4 * v + k] * node_w.segment<3>(3 * node);
    }
    const Eigen::Map<const Vec3> rest(body.surface.rest_positions.data() + 3 * v);
    const Eigen::Map<const Vec3> normal(body.surface.rest_normals.data() + 3 * v);
    const bool warped = method == SkinMethod::warped;
    expected.positions.row(v) = (rest + (warped ? Vec3(mean_rotation(w) * u) : u)).transpose();
    expected.normals.row(v) = (rotation_exp(w) * normal).transpose();
  }
  return expected;
}

struct Result {
  std::vector<float> positions;
  std::vector<float> normals;
};

Result update(const Skin& skin, const Vector& q, SkinMethod method, int threads = 1) {
  Result result;
  result.positions.resize(3 * skin.vertex_count());
  result.normals.resize(3 * skin.vertex_count());
  skin.update({q.data(), static_cast<std::size_t>(q.size())}, method, result.positions,
              result.normals, threads);
  return result;
}

double largest_error(const std::vector<float>& values, const Positions& expected) {
  return (Eigen::Map<const Eigen::VectorXf>(values.data(), std::ssize(values)).cast<double>() -
          stacked(expected))
      .cwiseAbs()
      .maxCoeff();
}

Vector amplitudes(int modes, double scale) {
  Vector q(modes);
  for (int k = 0; k < modes; ++k) q[k] = scale * std::sin(1.0 + 2.3 * k);
  return q;
}

TEST(Skin, EqualsTheFormulasForAnyNumberOfVerticesAndModes) {
  for (const int vertices : {1, 15, 16, 17, 100}) {
    for (const int modes : {1, 2, 7, 64}) {
      const ModalModel body = random_body(vertices, modes, 0.5);
      const Skin skin(pack_surface(body, Precision::float32));
      const Vector q = amplitudes(modes, 1 / std::sqrt(modes));
      for (const SkinMethod method : {SkinMethod::warped, SkinMethod::linear}) {
        const Result result = update(skin, q, method);
        const Expected expected = reference(body, q, method);
        // Sums of up to 64 products of numbers below one in single precision.
        EXPECT_LT(largest_error(result.positions, expected.positions), 3e-6);
        EXPECT_LT(largest_error(result.normals, expected.normals), 3e-6);
      }
    }
  }
}

TEST(Skin, IsRightForRotationsOfAnySize) {
  const ModalModel body = random_body(200, 3, 1.0);
  const Skin skin(pack_surface(body, Precision::float32));
  for (const double turn : {0.0, 1e-20, 1e-6, 1e-3, 0.1, 1.0, kPi, 2 * kPi, 7.0, 20.0}) {
    const Vector q = amplitudes(3, turn);
    const Result result = update(skin, q, SkinMethod::warped);
    const Expected expected = reference(body, q, SkinMethod::warped);
    // The angle itself is rounded to float: its error grows with the number of turns, and u with q.
    const double tolerance = 3e-6 * (1 + turn * turn);
    EXPECT_LT(largest_error(result.positions, expected.positions), tolerance) << turn;
    EXPECT_LT(largest_error(result.normals, expected.normals), tolerance) << turn;
    for (std::size_t v = 0; v < result.normals.size(); v += 3) {
      const double length =
          std::hypot(result.normals[v], result.normals[v + 1], result.normals[v + 2]);
      EXPECT_NEAR(length, 1, 1e-5);
    }
  }
}

TEST(Skin, AtRestNothingMoves) {
  const ModalModel body = baked_bar(8);
  const Skin skin(pack_surface(body, Precision::float32));
  const Result result = update(skin, Vector::Zero(8), SkinMethod::warped);
  for (std::size_t k = 0; k < result.positions.size(); ++k) {
    EXPECT_EQ(result.positions[k], static_cast<float>(body.surface.rest_positions[k]));
  }
}

TEST(Skin, Int16StaysWithinTheErrorThatIsPromised) {
  // 1e-4 of the body's size, as `limber bake --help` says.
  const ModalModel body = baked_bar(20);
  const Skin skin(pack_surface(body, Precision::int16));
  Vector q = Vector::Zero(20);
  for (int k = 0; k < 20; ++k) q[k] = 3 * std::sin(1.0 + k) / std::sqrt(body.eigenvalues()[k]);
  const Result result = update(skin, q, SkinMethod::warped);
  const Expected expected = reference(body, q, SkinMethod::warped);
  EXPECT_LT(largest_error(result.positions, expected.positions), 1e-4);
  EXPECT_LT(largest_error(result.normals, expected.normals), 1e-3);
}

TEST(Skin, Int16HandlesOddModeCountsAndTailBlocks) {
  for (const int vertices : {1, 17, 40}) {
    for (const int modes : {1, 3, 8}) {
      const ModalModel body = random_body(vertices, modes, 0.5);
      const Skin skin(pack_surface(body, Precision::int16));
      const Vector q = amplitudes(modes, 1);
      const Result result = update(skin, q, SkinMethod::warped);
      EXPECT_LT(largest_error(result.positions, reference(body, q, SkinMethod::warped).positions),
                5e-4);
    }
  }
}

TEST(Skin, AnyNumberOfThreadsGivesTheSameBits) {
  const ModalModel body = random_body(1000, 9, 0.5);
  const Skin skin(pack_surface(body, Precision::float32));
  const Vector q = amplitudes(9, 1);
  const Result one = update(skin, q, SkinMethod::warped, 1);
  for (const int threads : {2, 3, 7, 1000}) {
    const Result many = update(skin, q, SkinMethod::warped, threads);
    EXPECT_EQ(one.positions, many.positions);
    EXPECT_EQ(one.normals, many.normals);
  }
}

TEST(Skin, EveryInstructionSetGivesTheSameResult) {
  const ModalModel body = random_body(100, 11, 0.7);
  const Vector q = amplitudes(11, 1);
  const std::int64_t available = hwy::SupportedTargets();
  for (std::int64_t targets = available; targets != 0; targets &= targets - 1) {
    const std::int64_t target = targets & -targets;
    hwy::SetSupportedTargetsForTest(target);
    for (const Precision precision : {Precision::float32, Precision::int16}) {
      const Skin skin(pack_surface(body, precision));
      const Result result = update(skin, q, SkinMethod::warped);
      const double limit = precision == Precision::float32 ? 3e-6 : 5e-4;
      EXPECT_LT(largest_error(result.positions, reference(body, q, SkinMethod::warped).positions),
                limit)
          << hwy::TargetName(target);
    }
  }
  hwy::SetSupportedTargetsForTest(0);
}

TEST(Skin, WrongLengthsAreRefused) {
  const Skin skin(pack_surface(baked_bar(4), Precision::float32));
  std::vector<float> positions(3 * skin.vertex_count());
  std::vector<double> q(4);
  std::vector<float> short_array(5);
  EXPECT_THROW(skin.update(std::span(q).first(3), SkinMethod::warped, positions, {}), Error);
  EXPECT_THROW(skin.update(q, SkinMethod::warped, short_array, {}), Error);
  EXPECT_THROW(skin.update(q, SkinMethod::warped, positions, short_array), Error);
  EXPECT_NO_THROW(skin.update(q, SkinMethod::warped, positions, {}));
}

}  // namespace
}  // namespace limber
