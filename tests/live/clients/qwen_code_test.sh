#!/usr/bin/env bash
# Qwen Code registers, starts and reaches the server: stdio, HTTP, extension.
. "$(dirname "$0")/lib.sh"
[ -n "${PROGRAM:-}" ] || need_client PROGRAM "$QWEN" qwen
export PROGRAM
isolate "$@"
fresh_home
forget qwen-code stdio http plugin
version=$(version_of "$QWEN")
printf '{\n  // kept\n  "ui": {"theme": "x"}\n}\n' > "$WORK/before.json"
mkdir -p "$HOME/.qwen" && cp "$WORK/before.json" "$HOME/.qwen/settings.json"

expect "install registers in the settings file" "registered helix-perf-cache" "$BINARY" install --client qwen-code
expect "the stdio server is connected" "helix-perf-cache.*stdio.*Connected" "$PROGRAM" mcp list
saw qwen-code "$version" stdio
if [ "${1:-}" != no-http ]; then
  start_server
  expect "install registers the running server" "registered" "$BINARY" install --client qwen-code --http "$URL"
  expect "the HTTP server is connected" "helix-perf-cache.*http.*Connected" "$PROGRAM" mcp list
  saw qwen-code "$version" http
fi
expect "install takes it out again" "took out" "$BINARY" install --client qwen-code --uninstall
grep -q "// kept" "$HOME/.qwen/settings.json" || fail "the user's comment is gone"
echo "ok: the user's own settings are still there"

plugin_tree "$WORK/plugin"
expect "the extension is installed" "installed successfully" \
  "$PROGRAM" extensions install "$WORK/plugin:helix-perf-cache" --consent
expect "the extension's server is connected" "helix-perf-cache.*Connected" "$PROGRAM" mcp list
expect "the extension brings its skills" "check-cache" "$PROGRAM" extensions list
refute "and no instructions of the project itself" "QWEN.md"
saw qwen-code "$version" plugin
