#!/usr/bin/env bash
# Without the user's switch no paid path opens a connection: every run here has no way out (a network namespace of its
# own) and every connect call is traced. Ends with 77, a skip that ctest shows, where the system permits neither.
set -euo pipefail
program=$1
command -v strace >/dev/null || { echo "skip: strace is not installed"; exit 77; }
unshare -rn true 2>/dev/null || { echo "skip: network namespaces are not permitted here"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# run NAME EXPECTED_REASON [VARIABLE=VALUE...]: the dry run ends as a SKIP and connects to nothing but loopback.
run() {
  local name=$1 reason=$2
  shift 2
  local code=0
  env -i PATH="$PATH" HOME="$work" "$@" unshare -rn \
    strace -f -e trace=connect,sendto -o "$work/$name.trace" "$program" bench-track-b --json >"$work/$name.json" || code=$?
  [ "$code" = 77 ] || { echo "$name: expected exit 77, got $code"; cat "$work/$name.json"; exit 1; }
  grep -q "\"skip_reason\": *\"$reason" "$work/$name.json" || { echo "$name: expected $reason"; cat "$work/$name.json"; exit 1; }
  if grep -E 'sa_family=AF_INET6?' "$work/$name.trace" | grep -vE '"127\.|"::1"'; then
    echo "$name: a connection left loopback"
    exit 1
  fi
}

run without_a_key credentials_absent
for variable in ANTHROPIC_API_KEY ANTHROPIC_AUTH_TOKEN OPENAI_API_KEY DEEPSEEK_API_KEY MOONSHOT_API_KEY XIAOMI_API_KEY OPENCODE_API_KEY; do
  run "with_$variable" spend_not_allowed "$variable=not-a-key-000000000000"
done

# The tracing itself must be able to see a connection, or the silence above shows nothing.
env -i PATH="$PATH" HOME="$work" unshare -rn \
  strace -f -e trace=connect -o "$work/control.trace" "$program" bench-track-b --endpoint http://127.0.0.1:9 --model m --json >/dev/null 2>&1 || true
grep -q '"127.0.0.1"' "$work/control.trace" || { echo "the control's connection was not seen"; exit 1; }
echo "no connection left loopback"
