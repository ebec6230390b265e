"""The fits of errare-rating as one would write them with numpy and scipy.

    cargo bench -p errare-rating --bench fit -- --data turns.jsonl
    python peer.py turns.jsonl

Probabilities of all turns at once by Newton's method on padded arrays; Nelder and Mead in (ln s, ln c).
"""

import json
import sys
import time

import numpy as np
from scipy.optimize import minimize


def read(path):
    turns = [json.loads(line) for line in open(path)]
    width = max(len(turn["costs"]) for turn in turns)
    costs = np.full((len(turns), width), np.inf)
    for row, turn in zip(costs, turns):
        row[: len(turn["costs"])] = turn["costs"]
    return costs, np.array([turn["played"] for turn in turns])


def probabilities(costs, s, c):
    there = np.isfinite(costs)
    reluctance = np.minimum((np.where(there, costs, 0.0) / s) ** c, 50.0)
    a = np.where(there, np.exp(reluctance), 0.0)
    z = np.zeros(len(costs))
    while True:
        p = np.exp(-a * z[:, None]) * there
        step = (p.sum(axis=1) - 1.0) / (a * p).sum(axis=1)
        z += step
        if np.abs(step).max() < 1e-12:
            return np.exp(-a * z[:, None]) * there


def percentile(costs, played, p):
    turns = np.arange(len(played))
    width = p[turns, played]
    below = np.cumsum(p, axis=1)[turns, played] - width
    q = np.linspace(0.0, 1.0, 21)
    r = np.clip((q[:, None] - below) / width, 0.0, 1.0).mean(axis=1)
    return ((r - q) ** 2).sum()


def likelihood(costs, played, p):
    return -np.log(p[np.arange(len(played)), played]).mean()


def mm_ad(costs, played, p):
    turns = np.arange(len(played))
    finite = np.where(np.isfinite(costs), costs, 0.0)
    mm = p[:, 0].mean() - (played == 0).mean()
    ad = (p * finite).sum(axis=1).mean() - costs[turns, played].mean()
    return (mm / 0.5) ** 2 + (ad / 0.15) ** 2


def main():
    costs, played = read(sys.argv[1])
    print(f"{len(played)} turns")
    for objective in percentile, likelihood, mm_ad:
        begun, cpu = time.perf_counter(), time.process_time()
        at = lambda x: objective(costs, played, probabilities(costs, *np.exp(x)))
        start = np.log([0.11, 0.5])
        found = minimize(at, start, method="Nelder-Mead", options={"xatol": 1e-6, "fatol": 1e-12})
        s, c = np.exp(found.x)
        wall, cpu = time.perf_counter() - begun, time.process_time() - cpu
        print(f"  {objective.__name__:10} {wall:8.3f} s, CPU {cpu:.3f} s  s {s:.6f} c {c:.6f}  {found.nfev} evaluations")


main()
