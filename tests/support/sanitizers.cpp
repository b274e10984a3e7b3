#include "support/sanitizers.h"

namespace limber {

bool under_sanitizers() {
#ifdef LIMBER_SANITIZE
  return true;
#else
  return false;
#endif
}

}  // namespace limber
