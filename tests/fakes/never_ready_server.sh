#!/bin/sh
# A fake llama-server that never becomes ready, started through a shell as wrappers do. It writes its own process number
# and that of its child into the file `pids` beside it.
case " $* " in *" --help "*) echo "usage: a fake server"; exit 0 ;; esac
sleep 1000 &
printf '%s\n' "$$" "$!" >> "$(dirname "$0")/pids"
wait
