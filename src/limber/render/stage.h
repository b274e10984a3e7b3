// From a world in motion to what a picture of it needs: shapes, camera and ground.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "limber/render/camera.h"
#include "limber/render/renderer.h"
#include "limber/scene/scene_props.h"
#include "limber/scene/scene_world.h"

namespace limber {

/// What a body's colour tells.
enum class Paint { plain, displacement, volume };

/// Up in a scene: against its first gravity, along the nearest axis; y without gravity.
[[nodiscard]] Vec3 up_of(const SceneDescription& scene);

/// The reach of a motion, kept as its outermost points in many directions.
class MotionExtent {
 public:
  /// More points (n×3) of it. Throws Error (work_failed) for points that are not finite.
  void add(const Positions& points);
  [[nodiscard]] const Positions& points() const { return points_; }
  /// Half the diagonal of its box.
  [[nodiscard]] double radius() const;
  /// A plane a little below everything.
  [[nodiscard]] Floor floor_below(const Vec3& up) const;
  /// From the side on which the motion is widest, turned and raised a little.
  [[nodiscard]] View natural_view(const Vec3& up) const;

 private:
  [[nodiscard]] double reach_along(const Vec3& axis) const;
  /// The azimuth that looks square at the longer side of the smallest upright box around the
  /// motion; none when its sides are about as long.
  [[nodiscard]] std::optional<double> broadside(const Vec3& up) const;

  Positions points_{0, 3};
};

/// The scene's own ground where it has one, else a plane below the motion.
[[nodiscard]] Floor floor_of(const SceneDescription& scene, const MotionExtent& extent);

/// The bodies of one world at one time, ready for the painter.
struct BodyMoment {
  Positions surface;       // v×3, world
  Positions rest_surface;  // v×3, at rest where the body's frame stands now
  Vector values;           // v, what `Paint` tells; empty for plain
  /// Of an adaptive body that shows its boundary: that of its leaves, at the same vertices.
  std::optional<TriMesh> leaves;
};

/// A world's bodies as actors: each has its colour and its creases.
class Cast {
 public:
  /// `world` must outlive this. Bodies of several methods have the colours of their methods, others
  /// those that their surfaces are painted with, or a row of colours.
  explicit Cast(const SceneWorld& world, Paint paint = Paint::plain);

  [[nodiscard]] std::vector<BodyMoment> now() const;
  void paint_all(const Colour& colour);

  struct Look {
    Paint paint = Paint::plain;
    double most = 0;     // the value at the end of the colour scale
    bool edges = false;  // outline the triangles
    bool rest = false;   // show the rest shape as a bubble
  };
  /// Appends the shapes of a moment.
  void add_shapes(const std::vector<BodyMoment>& moment, const Look& look,
                  std::vector<Shape>& shapes) const;

  struct Entry {
    std::string label;
    Colour colour;
  };
  /// A line for each colour that tells something: none for painted bodies, none for one body alone.
  [[nodiscard]] std::vector<Entry> legend() const;

 private:
  /// Of a body or, behind those, of an obstacle.
  [[nodiscard]] const TriMesh& surface(std::size_t k) const;

  const SceneWorld& world_;
  std::vector<SceneProp> props_;
  Paint paint_;
  std::vector<Shading> shadings_;
  std::vector<std::shared_ptr<const SurfacePaint>> paints_;
  std::vector<Colour> colours_;
  bool by_method_ = false;
  bool own_colours_ = false;  // painted surfaces show their paint
};

/// At each node: its distance from rest, or the change of volume of the tets around it, relative.
[[nodiscard]] Vector node_values(const SceneBody& body, const Positions& nodes, Paint paint);

}  // namespace limber
