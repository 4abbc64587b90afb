#!/usr/bin/env bash
# A whole turn of opencode (OpenAI protocol), without an account: its model asks for the self-check and for a call that
# takes 90 seconds. opencode gives up after 60 seconds without progress, so the answer shows that progress came.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/turn.sh"
[ -n "${PROGRAM:-}" ] || need_client PROGRAM "$OPENCODE" opencode
export PROGRAM
isolate "$@"
fresh_home
forget opencode turn
SCRIPT='[{"tool":"run_selfcheck","arguments":{}},{"tool":"bench_track_a","arguments":{"managed":true,"max_wait_s":90}}]'
export HELIX_TURN_FOLLOW_JOBS=no
start_upstream
# The bench cannot end: its server is a fake that never becomes ready.
cp "$ROOT/tests/fakes/never_ready_server.sh" "$WORK/server.sh"
export HELIX_LLAMA_SERVER=$WORK/server.sh
mkdir -p "$HOME/.config/opencode"
cat > "$HOME/.config/opencode/opencode.json" <<JSON
{
  "model": "scripted/scripted", "small_model": "scripted/scripted", "permission": "allow", "autoupdate": false, "share": "disabled",
  "provider": {"scripted": {"npm": "@ai-sdk/openai-compatible", "name": "Scripted", "options": {"baseURL": "$UPSTREAM/v1", "apiKey": "none"},
    "models": {"scripted": {"name": "Scripted", "tool_call": true}}}},
  "mcp": {"helix-perf-cache": {"type": "local", "command": ["$BINARY", "serve"], "enabled": true}}
}
JSON
began=$(date +%s)
timeout 200 "$PROGRAM" run "Is my cache working?" > "$WORK/out.txt" 2>&1 < /dev/null ||
  { tail -n 40 "$WORK/out.txt"; fail "opencode run ended with an error"; }
took=$(($(date +%s) - began))
grep -q "done" "$WORK/out.txt" || { tail -n 40 "$WORK/out.txt"; fail "the turn did not end with the script's last word"; }
[ "$took" -ge 90 ] || fail "the turn took $took s, so no call lasted 90 s"
tool_results > "$WORK/results.txt"
node -e '
  const texts = require("fs").readFileSync(process.argv[1], "utf8").trim().split("\n").map((l) => JSON.parse(JSON.parse(l)));
  const wrong = (what) => { console.error(what, JSON.stringify(texts).slice(0, 2000)); process.exit(1); };
  if (texts[0]?.verdict !== "PASS") wrong("the self-check did not come back as PASS");
  if (texts[1]?.status !== "running" || !texts[1].job_id) wrong("the call of 90 s did not come back with its job");
  console.log("ok: the model got run_selfcheck PASS, and after 90 s the job of bench_track_a");
' "$WORK/results.txt" || fail "the client's next request does not carry our results"
saw opencode "$(version_of "$OPENCODE")" turn
