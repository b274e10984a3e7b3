// A baked body as C callers and worlds share it.
#pragma once

#include <memory>
#include <mutex>

#include "limber/contact/collider.h"
#include "limber/limber.h"
#include "limber/modes/playback/baked_file.h"
#include "limber/skin/skin.h"

namespace limber::c {

class Model {
 public:
  explicit Model(BakedBody loaded) : baked(std::move(loaded)), skin(baked.surface) {}

  /// Made when first asked for, then shared by all bodies of the model.
  [[nodiscard]] Collider::Shared collider() const {
    const std::lock_guard lock(mutex_);
    if (!collider_) collider_ = Collider::soft(baked.body);
    return collider_;
  }

  const BakedBody baked;
  const Skin skin;

 private:
  mutable std::mutex mutex_;
  mutable Collider::Shared collider_;
};

}  // namespace limber::c

struct limber_model {
  std::shared_ptr<const limber::c::Model> shared;
};
