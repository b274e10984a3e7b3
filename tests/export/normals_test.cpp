// Normals of a baked ball that modal warping has twisted and squeezed, as .glb shows them.
//
// The surface is bound to tets, so it has no closed form once deformed; but a ball's lowest modes
// are harmonics of the second degree, and the deformed places are a smooth function of those at
// rest. A polynomial through all of them is the smooth surface, and its tangents give the true
// normals without any triangle.
#include <gtest/gtest.h>

#include <Eigen/QR>
#include <cstring>
#include <nlohmann/json.hpp>

#include "limber/core/file.h"
#include "limber/export/animation.h"
#include "limber/mesh/tetrahedralize/tetrahedralize.h"
#include "limber/modes/bake.h"
#include "limber/modes/embedded_surface.h"
#include "limber/modes/playback/packed_surface.h"
#include "limber/skin/skin.h"
#include "support/twisted_ball.h"
#include "test_folder.h"

namespace limber {
namespace {

using testing_support::TestFolder;

/// Polynomials of degree seven on the unit sphere, where z² is not independent: 64 of them.
class SmoothMap {
 public:
  SmoothMap(const Positions& rest, const Positions& deformed) {
    Eigen::MatrixXd terms(rest.rows(), kTerms);
    for (Eigen::Index v = 0; v < rest.rows(); ++v) terms.row(v) = terms_at(rest.row(v));
    coefficients_ = terms.householderQr().solve(Eigen::MatrixXd(deformed));
    misfit_ = (terms * coefficients_ - deformed).rowwise().norm().maxCoeff();
  }
  [[nodiscard]] double misfit() const { return misfit_; }

  [[nodiscard]] Vec3 normal(const Vec3& X) const {
    const Vec3 a = X.unitOrthogonal();
    const Vec3 b = X.cross(a);
    constexpr double h = 1e-5;
    const auto along = [&](const Vec3& t) -> Vec3 { return at(X + h * t) - at(X - h * t); };
    return along(a).cross(along(b));
  }

 private:
  static constexpr int kDegree = 7;
  static constexpr int kTerms = (kDegree + 1) * (kDegree + 1);
  static Eigen::RowVectorXd terms_at(const Vec3& X) {
    Eigen::RowVectorXd terms(kTerms);
    int k = 0;
    for (int i = 0; i <= kDegree; ++i)
      for (int j = 0; i + j <= kDegree; ++j)
        for (int l = 0; l <= 1 && i + j + l <= kDegree; ++l)
          terms[k++] = std::pow(X.x(), i) * std::pow(X.y(), j) * std::pow(X.z(), l);
    return terms;
  }
  [[nodiscard]] Vec3 at(const Vec3& X) const { return (terms_at(X) * coefficients_).transpose(); }

  Eigen::MatrixXd coefficients_;
  double misfit_ = 0;
};

TriMesh unit_sphere() {
  const Ball sphere = ball(40, 60);
  TriMesh surface;
  surface.V = Eigen::Map<const Positions>(sphere.positions.data(), sphere.positions.size() / 3, 3);
  surface.F = Eigen::Map<const Triangles>(sphere.triangles.data(), sphere.triangles.size() / 3, 3);
  return surface;
}

Positions as_rows(const std::vector<float>& values) {
  return Eigen::Map<const Eigen::Matrix<float, Eigen::Dynamic, 3, Eigen::RowMajor>>(
             values.data(), values.size() / 3, 3)
      .cast<double>();
}

/// The normals of a file that holds one frame of one smooth body.
Positions normals_in(const std::filesystem::path& path) {
  const FileBytes file(path);
  const std::string_view bytes = file.text();
  std::uint32_t json_size = 0;
  std::memcpy(&json_size, bytes.data() + 12, 4);
  const auto document = nlohmann::json::parse(bytes.substr(20, json_size));
  const int number = document["meshes"][0]["primitives"][0]["attributes"]["NORMAL"];
  const auto& accessor = document["accessors"][number];
  const auto& view = document["bufferViews"][accessor["bufferView"].get<int>()];
  std::vector<float> values(3 * accessor["count"].get<std::size_t>());
  std::memcpy(values.data(),
              bytes.data() + 20 + json_size + 8 + view["byteOffset"].get<std::size_t>(),
              4 * values.size());
  return as_rows(values);
}

struct WarpedBall {
  TriMesh surface;
  Positions positions;
  Positions turned_normals;  // Skin's own, R(w) n0
};

/// The ball filled, baked and warped: each mode in `shares` moves its farthest vertex that far.
WarpedBall warped_ball(const std::vector<double>& shares) {
  WarpedBall result{unit_sphere(), {}, {}};
  TetrahedralizeOptions options;
  options.mode = FillMode::conforming;
  options.cells = 16;
  const Tetrahedralized made = tetrahedralize(result.surface, options);
  ModalModel body =
      bake(made.mesh, Material{1e5, 0.3, 1000}, {}, {static_cast<int>(shares.size())});
  body.surface = embedded_surface(made.mesh, result.surface, made.embedding);
  const Skin skin(pack_surface(body, Precision::float32));
  std::vector<float> positions(3 * skin.vertex_count());
  std::vector<float> normals(positions.size());
  std::vector<double> q(shares.size(), 0.0);
  for (std::size_t m = 0; m < q.size(); ++m) {
    std::vector<double> one(q.size(), 0.0);
    one[m] = 1e-3;
    skin.update(one, SkinMethod::linear, positions, {});
    const double far = (as_rows(positions) - result.surface.V).rowwise().norm().maxCoeff() / one[m];
    q[m] = shares[m] / far;
  }
  skin.update(q, SkinMethod::warped, positions, normals);
  result.positions = as_rows(positions);
  result.turned_normals = as_rows(normals);
  return result;
}

TEST(ExportedNormals, OfABakedWarpedBallAreWithinOneDegreeOfTheSmoothSurface) {
  // A free ball's first ten modes: five that twist it and five that squeeze it. What error there is
  // comes from linear tets, along which the surface is bent: it halves as cells do.
  const WarpedBall ball = warped_ball({0.16, 0.05, 0, 0, 0, 0.14, 0, 0.05, 0, 0});
  const TestFolder folder;
  const auto writer = open_animation(folder / "ball.glb", {{"ball", ball.surface, {}}}, 30);
  const BodyFrame frame{ball.positions, {}, {}};
  writer->add_frame(0, std::span(&frame, 1));
  writer->finish();
  const Positions exported = normals_in(folder / "ball.glb");
  ASSERT_EQ(exported.rows(), ball.surface.vertex_count());

  const SmoothMap map(ball.surface.V, ball.positions);
  double worst = 0, worst_turned = 0, largest_change = 0;
  for (int v = 0; v < ball.surface.vertex_count(); ++v) {
    const Vec3 X = ball.surface.V.row(v);
    const Vec3 expected = map.normal(X);
    worst = std::max(worst, degrees(exported.row(v), expected));
    worst_turned = std::max(worst_turned, degrees(ball.turned_normals.row(v), expected));
    largest_change = std::max(largest_change, degrees(X, expected));
  }
  EXPECT_LT(worst, 1.0);
  EXPECT_LT(map.misfit(), 2e-3);    // smooth to a hundredth of a cell
  EXPECT_GT(largest_change, 15.0);  // the deformation is not a small one
  EXPECT_GT(worst_turned, 2.0);     // and turning the rest normals would not do
}

}  // namespace
}  // namespace limber
