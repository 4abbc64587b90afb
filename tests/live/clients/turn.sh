# A whole agent turn against the scripted upstream, and what must have come back.
# shellcheck shell=bash disable=SC2034
SCRIPT=${HELIX_TURN_SCRIPT:-}
[ -n "$SCRIPT" ] || SCRIPT='[{"tool":"run_selfcheck","arguments":{}},{"tool":"bench_track_a","arguments":{"profile":"quick","managed":true}}]'

# start_upstream: sets UPSTREAM, the fake provider's base URL.
start_upstream() {
  local tries
  node "$ROOT/tests/fakes/scripted_upstream.mjs" "$WORK/requests.jsonl" "$SCRIPT" > "$WORK/port.txt" &
  STARTED+=($!)
  for tries in $(seq 100); do
    [ -s "$WORK/port.txt" ] && break
    sleep 0.1
  done
  [ -s "$WORK/port.txt" ] || fail "the scripted upstream did not start ($tries tries)"
  UPSTREAM=http://127.0.0.1:$(cat "$WORK/port.txt")
}

# tool_results: the texts of the tool results in the last request that carries any, one JSON string a line.
tool_results() {
  node -e '
    const lines = require("fs").readFileSync(process.argv[1], "utf8").trim().split("\n").map((l) => JSON.parse(l).body);
    const flat = (c) => (typeof c === "string" ? c : (c ?? []).map((p) => p.text ?? "").join("\n"));
    const of = (b) => (b.messages ?? []).flatMap((m) => m.role === "tool" ? [flat(m.content)]
      : Array.isArray(m.content) ? m.content.filter((p) => p.type === "tool_result").map((p) => flat(p.content)) : []);
    const last = lines.map(of).filter((r) => r.length > 0).at(-1) ?? [];
    for (const text of last) if (!text.includes("<functions>")) console.log(JSON.stringify(text));
  ' "$WORK/requests.jsonl"
}

# expect_results: the client handed both results to its model: the self-check passed, the bench measured a server.
expect_results() {
  tool_results > "$WORK/results.txt"
  node -e '
    const texts = require("fs").readFileSync(process.argv[1], "utf8").trim().split("\n").filter(Boolean).map((l) => JSON.parse(l));
    const parse = (t) => { for (const c of [t, t.split("\n")[0], t.slice(t.indexOf("\n{") + 1)]) { try { return JSON.parse(c); } catch {} } return null; };
    const values = texts.map(parse);
    const wrong = (what) => { console.error(what); console.error(texts.join("\n----\n").slice(0, 4000)); process.exit(1); };
    const selfcheck = values[0], bench = values.at(-1);
    if (!selfcheck || selfcheck.verdict !== "PASS") wrong("the self-check did not come back as PASS");
    if (values.length < 2 || !bench || !/^[0-9a-f]{64}$/.test(bench.report_sha256 ?? "")) wrong("the bench did not come back with a report");
    if (!["PASS", "INCONCLUSIVE"].includes(bench.verdict)) wrong("the bench verdict is " + bench.verdict);
    if (!(bench.prefill_ratio?.value > 1)) wrong("the bench has no prefill ratio above 1");
    if (!(bench.on?.reused_share_min > 0.9) || bench.off?.cached_max > 1) wrong("the arms are not what they are called");
    if (!/synthetic weights/.test(JSON.stringify(bench))) wrong("the notice about synthetic weights is gone");
    console.log("ok: the model got run_selfcheck PASS and bench_track_a " + bench.verdict + ", prefill ratio " + bench.prefill_ratio.value);
  ' "$WORK/results.txt" || fail "the client's next request does not carry our results"
}
