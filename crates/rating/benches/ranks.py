"""The continuous family from an exported study, with other curves over ranks: are moves played as often as predicted?

    errare export study.db --csv out
    python crates/rating/benches/ranks.py out
    python crates/rating/benches/ranks.py out calibration.json    # only: do the program's coefficients agree?

An independent computation with numpy: features, Newton's method, games left out in three parts. The program has
r = ln(1 + b), b being the number of moves with a higher score; here r = ln(1 + b/k), once the cost of the second move
is a feature of the first, and once weights are parabolas in Elo. Prints for each the log-loss in games left out, its difference from k = 1 with a standard error
by game, rms z of mm and ad over hundreds of Elo, and projected/actual percentages of moves by their probability.
"""

import csv
import json
import sys

import numpy as np

RIDGE = 0.005
PARTS = 3
GROUPS = [[0], [1, 2, 3], [4, 5, 6], [7, 8, 9]]
EDGES = [0, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9, 1 + 1e-9]


def read(directory):
    """Turns used by rated players: (elo, move, game) of each; of each option the turn, whether played, cost, scores by depth."""
    used = {}
    for row in csv.DictReader(open(f"{directory}/turns.csv")):
        if row["exclusion"] == "" and row["played_rank"] and row["elo"] and int(row["elo"]) >= 100:
            used[row["game"], row["ply"]] = [int(row["elo"]), int(row["move_number"]), int(row["game"])]
    options, places, last = [], [], None
    with open(f"{directory}/moves.csv") as file:
        rows = csv.reader(file)
        columns = next(rows)
        scores = columns.index("cp_1")
        for row in rows:
            place = row[0], row[1]
            if place not in used:
                continue
            if place != last:
                places.append(used[place])
                last = place
            numbers = [float(value) if value else np.nan for value in row[scores : scores + 10]]
            options.append([len(places) - 1, row[5] == "true", float(row[8]), *numbers])
    return np.array(places), np.array(options)


class Study:
    def __init__(self, places, options):
        self.seg = options[:, 0].astype(int)
        self.played = options[:, 1] == 1
        self.cost, self.scores = options[:, 2], options[:, 3:]
        self.start = np.flatnonzero(np.r_[True, np.diff(self.seg) > 0])
        self.size = np.diff(np.r_[self.start, len(self.seg)])
        self.elo, self.move, self.game = places.T
        self.x = (self.elo - 2250) / 450
        self.best = self.scores[self.start, -1] / 100
        self.higher = np.zeros_like(self.scores)
        for start, size in zip(self.start, self.size):
            for depth in range(10):
                column = self.scores[start : start + size, depth]
                known = np.sort(column[~np.isnan(column)])
                above = len(known) - np.searchsorted(known, column, side="right")
                self.higher[start : start + size, depth] = np.where(np.isnan(column), len(known), above)

    def design(self, k, more):
        first = np.zeros(len(self.seg))
        first[self.start] = 1
        ranks = np.log1p(self.higher / k)
        lines = np.array([-self.cost, first, *(-ranks[:, group].mean(axis=1) for group in GROUPS)]).T
        ahead, early = np.tanh(self.best)[self.seg], (self.move <= 12)[self.seg]
        constants = [-self.cost * ahead, -self.cost * early]
        if more == "cost of the second move":
            second = np.where(self.size > 1, self.cost[np.minimum(self.start + 1, len(self.seg) - 1)], 0)
            constants.append(first * np.minimum(second, 1)[self.seg])
        x = self.x[self.seg][:, None]
        squares = [lines * x**2] if more == "squares of Elo" else []
        return np.hstack([lines, lines * x, np.array(constants).T, *squares])


def chances(design, weights, start, seg):
    utility = design @ weights
    top = np.maximum.reduceat(utility, start)
    power = np.exp(utility - top[seg])
    total = np.add.reduceat(power, start)
    return power / total[seg], np.log(total) + top, utility


def fit(study, design, which, weights, end=1e-3):
    kept = which[study.seg]
    design, played, size = design[kept], study.played[kept], study.size[which]
    start = np.r_[0, np.cumsum(size)[:-1]]
    seg = np.repeat(np.arange(len(size)), size)

    def at(weights):
        p, log_sums, utility = chances(design, weights, start, seg)
        return log_sums.sum() - utility[played].sum() + RIDGE / 2 * weights @ weights, p

    loss, p = at(weights)
    for _ in range(50):
        means = np.add.reduceat(design * p[:, None], start)
        slope = design[played].sum(axis=0) - means.sum(axis=0) - RIDGE * weights
        curvature = (design * p[:, None]).T @ design - means.T @ means + RIDGE * np.eye(len(weights))
        step = np.linalg.solve(curvature, slope)
        promise = np.sqrt(max(slope @ step, 0))
        while at(weights + step)[0] > loss * (1 + 1e-9):
            step /= 2
        weights = weights + step
        loss, p = at(weights)
        if promise < end:
            return weights
    raise RuntimeError("no convergence")


def by_game(game, values):
    return np.bincount(np.unique(game, return_inverse=True)[1], values)


def rms_z(study, surplus):
    z = []
    for hundred in range(1800, 2800, 100):
        inside = (study.elo >= hundred - 50) & (study.elo < hundred + 50)
        if inside.sum() >= 100:
            sums = by_game(study.game[inside], surplus[inside])
            z.append(sums.sum() / np.sqrt((sums**2).sum()))
    return np.sqrt(np.mean(np.square(z)))


def compare(study, path):
    """The calibration that errare calibrate made of the whole study, beside a fit to the same turns."""
    design = study.design(1, "")
    ours = fit(study, design, np.ones(len(study.size), bool), np.zeros(design.shape[1]), 1e-9)
    table = json.load(open(path))["lines"]
    theirs = [weight["at_origin"] for weight in table[:6]]
    theirs += [weight["slope"] for weight in table[:6]]
    theirs += [weight["at_origin"] for weight in table[6:]]
    print(f"greatest difference of {len(ours)} coefficients: {np.max(np.abs(ours - theirs)):.1e}")


def main():
    study = Study(*read(sys.argv[1]))
    if len(sys.argv) > 2:
        return compare(study, sys.argv[2])
    part = study.game * 2654435761 % 2**32 % PARTS
    print(f"{len(study.size)} turns, {len(np.unique(study.game))} games")
    reference = None
    for k, more in [(1, ""), (1, "squares of Elo"), (1, "cost of the second move"), (1.5, ""), (2, ""), (4, "")]:
        design = study.design(k, more)
        p, weights = np.zeros(len(study.seg)), np.zeros(design.shape[1])
        for left_out in range(PARTS):
            weights = fit(study, design, part != left_out, weights)
            mine = (part == left_out)[study.seg]
            p[mine] = chances(design, weights, study.start, study.seg)[0][mine]
        loss = -np.log(p[study.played])
        reference = loss if reference is None else reference
        error = np.sqrt((by_game(study.game, loss - reference) ** 2).sum()) / len(loss)
        mm = rms_z(study, study.played[study.start] - p[study.start])
        ad = rms_z(study, study.cost[study.played] - np.add.reduceat(p * study.cost, study.start))
        print(f"k = {k}{', ' if more else ''}{more}: {loss.mean():.4f}, {np.mean(loss - reference):+.4f} ({error:.4f}); rms z {mm:.2f}, {ad:.2f}")
        bins = np.digitize(p, EDGES) - 1
        for i in range(len(EDGES) - 1):
            if (bins == i).any():
                ends = f"{EDGES[i]} to {min(EDGES[i + 1], 1)}"
                print(f"  {ends:14} {100 * p[bins == i].mean():6.2f} / {100 * study.played[bins == i].mean():.2f}")


main()
