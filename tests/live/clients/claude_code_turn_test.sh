#!/usr/bin/env bash
# A whole turn of Claude Code, without an account: its model asks for our tools and gets our results.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/turn.sh"
[ -n "${PROGRAM:-}" ] || need_client PROGRAM "$CLAUDE" claude
HELIX_LLAMA_SERVER=${HELIX_LLAMA_SERVER:-$("$ROOT/scripts/get-llama-server")} || skip "no llama-server can be had here"
export PROGRAM HELIX_LLAMA_SERVER
isolate "$@"
fresh_home
forget claude-code turn
start_upstream
cat > "$WORK/mcp.json" <<JSON
{"mcpServers": {"helix-perf-cache": {"type": "stdio", "command": "$BINARY", "args": ["serve"]}}}
JSON
export ANTHROPIC_BASE_URL=$UPSTREAM ANTHROPIC_API_KEY=none ENABLE_TOOL_SEARCH=false
timeout 170 "$PROGRAM" -p "Is my cache working?" --mcp-config "$WORK/mcp.json" --strict-mcp-config \
  --allowedTools mcp__helix-perf-cache > "$WORK/out.txt" 2>&1 < /dev/null ||
  { cat "$WORK/out.txt"; fail "claude -p ended with an error"; }
grep -q "done" "$WORK/out.txt" || { cat "$WORK/out.txt"; fail "the turn did not end with the script's last word"; }
expect_results
saw claude-code "$(version_of "$CLAUDE")" turn
