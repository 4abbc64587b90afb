#!/usr/bin/env bash
# Gemini CLI registers, starts and reaches the server: stdio, HTTP, extension.
. "$(dirname "$0")/lib.sh"
[ -n "${PROGRAM:-}" ] || need_client PROGRAM "$GEMINI" gemini
export PROGRAM
isolate "$@"
fresh_home
forget gemini-cli stdio http plugin
version=$(version_of "$GEMINI")

expect "install registers in the settings file" "registered helix-perf-cache" "$BINARY" install --client gemini-cli
expect "the stdio server is connected" "helix-perf-cache.*stdio.*Connected" "$PROGRAM" mcp list
saw gemini-cli "$version" stdio
if [ "${1:-}" != no-http ]; then
  start_server
  expect "install registers the running server" "registered" "$BINARY" install --client gemini-cli --http "$URL"
  expect "the HTTP server is connected" "helix-perf-cache.*http.*Connected" "$PROGRAM" mcp list
  saw gemini-cli "$version" http
fi
expect "install takes it out again" "took out" "$BINARY" install --client gemini-cli --uninstall

plugin_tree "$WORK/plugin"
expect "the extension validates" "successfully validated" "$PROGRAM" extensions validate "$WORK/plugin"
expect "the extension is linked" "linked successfully" "$PROGRAM" extensions link "$WORK/plugin" --consent
refute "and loads without an error" "Error loading"
expect "the extension's server is connected" "helix-perf-cache.*Connected" "$PROGRAM" mcp list
saw gemini-cli "$version" plugin
