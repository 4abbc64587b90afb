#include "core/backend/managed_llama_server.h"

#include <filesystem>

#include "core/backend/child_environment.h"
#include "core/backend/loopback_port.h"
#include "core/backend/run_folder.h"
#include "core/base/clock.h"
#include "core/base/file.h"
#include "core/model/gguf_info.h"
#include "core/net/http_client.h"
#include "core/process/child_process.h"
#include "core/process/start_time.h"

namespace helix::backend {
namespace {

namespace fs = std::filesystem;

constexpr int kPortAttempts = 3;
constexpr std::size_t kMostLog = std::size_t{64} << 20;

// What the program says about its flags; empty when it does not answer to --help.
Result<std::string> HelpText(const ManagedServerOptions& options, const std::string& folder,
                             const RunContext& context) {
  const std::string log = folder + "/help.txt";
  auto child =
      process::ChildProcess::Start({{options.program, "--help"}, ChildEnvironment(options.env), log, {}});
  if (!child) return tl::make_unexpected(child.error());
  if (!child->Wait(Millis{30'000}, context.stop)) {
    return Fail(context.Cancelled() ? ErrorCode::kCancelled : ErrorCode::kTimeout,
                options.program + " --help did not end");
  }
  auto text = ReadFile(log);
  std::error_code ignored;
  fs::remove(log, ignored);
  return text;
}

std::string LastLines(const std::string& log) {
  std::string out;
  for (const char c : process::FileTail(log, 600)) {
    if (c == '\n') {
      out += " / ";
    } else {
      out += (c >= 0x20 && c < 0x7F) ? c : '?';
    }
  }
  return out;
}

}  // namespace

struct ManagedLlamaServer::Impl {
  RunFolder folder;
  std::string base_url, boot_id, log_file, slot_dir;
  std::vector<std::string> flags, left_out;
  LlamaStartup startup;
  bool synthetic_weights = false;
  int port = 0;
  std::optional<process::ChildProcess> child;  // last: stopped before its folder goes

  Status Launch(const ManagedServerOptions& options);
  Status WaitReady(const ManagedServerOptions& options, const RunContext& context);
};

Status ManagedLlamaServer::Impl::Launch(const ManagedServerOptions& options) {
  auto free_port = FreeLoopbackPort();
  if (!free_port) return tl::make_unexpected(free_port.error());
  port = *free_port;
  base_url = "http://127.0.0.1:" + std::to_string(port);
  process::ChildOptions child_options;
  child_options.argv = {options.program, "-m",     options.model,       "--host",
                        "127.0.0.1",     "--port", std::to_string(port)};
  if (!slot_dir.empty()) child_options.argv.insert(child_options.argv.end(), {"--slot-save-path", slot_dir});
  child_options.argv.insert(child_options.argv.end(), flags.begin(), flags.end());
  child_options.env = ChildEnvironment(options.env);
  child_options.log_file = log_file;
  auto started = process::ChildProcess::Start(child_options);
  if (!started) return tl::make_unexpected(started.error());
  child = std::move(*started);
  boot_id = std::to_string(child->pid()) + "-" + process::StartTime(child->pid());
  return {};
}

Status ManagedLlamaServer::Impl::WaitReady(const ManagedServerOptions& options, const RunContext& context) {
  net::HttpClient http(base_url, {Millis{1000}, {}, {}});
  net::HttpRequest health;
  health.path = "/health";
  health.total_timeout = health.stall_timeout = Millis{5000};
  const std::int64_t end = SteadyNowNs() + static_cast<std::int64_t>(options.ready_timeout.count() * 1e6);
  while (SteadyNowNs() < end) {
    if (context.Cancelled()) return Fail(ErrorCode::kCancelled, "stopped while llama-server was starting");
    auto reply = http.Send(health, context);
    if (auto exited = child->Poll()) {
      return Fail(
          ErrorCode::kUnavailable,
          "llama-server " + exited->Text() + " before it was ready; its log ends: " + LastLines(log_file),
          "see the flags and the model file; the same command can be tried by hand");
    }
    if (reply && reply->status == 200) return {};
    child->Wait(Millis{10}, context.stop);
  }
  return Fail(ErrorCode::kTimeout, "llama-server was not ready in time; its log ends: " + LastLines(log_file),
              "a large model needs longer to load");
}

ManagedLlamaServer::ManagedLlamaServer(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
ManagedLlamaServer::~ManagedLlamaServer() = default;
ManagedLlamaServer::ManagedLlamaServer(ManagedLlamaServer&&) noexcept = default;
ManagedLlamaServer& ManagedLlamaServer::operator=(ManagedLlamaServer&&) noexcept = default;

Result<ManagedLlamaServer> ManagedLlamaServer::Start(const ManagedServerOptions& options,
                                                     const RunContext& context) {
  auto info = model::ReadGgufInfo(options.model);
  if (!info) return tl::make_unexpected(info.error());
  auto folder = RunFolder::Make(options.run_dir);
  if (!folder) return tl::make_unexpected(folder.error());
  auto help = HelpText(options, folder->path(), context);
  if (!help) return tl::make_unexpected(help.error());
  auto impl = std::make_unique<Impl>();
  impl->folder = std::move(*folder);
  impl->synthetic_weights = info->synthetic_weights;
  impl->log_file = impl->folder.path() + "/llama-server.log";
  impl->flags = LlamaFlags(options.flags, *help, &impl->left_out);
  const bool slots = HelpHasFlag(*help, "--slot-save-path");
  if (slots) impl->slot_dir = impl->folder.path() + "/slots/";
  if (!slots) impl->left_out.emplace_back("--slot-save-path");
  for (int attempt = 1;; ++attempt) {
    HELIX_TRY(impl->Launch(options));
    HELIX_TRY(impl->WaitReady(options, context));
    // Another server may have taken the port between our choice and the server's bind, and share it.
    if (ListenersOn(impl->port) <= 1) break;
    if (attempt == kPortAttempts)
      return Fail(ErrorCode::kUnavailable, "another server listens on the same port");
    impl->child.reset();
  }
  impl->startup = ReadLlamaStartup(ReadFile(impl->log_file, kMostLog).value_or(""));
  return ManagedLlamaServer(std::move(impl));
}

const std::string& ManagedLlamaServer::base_url() const {
  return impl_->base_url;
}
int ManagedLlamaServer::pid() const {
  return impl_->child->pid();
}
const std::string& ManagedLlamaServer::boot_id() const {
  return impl_->boot_id;
}
const std::vector<std::string>& ManagedLlamaServer::flags() const {
  return impl_->flags;
}
const std::vector<std::string>& ManagedLlamaServer::flags_left_out() const {
  return impl_->left_out;
}
const std::string& ManagedLlamaServer::log_file() const {
  return impl_->log_file;
}
const std::string& ManagedLlamaServer::slot_dir() const {
  return impl_->slot_dir;
}
const LlamaStartup& ManagedLlamaServer::startup() const {
  return impl_->startup;
}
bool ManagedLlamaServer::synthetic_weights() const {
  return impl_->synthetic_weights;
}
std::optional<process::ExitStatus> ManagedLlamaServer::Exited() {
  return impl_->child->Poll();
}
std::string ManagedLlamaServer::LogTail() const {
  return LastLines(impl_->log_file);
}
Result<process::ExitStatus> ManagedLlamaServer::Stop() {
  return impl_->child->Stop();
}

}  // namespace helix::backend
