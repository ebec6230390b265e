"""A client of lila-tablebase, written after its documentation, reads our answers and plays by them.

Usage: lila_client.py ADDRESS
"""

import json
import sys
import urllib.error
import urllib.parse
import urllib.request

import chess

ADDRESS = sys.argv[1]
CATEGORIES = {
    "win", "unknown", "syzygy-win", "maybe-win", "cursed-win", "draw",
    "blessed-loss", "maybe-loss", "syzygy-loss", "loss",
}
OPPOSITE = {"win": "loss", "cursed-win": "blessed-loss", "draw": "draw", "blessed-loss": "cursed-win", "loss": "win"}


def ask(path, fen):
    query = urllib.parse.urlencode({"fen": fen})
    with urllib.request.urlopen(f"{ADDRESS}{path}?{query}") as reply:
        assert reply.headers["content-type"] == "application/json"
        return json.load(reply)


def check_position(info, board):
    assert info["category"] in CATEGORIES, info
    for depth in ("dtz", "precise_dtz", "dtc", "dtm", "dtw"):
        assert info[depth] is None or type(info[depth]) is int, info
    assert info["checkmate"] == board.is_checkmate()
    assert info["stalemate"] == board.is_stalemate()
    assert info["insufficient_material"] == board.is_insufficient_material()
    assert info["variant_win"] is False and info["variant_loss"] is False
    if info["category"] in ("win", "cursed-win"):
        assert info["dtz"] > 0
    if info["category"] in ("loss", "blessed-loss"):
        assert info["dtz"] < 0 or info["checkmate"]


def check_verdict(fen):
    board = chess.Board(fen)
    verdict = ask("/standard", fen)
    check_position(verdict, board)
    moves = verdict["moves"]
    assert sorted(m["uci"] for m in moves) == sorted(m.uci() for m in board.legal_moves)
    for m in moves:
        move = chess.Move.from_uci(m["uci"])
        assert m["san"] == board.san(move)
        assert m["zeroing"] == board.is_zeroing(move)
        assert m["conversion"] == (board.is_capture(move) or move.promotion is not None)
        after = board.copy()
        after.push(move)
        check_position(m, after)
    if moves:
        assert moves[0]["category"] == OPPOSITE[verdict["category"]], "best first"
    return verdict


def play_out(fen):
    """Both sides play the first move of the answer, which leads to mate in as many plies as it says."""
    board = chess.Board(fen)
    winner = board.turn
    while not board.is_game_over():
        assert board.ply() < 200
        board.push_uci(check_verdict(board.fen())["moves"][0]["uci"])
    assert board.is_checkmate() and board.turn != winner


def check_mainline(fen, winner):
    board = chess.Board(fen)
    line = ask("/standard/mainline", fen)
    assert type(line["dtz"]) is int
    assert line["winner"] == winner, line["winner"]
    for step in line["mainline"]:
        assert board.halfmove_clock < 100
        board.push_san(step["san"])
        assert board.peek().uci() == step["uci"]
        assert type(step["dtz"]) is int
    if winner:
        assert board.is_checkmate()
        assert board.turn == (chess.BLACK if winner == "w" else chess.WHITE)
    return line


check_verdict("8/8/8/8/8/2k5/8/K1Q5 b - - 0 1")
check_verdict("4k3/8/4K3/4P3/8/8/8/8 b - - 0 1")
check_verdict("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1")  # stalemate
check_verdict("8/8/8/8/8/8/7K/k6B w - - 0 1")  # insufficient material
assert check_verdict("8/8/8/3k4/8/8/8/Q3K3 w - - 95 90")["category"] == "cursed-win"
play_out("8/8/8/3k4/8/8/8/R3K3 w - - 0 1")
check_mainline("8/8/8/3k4/8/8/8/Q3K3 w - - 0 1", "w")
check_mainline("8/8/8/3K4/8/8/8/q3k3 b - - 0 1", "b")
# The draw is claimed when the clock is at 100.
assert len(check_mainline("8/8/8/3k4/8/8/8/Q3K3 w - - 95 90", None)["mainline"]) == 5
assert check_mainline("8/4k3/8/4K3/4P3/8/8/8 w - - 0 1", None)["mainline"] == []
for fen, code in [("rubbish", 400), (chess.STARTING_FEN, 404), ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", 404)]:
    try:
        ask("/standard", fen)
        raise AssertionError(f"{fen} has an answer")
    except urllib.error.HTTPError as error:
        assert error.code == code, fen
