#!/usr/bin/env bash
# Claude Code, recorded on its way to a llama-server: the tool finds what breaks its prompt cache, names the setting,
# and the setting is shown to help; then what breaks the rest.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/record.sh"
[ -n "${PROGRAM:-}" ] || need_client PROGRAM "$CLAUDE" claude
HELIX_LLAMA_SERVER=${HELIX_LLAMA_SERVER:-$("$ROOT/scripts/get-llama-server")} || skip "no llama-server can be had here"
export PROGRAM HELIX_LLAMA_SERVER
isolate "$@"
fresh_home
start_model
export ANTHROPIC_AUTH_TOKEN=canary-token-20261201 CLAUDE_CODE_MAX_OUTPUT_TOKENS=16

claude_twice() {
  # The recorder's address is known only after it runs.
  twice "$1" bash -c 'ANTHROPIC_BASE_URL=$(cat "$WORK/url") exec "$PROGRAM" -p "$@"' claude
}
# The second prompt's first request: those after it carry on an answer that the limit cut short, and reuse nearly all.
second() { of_diagnosis "((t) => t.read + ' ' + t.prompt)(d.turns[d.turns.length / 2])"; }
export WORK
start_recorder_plain=$(declare -f start_recorder)
eval "plain_${start_recorder_plain}"
start_recorder() { plain_start_recorder "$1"; echo "$RECORDER_URL" > "$WORK/url"; }

claude_twice "$WORK/as-it-is.jsonl"
keep_capture "$WORK/as-it-is.jsonl" claude-as-it-is.jsonl
no_key "$WORK/as-it-is.jsonl" canary-token
diagnose "$WORK/as-it-is.jsonl"
read -r reused prompt < <(second)
verdict=$(of_diagnosis 'd.verdict')
setting=$(of_diagnosis 'd.breaks[0]?.advice?.setting')
rest=$(of_diagnosis 'd.breaks[0]?.further_breaks?.map((b) => b.verdict + " at " + b.first_divergence).join(", ")')
[ "$verdict" = VOLATILE_ATTRIBUTION ] || fail "expected VOLATILE_ATTRIBUTION, got $verdict"
[ "$setting" = CLAUDE_CODE_ATTRIBUTION_HEADER=0 ] || fail "expected the setting, got $setting"
[ -n "$rest" ] || fail "nothing is said about what breaks the rest"
echo "ok: $verdict, setting $setting, then: $rest"

export CLAUDE_CODE_ATTRIBUTION_HEADER=0
claude_twice "$WORK/without.jsonl"
keep_capture "$WORK/without.jsonl" claude-without.jsonl
diagnose "$WORK/without.jsonl"
read -r reused_without prompt_without < <(second)
verdict=$(of_diagnosis 'd.verdict')
[ "$verdict" != VOLATILE_ATTRIBUTION ] || fail "the setting did not take the line out"
echo "as it is:         $reused of $prompt prompt tokens reused"
echo "with $setting: $reused_without of $prompt_without prompt tokens reused, first break now: $verdict"
[ "$reused_without" -gt "$reused" ] || fail "the setting did not help"
