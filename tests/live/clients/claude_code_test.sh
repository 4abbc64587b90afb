#!/usr/bin/env bash
# Claude Code registers, starts and reaches the server: stdio, HTTP, plugin.
. "$(dirname "$0")/lib.sh"
[ -n "${PROGRAM:-}" ] || need_client PROGRAM "$CLAUDE" claude
export PROGRAM
isolate "$@"
fresh_home
forget claude-code stdio http plugin
version=$(version_of "$CLAUDE")
mkdir "$WORK/bin" && ln -s "$PROGRAM" "$WORK/bin/claude" && PATH=$WORK/bin:$PATH
expect "it is the version that was asked for" "^$version" claude --version

expect "install registers by the client's own command" "ran: claude mcp add" "$BINARY" install --client claude-code
expect "the stdio server is connected" "helix-perf-cache.*serve.*Connected" claude mcp list
saw claude-code "$version" stdio
expect "install takes it out again" "ran: claude mcp remove" "$BINARY" install --client claude-code --uninstall
expect "nothing is registered then" "No MCP servers" claude mcp list

if [ "${1:-}" != no-http ]; then
  start_server
  expect "install registers the running server" "ran: claude mcp add" "$BINARY" install --client claude-code --http "$URL"
  expect "the HTTP server is connected" "helix-perf-cache.*HTTP.*Connected" claude mcp list
  saw claude-code "$version" http
  expect "install takes that out too" "ran: claude mcp remove" "$BINARY" install --client claude-code --uninstall
fi

plugin_tree "$WORK/plugin"
cp "$ROOT/CLAUDE.md" "$WORK/plugin/"
expect "the plugin validates" "Validation passed" claude plugin validate "$WORK/plugin"
refute "without an error" "error"
warnings=$(grep -c "Found [0-9]* .*warning" "$WORK/out.txt")
if [ "$warnings" != 1 ] || ! grep -q "Found 1 warning" "$WORK/out.txt" || ! grep -q "root: CLAUDE.md" "$WORK/out.txt"; then
  cat "$WORK/out.txt"
  fail "there is another warning than the one about CLAUDE.md"
fi
echo "ok: with no warning but the one about CLAUDE.md"
expect "the plugin's marketplace is added" "Successfully added" claude plugin marketplace add "$WORK/plugin"
expect "the plugin is installed" "Successfully installed" claude plugin install helix-perf-cache@helix-perf-cache
expect "the plugin brings its skills and its subagent" "cache-analyst" claude plugin details helix-perf-cache@helix-perf-cache
expect "the plugin's server is connected" "plugin:helix-perf-cache.*Connected" claude mcp list
saw claude-code "$version" plugin
