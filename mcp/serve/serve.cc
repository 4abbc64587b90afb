#include "mcp/serve/serve.h"

#include <unistd.h>

#include <cstdio>

#include "mcp/serve/product_catalog.h"
#include "mcp/transport/stdio_server.h"

namespace helix::mcp {
namespace {

int ServeOnStdio(const ServeOptions&, const Settings& settings, const std::vector<Tool>& tools,
                 std::stop_token stop) {
  const int out = TakeStdout();
  const int in = TakeStdin();
  if (in < 0 || out < 0) {
    std::fputs("error: serve needs an open stdin and stdout (or --http HOST:PORT)\n", stderr);
    return 2;
  }
  WorkerPool workers;
  Dispatcher dispatcher(ProductCatalog(tools, settings),
                        [&workers](std::function<void()> task) { return workers.Submit(std::move(task)); });
  const bool ended = ServeStdio(in, out, dispatcher, workers, std::move(stop));
  // A tool that did not notice its cancellation must not keep the process alive; children die with it.
  if (!ended) _exit(0);
  return 0;
}

}  // namespace

int Serve(const ServeOptions& options, const Settings& settings, const std::vector<Tool>& tools,
          std::stop_token stop) {
  return ServeOnStdio(options, settings, tools, std::move(stop));
}

}  // namespace helix::mcp
