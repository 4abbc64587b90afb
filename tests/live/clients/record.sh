# A real client through `record` to a real llama-server with a large context and random weights; what was captured is
# diagnosed. Sourced after lib.sh.
# shellcheck shell=bash disable=SC2034
MODEL_ID=helix-synthetic-weights-big

# start_model: a llama-server that can hold a coding client's prompt; sets MODEL_URL. Its answers are random text.
start_model() {
  local port tries
  port=$(free_port)
  # As small as a model can be: a client's prompt is 50,000 bytes, and a byte is a token here.
  "$(dirname "$BINARY")/helix-make-model" --layers 1 --width 64 --feed-forward 128 --heads 2 --kv-heads 1 \
    --context 262144 --out "$WORK/$MODEL_ID.gguf" > /dev/null || fail "helix-make-model"
  # Flash attention on: the prompt's length is what costs here, and no two outputs are compared.
  "$HELIX_LLAMA_SERVER" -m "$WORK/$MODEL_ID.gguf" --host 127.0.0.1 --port "$port" -c 262144 -np 1 -t 2 -ub 2048 -fa on \
    --cache-ram 0 --no-context-shift --jinja --offline --metrics > "$WORK/llama.log" 2>&1 &
  STARTED+=($!)
  MODEL_URL=http://127.0.0.1:$port
  for tries in $(seq 300); do
    [ "$(curl -s -o /dev/null -w '%{http_code}' "$MODEL_URL/health")" = 200 ] && return 0
    kill -0 "${STARTED[-1]}" 2>/dev/null || break
    sleep 0.1
  done
  fail "llama-server did not start ($tries tries): $(tail -5 "$WORK/llama.log")"
}

# start_recorder FILE: sets RECORDER_URL and RECORDER_PID.
start_recorder() {
  local port tries
  port=$(free_port)
  "$BINARY" record --upstream "$MODEL_URL" --listen "127.0.0.1:$port" --out "$1" 2> "$WORK/recorder.log" &
  RECORDER_PID=$!
  STARTED+=("$RECORDER_PID")
  RECORDER_URL=http://127.0.0.1:$port
  for tries in $(seq 100); do
    (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null && return 0
    sleep 0.1
  done
  fail "the recorder did not start ($tries tries): $(cat "$WORK/recorder.log")"
}

stop_recorder() {
  kill "$RECORDER_PID" 2>/dev/null
  wait "$RECORDER_PID" 2>/dev/null
}

# totals: "prompt cached" tokens that the server has counted so far, over all requests.
totals() {
  curl -s "$MODEL_URL/metrics" | awk '$1 == "llamacpp:prompt_tokens_total" {p = $2}
    $1 == "llamacpp:prompt_tokens_cached_total" {c = $2} END {printf "%d %d\n", p + c, c}'
}

# twice CAPTURE COMMAND...: two one-shot prompts through a recorder of their own. Sets PROMPT_TOKENS and REUSED_TOKENS of
# the second, by the server's own totals. The command gets the prompt as its last word.
twice() {
  local capture=$1 before after
  shift
  start_recorder "$capture"
  timeout 150 "$@" "What is in this folder?" > "$WORK/first.txt" 2>&1 < /dev/null
  echo "first prompt: exit $?, totals (prompt cached): $(totals)"
  before=$(totals)
  timeout 150 "$@" "Write a haiku about caches." > "$WORK/second.txt" 2>&1 < /dev/null
  echo "second prompt: exit $?, totals (prompt cached): $(totals)"
  after=$(totals)
  stop_recorder
  PROMPT_TOKENS=$((${after% *} - ${before% *}))
  REUSED_TOKENS=$((${after#* } - ${before#* }))
  [ -s "$capture" ] || { cat "$WORK/first.txt" "$WORK/second.txt"; fail "nothing was recorded"; }
  [ "$PROMPT_TOKENS" -gt 0 ] || { cat "$WORK/second.txt"; fail "the server saw no prompt"; }
}

# no_key CAPTURE KEY: the capture does not hold the key.
no_key() {
  ! grep -q -- "$2" "$1" || fail "the capture holds the client's key"
  echo "ok: the capture does not hold the client's key"
}

# diagnose CAPTURE: into $WORK/diagnosis.json, and shown.
diagnose() {
  "$BINARY" diagnose-session "$1" --backend llama-server --json > "$WORK/diagnosis.json" || fail "diagnose-session"
  "$BINARY" diagnose-session "$1" --backend llama-server
}

# of_diagnosis EXPRESSION: a JavaScript expression over `d`, the diagnosis.
of_diagnosis() {
  node -e 'const d = JSON.parse(require("fs").readFileSync(process.argv[1], "utf8")); console.log(eval(process.argv[2]))' \
    "$WORK/diagnosis.json" "$1"
}

keep_capture() { [ -z "${HELIX_KEEP_CAPTURES:-}" ] || { mkdir -p "$HELIX_KEEP_CAPTURES" && cp "$1" "$HELIX_KEEP_CAPTURES/$2"; }; }
