"""Reads games as another program does and writes what is in them, one line of JSON a game.

Usage: pgn.py FILE
"""

import json
import sys

import chess.pgn

with open(sys.argv[1], encoding="utf-8") as file:
    while (game := chess.pgn.read_game(file)) is not None:
        line = list(game.mainline())
        nodes = [node for move in line for node in move.parent.variations[1:]]
        print(json.dumps({
            "errors": [str(error) for error in game.errors],
            "headers": dict(game.headers),
            "moves": [node.san() for node in line],
            "nags": {str(ply): sorted(node.nags) for ply, node in enumerate(line, 1) if node.nags},
            "variations": len(nodes),
            "comments": [" ".join(node.comment.split()) for node in [game] + line],
        }))
