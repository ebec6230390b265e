"""The same work by plain python-chess and numpy, for comparison: `pip install chess numpy`.

KQKR in DTC. The depths are read from what `errare tables dump KQKR --metric dtc` writes (first argument) into a
dictionary, which is not timed. Prints, in processor time of one core:

- matrix: the time to average R_20 over a sample of positions, and what all positions would take
- moves: simulated moves of R_20 a second
- update: the time of an Analyser update of a 5,001-point grid
"""

import random
import sys
import time

import chess
import numpy as np

KAPPA, COMPETENCE, SAMPLE = 1.0, 20.0, 1000


def image(symmetry, square):
    file, rank = square & 7, square >> 3
    file, rank = (7 - file if symmetry & 1 else file), (7 - rank if symmetry & 2 else rank)
    return (file * 8 + rank) if symmetry & 4 else (rank * 8 + file)


IMAGES = [[image(symmetry, square) for square in range(64)] for symmetry in range(8)]


def least(king, queen, other, rook, turn):
    """The least of the eight images of a position, as a key."""
    return turn, min((i[king], i[queen], i[other], i[rook]) for i in IMAGES)


def key(board):
    men = board.king(chess.WHITE), board.queens.bit_length() - 1, board.king(chess.BLACK), board.rooks.bit_length() - 1
    return least(*men, board.turn)


def squares(placement):
    """The squares of the men K, Q, k and r of a FEN."""
    found, square = {}, 56
    for letter in placement:
        if letter == "/":
            square -= 16
        elif letter.isdigit():
            square += int(letter)
        else:
            found[letter] = square
            square += 1
    return found["K"], found["Q"], found["k"], found["r"]


def read(path):
    depths, wins = {}, []
    with open(path) as lines:
        next(lines)
        for line in lines:
            fen, outcome, plies = line.rstrip("\n").split(",")
            placement, turn, _ = fen.split(" ", 2)
            white = turn == "w"
            if outcome == "draw" or (outcome == "win") != white:
                continue
            moves = (int(plies) + white) // 2
            depths[least(*squares(placement), white)] = moves
            if white:
                wins.append((fen, moves))
    return depths, wins


def options(board, depths):
    """White's moves that keep the win, with the depths they lead to."""
    moves, reached = [], []
    for move in board.legal_moves:
        capture = board.is_capture(move)
        board.push(move)
        depth = 0 if capture else depths.get(key(board))
        board.pop()
        if depth is not None:
            moves.append(move)
            reached.append(depth)
    return moves, np.array(reached)


def chances(reached):
    weights = np.exp(-COMPETENCE * (np.log(reached + KAPPA) - np.log(reached.min() + KAPPA)))
    return weights / weights.sum()


def main():
    depths, wins = read(sys.argv[1])
    rng = random.Random(1)

    sample = rng.sample(wins, SAMPLE)
    matrix = np.zeros((32, 32))
    start = time.process_time()
    for fen, depth in sample:
        _, reached = options(chess.Board(fen), depths)
        np.add.at(matrix[depth], reached, chances(reached))
    seconds = (time.process_time() - start) / SAMPLE
    print(f"matrix: {seconds * 1e6:.1f} microseconds a position, {seconds * len(wins):.0f} s for {len(wins)} positions")

    start, played = time.process_time(), 0
    while time.process_time() - start < 5:
        board = chess.Board(rng.choice(sample)[0])
        moves, reached = options(board, depths)
        board.push(rng.choices(moves, chances(reached))[0])
        played += 1
    print(f"moves: {played / (time.process_time() - start):.0f} a second")

    grid, logs = np.linspace(0, 50, 5001), np.zeros(5001)
    profiles = [options(chess.Board(fen), depths)[1] for fen, _ in sample[:100]]
    start = time.process_time()
    for reached in profiles:
        aversion = np.log(reached + KAPPA)
        terms = np.exp(-np.outer(grid, aversion - aversion.min()))
        logs += -grid * (aversion[0] - aversion.min()) - np.log(terms.sum(axis=1))
        posterior = np.exp(logs - logs.max())
        posterior /= posterior.sum()
    print(f"update: {(time.process_time() - start) / len(profiles) * 1e6:.0f} microseconds")


if __name__ == "__main__":
    main()
