#!/usr/bin/env bash
# A whole turn of Qwen Code (OpenAI protocol), without an account: its model asks for our tools and gets our results.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/turn.sh"
[ -n "${PROGRAM:-}" ] || need_client PROGRAM "$QWEN" qwen
HELIX_LLAMA_SERVER=${HELIX_LLAMA_SERVER:-$("$ROOT/scripts/get-llama-server")} || skip "no llama-server can be had here"
export PROGRAM HELIX_LLAMA_SERVER
isolate "$@"
fresh_home
forget qwen-code turn
start_upstream
mkdir -p "$HOME/.qwen"
printf '{"security": {"auth": {"selectedType": "openai"}}}\n' > "$HOME/.qwen/settings.json"
expect "install registers in the settings file" "registered helix-perf-cache" "$BINARY" install --client qwen-code
export OPENAI_BASE_URL=$UPSTREAM/v1 OPENAI_API_KEY=none OPENAI_MODEL=scripted
timeout 170 "$PROGRAM" -p "Is my cache working?" --approval-mode yolo > "$WORK/out.txt" 2>&1 < /dev/null ||
  { cat "$WORK/out.txt"; fail "qwen -p ended with an error"; }
grep -q "done" "$WORK/out.txt" || { cat "$WORK/out.txt"; fail "the turn did not end with the script's last word"; }
expect_results
saw qwen-code "$(version_of "$QWEN")" turn
