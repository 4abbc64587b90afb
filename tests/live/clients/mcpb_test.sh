#!/usr/bin/env bash
# The bundle for desktop clients validates, and what is unpacked from it runs.
. "$(dirname "$0")/lib.sh"
MCPB=@anthropic-ai/mcpb@2.1.2
[ -n "${PROGRAM:-}" ] || need_client PROGRAM "$MCPB" mcpb
export PROGRAM
fresh_home
expect "the bundle is packed" "helix.mcpb" "$ROOT/scripts/pack-mcpb" "$BINARY" "$WORK/helix.mcpb"
expect "it can be unpacked" "" "$PROGRAM" unpack "$WORK/helix.mcpb" "$WORK/unpacked"
expect "its server runs" "helix-perf-cache [0-9]" "$WORK/unpacked/server/helix-perf-cache" --version
