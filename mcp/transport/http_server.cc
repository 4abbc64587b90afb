#include "mcp/transport/http_server.h"

#include <fcntl.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <unordered_map>

#include "core/base/clock.h"
#include "mcp/transport/http_connection.h"
#include "mcp/transport/listener.h"

namespace helix::mcp {
namespace {

constexpr std::uint64_t kListenerId = 0;
constexpr std::uint64_t kWakeId = 1;
constexpr std::uint64_t kFirstConnection = 2;
constexpr std::size_t kMaxConnections = 2048;
constexpr std::int64_t kTickNs = 1'000'000'000;
constexpr std::int64_t kStopPatienceNs = 500'000'000;

class EpollServer : public HttpServer {
 public:
  EpollServer(int listener, HttpPolicy policy) : listener_(listener), policy_(std::move(policy)) {
    Watch(EPOLL_CTL_ADD, listener_, EPOLLIN, kListenerId);
    Watch(EPOLL_CTL_ADD, wake_, EPOLLIN, kWakeId);
  }
  ~EpollServer() override {
    connections_.clear();
    for (const int fd : {listener_, epoll_, wake_, spare_}) {
      if (fd >= 0) close(fd);
    }
  }
  EpollServer(const EpollServer&) = delete;
  EpollServer& operator=(const EpollServer&) = delete;

  [[nodiscard]] int port() const override { return BoundPort(listener_); }

  void Run(Dispatcher& dispatcher, std::stop_token stop) override {
    const auto session = std::make_shared<Session>(true);
    mailbox_ = std::make_shared<HttpMailbox>(wake_);
    on_request_ = [&](const HttpRequest& request, const std::shared_ptr<HttpOutbox>& outbox) {
      dispatcher.Receive(session, request.body, outbox, &request.headers);
    };
    const std::stop_callback on_stop(stop, [this] { eventfd_write(wake_, 1); });
    while (!stop.stop_requested()) Turn(connections_.empty() ? -1 : 1000);
    dispatcher.Stop(*session);
    Drain();
    mailbox_->Close();
    connections_.clear();
  }

 private:
  void Watch(int operation, int fd, std::uint32_t events, std::uint64_t id) {
    epoll_event event{};
    event.events = events;
    event.data.u64 = id;
    epoll_ctl(epoll_, operation, fd, &event);
  }

  void Turn(int timeout_ms) {
    std::array<epoll_event, 128> ready;
    if (!mailbox_->Empty()) timeout_ms = 0;
    const int n = epoll_wait(epoll_, ready.data(), static_cast<int>(ready.size()), timeout_ms);
    for (int i = 0; i < n; ++i) {
      const auto id = ready[static_cast<std::size_t>(i)].data.u64;
      if (id == kListenerId) {
        Accept();
      } else if (id == kWakeId) {
        eventfd_t count = 0;
        eventfd_read(wake_, &count);
      } else {
        Handle(id, ready[static_cast<std::size_t>(i)].events);
      }
    }
    Deliver();
    const auto now = SteadyNowNs();
    if (now - last_tick_ns_ >= kTickNs) Tick(now);
  }

  void Accept() {
    while (true) {
      const int fd = AcceptClient(listener_);
      if (fd < 0 && (errno == EMFILE || errno == ENFILE)) {
        // Without a descriptor to spare the waiting client could never be told, and epoll would not rest.
        close(spare_);
        close(AcceptClient(listener_));
        spare_ = open("/dev/null", O_RDONLY | O_CLOEXEC);
        return;
      }
      if (fd < 0) return;
      if (connections_.size() >= kMaxConnections) {
        close(fd);
        continue;
      }
      const auto id = next_id_++;
      auto connection = std::make_unique<HttpConnection>(fd, id, mailbox_, policy_, on_request_);
      connection->registered = connection->Interest();
      Watch(EPOLL_CTL_ADD, fd, connection->registered, id);
      connections_.emplace(id, std::move(connection));
    }
  }

  void Handle(std::uint64_t id, std::uint32_t events) {
    const auto found = connections_.find(id);
    if (found == connections_.end()) return;
    auto& connection = *found->second;
    bool alive = (events & EPOLLERR) == 0;
    if (alive && (events & (EPOLLIN | EPOLLRDHUP | EPOLLHUP)) != 0) alive = connection.Readable();
    if (alive && (events & EPOLLOUT) != 0) alive = connection.Writable();
    Settle(found, alive && (events & EPOLLHUP) == 0);
  }

  using Entry = std::unordered_map<std::uint64_t, std::unique_ptr<HttpConnection>>::iterator;

  void Settle(Entry entry, bool alive) {
    if (!alive) {
      connections_.erase(entry);  // closing the descriptor takes it out of epoll
      return;
    }
    auto& connection = *entry->second;
    const auto interest = connection.Interest();
    if (interest == connection.registered) return;
    connection.registered = interest;
    Watch(EPOLL_CTL_MOD, connection.fd(), interest, entry->first);
  }

  // What tools on other threads, and calls that were just read, have to say. What is posted meanwhile has its
  // turn after the other connections: the answer to one pipelined request begins the next, and there is no
  // end of them.
  void Deliver() {
    for (const auto& action : mailbox_->Take()) {
      const auto found = connections_.find(action.connection);
      if (found == connections_.end()) continue;
      Settle(found, found->second->Apply(action) && found->second->Writable());
    }
  }

  void Tick(std::int64_t now) {
    last_tick_ns_ = now;
    for (auto entry = connections_.begin(); entry != connections_.end();) {
      const auto current = entry++;
      Settle(current, current->second->Tick(now));
    }
  }

  void Drain() {
    close(listener_);
    listener_ = -1;
    const auto deadline = SteadyNowNs() + kStopPatienceNs;
    while (SteadyNowNs() < deadline) {
      Deliver();
      bool busy = false;
      for (const auto& [id, connection] : connections_) busy = busy || connection->busy();
      if (!busy) return;
      Turn(5);
    }
  }

  int listener_;
  const HttpPolicy policy_;
  const int epoll_ = epoll_create1(EPOLL_CLOEXEC);
  const int wake_ = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  int spare_ = open("/dev/null", O_RDONLY | O_CLOEXEC);
  OnHttpRequest on_request_;
  std::shared_ptr<HttpMailbox> mailbox_;
  std::unordered_map<std::uint64_t, std::unique_ptr<HttpConnection>> connections_;
  std::uint64_t next_id_ = kFirstConnection;
  std::int64_t last_tick_ns_ = 0;
};

}  // namespace

Result<std::unique_ptr<HttpServer>> HttpServer::Listen(const HttpBinding& binding, HttpPolicy policy) {
  if (!IsLoopback(binding) && policy.token.empty()) {
    return Fail(ErrorCode::kRefused,
                binding.host + " can be reached from other machines, and no token is set",
                "set HELIX_MCP_TOKEN to a secret, or listen at 127.0.0.1");
  }
  auto listener = OpenListener(binding);
  if (!listener) return tl::make_unexpected(listener.error());
  return std::make_unique<EpollServer>(*listener, std::move(policy));
}

}  // namespace helix::mcp
