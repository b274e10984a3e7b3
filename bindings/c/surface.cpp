// Surfaces into the caller's vertex buffers, and what shaders take instead.
#include "arguments.h"
#include "results.h"
#include "world.h"

namespace {

using namespace limber;
using namespace limber::c;

/// Where Skin writes to: the stream itself where it has no gaps, else memory of the body's.
std::span<float> room_in(const Stream& stream, std::vector<float>& own) {
  if (stream.wanted() && stream.is_dense()) return {stream.data(), own.size()};
  return own;
}

void turn_and_move(std::span<float> vectors, const Mat3& rotation, const Vec3& way) {
  const Eigen::Matrix3f R = rotation.cast<float>();
  const Eigen::Vector3f t = way.cast<float>();
  for (std::size_t k = 0; k + 2 < vectors.size(); k += 3) {
    Eigen::Map<Eigen::Vector3f> item(vectors.data() + k);
    const Eigen::Vector3f turned = R * item + t;
    item = turned;
  }
}

void hand_over(std::span<const float> from, const Stream& to) {
  if (!to.wanted() || to.is_dense()) return;
  for (std::size_t k = 0; k < to.count(); ++k) to.set(k, from.data() + 3 * k);
}

}  // namespace

extern "C" {

limber_result limber_body_surface(limber_world* world, limber_body number, int32_t space,
                                  const limber_stream* positions, const limber_stream* normals) {
  return guarded([&] {
    Body& body = soft_body_of(world, number);
    const DynamicBody& dynamics = dynamics_of(world, number);
    if (space != LIMBER_IN_WORLD && space != LIMBER_IN_BODY) {
      throw Error("there is no space " + std::to_string(space), "argument",
                  "take LIMBER_IN_WORLD or LIMBER_IN_BODY");
    }
    const auto vertices = static_cast<std::size_t>(body.model->skin.vertex_count());
    const Stream places(positions, vertices, 3, "positions");
    const Stream directions(normals, vertices, 3, "normals");
    const std::span<float> x = room_in(places, body.positions);
    const std::span<float> n =
        directions.wanted() ? room_in(directions, body.normals) : std::span<float>();
    body.model->skin.update(dynamics.modal(), body.skin, x, n);
    if (space == LIMBER_IN_WORLD) {
      const RestPlace place = dynamics.rest_place();
      turn_and_move(x, place.rotation, place.position);
      turn_and_move(n, place.rotation, Vec3::Zero());
    }
    hand_over(x, places);
    hand_over(n, directions);
  });
}

limber_result limber_body_matrix(const limber_world* world, limber_body body, float matrix[16]) {
  return guarded([&] {
    const RestPlace place = dynamics_of(world, body).rest_place();
    require(matrix, "matrix");
    for (int column = 0; column < 4; ++column) {
      const Vec3 values = column < 3 ? Vec3(place.rotation.col(column)) : place.position;
      for (int row = 0; row < 3; ++row) {
        matrix[4 * column + row] = static_cast<float>(values[row]);
      }
      matrix[4 * column + 3] = column < 3 ? 0.0F : 1.0F;
    }
  });
}

limber_result limber_body_modal(const limber_world* world, limber_body body, float* q,
                                size_t count) {
  return guarded([&] {
    const std::span<const double> modal = dynamics_of(world, body).modal();
    require(q, "q");
    require_count(count, modal.size(), "q");
    std::copy(modal.begin(), modal.end(), q);
  });
}

}  // extern "C"
