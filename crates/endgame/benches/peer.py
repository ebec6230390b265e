"""The same work by plain python-chess and numpy, for comparison: `pip install chess numpy`.

KQKR in DTC, solved here by plain value iteration over a dictionary would take hours, so depths are read from what
`errare tables dump KQKR --metric dtc` writes (first argument). Prints, one core:

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


def symmetric(board):
    """The least of the eight images of a board, as a key."""
    men = [(square, piece.symbol()) for square, piece in board.piece_map().items()]
    images = []
    for symmetry in range(8):
        image = []
        for square, symbol in men:
            file, rank = square & 7, square >> 3
            file, rank = (7 - file if symmetry & 1 else file), (7 - rank if symmetry & 2 else rank)
            if symmetry & 4:
                file, rank = rank, file
            image.append((symbol, file, rank))
        images.append(tuple(sorted(image)))
    return min(images), board.turn


def read(path):
    depths, wins = {}, []
    with open(path) as lines:
        next(lines)
        for line in lines:
            fen, outcome, plies = line.rstrip("\n").split(",")
            if outcome == "draw":
                continue
            board = chess.Board(fen)
            white_wins = (outcome == "win") == board.turn
            if white_wins:
                moves = (int(plies) + 1) // 2 if outcome == "win" else int(plies) // 2
                depths[symmetric(board)] = moves
                if board.turn:
                    wins.append((fen, moves))
    return depths, wins


def options(board, depths):
    """White's moves that keep the win, with the depths they lead to."""
    moves, reached = [], []
    for move in board.legal_moves:
        capture = board.is_capture(move)
        board.push(move)
        depth = 0 if capture else depths.get(symmetric(board))
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
    start = time.perf_counter()
    for fen, depth in sample:
        _, reached = options(chess.Board(fen), depths)
        np.add.at(matrix[depth], reached, chances(reached))
    seconds = (time.perf_counter() - start) / SAMPLE
    print(f"matrix: {seconds * 1e6:.1f} microseconds a position, {seconds * len(wins):.0f} s for {len(wins)} positions")

    start, played = time.perf_counter(), 0
    while time.perf_counter() - start < 5:
        board = chess.Board(rng.choice(sample)[0])
        moves, reached = options(board, depths)
        board.push(rng.choices(moves, chances(reached))[0])
        played += 1
    print(f"moves: {played / (time.perf_counter() - start):.0f} a second")

    grid, logs = np.linspace(0, 50, 5001), np.zeros(5001)
    profiles = [options(chess.Board(fen), depths)[1] for fen, _ in sample[:100]]
    start = time.perf_counter()
    for reached in profiles:
        aversion = np.log(reached + KAPPA)
        terms = np.exp(-np.outer(grid, aversion - aversion.min()))
        logs += -grid * (aversion[0] - aversion.min()) - np.log(terms.sum(axis=1))
        posterior = np.exp(logs - logs.max())
        posterior /= posterior.sum()
    print(f"update: {(time.perf_counter() - start) / len(profiles) * 1e6:.0f} microseconds")


if __name__ == "__main__":
    main()
