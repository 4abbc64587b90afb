#!/usr/bin/env bash
# opencode registers, starts and reaches the server: stdio and HTTP.
. "$(dirname "$0")/lib.sh"
[ -n "${PROGRAM:-}" ] || need_client PROGRAM "$OPENCODE" opencode
export PROGRAM
isolate "$@"
fresh_home
forget opencode stdio http
version=$(version_of "$OPENCODE")

expect "install registers in the configuration" "registered helix-perf-cache" "$BINARY" install --client opencode
expect "the stdio server is connected" "✓.*helix-perf-cache.*connected" "$PROGRAM" mcp list
saw opencode "$version" stdio
if [ "${1:-}" != no-http ]; then
  start_server
  expect "install registers the running server" "registered" "$BINARY" install --client opencode --http "$URL"
  expect "the HTTP server is connected" "✓.*helix-perf-cache.*connected" "$PROGRAM" mcp list
  saw opencode "$version" http
fi
expect "install takes it out again" "took out" "$BINARY" install --client opencode --uninstall
