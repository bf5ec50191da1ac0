"""Warnings about conductors beside iron and beside other conductors: interactions that are left out or inaccurate."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, pairwise

import numpy as np
from scipy.spatial import cKDTree

from polhode.engine.compiled_scene import CompiledScene
from polhode.physics.conductors.coupled.arrays import elements_of
from polhode.physics.plates.compile import start_poses
from polhode.scene.message import Message
from polhode.scene.problem import Problem

MS, MM = 1e3, 1e3
RESOLVED = 20.0  # steps in a time constant that are recommended


def left_out(compiled: CompiledScene) -> Iterator[Problem]:
    """Warnings about a scene with conductors; none in one with a single conductor without iron."""
    model = compiled.model
    if len(model.conductors.body) and len(model.iron.body):
        yield from _near_iron(compiled)
    if len(model.conductors.body) > 1:
        yield from _fast(compiled)
        yield from _near_others(compiled)


def _fast(compiled: CompiledScene) -> Iterator[Problem]:
    """Warnings about metal none of whose modes a step resolves, beside other metal."""
    model, scene = compiled.model, compiled.scene
    conductors, owners = model.conductors, model.conductors.body.tolist()
    for c, b in enumerate(owners):
        if conductors.slow[c]:
            continue
        constant = float(conductors.time_constant[conductors.first_mode[c]])
        rule = Message(
            "currents in the metal of '{name}' decay in {constant:.2g} ms, less than the step of {step:.2g} ms: "
            "what they and those in '{other}' induce in each other is left out",
            name=scene.bodies[b].name,
            constant=MS * constant,
            step=MS * scene.solver.time_step,
            other=scene.bodies[owners[0 if c else 1]].name,
        )
        remedy = Message("take a step of {step:.1g} ms to resolve them, or implicit", step=MS * constant / RESOLVED)
        yield Problem(f"{scene.place_of(b)}.shape", rule, remedy)


def _placed(compiled: CompiledScene) -> tuple[list[np.ndarray], list[float]]:
    """Positions (e, 3) [m] of the elements of each conductor at the start, and the length of an edge [m] of the
    triangles of a sheet; 0 of rings.
    """
    model, edges, places = compiled.model, list[float](), list[np.ndarray]()
    conductors, elements = model.conductors, elements_of(model.conductors, is_used=True)
    origins, bases = start_poses(compiled.scene, model.bodies)
    for c, b in enumerate(conductors.body.tolist()):
        source = elements.source[elements.first[c] : elements.end[c]]
        is_sheet = conductors.radius[source[0]] == 0.0
        in_each = 3 if is_sheet else 1
        middle = sum(conductors.position[source + k] for k in range(in_each)) / in_each
        areas = in_each * np.linalg.norm(conductors.area[source], axis=1)
        edges.append(float(np.sqrt(4.0 / 3.0**0.5 * np.median(areas))) if is_sheet else 0.0)
        places.append(origins[b] + middle @ bases[b])
    return places, edges


def _near_iron(compiled: CompiledScene) -> Iterator[Problem]:
    """Warnings about metal that starts nearer to iron than the edge of a panel or of a triangle."""
    model, scene = compiled.model, compiled.scene
    origins, bases = start_poses(scene, model.bodies)
    places, edges = _placed(compiled)
    for metal, points, own in zip(model.conductors.body.tolist(), places, edges, strict=True):
        if own == 0.0:
            continue
        for b, (i, j) in zip(model.iron.body.tolist(), pairwise(model.iron.first.tolist()), strict=True):
            real = model.iron.edge[i:j] > 0.0
            if not real.any():  # dipoles: induced/checks.py
                continue
            panels = origins[b] + model.iron.middle[:, i:j].T[real] @ bases[b]
            edge = max(own, float(np.median(model.iron.edge[i:j][real])))
            nearest = float(cKDTree(panels).query(points)[0].min())
            if nearest < edge:
                rule = Message(
                    "the metal of '{metal}' starts nearer to the iron of '{iron}' than the edge of a panel "
                    "({edge:.2g} mm)",
                    metal=scene.bodies[metal].name,
                    iron=scene.bodies[b].name,
                    edge=MM * edge,
                )
                remedy = Message("their currents are inaccurate: give both more panels, or keep them apart")
                yield Problem(f"{scene.place_of(metal)} and {scene.place_of(b)}", rule, remedy)


def _near_others(compiled: CompiledScene) -> Iterator[Problem]:
    """Warnings about sheets of different bodies that start nearer to each other than the edge of a triangle."""
    scene, owners = compiled.scene, compiled.model.conductors.body.tolist()
    places, edges = _placed(compiled)
    for b, c in combinations(range(len(owners)), 2):
        edge = max(edges[b], edges[c])
        if float(cKDTree(places[b]).query(places[c])[0].min()) < edge:
            rule = Message(
                "the metals of '{first}' and '{second}' start nearer to each other than the edge of a triangle "
                "({edge:.2g} mm)",
                first=scene.bodies[owners[b]].name,
                second=scene.bodies[owners[c]].name,
                edge=MM * edge,
            )
            remedy = Message("their mutual inductances are inaccurate: give both more panels, or keep them apart")
            yield Problem(f"{scene.place_of(owners[b])} and {scene.place_of(owners[c])}", rule, remedy)
