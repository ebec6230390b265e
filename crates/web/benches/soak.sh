#!/usr/bin/env bash
# A soak: the server's memory, minute by minute, under a modest load of everything visitors do.
#
#   crates/web/benches/soak.sh ERRARE [SECONDS]
#
# ERRARE is the program, of a release build. Needs wrk. Sixteen connections, each pausing 50 ms after an answer, ask for
# positions, lines, advice, pages, games of practice and jobs, one in eight of them wrong (soak.lua).
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
errare=$1 seconds=${2:-3600}
work=$(mktemp -d)
server='' load=''
trap 'for process in $load $server; do kill "$process" 2>/dev/null || true; done; wait 2>/dev/null || true; rm -rf "$work"' EXIT
export ERRARE_TABLES=${ERRARE_TABLES:-$work/tables} XDG_DATA_HOME=$work/data
endgames=(KQKR KRKN KBNK)

"$errare" tables build "${endgames[@]}" >"$work/build.log" 2>&1
for endgame in "${endgames[@]}"; do
    "$errare" tables dump "$endgame" --metric dtc | tail -n +2 | cut -d, -f1 | tr ' ' '_' | shuf -n 20000 --random-source=<(yes 2004)
done | shuf --random-source=<(yes 2011) >"$work/positions.txt"

"$errare" serve --port 0 2>"$work/serve.log" >&2 &
server=$!
until url=$(grep -o 'http://127\.0\.0\.1:[^ ]*' "$work/serve.log"); do kill -0 "$server"; sleep 0.1; done
POSITIONS=$work/positions.txt wrk -t1 -c16 -d"${seconds}s" -s "$here/soak.lua" "${url%/}" >"$work/wrk.log" &
load=$!

begun=$SECONDS
while kill -0 "$load" 2>/dev/null; do
    awk -v after=$((SECONDS - begun)) '/VmRSS/ { rss = $2 } /Threads/ { threads = $2 }
        END { printf "after %4d s: %6.1f MiB, %d threads\n", after, rss / 1024, threads }' "/proc/$server/status"
    for _ in {1..60}; do kill -0 "$load" 2>/dev/null && sleep 1; done
done
wait "$load"
load=
cat "$work/wrk.log"
