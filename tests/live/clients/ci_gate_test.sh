#!/usr/bin/env bash
# The example CI job calls tools through JSON-RPC, and its exit code is the verdict.
. "$(dirname "$0")/lib.sh"
isolate "$@"
fresh_home
export HELIX_PERF_CACHE_BIN=$BINARY
gate=$ROOT/examples/ci/cache-gate

# exits 'sentence' CODE PATTERN ARGUMENTS...
exits() {
  local sentence=$1 code=$2 pattern=$3 seen
  shift 3
  timeout 120 "$gate" "$@" > "$WORK/out.txt" 2>&1 < /dev/null
  seen=$?
  [ "$seen" = "$code" ] || { cat "$WORK/out.txt"; fail "$sentence: exit $seen instead of $code"; }
  grep -qE -- "$pattern" "$WORK/out.txt" || { cat "$WORK/out.txt"; fail "$sentence: no line matches $pattern"; }
  echo "ok: $sentence"
}

export HELIX_LLM_LOCAL_OPENAI_ENDPOINT=http://127.0.0.1:1
exits "nothing at the endpoint is a SKIP with its reason" 77 "server_unreachable" bench_track_a
exits "a tool that is not there is no verdict" 2 "no_such_tool" no_such_tool
exits "the self-check passes" 0 '"verdict": "PASS"' run_selfcheck
