// Exceptions of the C++ library inside liblimber, told to the address sanitizer: it watches those
// of the system's library by itself, and takes frames that others have left for live ones.
#include <sanitizer/asan_interface.h>

extern "C" {
[[noreturn]] void __real___cxa_throw(void* thrown, void* type, void (*destroy)(void*));

[[noreturn]] void __wrap___cxa_throw(void* thrown, void* type, void (*destroy)(void*)) {
  __asan_handle_no_return();
  __real___cxa_throw(thrown, type, destroy);
}
}
