"""The continuous fit of errare-rating as one would write it with numpy and scipy.

    cargo bench -p errare-rating --bench continuous -- --data turns.jsonl
    python peer_continuous.py turns.jsonl

Padded arrays, and BFGS with the slope of the penalised likelihood. Features that vary with Elo come first, the
last two have the same weight for all.
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
    return features, there, x, np.array([turn["played"] for turn in turns])


def main():
    features, there, x, played = read(sys.argv[1])
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
    for coefficient in found.x:
        print(f"  {coefficient:.9f}")


main()
