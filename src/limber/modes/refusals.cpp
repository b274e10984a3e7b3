#include "limber/modes/refusals.h"

#include <string>

#include "limber/core/error.h"

namespace limber {

void refuse_accidental_gaps(int parts, bool parts_have_own_regions, std::int64_t tets) {
  if (parts <= 1 || parts_have_own_regions) return;
  throw Error("the mesh is in " + std::to_string(parts) + " separate parts",
              std::to_string(tets) + " tets",
              "join them, make a body of each, or give each part a region of its own if they "
              "are meant to be apart");
}

void refuse_too_many_modes(int count, std::int64_t available) {
  if (count >= 1 && count <= available) return;
  throw Error(std::to_string(count) + " modes asked for, between 1 and " +
                  std::to_string(available) + " are possible",
              "--modes", "choose a number in that range or `auto`");
}

void refuse_overflow(bool finite) {
  if (finite) return;
  throw Error("the modes are beyond the range of numbers", "material and mesh",
              "check the units of the stiffness, the density and the mesh",
              Error::Kind::work_failed);
}

}  // namespace limber
