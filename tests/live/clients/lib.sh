# Shared by the client tests: isolation, exact client versions, checks that name what they saw.
# shellcheck shell=bash disable=SC2034
# Each test runs with a throw-away home and, where the system allows it, in a network of its own that has only
# loopback: no account, no key, no request to anywhere else.
set -uo pipefail
ROOT=${HELIX_SOURCE_DIR:-$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)}
BINARY=${HELIX_TEST_BINARY:?set by ctest: the helix-perf-cache under test}
RESULTS=${HELIX_CLIENT_RESULTS:-$ROOT/build/client-results}

CLAUDE=@anthropic-ai/claude-code@2.1.332
QWEN=@qwen-code/qwen-code@0.24.4
GEMINI=@google/gemini-cli@0.61.0
CODEX=@openai/codex@0.171.0
OPENCODE=opencode-ai@1.18.33

skip() { echo "SKIP: $*"; exit 77; }

# The client's program, installed before the network is cut. Sets the variable named first.
need_client() {
  local modules
  command -v npm >/dev/null || skip "npm is missing: install Node.js 20 or newer with npm (Debian: nodejs npm)"
  modules=$("$ROOT/scripts/get-npm" "$2") || skip "npm could not install $2"
  printf -v "$1" '%s' "$modules/.bin/$3"
}

# Runs this test again inside a network namespace with loopback alone; without the right to make one it goes on as it is.
isolate() {
  [ -z "${HELIX_ISOLATED:-}" ] || return 0
  export HELIX_ISOLATED=no
  if unshare -rn ip link set lo up 2>/dev/null; then
    export HELIX_ISOLATED=yes
    exec unshare -rn bash -c 'ip link set lo up && exec bash "$@"' bash "$0" "$@"
  fi
  echo "note: no network namespace can be made here; only the clients' own switches keep them on loopback"
}

fresh_home() {
  WORK=$(mktemp -d "${TMPDIR:-/tmp}/helix-client.XXXXXX")
  trap cleanup EXIT
  export HOME=$WORK/home
  mkdir -p "$HOME" "$WORK/project"
  cd "$WORK/project" || exit 1
  unset XDG_CONFIG_HOME XDG_DATA_HOME XDG_STATE_HOME XDG_CACHE_HOME CODEX_HOME HELIX_LLM_API_KEY
  unset ANTHROPIC_API_KEY ANTHROPIC_AUTH_TOKEN ANTHROPIC_BASE_URL OPENAI_API_KEY GEMINI_API_KEY GOOGLE_API_KEY
  unset http_proxy https_proxy HTTP_PROXY HTTPS_PROXY
  export TERM=dumb NO_COLOR=1 CI=1 HELIX_REPORT_DIR=$WORK/reports
  export DISABLE_TELEMETRY=1 DISABLE_AUTOUPDATER=1 DISABLE_ERROR_REPORTING=1 CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1
  export GEMINI_CLI_TRUST_WORKSPACE=true OPENCODE_DISABLE_AUTOUPDATE=1 OPENCODE_DISABLE_MODELS_FETCH=1
}

STARTED=()
cleanup() {
  local pid
  for pid in "${STARTED[@]}"; do kill "$pid" 2>/dev/null; wait "$pid" 2>/dev/null; done
  [ -n "${HELIX_KEEP_WORK:-}" ] || rm -rf "$WORK"
}

# start_server: our HTTP server in the background; sets URL.
start_server() {
  local port tries
  port=$(free_port)
  "$BINARY" serve --http "127.0.0.1:$port" 2> "$WORK/server.log" &
  STARTED+=($!)
  URL=http://127.0.0.1:$port/mcp
  for tries in $(seq 100); do
    (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null && return 0
    kill -0 "${STARTED[-1]}" 2>/dev/null || break
    sleep 0.1
  done
  fail "our HTTP server did not start ($tries tries): $(cat "$WORK/server.log")"
}

free_port() {
  node -e 'const s=require("net").createServer().listen(0,"127.0.0.1",()=>{console.log(s.address().port);s.close()})'
}

fail() {
  echo "FAILED: $*"
  exit 1
}

# expect 'sentence' 'pattern' COMMAND...: the command's output (both streams) holds the pattern within a minute.
expect() {
  local sentence=$1 pattern=$2
  shift 2
  timeout 60 "$@" > "$WORK/out.txt" 2>&1 < /dev/null
  local code=$?
  if ! grep -qE -- "$pattern" "$WORK/out.txt"; then
    echo "--- $* (exit $code)"
    cat "$WORK/out.txt"
    fail "$sentence: no line matches $pattern"
  fi
  echo "ok: $sentence"
}

# refute 'sentence' 'pattern': the output of the last expect does not hold the pattern.
refute() {
  ! grep -qE -- "$2" "$WORK/out.txt" || { cat "$WORK/out.txt"; fail "$1: a line matches $2"; }
  echo "ok: $1"
}

# saw CLIENT VERSION CHECK: what docs/clients.md is generated from.
saw() {
  mkdir -p "$RESULTS"
  printf '%s\t%s\n' "$2" ok > "$RESULTS/$1.$3"
}

version_of() { printf '%s' "${1##*@}"; }

# plugin_tree DIR: the plugin with the binary under test, as a user who exports it gets it.
plugin_tree() { "$ROOT/scripts/export-plugin" "$1" "$BINARY" > /dev/null || fail "export-plugin"; }

# forget CLIENT CHECK...: a result of an earlier run must not stand for this one.
forget() {
  local client=$1 check
  shift
  for check in "$@"; do rm -f "$RESULTS/$client.$check"; done
}
