#!/usr/bin/env python3
"""Hold every three-man position's DTM against the Gaviota tables.

    pip install chess
    tests/reference/gaviota.py DIRECTORY [--errare COMMAND]

DIRECTORY holds the Gaviota files (`kqk.gtb.cp4` and so on). Positions come from `errare tables dump
ENDGAME --metric dtm`, lines of `fen,outcome,plies` with the outcome from the side to move. Exits
with 1 if a position differs, after saying which.
"""

import argparse
import csv
import multiprocessing
import subprocess
import sys

import chess
import chess.gaviota

ENDGAMES = ["KQK", "KRK", "KBK", "KNK", "KPK"]
SIGNS = {"win": 1, "draw": 0, "loss": -1}


def compare(endgame, directory, errare):
    """The number of positions of an endgame, and what is said of those that differ."""
    command = [*errare.split(), "tables", "dump", endgame, "--metric", "dtm"]
    positions, differences = 0, []
    with (
        chess.gaviota.open_tablebase(directory) as gaviota,
        subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as dump,
    ):
        for row in csv.DictReader(dump.stdout, fieldnames=["fen", "outcome", "plies"]):
            if row["fen"] == "fen":
                continue
            board = chess.Board(row["fen"])
            sign = SIGNS[row["outcome"]]
            ours = (sign, sign * int(row["plies"] or 0))
            theirs = (gaviota.probe_wdl(board), gaviota.probe_dtm(board))
            positions += 1
            if ours != theirs:
                differences.append(f"{row['fen']}: {ours}, Gaviota {theirs}")
    if dump.returncode != 0:
        sys.exit(f"{' '.join(command)} failed")
    if positions == 0:
        differences.append(f"{endgame}: no positions")
    return positions, differences


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("directory", help="where the Gaviota files are")
    parser.add_argument("--errare", default="errare", help="how to call errare")
    arguments = parser.parse_args()

    differ = False
    with multiprocessing.Pool(2) as pool:
        jobs = [(name, arguments.directory, arguments.errare) for name in ENDGAMES]
        for name, (positions, differences) in zip(ENDGAMES, pool.starmap(compare, jobs)):
            print(f"{name}: {positions} positions, {len(differences)} differ")
            for difference in differences[:10]:
                print(f"  {difference}")
            differ |= bool(differences)
    sys.exit(differ)


if __name__ == "__main__":
    main()
