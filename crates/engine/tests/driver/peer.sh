#!/bin/sh
# A scripted engine. It says what the files beside it say, and misbehaves where they tell it to.
here=$(dirname "$0")
while read -r command rest; do
    echo "$command $rest" >>"$here/log"
    case $command in
    uci) answer=$here/greeting ;;
    isready) answer=$here/ready ;;
    position)
        position=$(printf %s "${rest#fen }" | tr '/ ' '__')
        continue
        ;;
    go) answer=$here/$position ;;
    *) continue ;;
    esac
    # An answer for the first time only.
    if mv "$answer.first" "$answer.used" 2>/dev/null; then
        answer=$answer.used
    fi
    while IFS= read -r line; do
        case $line in
        @exit) exit 3 ;;
        @hang) exec sleep 1000 ;;
        @babble) exec yes "info string still busy" ;;
        @endless) exec tr '\0' x </dev/zero ;;
        *) printf '%s\n' "$line" ;;
        esac
    done <"$answer"
done
