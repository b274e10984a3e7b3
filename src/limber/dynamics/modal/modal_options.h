// How a body moves by its modes.
#pragma once

#include "limber/dynamics/method.h"
#include "limber/material/elastic_law.h"
#include "limber/material/material.h"

namespace limber {

enum class Integrator {
  exact,          ///< Hauser et al. 2003, eqs. 5-11, in closed form: no error while f is constant
  semi_implicit,  ///< Choi & Ko 2005, eq. 19 (backward Euler): first order, damps
  newmark,        ///< average acceleration (β = ¼, γ = ½): second order, keeps the amplitude
  theta,          ///< between the two by θ: Choi & Ko 2005, footnote 3
  filter          ///< James & Pai 2002, by footnote 3: the closed form, one tap of the force
};

/// Of the theta method: ½ is Newmark's, 1 is eq. 19. The default damps what a step does not
/// resolve.
inline constexpr double kTheta = 0.55;

/// How forces act on the amplitudes: modal_shape.h has both laws.
enum class LoadLaw { work, rotated };

struct ModalBodyOptions {
  Method method = Method::modal_warping;
  Integrator integrator = Integrator::exact;
  double theta = kTheta;  ///< of Integrator::theta
  Damping damping = {};
  LoadLaw loads = LoadLaw::work;
  bool coriolis = false;  ///< the force of turning nodes on themselves: Choi & Ko 2005, footnote 2
  ElasticLaw law = ElasticLaw::corotational;  ///< of reduced bodies
  bool fast = false;  ///< sums over nodes by cubature, some 0.1 % off, in about 1 µs
};

}  // namespace limber
