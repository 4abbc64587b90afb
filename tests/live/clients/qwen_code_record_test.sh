#!/usr/bin/env bash
# Qwen Code, recorded on its way to a llama-server, and what breaks its prompt cache.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/record.sh"
[ -n "${PROGRAM:-}" ] || need_client PROGRAM "$QWEN" qwen
HELIX_LLAMA_SERVER=${HELIX_LLAMA_SERVER:-$("$ROOT/scripts/get-llama-server")} || skip "no llama-server can be had here"
export PROGRAM HELIX_LLAMA_SERVER
isolate "$@"
fresh_home
start_model
mkdir -p "$HOME/.qwen"
printf '{"security": {"auth": {"selectedType": "openai"}}, "model": {"generationConfig": {"samplingParams": {"max_tokens": 16}}}}\n' \
  > "$HOME/.qwen/settings.json"
export OPENAI_API_KEY=canary-token-20261201 OPENAI_MODEL=$MODEL_ID WORK
plain=$(declare -f start_recorder)
eval "plain_$plain"
start_recorder() { plain_start_recorder "$1"; echo "$RECORDER_URL/v1" > "$WORK/url"; }
twice "$WORK/capture.jsonl" bash -c 'OPENAI_BASE_URL=$(cat "$WORK/url") exec "$PROGRAM" -p "$@"' qwen
keep_capture "$WORK/capture.jsonl" qwen.jsonl
no_key "$WORK/capture.jsonl" canary-token
diagnose "$WORK/capture.jsonl"
verdict=$(of_diagnosis 'd.verdict')
[ "$(of_diagnosis 'd.turns.length')" -ge 2 ] || fail "fewer than two requests were captured"
[ "$(of_diagnosis 'd.breaks.every((b) => b.advice.text && b.first_divergence)')" = true ] || fail "a break without its place or advice"
echo "Qwen Code: $REUSED_TOKENS of $PROMPT_TOKENS prompt tokens reused, verdict $verdict"
