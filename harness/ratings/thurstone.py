"""Strengths from pair counts: Thurstone's model of paired comparisons, with ties, at its maximum.

In each game a bot performs at its strength plus normal noise of standard deviation β (Thurstone 1927, case V). With
d = (sᵢ − sⱼ) / (√2·β) bot i finishes before j with probability Φ(d − ε), behind it with Φ(−d − ε), and ties with
Φ(ε − d) − Φ(−ε − d): a margin ε for ties as in Glenn and David (1960), which is TrueSkill's too.

All numbers here are in units of β. The logarithms of these probabilities are concave in strengths and margin together,
as logarithms of the normal measure of intervals whose ends are linear in them (Prékopa 1973), and so are the priors:
there is one maximum, and Newton's steps, halved where they overshoot, find it from anywhere.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components
from scipy.special import log_ndtr

from harness.errors import HarnessFailure

__all__ = ["PRIOR_SPREAD", "Fit", "Model", "outcome_logs"]

Floats = NDArray[np.float64]

PRIOR_SPREAD = 3.0
"""The standard deviation of the prior of a strength, in β.

At a distance of 3 β the weaker of two bots wins one game in fifty, so next to matches the prior says hardly anything:
with 36 matches a bot it moved strengths by .3 % of the width of their intervals, with 1,200 by .05 %. It keeps whoever
won or lost everything at a finite place, and sets the level of groups that never met.
"""

_LOG_ROOT = 0.5 * math.log(2 * math.pi)
_SMALL_STEP = 1e-6
"""In β; Newton's error after it is about its square."""

_WIDE = 1e3
"""Where priors lie farther apart than that, in β, doubles can't tell small steps, so larger ones must do."""

_ROUNDING = 1e-12
"""What sums of logarithms may be off by, as a share of them: a step that loses no more is no step too far."""

_STEPS = 200
_HALVINGS = 60


@dataclass(frozen=True, slots=True)
class Fit:
    """Where the maximum is: `strengths`, shape (entrants,), and the tie `margin`, which is in units of √2·β."""

    strengths: Floats
    margin: float


@dataclass(frozen=True, slots=True)
class Model:
    """The pairs of a season, and what is believed before its matches.

    `first` and `second`, shape (pairs,), are places among the entrants, each pair once. `before`, shape (entrants,), is
    the means of the priors of strengths, in β. `margin` is the likeliest margin before any game; its density,
    ε·exp(−ε/margin), weighs as much as one tied pair and keeps it above 0 and finite.
    """

    first: NDArray[np.int64]
    second: NDArray[np.int64]
    before: Floats
    margin: float

    def fit(self, counts: Floats, start: Fit | None = None) -> Fit:
        """The maximum for counts of shape (pairs, 3), sought from `start` or from where all bots are equal.

        `HarnessFailure` if it isn't found, which no counts are known to bring about.
        """
        if start is None:
            at = np.append(np.full_like(self.before, self.before.mean()), self.margin)
        else:
            at = np.append(start.strengths, start.margin)
        small_step = _SMALL_STEP * max(1.0, float(np.ptp(self.before)) / _WIDE)
        value, slope, curvature = self.derivatives(at, counts)
        for _ in range(_STEPS):
            step = np.linalg.solve(curvature, slope)
            # The margin stays above 0: at most nine tenths of the way there.
            length = min(1.0, 0.9 * at[-1] / -step[-1]) if step[-1] < 0 else 1.0
            if length == 1.0 and float(np.abs(step).max()) < small_step:
                at = at + step
                return Fit(at[:-1], float(at[-1]))
            for _ in range(_HALVINGS):
                there = at + length * step
                reached = self.derivatives(there, counts)
                if reached[0] >= value - _ROUNDING * abs(value):
                    break
                length /= 2
            at, (value, slope, curvature) = there, reached
        raise HarnessFailure(f"no strengths of {len(self.before)} bots were found in {_STEPS} steps; please report it")

    def errors(self, fit: Fit, counts: Floats) -> Floats:
        """The standard error of each strength, shape (entrants,), as the curvature has it: if pairs were independent.

        It is that of the difference to the mean of all to whom pairs link a bot, since what they brought sets their
        level; for a bot that met nobody it is that of the prior.
        """
        _, _, curvature = self.derivatives(np.append(fit.strengths, fit.margin), counts)
        covariance = np.linalg.inv(curvature)[:-1, :-1]
        met = np.flatnonzero(counts.sum(axis=1))
        size = len(self.before)
        links = coo_array((np.ones(len(met)), (self.first[met], self.second[met])), shape=(size, size))
        _, group = connected_components(links, directed=False)
        linked = (group[:, None] == group[None, :]).astype(np.float64)
        together = linked.sum(axis=1)
        contrast = np.eye(size) - linked / together[:, None]
        variance = np.sum(contrast @ covariance * contrast, axis=1)
        return np.where(together > 1, np.sqrt(np.maximum(variance, 0)), PRIOR_SPREAD)

    def derivatives(self, at: Floats, counts: Floats) -> tuple[float, Floats, Floats]:
        """At strengths and, last, margin: the log-posterior up to a constant, its gradient, and minus its Hessian."""
        strengths, margin = at[:-1], at[-1]
        size = len(strengths)
        d = (strengths[self.first] - strengths[self.second]) * math.sqrt(0.5)
        value, by_d, by_margin, dd, dm, mm = _log_likelihood(d, margin, counts)
        pull = (self.before - strengths) / PRIOR_SPREAD**2
        value -= 0.5 * float(np.sum(pull * (self.before - strengths)))
        value += math.log(margin) - margin / self.margin
        slope = np.empty(size + 1)
        slope[:-1] = pull + math.sqrt(0.5) * self._gathered(by_d, -by_d)
        slope[-1] = float(np.sum(by_margin)) + 1 / margin - 1 / self.margin
        curvature = np.zeros((size + 1, size + 1))
        curvature[self.first, self.second] = -0.5 * dd
        curvature[self.second, self.first] = -0.5 * dd
        diagonal = np.arange(size)
        curvature[diagonal, diagonal] = 0.5 * self._gathered(dd, dd) + PRIOR_SPREAD**-2
        curvature[:-1, -1] = curvature[-1, :-1] = math.sqrt(0.5) * self._gathered(dm, -dm)
        curvature[-1, -1] = float(np.sum(mm)) + margin**-2
        return value, slope, curvature

    def _gathered(self, to_first: Floats, to_second: Floats) -> Floats:
        """Sums over the pairs of each entrant."""
        size = len(self.before)
        gathered = np.bincount(self.first, to_first, size) + np.bincount(self.second, to_second, size)
        return gathered.astype(np.float64)


def outcome_logs(d: Floats, margin: float) -> Floats:
    """Logarithms of the probabilities of ahead, behind and tied, shape (3, …), for differences in units of √2·β."""
    ahead, behind = log_ndtr(d - margin), log_ndtr(-d - margin)
    # On the far side, where the two don't cancel.
    within, beyond = log_ndtr(margin - np.abs(d)), np.minimum(ahead, behind)
    return np.stack([ahead, behind, within + np.log(-np.expm1(beyond - within))])


def _log_likelihood(d: Floats, margin: float, counts: Floats) -> tuple[float, Floats, Floats, Floats, Floats, Floats]:
    """Value; derivatives by d and by margin; minus the second ones by d d, d margin, margin margin. Shape (pairs,)."""
    logs = outcome_logs(d, margin)
    ahead, behind, tied = counts.T
    value = float(np.sum(ahead * logs[0] + behind * logs[1] + tied * logs[2]))
    # Φ(z): first derivative of the logarithm g = φ/Φ, minus the second g·(z + g).
    up, down = d - margin, -d - margin
    win, loss = _ratio(up, logs[0]), _ratio(down, logs[1])
    win_bend, loss_bend = ahead * win * (up + win), behind * loss * (down + loss)
    win, loss = ahead * win, behind * loss
    # Φ(b) − Φ(a) with b = ε − |d|, a = −ε − |d|, in which nothing cancels far out.
    far = np.abs(d)
    b, a = margin - far, -margin - far
    g_b, g_a = _ratio(b, logs[2]), _ratio(a, logs[2])
    bend_b, bend_a, bend_ab = g_b * (b + g_b), g_a * (g_a - a), -g_a * g_b
    by_d = win - loss - np.sign(d) * tied * (g_b - g_a)
    by_margin = tied * (g_b + g_a) - win - loss
    dd = win_bend + loss_bend + tied * (bend_b + bend_a + 2 * bend_ab)
    dm = loss_bend - win_bend - np.sign(d) * tied * (bend_b - bend_a)
    mm = win_bend + loss_bend + tied * (bend_b + bend_a - 2 * bend_ab)
    return value, by_d, by_margin, dd, dm, mm


def _ratio(z: Floats, log_of: Floats) -> Floats:
    """φ(z) over what has that logarithm."""
    return np.exp(-0.5 * z * z - _LOG_ROOT - log_of)
