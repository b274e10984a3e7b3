// Memory in WebAssembly is the module's own: there is no allocator hook, and what bindings/c does
// to serve one is left out.
#include "memory.h"

namespace limber::c {

NeverRefused::NeverRefused() {}
NeverRefused::~NeverRefused() {}

}  // namespace limber::c
