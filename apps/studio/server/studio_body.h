// A body as the studio keeps it: what lanes share, and what changes of its material mean.
#pragma once

#include <memory>
#include <vector>

#include "limber/core/progress.h"
#include "limber/modes/playback/modal_model.h"
#include "limber/scene/body_source.h"
#include "server/model_file.h"
#include "server/simulation.h"

namespace limber::studio {

/// Immutable, so that lanes, rebuilds and other threads can share it.
struct StudioBody {
  BodyDescription description;
  /// With modes, whatever the method: they are shown, and lanes may want them.
  std::shared_ptr<const BodySource> source;
  /// The same with as many modes as are played.
  std::shared_ptr<const BodySource> played;
  std::size_t entry = 0;   // its number among the scene's bodies; loose pieces share one
  double mass = 0;         // kg
  double rest_volume = 0;  // m³
  double size = 0;         // m, diagonal of the box

  [[nodiscard]] const BodySurface& surface() const { return source->modes.surface; }
};

/// One for each loose piece of its mesh.
[[nodiscard]] std::vector<StudioBody> load_studio_bodies(const BodyDescription& description,
                                                         const Progress& progress);

/// The body trained for method "reduced", unless it is already; baked bodies stay as they are.
[[nodiscard]] StudioBody with_reduced_space(const StudioBody& body);

/// The body with another material or number of modes. Only Young's modulus scales the modes as
/// they are; other changes compute them anew.
[[nodiscard]] StudioBody changed(const StudioBody& body, const Change::BodyChange& change,
                                 const Progress& progress);

/// How far gravity (m/s²) moves its furthest node by the linear modes, in parts of its size; zero
/// for a free body.
[[nodiscard]] double linear_sag(const StudioBody& body, const Vec3& gravity);
/// g/(ω₁² size): what stands on a thin leg falls over near 1, however little it sags upright, as an
/// inverted pendulum does; zero for a free body.
[[nodiscard]] double lean(const StudioBody& body, const Vec3& gravity);

/// Vertices of its surface that hang on fixed nodes alone.
[[nodiscard]] std::vector<int> fixed_vertices(const StudioBody& body);
/// A surface that was filled with tets, which can be filled anew.
[[nodiscard]] bool is_filled(const StudioBody& body);
/// log₁₀ of Young's modulus around each vertex over the body's own; empty where it is the same all
/// over.
[[nodiscard]] std::vector<float> painted_stiffness(const StudioBody& body);

/// What the page gets of it.
[[nodiscard]] ModelBody model_of(const StudioBody& body);
[[nodiscard]] BodyState state_of(const StudioBody& body);

}  // namespace limber::studio
