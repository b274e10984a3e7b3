#include "limber/render/ray_scene.h"

#include <embree3/rtcore.h>
#include <tbb/global_control.h>

#include <cstring>
#include <limits>

#include "limber/core/error.h"

namespace limber {

namespace {

constexpr unsigned kOpaque = 1;
constexpr unsigned kSeenThrough = 2;

RTCRay make_ray(const Vec3f& origin, const Vec3f& direction, float least, float most,
                unsigned mask) {
  RTCRay ray{};
  ray.org_x = origin.x();
  ray.org_y = origin.y();
  ray.org_z = origin.z();
  ray.dir_x = direction.x();
  ray.dir_y = direction.y();
  ray.dir_z = direction.z();
  ray.tnear = least;
  ray.tfar = most;
  ray.mask = mask;
  return ray;
}

template <class Rows>
void copy_buffer(RTCGeometry geometry, RTCBufferType type, RTCFormat format, const Rows& rows) {
  void* const target = rtcSetNewGeometryBuffer(geometry, type, 0, format,
                                               3 * sizeof(typename Rows::Scalar), rows.rows());
  if (target == nullptr) throw std::bad_alloc();
  std::memcpy(target, rows.data(), sizeof(typename Rows::Scalar) * rows.size());
}

/// The trees are small; rays come from our own threads. TBB's, which Embree asks for, would end the
/// process where the system gives none, also when the limit is taken back: it stays.
void keep_embree_to_one_thread() {
  static const auto* const limit =
      new tbb::global_control(tbb::global_control::max_allowed_parallelism, 1);
  static_cast<void>(limit);
}

}  // namespace

struct RayScene::Embree {
  RTCDevice device = nullptr;
  RTCScene scene = nullptr;

  Embree() {
    keep_embree_to_one_thread();
    device = rtcNewDevice("threads=1");
    if (device == nullptr) {
      throw Error("Embree cannot start", "rendering", "check the installation of libembree3",
                  Error::Kind::work_failed);
    }
    scene = rtcNewScene(device);
    rtcSetSceneFlags(scene, RTC_SCENE_FLAG_ROBUST);  // no light through shared edges
  }
  Embree(const Embree&) = delete;
  Embree& operator=(const Embree&) = delete;
  ~Embree() {
    rtcReleaseScene(scene);
    rtcReleaseDevice(device);
  }

  void add(const Shape& shape, unsigned id) {
    RTCGeometry geometry = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_TRIANGLE);
    copy_buffer(geometry, RTC_BUFFER_TYPE_VERTEX, RTC_FORMAT_FLOAT3, shape.positions);
    copy_buffer(geometry, RTC_BUFFER_TYPE_INDEX, RTC_FORMAT_UINT3, shape.triangles);
    rtcSetGeometryMask(geometry, shape.opacity < 1 ? kSeenThrough : kOpaque);
    rtcCommitGeometry(geometry);
    rtcAttachGeometryByID(scene, geometry, id);
    rtcReleaseGeometry(geometry);
  }
};

RayScene::RayScene(const std::vector<Shape>& shapes)
    : shapes_(shapes), embree_(std::make_unique<Embree>()) {
  for (std::size_t k = 0; k < shapes.size(); ++k) {
    embree_->add(shapes[k], static_cast<unsigned>(k));
    any_seen_through_ |= shapes[k].opacity < 1;
  }
  rtcCommitScene(embree_->scene);
}

RayScene::~RayScene() = default;

Hit RayScene::trace(const Vec3f& origin, const Vec3f& direction, float least, float most,
                    unsigned mask) const {
  RTCIntersectContext context;
  rtcInitIntersectContext(&context);
  RTCRayHit ray{};
  ray.ray = make_ray(origin, direction, least, most, mask);
  ray.hit.geomID = RTC_INVALID_GEOMETRY_ID;
  rtcIntersect1(embree_->scene, &context, &ray);
  if (ray.hit.geomID == RTC_INVALID_GEOMETRY_ID) return {};
  return {&shapes_[ray.hit.geomID], static_cast<int>(ray.hit.primID), ray.ray.tfar, ray.hit.u,
          ray.hit.v};
}

Hit RayScene::first_seen_through(const Vec3f& origin, const Vec3f& direction, float least,
                                 float most) const {
  return any_seen_through_ ? trace(origin, direction, least, most, kSeenThrough) : Hit{};
}

Hit RayScene::first_opaque(const Vec3f& origin, const Vec3f& direction, float least,
                           float most) const {
  return trace(origin, direction, least, most, kOpaque);
}

bool RayScene::blocked(const Vec3f& origin, const Vec3f& direction, float least) const {
  RTCIntersectContext context;
  rtcInitIntersectContext(&context);
  RTCRay ray = make_ray(origin, direction, least, std::numeric_limits<float>::infinity(), kOpaque);
  rtcOccluded1(embree_->scene, &context, &ray);
  return ray.tfar < 0;
}

}  // namespace limber
