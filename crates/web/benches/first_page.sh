#!/usr/bin/env bash
# From a fresh clone to the first page: wall and processor seconds of everything that `cargo xtask serve` does.
#
#   crates/web/benches/first_page.sh [REPOSITORY]
#
# Processor seconds count compilers, npm and Node.js, and hardly depend on other load; half of them is
# the least that two free cores need. Crates and packages that cargo and npm have downloaded before are not downloaded again.
set -euo pipefail
# Background jobs have process groups of their own, so that an interrupt reaches all of them.
set -m
repository=${1:-$(cd "$(dirname "$0")/../../.." && pwd)}
work=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill -INT -- "-$server" 2>/dev/null || true; wait 2>/dev/null || true; rm -rf "$work"' EXIT
export CARGO_TARGET_DIR=$work/target ERRARE_TABLES=$work/tables XDG_DATA_HOME=$work/data

begun=$(date +%s.%N)
git clone --quiet "$repository" "$work/clone"
cd "$work/clone"
cargo xtask serve --port 0 >"$work/log" 2>&1 &
server=$!
until url=$(grep -o 'http://127\.0\.0\.1:[^ ]*' "$work/log"); do kill -0 "$server" || { cat "$work/log"; exit 1; }; sleep 0.2; done
page=$(curl -s "$url")
case $page in *app.js*) ;; *) echo "the pages are missing"; tail "$work/log"; exit 1 ;; esac
ended=$(date +%s.%N)
# The shell learns of processor time when those that used it have ended and were waited for; a pipe would ask another shell. The
# program alone is interrupted: cargo's chores, which would not wait for it otherwise, end when it has.
kill -INT "$(pgrep -x -g "$server" errare)"
wait "$server" || true
server=
times >"$work/times"
awk -v begun="$begun" -v ended="$ended" 'END {
    split($1, user, "[ms]"); split($2, system_, "[ms]")
    printf "the first page after %.0f s; %.0f s of CPU\n", ended - begun, 60 * (user[1] + system_[1]) + user[2] + system_[2] }' "$work/times"
