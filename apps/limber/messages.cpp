#include "messages.h"

#include <unistd.h>

#include "limber/core/printable.h"
#include "limber/core/write_all.h"

namespace limber {

void tell(const std::string& text) noexcept {
  try {
    (void)write_all(STDERR_FILENO, "limber: " + printable(text) + "\n");
  } catch (const std::bad_alloc&) {
    (void)write_all(STDERR_FILENO, "limber: error: not enough memory\n");
  }
}

}  // namespace limber
