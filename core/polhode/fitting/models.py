"""Compiled scenes of a fit.

Unknowns that only change the starts of bodies and beads share one model, whose start state is computed from them
(core/polhode/run/starts.py). Those that the subjects name as adjustable (core/polhode/engine/adjusted.py) change arrays
of a model whose other unknowns are the same; for the others the scene is compiled, at the cost of some thousands of
steps.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property

import numpy as np

from polhode.engine.adjusted import adjusted
from polhode.engine.compile import build
from polhode.engine.compiled_scene import CompiledScene
from polhode.fitting.runs import lanes_have_all_laws
from polhode.fitting.unknowns import Unknowns
from polhode.mesh.mesh import Meshes
from polhode.run.starts import is_start, starts, starts_agree
from polhode.scene.fields import FieldPath
from polhode.scene.problem import InputError
from polhode.scene.scene import Scene

KEPT = 8  # newest models: a run and its derivatives share one
TRIED = (0.1, -0.07)  # of the scales: changes of starts that are compared with compiled ones


class FitModels:
    """The compiled scene for values of the unknowns. Raises InputError if the scene itself can't be compiled."""

    def __init__(self, unknowns: Unknowns, meshes: Meshes):
        self.first = build(unknowns.scene, meshes)
        self._unknowns, self.meshes = unknowns, meshes
        self._stated = np.array([unknown.start for unknown in unknowns.each])
        self._starts = [k for k, each in enumerate(unknowns.each) if each.path and is_start(unknowns.scene, each.path)]
        self._kept = dict[bytes, CompiledScene | None]()
        if self._starts and not self._agrees():
            self._starts = []

    @cached_property
    def in_lanes(self) -> bool:
        """Whether lanes have all laws of the scene."""
        return lanes_have_all_laws(self.first)

    def compiled(self, values: np.ndarray) -> CompiledScene | None:
        """The compiled scene with values (p,) [SI], unchecked for starts, of the unknowns; None for invalid ones."""
        fixed = values.copy()
        fixed[self._starts] = self._stated[self._starts]
        key = fixed.tobytes()
        if key not in self._kept:
            try:
                made = self._made(fixed)
            except InputError:
                made = None
            self._kept[key] = made
            if len(self._kept) > KEPT:
                del self._kept[next(iter(self._kept))]
        else:
            self._kept[key] = made = self._kept.pop(key)  # the newest is the last one
        if made is None or not self._starts:
            return made
        return replace(made, start=starts(*self._paths, made, values[self._starts][None])[0])

    def _made(self, fixed: np.ndarray) -> CompiledScene:
        """A new model with values (p,) [SI], those of starts as stated. Raises InputError for invalid ones."""
        scene = self._unknowns.scene_with(fixed)
        known = [(np.frombuffer(key) != fixed, each) for key, each in self._kept.items() if each is not None]
        differs, nearest = min(reversed(known), key=lambda each: each[0].sum(), default=(np.array([]), self.first))
        changed = [self._unknowns.each[k] for k in np.flatnonzero(differs)]
        names, made = [each.name for each in changed if each.path], None
        if names and not any("tilt" in (each.path or ()) for each in changed):
            made = adjusted(nearest, scene, names, self.meshes)
        return build(scene, self.meshes, nearest, is_varied=True) if made is None else made

    @property
    def _paths(self) -> tuple[Scene, tuple[FieldPath, ...]]:
        """The scene, and the paths of varying starts: arguments of `starts`."""
        paths = (self._unknowns.each[k].path for k in self._starts)
        return self._unknowns.scene, tuple(path for path in paths if path is not None)

    def _agrees(self) -> bool:
        """Whether computed starts agree with compiled ones near the stated values."""
        each = [self._unknowns.each[k] for k in self._starts]
        changes = np.outer((0.0, *TRIED), [unknown.scale for unknown in each])
        lower, upper = [unknown.lower for unknown in each], [unknown.upper for unknown in each]
        rows = np.clip(self._stated[self._starts] + changes, lower, upper)
        return starts_agree(*self._paths, rows, self.first, self.meshes)
