#include "limber/modes/playback/baked_sections.h"

namespace limber {

std::vector<double> single_numbers(const BakedBody& baked) {
  const ModalModel& body = baked.body;
  std::vector<double> numbers(BakedNumber::kCount);
  numbers[BakedNumber::kRigidModes] = body.rigid_modes;
  numbers[BakedNumber::kMaxResidual] = body.max_residual;
  numbers[BakedNumber::kYoung] = body.material.young;
  numbers[BakedNumber::kPoisson] = body.material.poisson;
  numbers[BakedNumber::kDensity] = body.material.density;
  numbers[BakedNumber::kPrecision] = static_cast<double>(baked.surface.precision);
  return numbers;
}

void add_sections(SectionWriter& writer, const BakedBody& baked,
                  const std::vector<double>& single_numbers) {
  writer.add("numbers", std::span<const double>(single_numbers));
  const auto add = [&](const char* name, const auto& array) { writer.add(name, array.span()); };
  for_each_array(baked, add);
  add(kSourceSection, baked.surface_source);
  if (!baked.body.reduced.empty()) for_each_reduced_array(baked.body.reduced, add);
  if (!baked.residual.empty()) {
    for_each_residual_array(baked.residual, add);
    if (!baked.residual.reach.empty()) add(kReachSection, baked.residual.reach);
  }
}

}  // namespace limber
