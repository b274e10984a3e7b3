#include "limber/dynamics/fault.h"

namespace limber {

Error error_of(const Fault& fault, const std::string& where) {
  const auto failed = [&](const std::string& what, const char* remedy) {
    return Error(what, where, remedy, Error::Kind::work_failed);
  };
  const std::string tet = "tet " + std::to_string(fault.element);
  switch (fault.kind) {
    case Fault::Kind::bad_step:
      return Error("the time step must lie between 1e-12 and 1e9 s", where,
                   "give seconds, for example 0.01");
    case Fault::Kind::overflow:
      return failed("forces, velocities or stiffnesses are too large to compute with",
                    "use smaller loads and materials");
    case Fault::Kind::stretched:
      return failed("the body is stretched to " + short_number(fault.value) + " times its size",
                    "use smaller loads, a stiffer material or a smaller time step");
    case Fault::Kind::runaway:
      return failed("the motion runs away: it has " + short_number(fault.value) +
                        " times the energy that it can have",
                    "use a smaller time step, more damping or softer materials");
    case Fault::Kind::inverted:
      return failed(tet + " has turned inside out",
                    "use a smaller step, smaller loads or the corotational method");
    case Fault::Kind::crushed:
      return failed(tet + " is crushed to " + short_number(fault.value) + " of its volume",
                    "use a smaller step, smaller loads or the corotational method");
    case Fault::Kind::handles:
      return Error("a handle moved by forces far from it swings up, " + short_number(fault.value) +
                       " times in every step",
                   where, "exercise the held node itself or nodes near it");
    case Fault::Kind::parts:
      return failed("an explicit step would need " + short_number(fault.value) + " parts",
                    "use the implicit integrator or a smaller step");
    case Fault::Kind::costly:
      return failed("the parts of one step take more than " + short_number(fault.value) +
                        " passes over its elements",
                    "use a smaller step, slower motion or softer materials");
    case Fault::Kind::none:
      break;
  }
  return failed("no fault", "");
}

}  // namespace limber
