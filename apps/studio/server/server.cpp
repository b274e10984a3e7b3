// One thread runs all connections; the session's threads hand their news over through Mail.
#include "server/access.h"
#include "server/http_connection.h"

namespace limber::studio {

namespace {

tcp::endpoint endpoint_of(const ServerOptions& options) {
  beast::error_code error;
  const std::string name = options.host == "localhost" ? "127.0.0.1" : options.host;
  const auto address = net::ip::make_address(name, error);
  if (error) {
    throw Error(fmt::format("{} is no address", options.host), "--host",
                "give a numeric one, as 127.0.0.1 or 0.0.0.0");
  }
  return {address, options.port};
}

}  // namespace

Server::Implementation::Implementation(const ServerOptions& options, Library& library,
                                       const Page& page, std::unique_ptr<Simulation> first)
    : endpoint_(endpoint_of(options)), page_(page) {
  beast::error_code error;
  acceptor_.open(endpoint_.protocol(), error);
  if (!error) acceptor_.set_option(net::socket_base::reuse_address(true), error);
  if (!error) acceptor_.bind(endpoint_, error);
  if (!error) acceptor_.listen(net::socket_base::max_listen_connections, error);
  if (error) {
    throw Error(fmt::format("the studio cannot listen: {}", error.message()),
                fmt::format("{}:{}", options.host, options.port), "choose another --port",
                Error::Kind::work_failed);
  }
  endpoint_ = acceptor_.local_endpoint();
  if (!loopback_only()) token_ = new_token();
  session_ = std::make_unique<Session>(library, *this, std::move(first), options.keep);
  accept();
}

Server::Implementation::~Implementation() { session_.reset(); }

std::string Server::Implementation::address() const {
  const auto ip = endpoint_.address();
  std::string name = ip.is_unspecified() ? "127.0.0.1" : ip.to_string();
  if (ip.is_v6() && !ip.is_unspecified()) name = fmt::format("[{}]", name);
  const std::string key = token_.empty() ? "" : "?token=" + token_;
  return fmt::format("http://{}:{}/{}", name, endpoint_.port(), key);
}

void Server::Implementation::accept() {
  acceptor_.async_accept([this](beast::error_code error, tcp::socket socket) {
    if (error == net::error::operation_aborted) return;
    if (!error) {
      beast::error_code ignored;
      socket.set_option(tcp::no_delay(true), ignored);
      std::make_shared<HttpConnection>(std::move(socket), *this)->read();
    }
    accept();
  });
}

void Server::Implementation::run(bool end_on_signals) {
  net::signal_set signals(context_);
  if (end_on_signals) {
    signals.add(SIGINT);
    signals.add(SIGTERM);
    signals.async_wait([this](beast::error_code error, int) {
      if (!error) context_.stop();
    });
  }
  while (!context_.stopped()) {
    try {
      context_.run();
    } catch (const std::exception&) {
      // One connection ran out of memory or the like: it is gone, the others go on.
    }
  }
}

void Server::Implementation::stop() { context_.stop(); }

void Server::Implementation::join(const std::shared_ptr<SocketClient>& client) {
  clients_.insert(client);
  session_->set_watchers(static_cast<int>(clients_.size()));
  client->offer(newest_);
}

void Server::Implementation::leave(SocketClient& client) {
  clients_.erase(client.shared_from_this());
  session_->client_left(client.id());
  session_->set_watchers(static_cast<int>(clients_.size()));
}

void Server::Implementation::deliver(Text Mail::*kind, Text value) {
  const std::lock_guard lock(mutex_);
  mail_.*kind = std::move(value);
  schedule();
}

void Server::Implementation::reply(ClientId client, Text message) {
  const std::lock_guard lock(mutex_);
  mail_.replies.emplace_back(client, std::move(message));
  schedule();
}

/// One turn of the network's thread takes all that came until then.
void Server::Implementation::schedule() {
  if (std::exchange(scheduled_, true)) return;
  net::post(context_, [this] { distribute(); });
}

void Server::Implementation::distribute() {
  Mail mail;
  {
    const std::lock_guard lock(mutex_);
    std::swap(mail, mail_);
    scheduled_ = false;
  }
  if (mail.state) newest_.hands = nullptr;  // the state holds the hands too
  for (Text Mail::*kind : {&Mail::frame, &Mail::state, &Mail::hands, &Mail::work}) {
    if (mail.*kind) newest_.*kind = mail.*kind;
  }
  for (const auto& client : clients_) {
    for (const auto& [to, reply] : mail.replies) {
      if (to == 0 || to == client->id()) client->offer_reply(reply);
    }
    client->offer(mail);
  }
}

Server::Server(const ServerOptions& options, Library& library, const Page& page,
               std::unique_ptr<Simulation> first)
    : implementation_(std::make_unique<Implementation>(options, library, page, std::move(first))) {}
Server::~Server() = default;
std::string Server::address() const { return implementation_->address(); }
unsigned short Server::port() const { return implementation_->port(); }
void Server::run(bool end_on_signals) { implementation_->run(end_on_signals); }
void Server::stop() { implementation_->stop(); }

}  // namespace limber::studio
