// A baked body as C callers and worlds share it.
#pragma once

#include <memory>

#include "limber/limber.h"
#include "limber/modes/playback/baked_file.h"
#include "limber/skin/skin.h"

namespace limber::c {

struct Model {
  explicit Model(BakedBody loaded) : baked(std::move(loaded)), skin(baked.surface) {}

  BakedBody baked;
  Skin skin;
};

}  // namespace limber::c

struct limber_model {
  std::shared_ptr<const limber::c::Model> shared;
};
