#!/usr/bin/env bash
# track_b_no_network.sh PROGRAM CONNECT_LOG: without the user's switch no paid path opens a connection. Every run here has
# no way out (a network namespace of its own) and every connect call is traced, by strace or by the preloaded CONNECT_LOG.
# Ends with 77, a skip that ctest shows, where the system permits no namespace.
set -euo pipefail
program=$1 preload=$2
unshare -rn true 2>/dev/null || { echo "skip: network namespaces are not permitted here"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
key=not-a-key-000000000000

# traced NAME VARIABLE=VALUE... -- ARGUMENTS...: runs the program in a namespace without a way out; its connects go to
# NAME.trace. HELIX_TRACE=preload takes the second way also where strace is there.
traced() {
  local name=$1 code=0 variables=()
  shift
  while [ "$1" != -- ]; do variables+=("$1"); shift; done
  shift
  local way=(strace -f -e trace=connect,sendto,sendmsg,sendmmsg -o "$work/$name.trace")
  if [ "${HELIX_TRACE:-strace}" = preload ] || ! command -v strace >/dev/null; then
    way=(env LD_PRELOAD="$preload" HELIX_CONNECT_LOG="$work/$name.trace")
  fi
  : > "$work/$name.trace"
  env -i PATH="$PATH" HOME="$work" "${variables[@]}" unshare -rn "${way[@]}" "$program" "$@" >"$work/$name.json" 2>"$work/$name.err" || code=$?
  return "$code"
}

# skips NAME REASON VARIABLE=VALUE... -- ARGUMENTS...: ends as a SKIP with that reason and leaves loopback for nothing.
skips() {
  local name=$1 reason=$2 code=0
  shift 2
  traced "$name" "$@" || code=$?
  [ "$code" = 77 ] || { echo "$name: expected exit 77, got $code"; cat "$work/$name.json" "$work/$name.err"; exit 1; }
  grep -q "\"skip_reason\": *\"$reason" "$work/$name.json" || { echo "$name: expected $reason"; cat "$work/$name.json"; exit 1; }
  if grep -E 'sa_family=AF_INET6?' "$work/$name.trace" | grep -vE '"127\.|"::1"'; then
    echo "$name: a connection left loopback"
    exit 1
  fi
  if grep -q "$key" "$work/$name.json" "$work/$name.err"; then echo "$name: the key was printed"; exit 1; fi
}

for HELIX_TRACE in strace preload; do
  bench=(-- bench-track-b --json)
  skips without_a_key credentials_absent "${bench[@]}"
  for variable in ANTHROPIC_API_KEY ANTHROPIC_AUTH_TOKEN OPENAI_API_KEY DEEPSEEK_API_KEY MOONSHOT_API_KEY XIAOMI_API_KEY OPENCODE_API_KEY; do
    skips "with_$variable" spend_not_allowed "$variable=$key" "${bench[@]}"
  done
  skips with_openrouter spend_not_allowed "OPENROUTER_API_KEY=$key" "${bench[@]}" --model anthropic/claude-opus-5
  skips with_a_base_url spend_not_allowed "ANTHROPIC_API_KEY=$key" ANTHROPIC_BASE_URL=https://gateway.example.com "${bench[@]}"
  skips with_a_limit_and_no_switch spend_not_allowed "ANTHROPIC_API_KEY=$key" "${bench[@]}" --max-usd 5
  skips with_the_switch_and_no_limit spend_not_allowed "ANTHROPIC_API_KEY=$key" "${bench[@]}" --paid

  # The tracing itself must be able to see a connection, or the silence above shows nothing.
  traced control -- bench-track-b --endpoint http://127.0.0.1:9 --model m --json || true
  grep -q '"127.0.0.1"' "$work/control.trace" || { echo "the control's connection was not seen"; exit 1; }
  # With switch and limit it does try: the dry runs were silent because nothing was called, not because nothing could be.
  traced paid "ANTHROPIC_API_KEY=$key" ANTHROPIC_BASE_URL=http://192.0.2.1 -- bench-track-b --json --paid --max-usd 5 || true
  grep -q '"192.0.2.1"' "$work/paid.trace" || { echo "the paid run's connection was not seen"; cat "$work/paid.json"; exit 1; }
done
echo "no connection left loopback without the switch"
