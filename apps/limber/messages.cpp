#include "messages.h"

#include <unistd.h>

#include "limber/core/printable.h"
#include "limber/core/write_all.h"

namespace limber {

void tell(const std::string& text) noexcept {
  try {
    (void)write_all(STDERR_FILENO, "limber: " + printable(text) + "\n");
  } catch (const std::bad_alloc&) {
    for (const std::string_view part : {std::string_view("limber: error: "),
                                        std::string_view(kNoMemory), std::string_view("\n")}) {
      (void)write_all(STDERR_FILENO, part);
    }
  }
}

}  // namespace limber
