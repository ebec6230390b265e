#!/bin/sh
# An engine that says who it is, and nothing else.
while read -r line; do
    case $line in
    uci)
        echo "id name Stockfish 15.1"
        echo "option name EvalFile type string default nn-ad9b42354671.nnue"
        echo "option name MultiPV type spin default 1 min 1 max 500"
        echo uciok
        ;;
    isready) echo readyok ;;
    quit) exit ;;
    esac
done
