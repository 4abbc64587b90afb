// One tool: what an agent sees, what the command line sees, and a short handler that calls core. The same
// schema makes the MCP tool and the subcommand.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "core/base/json.h"
#include "core/base/result.h"
#include "core/base/run_context.h"
#include "core/base/settings.h"

namespace helix::mcp {

struct ToolAnnotations {
  bool read_only = false;  // true only where a call changes nothing outside the report folder
  bool destructive = false;
  bool idempotent = false;
  bool open_world = false;  // talks to something beyond this machine
};

// `arguments` have been checked against the schema, defaults are filled in. An Error becomes a result with
// isError for an agent and exit 2 for a user. The value is the structured result; `verdict` in it decides the
// exit code.
using ToolHandler = std::function<Result<Json>(const Json& arguments, const Settings&, const RunContext&)>;

// How long a call takes decides where it runs.
enum class ToolDuration {
  kInstant,  // microseconds, never waits: may run on the thread that reads requests
  kShort,    // seconds at most: runs on a worker
  kLong,     // a benchmark: over MCP it becomes a job when it outlasts `max_wait_s` (mcp/jobs)
};

struct Tool {
  std::string name;        // run_selfcheck
  std::string subcommand;  // selfcheck
  std::string title;
  std::string description;  // first sentence: when to use it; ranges in words
  Json input_schema;        // root {"type":"object","properties":{...}}, no combinators
  Json output_schema;
  // More properties that only the command line takes (files of this machine, server programs): an agent can
  // neither see nor send them. Same form as input_schema["properties"].
  Json cli_properties = Json::object();
  // Defaults that differ on the command line, such as {"profile":"standard"}.
  Json cli_defaults = Json::object();
  // Properties that take the command line's bare words, in order; one of type array takes all that are left.
  std::vector<std::string> positionals;
  ToolAnnotations annotations;
  ToolDuration duration = ToolDuration::kShort;
  ToolHandler handler;
  // What a terminal shows without --json; the lines of mcp/cli/plain_text.h when empty.
  std::function<std::string(const Json& result)> render;
};

// Every tool, in the fixed order in which they are listed.
const std::vector<Tool>& AllTools();
// Such a list, made when it is first called.
using ToolSource = const std::vector<Tool>& (*)();

}  // namespace helix::mcp
