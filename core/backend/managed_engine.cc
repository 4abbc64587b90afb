#include "core/backend/managed_engine.h"

#include "core/backend/child_environment.h"
#include "core/backend/llama_reply.h"
#include "core/backend/loopback_port.h"
#include "core/base/clock.h"
#include "core/net/http_client.h"
#include "core/process/child_process.h"

namespace helix::backend {
namespace {

constexpr Millis kPoll{50};
constexpr std::size_t kTail = 600;

process::StopTimes TimesOf(const EngineRecipe& recipe) {
  process::StopTimes times;
  times.after_first_term = Millis{recipe.after_first_term_s * 1000};
  return times;
}

}  // namespace

struct ManagedEngine::Impl {
  EngineRecipe recipe;
  std::string base_url;
  std::string log_file;
  std::optional<process::ChildProcess> child;

  Status WaitReady(double timeout_s, const RunContext& context) {
    net::HttpClient http(base_url, {Millis{1000}, {}, {}});
    net::HttpRequest ask;
    ask.path = recipe.ready_path;
    ask.total_timeout = ask.stall_timeout = Millis{5000};
    const std::int64_t end = SteadyNowNs() + static_cast<std::int64_t>(timeout_s * 1e9);
    while (SteadyNowNs() < end) {
      if (context.Cancelled()) return Fail(ErrorCode::kCancelled, "stopped while the server was starting");
      if (auto exited = child->Poll())
        return Fail(ErrorCode::kUnavailable,
                    recipe.kind + " " + exited->Text() + " before it was ready; its log ends: " +
                        Printable(process::FileTail(log_file, kTail), kTail),
                    "try the same command by hand");
      auto reply = http.Send(ask, context);
      if (reply && reply->status == 200) return {};
      child->Wait(kPoll, context.stop);
    }
    return Fail(ErrorCode::kTimeout, recipe.kind + " was not ready in time; its log ends: " +
                                         Printable(process::FileTail(log_file, kTail), kTail));
  }
};

ManagedEngine::ManagedEngine(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
ManagedEngine::~ManagedEngine() = default;
ManagedEngine::ManagedEngine(ManagedEngine&&) noexcept = default;
ManagedEngine& ManagedEngine::operator=(ManagedEngine&&) noexcept = default;

Result<ManagedEngine> ManagedEngine::Start(const std::string& kind, EngineLaunch launch,
                                           const std::string& log_file, const EnvReader& env,
                                           const RunContext& context, std::optional<double> ready_timeout_s) {
  if (launch.port == 0) {
    auto port = FreeLoopbackPort();
    if (!port) return tl::make_unexpected(port.error());
    launch.port = *port;
  }
  auto recipe = MakeEngineRecipe(kind, launch);
  if (!recipe) return tl::make_unexpected(recipe.error());
  auto impl = std::make_unique<Impl>();
  impl->recipe = std::move(*recipe);
  impl->base_url = "http://127.0.0.1:" + std::to_string(launch.port);
  impl->log_file = log_file;
  process::ChildOptions options;
  options.argv = impl->recipe.argv;
  options.env = ChildEnvironment(env);
  options.env.insert(options.env.end(), impl->recipe.env.begin(), impl->recipe.env.end());
  options.log_file = log_file;
  auto child = process::ChildProcess::Start(options);
  if (!child) return tl::make_unexpected(child.error());
  impl->child = std::move(*child);
  HELIX_TRY(impl->WaitReady(ready_timeout_s.value_or(impl->recipe.ready_timeout_s), context));
  return ManagedEngine(std::move(impl));
}

const std::string& ManagedEngine::base_url() const {
  return impl_->base_url;
}
int ManagedEngine::pid() const {
  return impl_->child->pid();
}
const EngineRecipe& ManagedEngine::recipe() const {
  return impl_->recipe;
}
Result<process::ExitStatus> ManagedEngine::Stop() {
  return impl_->child->Stop(TimesOf(impl_->recipe));
}

}  // namespace helix::backend
