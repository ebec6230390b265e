#!/usr/bin/env bash
# Load: distinct probes a second on warm tables, their 99th percentile, and the processor time of each.
#
#   crates/web/benches/load.sh ERRARE [SECONDS] [CONNECTIONS]
#
# ERRARE is the program, of a release build. Needs wrk. The positions are those of three endgames of four men in random
# order, none asked twice. Processor time is what the kernel counts for the server's process, so it hardly depends on
# other load; the rate and the latency do.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
errare=$1 seconds=${2:-20} connections=${3:-64}
work=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server" 2>/dev/null || true; rm -rf "$work"' EXIT
export ERRARE_TABLES=${ERRARE_TABLES:-$work/tables}
endgames=(KQKR KRKN KBNK)

"$errare" tables build "${endgames[@]}" >"$work/build.log" 2>&1
for endgame in "${endgames[@]}"; do
    "$errare" tables dump "$endgame" --metric dtc | tail -n +2 | cut -d, -f1 | tr ' ' '_' | shuf -n 250000 --random-source=<(yes 2004)
done | shuf --random-source=<(yes 2011) >"$work/positions.txt"

"$errare" serve --port 0 2>"$work/serve.log" >&2 &
server=$!
until url=$(grep -o 'http://[^ ]*' "$work/serve.log"); do kill -0 "$server"; sleep 0.1; done

# Seconds of the process, in ticks of the kernel.
ticks() { sed 's/.*) //' "/proc/$server/stat" | awk '{ print $12 + $13 }'; }
memory() { awk '/VmHWM/ { print $2 / 1024 }' "/proc/$server/status"; }

# Warm: every block of the tables decoded.
POSITIONS=$work/positions.txt PART=1 wrk -t1 -c8 -d5s -s "$here/probes.lua" "${url%/}" >/dev/null
before=$(ticks)
POSITIONS=$work/positions.txt PART=2 wrk -t2 -c"$connections" -d"${seconds}s" --latency -s "$here/probes.lua" "${url%/}" | tee "$work/wrk.log"
after=$(ticks)
requests=$(awk '/requests in/ { print $1 }' "$work/wrk.log")
awk -v ticks=$((after - before)) -v hertz="$(getconf CLK_TCK)" -v requests="$requests" -v memory="$(memory)" 'BEGIN {
    printf "%.0f microseconds of CPU a probe; at most %.0f MiB of memory\n", ticks / hertz / requests * 1e6, memory }'
