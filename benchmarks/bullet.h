// Bullet's reduced deformable body (btReducedDeformableBody: a rigid frame and linear modes), as a
// reference that moves the same body by the same modes. Built where libbullet-dev is installed.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "limber/modes/playback/modal_model.h"

namespace limber {

/// A fixed box, its middle and its edges.
struct BulletBox {
  Vec3 middle, edges;
};

/// "Bullet 3.24 (reduced body)".
[[nodiscard]] std::string bullet_name();

class BulletBody {
 public:
  /// The body falls where its rest shape stands, onto these boxes.
  BulletBody(const ModalModel& model, const std::vector<BulletBox>& boxes);
  ~BulletBody();
  BulletBody(const BulletBody&) = delete;
  BulletBody& operator=(const BulletBody&) = delete;

  void step(double h);
  /// Of its nodes with the boxes, now.
  [[nodiscard]] int contact_count() const;
  /// Of the mass centre.
  [[nodiscard]] double height() const;

 private:
  struct Inside;
  std::unique_ptr<Inside> inside_;
};

}  // namespace limber
