// What a server offers, as the dispatcher sees it. Built once before serving and not changed after.
#pragma once
#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/base/json.h"
#include "core/base/run_context.h"
#include "mcp/protocol/jsonrpc.h"
#include "mcp/protocol/versions.h"
#include "mcp/tools/tool.h"

namespace helix::mcp {

template <typename T>
using RpcResult = tl::expected<T, RpcError>;

// One tools/call, prompts/get or resources/read while it is being answered.
struct Call {
  Json arguments = Json::object();
  Era era = Era::kLegacy;
  Json client_capabilities = Json::object();  // known in the modern era only
  Json input_responses;                       // null unless the client sent them
  std::string request_state;
  RunContext run;  // `progress` does nothing when the client sent no token
  // notifications/message, where the client wants them.
  std::function<void(const std::string& level, const Json& data)> log;
  // A request of ours to the client, legacy only; waits for the answer.
  std::function<RpcResult<Json>(const std::string& method, const Json& params)> ask;
  // Ends the stream of this call; the client comes back for the answer. False: not possible here.
  std::function<bool()> pause;
};

// The result object, without what every result of an era carries. `resultType` in it is kept.
using CallHandler = std::function<RpcResult<Json>(Call&)>;

struct ServerTool {
  std::string name;
  Json listing;  // its entry in tools/list
  ToolDuration duration = ToolDuration::kShort;
  CallHandler call;
  // Starts the call as a task and returns the task object; empty: never a task.
  CallHandler start_task;
  bool needs_task = false;  // a client without the tasks extension is refused
};

struct ServerPrompt {
  Json listing;  // name, title, description, arguments
  CallHandler get;
  // Completions of one argument; empty: none.
  std::function<std::vector<std::string>(const std::string& argument, const std::string& prefix)> complete;
};

// Thread-safe.
class ResourceSource {
 public:
  virtual ~ResourceSource() = default;
  virtual std::vector<Json> List() = 0;
  virtual std::vector<Json> Templates() = 0;
  // The `contents` array. kNotFound when there is no such resource.
  virtual Result<Json> Read(const std::string& uri) = 0;
  virtual std::vector<std::string> Complete(const std::string& uri_template, const std::string& argument,
                                            const std::string& prefix) = 0;
};

// The tasks extension. Thread-safe. kNotFound for ids that are not known.
class TaskSource {
 public:
  virtual ~TaskSource() = default;
  virtual Result<Json> Get(const std::string& task_id) = 0;
  virtual Status Update(const std::string& task_id, const Json& input_responses) = 0;
  virtual Status Cancel(const std::string& task_id) = 0;
};

struct Catalog {
  std::string name = "helix-perf-cache";
  std::string title = "Helix perf cache";
  std::string version = HELIX_VERSION;
  std::string instructions;
  std::vector<ServerTool> tools;
  // More tools, made when one is first asked for: a client waits for the start, and half of it would be
  // schemas.
  std::function<std::vector<ServerTool>()> late_tools;
  std::vector<ServerPrompt> prompts;
  std::shared_ptr<ResourceSource> resources;
  std::shared_ptr<TaskSource> tasks;
  // What a legacy client gets before it sets a level; nullopt: nothing, since some read the next line as the
  // answer.
  std::optional<std::string> default_log_level;
  bool list_changes = false;  // tell subscribers that lists change (fixtures)

  // `tools` and then the late ones. Thread-safe.
  [[nodiscard]] const std::vector<ServerTool>& Tools() const;
  [[nodiscard]] const ServerTool* FindTool(const std::string& tool_name) const;
  [[nodiscard]] const ServerPrompt* FindPrompt(const std::string& prompt_name) const;
  [[nodiscard]] Json Capabilities(Era era) const;
  // {"name","title","version"}: strings only, since one client decodes it as a map of strings.
  [[nodiscard]] Json ServerInfo() const;

 private:
  struct Made {
    std::once_flag once;
    std::vector<ServerTool> tools;
  };
  std::shared_ptr<Made> made_ = std::make_shared<Made>();
};

}  // namespace helix::mcp
