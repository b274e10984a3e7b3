#include "model.h"

#include <numeric>

#include "arguments.h"
#include "results.h"

namespace {

using namespace limber;
using namespace limber::c;

const BakedBody& baked_of(const limber_model* model) {
  require(model, "model");
  return model->shared->baked;
}

void open(limber_model** model, BakedBody baked) {
  *model = new limber_model{std::make_shared<const Model>(std::move(baked))};
}

void write_doubles(const SharedArray<double>& numbers, const Stream& stream) {
  if (!stream.wanted()) return;
  for (std::size_t k = 0; k < stream.count(); ++k) {
    const std::array<float, 3> item{static_cast<float>(numbers[3 * k]),
                                    static_cast<float>(numbers[3 * k + 1]),
                                    static_cast<float>(numbers[3 * k + 2])};
    stream.set(k, item.data());
  }
}

/// One mode of Φ or Ψ (3n×m) carried from the nodes to the vertices.
void write_mode(const ModalModel& body, const ModalModel::MatrixView& modes, int mode,
                const Stream& stream) {
  if (!stream.wanted()) return;
  const SurfaceBinding& binding = body.surface.binding;
  for (std::size_t vertex = 0; vertex < stream.count(); ++vertex) {
    Eigen::Vector3f sum = Eigen::Vector3f::Zero();
    for (std::size_t k = 4 * vertex; k < 4 * vertex + 4; ++k) {
      const Vec3 node = modes.col(mode).segment<3>(3 * binding.nodes[k]);
      sum += (binding.weights[k] * node).cast<float>();
    }
    stream.set(vertex, sum.data());
  }
}

}  // namespace

extern "C" {

limber_result limber_model_open(const char* path, limber_model** model) {
  return guarded([&] {
    require(path, "path");
    require(model, "model");
    open(model, read_baked(path));
  });
}

limber_result limber_model_from_memory(const void* bytes, size_t size, limber_model** model) {
  return guarded([&] {
    require(bytes, "bytes");
    require(model, "model");
    open(model, read_baked(std::span(static_cast<const std::byte*>(bytes), size), "memory"));
  });
}

void limber_model_free(limber_model* model) { delete model; }

limber_result limber_model_get_info(const limber_model* model, limber_model_info* info) {
  return guarded([&] {
    const ModalModel& body = baked_of(model).body;
    limber_model_info filled{};
    filled.nodes = body.node_count();
    filled.modes = body.mode_count();
    filled.vertices = body.surface.vertex_count();
    filled.triangles = static_cast<int32_t>(body.surface.triangles.size() / 3);
    filled.is_free = body.fixed_nodes.empty() ? 1 : 0;
    const SharedArray<double>& masses = body.mass.row_sums;
    filled.mass = std::accumulate(masses.begin(), masses.end(), 0.0);
    give(filled, info, "info");
  });
}

limber_result limber_model_triangles(const limber_model* model, uint32_t* indices, size_t count) {
  return guarded([&] {
    const SharedArray<std::int32_t>& triangles = baked_of(model).body.surface.triangles;
    require(indices, "indices");
    require_count(count, triangles.size(), "indices");
    std::copy(triangles.begin(), triangles.end(), indices);
  });
}

limber_result limber_model_surface(const limber_model* model, const limber_stream* positions,
                                   const limber_stream* normals, const limber_stream* uv) {
  return guarded([&] {
    const BodySurface& surface = baked_of(model).body.surface;
    const auto vertices = static_cast<std::size_t>(surface.vertex_count());
    const Stream places(positions, vertices, 3, "positions");
    const Stream directions(normals, vertices, 3, "normals");
    const Stream textures(uv, vertices, 2, "uv");
    if (textures.wanted() && surface.uv.empty()) {
      throw Error("the model has no texture coordinates", "uv", "bake it with a surface that has");
    }
    write_doubles(surface.rest_positions, places);
    write_doubles(surface.rest_normals, directions);
    for (std::size_t k = 0; textures.wanted() && k < vertices; ++k) {
      textures.set(k, surface.uv.data() + 2 * k);
    }
  });
}

limber_result limber_model_colours(const limber_model* model, const limber_stream* colours) {
  return guarded([&] {
    const BodySurface& surface = baked_of(model).body.surface;
    require(colours, "colours");
    const auto vertices = static_cast<std::size_t>(surface.vertex_count());
    const Stream stream(colours, vertices, 3, "colours");
    if (surface.colours.size() != 3 * vertices) {
      throw Error("the model has no colours", "colours", "bake it with a surface that has");
    }
    for (std::size_t k = 0; k < vertices; ++k) stream.set(k, surface.colours.data() + 3 * k);
  });
}

limber_result limber_model_mode(const limber_model* model, int32_t mode, const limber_stream* phi,
                                const limber_stream* psi) {
  return guarded([&] {
    const ModalModel& body = baked_of(model).body;
    if (mode < 0 || mode >= body.mode_count()) {
      throw Error("there is no mode " + std::to_string(mode), "model",
                  "it has " + std::to_string(body.mode_count()) + ", from 0");
    }
    const auto vertices = static_cast<std::size_t>(body.surface.vertex_count());
    const Stream displacements(phi, vertices, 3, "phi");
    const Stream turns(psi, vertices, 3, "psi");
    write_mode(body, body.Phi(), mode, displacements);
    write_mode(body, body.Psi(), mode, turns);
  });
}

limber_result limber_model_eigenvalues(const limber_model* model, double* eigenvalues,
                                       size_t count) {
  return guarded([&] {
    const SharedArray<double>& values = baked_of(model).body.eigenvalues_data;
    require(eigenvalues, "eigenvalues");
    require_count(count, values.size(), "eigenvalues");
    std::copy(values.begin(), values.end(), eigenvalues);
  });
}

limber_point limber_node(int32_t node) { return point(BodyPoint::at_node(node)); }

limber_result limber_model_vertex(const limber_model* model, int32_t vertex, limber_point* result) {
  return guarded([&] {
    const SurfaceBinding& binding = baked_of(model).body.surface.binding;
    require(result, "point");
    if (vertex < 0 || vertex >= binding.vertex_count()) {
      throw Error("there is no vertex " + std::to_string(vertex), "model",
                  "it has " + std::to_string(binding.vertex_count()) + ", from 0");
    }
    std::copy_n(binding.nodes.data() + 4 * vertex, 4, result->nodes);
    std::copy_n(binding.weights.data() + 4 * vertex, 4, result->weights);
  });
}

limber_result limber_model_nearest(const limber_model* model, const double place[3],
                                   limber_point* result) {
  return guarded([&] {
    const ModalModel& body = baked_of(model).body;
    const Vec3 wanted = vector(place, "place");
    require(result, "point");
    int nearest = -1;
    double least = 0;
    for (int node = 0; node < body.node_count(); ++node) {
      if (std::binary_search(body.fixed_nodes.begin(), body.fixed_nodes.end(), node)) continue;
      const double distance = (body.rest_positions().row(node).transpose() - wanted).norm();
      if (nearest >= 0 && distance >= least) continue;
      nearest = node;
      least = distance;
    }
    if (nearest < 0) throw Error("all nodes are fixed", "model", "bake it with fewer of them");
    *result = limber_node(nearest);
  });
}

}  // extern "C"
