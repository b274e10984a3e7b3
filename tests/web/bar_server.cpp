// bar_server [STATIONS MODES]: the studio's server on the made-up bar of bending_bar.h, for tests
// of the page and the wire with bodies of any size. Prints its address.
#include <cstdio>
#include <cstdlib>

#include "server/server.h"
#include "web/bending_bar.h"

int main(int argc, char** argv) {
  using namespace limber::studio;
  const int stations = argc > 1 ? std::atoi(argv[1]) : 24;
  const int modes = argc > 2 ? std::atoi(argv[2]) : 6;
  BarLibrary library;
  Server server({"127.0.0.1", 0, {}}, library, embedded_page(),
                std::make_unique<BendingBar>(stations, modes));
  std::printf("The studio is at %s\n", server.address().c_str());
  std::fflush(stdout);
  server.run(true);
}
