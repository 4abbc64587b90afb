#!/usr/bin/env bash
# Codex starts and reaches the server: stdio, HTTP, plugin. Its list command starts nothing, so its app-server is asked.
. "$(dirname "$0")/lib.sh"
[ -n "${PROGRAM:-}" ] || need_client PROGRAM "$CODEX" codex
export PROGRAM
isolate "$@"
fresh_home
forget codex stdio http plugin
version=$(version_of "$CODEX")

# status: what the app-server says of its MCP servers. Its input stays open until the answer is there.
status() {
  coproc SERVER { exec "$PROGRAM" app-server 2> "$WORK/codex.log"; }
  local pid=$SERVER_PID line
  printf '%s\n' '{"id":1,"method":"initialize","params":{"clientInfo":{"name":"test","version":"1"}}}' \
    '{"method":"initialized"}' '{"id":2,"method":"mcpServerStatus/list","params":{}}' >&"${SERVER[1]}"
  while IFS= read -r -t 50 line <&"${SERVER[0]}"; do
    case $line in '{"id":2,'*) printf '%s\n' "$line"; break ;; esac
  done
  kill "$pid" 2>/dev/null
  wait "$pid" 2>/dev/null
}

expect_tools() {
  status > "$WORK/out.txt"
  grep -qE '"tools":\{"[a-z_]+":' "$WORK/out.txt" || { cat "$WORK/out.txt" "$WORK/codex.log"; fail "$1"; }
  grep -q '"toolsError":null' "$WORK/out.txt" || { cat "$WORK/out.txt"; fail "$1"; }
  echo "ok: $1"
}

expect "install registers in config.toml" "registered helix-perf-cache" "$BINARY" install --client codex
expect_tools "the stdio server answers with its tools"
saw codex "$version" stdio
if [ "${1:-}" != no-http ]; then
  start_server
  expect "install registers the running server" "registered" "$BINARY" install --client codex --http "$URL"
  expect_tools "the HTTP server answers with its tools"
  saw codex "$version" http
fi
expect "install takes it out again" "took out" "$BINARY" install --client codex --uninstall

plugin_tree "$WORK/plugin"
expect "the plugin's marketplace is added" "Added marketplace" "$PROGRAM" plugin marketplace add "$WORK/plugin"
expect "the plugin is added" "Added plugin" "$PROGRAM" plugin add helix-perf-cache@helix-perf-cache
expect_tools "the plugin's server answers with its tools"
saw codex "$version" plugin
