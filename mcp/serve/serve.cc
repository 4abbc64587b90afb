#include "mcp/serve/serve.h"

#include <unistd.h>

#include <cstdio>
#include <sstream>

#include "mcp/conformance/fixtures.h"
#include "mcp/serve/product_catalog.h"
#include "mcp/transport/http_server.h"
#include "mcp/transport/stdio_server.h"

namespace helix::mcp {
namespace {

Executor Submitting(WorkerPool& workers) {
  return [&workers](std::function<void()> task) { return workers.Submit(std::move(task)); };
}

// The dispatcher is named before it exists: the fixtures call it only while they run.
Catalog CatalogFor(const ServeOptions& options, const Settings& settings, ToolSource tools,
                   const std::shared_ptr<JobRunner>& jobs, Dispatcher& dispatcher) {
  if (!options.conformance_fixtures) return ProductCatalog(tools, settings, jobs);
  return ConformanceCatalog([&dispatcher](const std::string& list) { dispatcher.ListChanged(list); });
}

// A job that ended has left a report, which is a resource.
void TellOfJobs(JobRunner& jobs, Dispatcher& dispatcher) {
  jobs.OnEnded([&dispatcher](const std::string& id) {
    dispatcher.ListChanged("resources");
    dispatcher.TaskChanged(id);
  });
}

// Jobs are told to stop and have a moment to write that down. What did not notice must not keep the process
// alive; children die with it.
int LeaveNow(bool calls_ended, JobRunner& jobs) {
  const bool jobs_ended = jobs.StopAll(std::chrono::milliseconds(250));
  if (!calls_ended || !jobs_ended) _exit(0);
  return 0;
}

int ServeOnStdio(const ServeOptions& options, const Settings& settings, ToolSource tools,
                 std::stop_token stop) {
  const int out = TakeStdout();
  const int in = TakeStdin();
  if (in < 0 || out < 0) {
    std::fputs("error: serve needs an open stdin and stdout (or --http HOST:PORT)\n", stderr);
    return 2;
  }
  WorkerPool workers;
  const auto jobs = std::make_shared<JobRunner>();
  Dispatcher dispatcher(CatalogFor(options, settings, tools, jobs, dispatcher), Submitting(workers));
  TellOfJobs(*jobs, dispatcher);
  const bool ended = ServeStdio(in, out, dispatcher, workers, std::move(stop));
  return LeaveNow(ended, *jobs);
}

int Failed(const Error& error) {
  std::fprintf(stderr, "error: %s\n", error.Text().c_str());
  return 2;
}

std::string HostText(const HttpBinding& binding) {
  return binding.host.find(':') == std::string::npos ? binding.host : "[" + binding.host + "]";
}

HttpPolicy PolicyFromEnvironment(const EnvReader& env, const HttpBinding& binding) {
  HttpPolicy policy;
  policy.token = env("HELIX_MCP_TOKEN").value_or("");
  policy.hosts.push_back(HostOnly(HostText(binding)));
  std::stringstream list(env("HELIX_MCP_ALLOWED_HOSTS").value_or(""));
  for (std::string host; std::getline(list, host, ',');) policy.hosts.push_back(HostOnly(host));
  return policy;
}

int ServeOnHttp(const ServeOptions& options, const Settings& settings, ToolSource tools,
                std::stop_token stop) {
  const auto binding = ParseBinding(options.http);
  if (!binding) return Failed(binding.error());
  auto server = HttpServer::Listen(*binding, PolicyFromEnvironment(ProcessEnvironment(), *binding));
  if (!server) return Failed(server.error());
  WorkerPool workers;
  const auto jobs = std::make_shared<JobRunner>();
  Dispatcher dispatcher(CatalogFor(options, settings, tools, jobs, dispatcher), Submitting(workers));
  TellOfJobs(*jobs, dispatcher);
  std::fprintf(stderr, "listening at http://%s:%d/mcp\n", HostText(*binding).c_str(), (*server)->port());
  (*server)->Run(dispatcher, std::move(stop));
  return LeaveNow(workers.WaitIdle(std::chrono::milliseconds(200)), *jobs);
}

}  // namespace

int Serve(const ServeOptions& options, const Settings& settings, ToolSource tools, std::stop_token stop) {
  return options.http.empty() ? ServeOnStdio(options, settings, tools, std::move(stop))
                              : ServeOnHttp(options, settings, tools, std::move(stop));
}

}  // namespace helix::mcp
