// The studio's only door: the page, the model and the WebSocket on one port.
#pragma once

#include <memory>
#include <string>

#include "server/page.h"
#include "server/session.h"

namespace limber::studio {

struct ServerOptions {
  std::string host = "127.0.0.1";
  unsigned short port = 8080;  ///< 0 takes any free one
  /// Where the project is kept by itself, and looked for at the next start; empty: nowhere.
  std::filesystem::path keep;
};

class Server {
 public:
  /// Listens at once. Throws Error (work_failed) when the port is taken. `library` and `page`
  /// outlive the server.
  Server(const ServerOptions& options, Library& library, const Page& page,
         std::unique_ptr<Simulation> first);
  ~Server();

  /// As in "http://127.0.0.1:8080/"; beyond loopback with the token that requests must bring.
  [[nodiscard]] std::string address() const;
  [[nodiscard]] unsigned short port() const;

  /// Serves until stop() or, with `end_on_signals`, until Ctrl+C or a request to end.
  void run(bool end_on_signals);
  /// May be called from any thread.
  void stop();

  class Implementation;  // public for the connections that it holds; nobody else sees it

 private:
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace limber::studio
