"""Whole games through python's chess.engine: agent against agent, and against Stockfish.

Usage: client.py ERRARE TABLES STOCKFISH
"""

import os
import signal
import sys
import time

import chess
import chess.engine

ERRARE, TABLES, STOCKFISH = sys.argv[1:4]

# Agents by the options that select them.
AGENTS = {
    "infallible": {"Agent": "infallible"},
    "player": {"Agent": "player", "Competence": "10"},
    "weak": {"Agent": "player", "Skill": 1, "KeepResult": False},
    "emulator": {"Agent": "emulator", "Competence": "15"},
    "predator": {"Agent": "predator"},
    "random": {"Agent": "random"},
    "minimax": {"Agent": "minimax", "MinimaxDepth": 2},
    "human": {"UCI_LimitStrength": True, "UCI_Elo": 1500},
}

# Which agent an engine plays, for the record.
AGENT = {}


def errare():
    engine = chess.engine.SimpleEngine.popen_uci([ERRARE, "uci"], timeout=120)
    engine.configure({"TablePath": TABLES, "BuildMen": 0})
    return engine


def play(white, black, start, limit):
    """A game to its end; python-chess itself refuses illegal moves."""
    board = chess.Board(start)
    game = object()
    while not board.is_game_over(claim_draw=True):
        engine = white if board.turn else black
        played = engine.play(board, limit, game=game, info=chess.engine.INFO_ALL)
        assert played.move in board.legal_moves, (board.fen(), played)
        assert "score" in played.info and played.info["pv"][0] == played.move, played
        board.push(played.move)
    print(f"{name(white)} - {name(black)}: {board.result(claim_draw=True)} after {board.ply()} plies")
    return board


def name(engine):
    return AGENT.get(engine, engine.id["name"])


def select(engine, agent):
    engine.configure({"UCI_LimitStrength": False, "KeepResult": True, "Seed": "1"})
    engine.configure(AGENTS[agent])
    AGENT[engine] = agent


QUEEN = "8/8/8/4k3/8/8/8/KQ6 w - - 0 1"
ROOK = "8/8/8/3k4/8/8/8/KR6 w - - 0 1"
PAWN = "4k3/8/4K3/4P3/8/8/8/8 w - - 0 1"
BARE = "8/8/8/4k3/8/8/4R3/K7 b - - 0 1"
# Agents do not use the depth and are never late then, however busy the machine is.
quick = chess.engine.Limit(depth=8)
brief = chess.engine.Limit(time=0.05)

first, second = errare(), errare()

# Infallible White mates, whoever defends, within the 50 moves: queen in 10, rook in 16, pawn in 28 at most.
for start in (QUEEN, ROOK, BARE, PAWN):
    for defender in ("infallible", "predator", "weak"):
        select(first, "infallible")
        select(second, defender)
        first.configure({"Metric": "dtm"})
        board = play(first, second, start, quick)
        assert board.is_checkmate() and board.turn == chess.BLACK, (start, defender, board.fen())

# Fallible White wins too: it keeps the result, and is mostly right.
first.configure({"Metric": "dtc"})
for attacker in ("player", "emulator", "predator"):
    select(first, attacker)
    select(second, "random")
    for start in (QUEEN, PAWN):
        board = play(first, second, start, quick)
        assert board.result(claim_draw=True) != "0-1", board.fen()

# From the initial position, without an engine and with one, options changed between games.
first.configure({"Engine": ""})
second.configure({"Engine": ""})
for white, black in (("minimax", "random"), ("player", "minimax")):
    select(first, white)
    select(second, black)
    play(first, second, chess.STARTING_FEN, brief)
for engine in (first, second):
    engine.configure({"Engine": STOCKFISH})
for white, black in (("human", "predator"), ("emulator", "infallible")):
    select(first, white)
    select(second, black)
    play(first, second, chess.STARTING_FEN, brief)

# Against the real Stockfish, which beats people of 1500, and whom the tables hold to its result.
with chess.engine.SimpleEngine.popen_uci(STOCKFISH, timeout=120) as stockfish:
    select(first, "infallible")
    board = play(first, stockfish, QUEEN, quick)
    assert board.is_checkmate() and board.turn == chess.BLACK, board.fen()
    select(second, "human")
    board = play(stockfish, second, chess.STARTING_FEN, brief)
    assert board.is_checkmate() and board.turn == chess.BLACK, board.fen()

# By a clock, with the time that people take: nobody's time runs out.
for engine, agent in ((first, "player"), (second, "random")):
    select(engine, agent)
    engine.configure({"MoveTime": "human"})
board, clocks, game = chess.Board(QUEEN), {chess.WHITE: 4.0, chess.BLACK: 4.0}, object()
while not board.is_game_over(claim_draw=True):
    limit = chess.engine.Limit(white_clock=clocks[chess.WHITE], black_clock=clocks[chess.BLACK])
    engine = first if board.turn else second
    began = time.monotonic()
    played = engine.play(board, limit, game=game)
    clocks[board.turn] -= time.monotonic() - began
    assert clocks[board.turn] > 0, (board.fen(), clocks)
    board.push(played.move)
for engine in (first, second):
    engine.configure({"MoveTime": "instant"})

# Analysis has true scores, best first.
lines = first.analyse(chess.Board(QUEEN), quick, multipv=3)
scores = [line["score"].relative for line in lines]
assert all(score.is_mate() and score.mate() > 0 for score in scores), lines

# Killed in the middle of a game, a new process goes on with it.
board = chess.Board(ROOK)
for _ in range(2):
    board.push(first.play(board, quick).move)
    board.push(second.play(board, quick).move)
os.kill(first.transport.get_pid(), signal.SIGKILL)
try:
    first.play(board, quick)
    raise AssertionError("a killed engine answers")
except chess.engine.EngineError:
    first.close()
third = errare()
select(third, "infallible")
third.configure({"Metric": "dtm"})
while not board.is_game_over(claim_draw=True):
    board.push((third if board.turn else second).play(board, quick).move)
assert board.is_checkmate() and board.turn == chess.BLACK, board.fen()

second.quit()
third.quit()
print("all games are played")
