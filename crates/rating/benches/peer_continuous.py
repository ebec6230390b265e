"""The continuous fit of errare-rating as one would write it with numpy and scipy.

    cargo bench -p errare-rating --bench continuous -- --data turns.jsonl
    python peer_continuous.py turns.jsonl

Padded arrays, and BFGS with the slope of the penalised likelihood. Features that vary with Elo come first, the
last two have the same weight for all. Standard errors in brackets are from the scatter of games and players
(Cameron, Gelbach and Miller 2011), with negative eigenvalues set to zero.
"""

import json
import sys
import time

import numpy as np
from scipy.optimize import minimize

RIDGE = 0.005


def read(path):
    turns = [json.loads(line) for line in open(path)]
    width = max(turn["options"] for turn in turns)
    count = len(turns[0]["features"]) // turns[0]["options"]
    features = np.zeros((len(turns), count, width))
    there = np.zeros((len(turns), width), dtype=bool)
    for i, turn in enumerate(turns):
        options = turn["options"]
        features[i, :, :options] = np.reshape(turn["features"], (count, options))
        there[i, :options] = True
    x = (np.array([turn["elo"] for turn in turns]) - 2250) / 450
    column = lambda name: np.array([turn[name] for turn in turns])
    return features, there, x, column("played"), column("game"), column("player")


def covariance(design, there, played, at, clusters):
    """The sandwich; design has each option's features as the coefficients see them."""
    rows = np.arange(len(played))
    power = np.where(there, np.exp(design @ at), 0)
    p = power / power.sum(axis=1, keepdims=True)
    mean = np.einsum("to,tof->tf", p, design)
    scores = design[rows, played] - mean
    curvature = np.einsum("to,tof,tog->fg", p, design, design, optimize=True) - mean.T @ mean + RIDGE * np.eye(len(at))
    squares = 0
    for sign, cluster in clusters:
        _, place = np.unique(cluster, axis=0, return_inverse=True)
        sums = np.zeros((place.max() + 1, len(at)))
        np.add.at(sums, place.ravel(), scores)
        squares = squares + sign * sums.T @ sums
    inverse = np.linalg.inv(curvature)
    values, vectors = np.linalg.eigh(inverse @ squares @ inverse)
    return (vectors * np.maximum(values, 0)) @ vectors.T


def main():
    features, there, x, played, game, player = read(sys.argv[1])
    count = features.shape[1]
    rows = np.arange(len(played))

    def loss(at):
        lines = at[:-2].reshape(count - 2, 2)
        weights = np.hstack([lines[:, 0] + x[:, None] * lines[:, 1], np.tile(at[-2:], (len(x), 1))])
        utility = np.where(there, np.einsum("tf,tfo->to", weights, features), -np.inf)
        utility -= utility.max(axis=1, keepdims=True)
        power = np.exp(utility)
        total = power.sum(axis=1)
        value = (np.log(total) - utility[rows, played]).sum() + RIDGE / 2 * (at**2).sum()
        mean = np.einsum("to,tfo->tf", power / total[:, None], features)
        pull = mean - features[rows, :, played]
        slope = np.empty_like(at)
        slope[0:-2:2] = pull[:, :-2].sum(axis=0)
        slope[1:-2:2] = (x[:, None] * pull[:, :-2]).sum(axis=0)
        slope[-2:] = pull[:, -2:].sum(axis=0)
        return value / len(x), (slope + RIDGE * at) / len(x)

    begun = time.perf_counter()
    found = minimize(loss, np.zeros(2 * count - 2), jac=True, method="BFGS", options={"gtol": 1e-10, "maxiter": 2000})
    print(f"{len(played)} turns: {time.perf_counter() - begun:.3f} s, {found.nit} steps")
    seen = features.transpose(0, 2, 1)
    lines = np.stack([seen[:, :, :-2], x[:, None, None] * seen[:, :, :-2]], axis=3)
    design = np.concatenate([lines.reshape(*seen.shape[:2], -1), seen[:, :, -2:]], axis=2)
    clusters = [(1, game), (1, player), (-1, np.stack([game, player], axis=1))]
    errors = np.sqrt(np.diag(covariance(design, there, played, found.x, clusters)))
    for coefficient, error in zip(found.x, errors):
        print(f"  {coefficient:.9f} ({error:.9f})")


main()
