#!/usr/bin/env bash
# opencode, recorded on its way to a llama-server, and what breaks its prompt cache.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/record.sh"
[ -n "${PROGRAM:-}" ] || need_client PROGRAM "$OPENCODE" opencode
HELIX_LLAMA_SERVER=${HELIX_LLAMA_SERVER:-$("$ROOT/scripts/get-llama-server")} || skip "no llama-server can be had here"
export PROGRAM HELIX_LLAMA_SERVER
isolate "$@"
fresh_home
start_model
plain=$(declare -f start_recorder)
eval "plain_$plain"
# opencode takes the address from its configuration alone.
start_recorder() {
  plain_start_recorder "$1"
  cat > "$WORK/project/opencode.json" <<JSON
{"\$schema": "https://opencode.ai/config.json", "model": "local/$MODEL_ID", "small_model": "local/$MODEL_ID", "share": "disabled",
 "provider": {"local": {"npm": "@ai-sdk/openai-compatible", "name": "local",
   "options": {"baseURL": "$RECORDER_URL/v1", "apiKey": "canary-token-20261201"},
   "models": {"$MODEL_ID": {"name": "$MODEL_ID", "limit": {"context": 200000, "output": 16}}}}}}
JSON
}
twice "$WORK/capture.jsonl" "$PROGRAM" run
keep_capture "$WORK/capture.jsonl" opencode.jsonl
no_key "$WORK/capture.jsonl" canary-token
diagnose "$WORK/capture.jsonl"
verdict=$(of_diagnosis 'd.verdict')
[ "$(of_diagnosis 'd.turns.length')" -ge 2 ] || fail "fewer than two requests were captured"
[ "$(of_diagnosis 'd.breaks.every((b) => b.advice.text && b.first_divergence)')" = true ] || fail "a break without its place or advice"
echo "opencode: $REUSED_TOKENS of $PROMPT_TOKENS prompt tokens reused, verdict $verdict"
