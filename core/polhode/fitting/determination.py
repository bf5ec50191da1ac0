"""Identifiability: singular values of the scaled sensitivities, and combinations of unknowns that data leave open.

Unknowns are divided by their sizes, so an open direction (1, 1) changes two unknowns by the same part of their values:
only their ratio is determined. A direction is open if its singular value is below NOTHING of the largest, or if a
change by the whole size of the unknowns changes the data by less than NOTHING of their spread.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.linalg import qr

from polhode.fitting.unknowns import Unknowns
from polhode.scene.message import Message
from polhode.scene.problem import Problem

NOTHING = 1e-6  # of the largest singular value: central differences have errors of about 1e-10
PART = 1e-3  # of the largest component of a direction: smaller ones count as zero
EQUAL = 1e-3  # difference of components that count as equal


@dataclass(frozen=True, eq=False)
class Determination:
    """Identifiability of unknowns from data."""

    singular_values: np.ndarray  # (p,) of the sensitivities, largest first
    open_directions: np.ndarray  # (q, p) directions, in parts of the unknowns, without effect on the data
    problems: tuple[Problem, ...]  # one for each open direction


def determination(unknowns: Unknowns, sensitivities: np.ndarray) -> Determination:
    """The determination by sensitivities (r, p) to the scaled unknowns, r >= p."""
    _, values, turned = np.linalg.svd(sensitivities, full_matrices=False)
    null = turned[values <= NOTHING * max(values[0], np.sqrt(len(sensitivities)))]
    if not len(null):
        return Determination(values, null, ())
    _, _, order = qr(null, pivoting=True)
    chosen = order[
        : len(null)
    ]  # the unknowns with the largest parts: each direction has 1 for one and 0 for the others
    directions = np.linalg.solve(null[:, chosen], null)
    directions[np.abs(directions) < PART * np.abs(directions).max(axis=1, keepdims=True)] = 0.0
    return Determination(values, directions, tuple(_problem(unknowns, row) for row in directions))


def _problem(unknowns: Unknowns, direction: np.ndarray) -> Problem:
    """The problem of an open direction (p,)."""
    members = np.flatnonzero(direction)
    names = [unknowns.names[k] for k in members]
    fixed = names[int(np.argmax(np.abs(direction[members])))]
    fix = Message("fix one of them: leave out '{name}', and state its measured value in the scene", name=fixed)
    if len(members) == 1:
        rule = Message("'{name}' changes nothing in these data", name=names[0])
        return Problem("free", rule, Message("leave it out, or measure something that depends on it"))
    has_sizes = all(unknowns.each[k].start != 0.0 for k in members)
    if len(members) == 2 and has_sizes and abs(np.ptp(direction[members])) < EQUAL:
        rule = Message("the data determine '{one}' and '{other}' only by their ratio", one=names[0], other=names[1])
        return Problem("free", rule, fix)
    if len(members) == 2 and has_sizes and abs(direction[members].sum()) < EQUAL:
        rule = Message("the data determine '{one}' and '{other}' only by their product", one=names[0], other=names[1])
        return Problem("free", rule, fix)
    parts = ", ".join(f"{name} {100 * part:+.3g} %" for name, part in zip(names, direction[members], strict=True))
    rule = Message("these unknowns may change together without any change in the data: {parts}", parts=parts)
    return Problem("free", rule, fix)
