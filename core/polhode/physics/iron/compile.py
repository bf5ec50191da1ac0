"""Soft iron of a scene as arrays."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import pi

import numpy as np
from scipy.linalg import block_diag

from polhode.engine.part import Draft
from polhode.jit.simd import WIDTH
from polhode.mesh.mesh import Mesh, Meshes
from polhode.physics.bodies import shapes
from polhode.physics.induced.shapes import each_of_dipoles, of_dipoles, polarisability, rows_of_dipoles, semi_axes
from polhode.physics.iron.arrays import Iron
from polhode.physics.iron.checks import overlaps_of_iron
from polhode.physics.iron.coil_checks import wires_in_iron
from polhode.physics.iron.description import IDEAL
from polhode.physics.iron.matrices import Panels, inverse, modes
from polhode.physics.iron.parts import NO_PIECE, Charges, IronShape, MomentShape, PanelShape, potentials_between
from polhode.physics.iron.surfaces import KeptIron, iron_volume, surface_of
from polhode.physics.magnets.arrays import Dipoles
from polhode.scene.message import Message
from polhode.scene.problem import InputError, Problem
from polhode.scene.scene import Body, Scene

MOST_PANELS = 20_000  # of all iron


def iron_of(body: Body, scene: Scene, meshes: Meshes) -> Iterator[IronShape]:
    """The shapes of iron of a body, without those that are dipoles of magnets; its meshes must have been read."""
    dipoles, apart = of_dipoles(body, scene), rows_of_dipoles(body, scene)
    for k, shape in enumerate(body.shape):
        if shape.iron is None or k in apart:
            continue
        mesh: Mesh | None = meshes.of(shape, scene.folder) if isinstance(shape, shapes.MeshShape) else None
        surface, at, turn = surface_of(shape, mesh), np.array(shape.position), shape.orientation.matrix()
        of_it = iron_volume(shape, mesh), shape.iron.susceptibility, shape.iron.saturation or float("inf")
        if k in dipoles:
            alpha, least = turn @ polarisability(shape) @ turn.T, float(semi_axes(shape).min())
            yield MomentShape(surface, at, turn, *of_it, alpha, least)
        else:
            yield PanelShape(surface, at, turn, *of_it, KeptIron.of(surface))


def kept_iron(scene: Scene, meshes: Meshes) -> list[KeptIron]:
    """The surfaces of iron of a scene, of which matrices are made before it is compiled. Raises InputError."""
    every = (shape for body in scene.bodies for shape in iron_of(body, scene, meshes))
    return [shape.kept for shape in every if isinstance(shape, PanelShape)]


def check_iron(draft: Draft) -> None:
    """Add the problems of too much iron, and in a world without a magnetic permeability."""
    scene = draft.scene
    every = [(b, k, shape) for b, body in enumerate(scene.body) for k, shape in enumerate(body.shape)]
    place = next((f"body[{b}].shape[{k}].iron" for b, k, shape in every if shape.iron is not None), None)
    if place is None:
        return
    dipoles = each_of_dipoles(scene)
    panels = sum(shape.iron.panels for b, k, shape in every if shape.iron is not None and k not in dipoles[b])
    if panels > MOST_PANELS:
        rule = Message("is part of {count} panels of all iron, more than {most}", count=panels, most=MOST_PANELS)
        draft.problems.append(Problem(place, rule, Message("take fewer")))
    for b, k, shape in every:
        thickness = shape.iron.thickness if shape.iron is not None else None
        if thickness is None:
            continue
        if not isinstance(shape, shapes.Sphere):
            rule = Message("is of the wall of a sphere, not of a {kind}", kind=shape.kind)
            draft.problems.append(Problem(f"body[{b}].shape[{k}].iron.thickness", rule, Message("leave it out")))
        elif thickness >= shape.radius:
            rule = Message("is not less than the radius, {radius:g} m", radius=shape.radius)
            remedy = Message("leave it out for a solid sphere")
            draft.problems.append(Problem(f"body[{b}].shape[{k}].iron.thickness", rule, remedy))
    if float(scene.world.permeability) == 0.0:
        rule = Message("needs a magnetic permeability of the world, which is 0")
        draft.problems.append(Problem(place, rule, Message("leave world.permeability out")))


def compile_iron(draft: Draft) -> None:
    """Add the member `iron` of the Model. Raises InputError where magnets, wires or other iron start in it."""
    scene, bodies, dipoles = draft.scene, draft.model["bodies"], draft.model["dipoles"]
    found = [(b, list(iron_of(body, scene, draft.meshes))) for b, body in enumerate(scene.bodies)]
    found = [(b, shapes_of_body) for b, shapes_of_body in found if shapes_of_body]
    is_metal = any(shape.conductor is not None for body in scene.bodies for shape in body.shape)
    alone = sum(len(shapes_of_body) for _, shapes_of_body in found) == 1 and not is_metal
    parts = [iron_of_body(shapes_of_body, bodies.origin[b], alone) for b, shapes_of_body in found]
    made = joined(parts, [b for b, _ in found], [each for _, each in found], scene.world.permeability)
    surfaces = [
        [Panels(shape.panels.corners + bodies.origin[b]) for shape in shapes_of_body] for b, shapes_of_body in found
    ]
    problems = [
        *overlaps_of_iron(scene, bodies, dipoles, made, surfaces),
        *wires_in_iron(scene, bodies, draft.model["coils"], made, surfaces),
    ]
    if problems:
        raise InputError(scene.title or "scene", problems)
    draft.model["iron"] = replace(made, own=own_potential(made, dipoles))


@dataclass(frozen=True, eq=False)
class BodyIron:
    """Charges of a body from its reference point, with its matrices R and N (n, n)."""

    charges: list[Charges]
    """Of each shape."""
    inverse: np.ndarray
    """(n, n) [m] R."""
    from_flux: np.ndarray
    """(n, n) [1/m] N."""
    own_values: np.ndarray
    """(n,) s of its modes if it is the only iron and saturates, in which case T takes the place of R; else 1."""


def iron_of_body(parts: list[IronShape], origin: np.ndarray, alone: bool) -> BodyIron:
    """The iron of one body; `origin` (3,) [m] from the reference point; `alone` if it is one shape without others."""
    charges = [part.charges(origin) for part in parts]
    counts = [len(each.edges) for each in charges]
    ends = np.cumsum([0, *counts])
    g, from_flux, inner = (np.zeros((ends[-1], ends[-1])) for _ in range(3))
    pieces = np.zeros(ends[-1], dtype=np.int64)
    for k, part in enumerate(parts):
        own = slice(ends[k], ends[k + 1])
        g[own, own], from_flux[own, own] = part.matrices()
        inner[own, own] = from_flux[own, own] / part.susceptibility if part.susceptibility > 0.0 else 0.0
        more = pieces[: ends[k]].max(initial=NO_PIECE) + 1
        pieces[own] = np.where(charges[k].pieces == NO_PIECE, NO_PIECE, charges[k].pieces + more)
        for j in range(k):
            other = slice(ends[j], ends[j + 1])
            potential = potentials_between(part, parts[j])
            g[own, other], g[other, own] = potential, potential.T
    magnetic = np.repeat([part.susceptibility > 0.0 for part in parts], counts)
    found, own_values = np.zeros_like(g), np.ones(len(g))
    if alone and np.isfinite(parts[0].saturation) and magnetic.all():
        own_values, found = modes(g, from_flux, pieces)
    elif magnetic.any():
        some = np.ix_(magnetic, magnetic)
        found[some] = _response((g + inner)[some], pieces[magnetic], [one for one in parts if one.susceptibility > 0.0])
    return BodyIron(charges, found, from_flux, own_values)


def _response(potential: np.ndarray, pieces: np.ndarray, parts: list[IronShape]) -> np.ndarray:
    """R (n, n) of S (n, n) for the charges that the shapes may have; pieces: (n,) int."""
    if not any(isinstance(part, MomentShape) for part in parts):
        return inverse(potential, np.unique(pieces, return_inverse=True)[1])
    basis = block_diag(*(part.basis for part in parts))
    owner = np.argmax(np.abs(basis), axis=0)  # a charge of each unknown
    names = np.unique(pieces[pieces != NO_PIECE])
    of_unknown = np.where(pieces[owner] == NO_PIECE, NO_PIECE, np.searchsorted(names, pieces[owner]))
    return np.asarray(basis @ inverse(basis.T @ potential @ basis, of_unknown) @ basis.T)


def joined(parts: list[BodyIron], bodies: list[int], shapes: list[list[IronShape]], permeability: float) -> Iron:
    """The iron of all bodies as arrays, without the potential of their own magnets."""
    counts = [len(part.inverse) for part in parts]
    wide = [count + -count % WIDTH for count in counts]
    first = np.cumsum([0, *wide]).astype(np.int64)
    total, widest = int(first[-1]), max(wide, default=0)
    point, middle, area, edge = np.zeros((9, total)), np.zeros((3, total)), np.zeros((3, total)), np.zeros(total)
    charges, from_flux, own_value = np.zeros((total, widest)), np.zeros((total, widest)), np.ones((1, total))
    every = [shape for each in shapes for shape in each]
    ends = [
        np.cumsum([start, *(len(each.edges) for each in part.charges)])
        for start, part in zip(first[:-1], parts, strict=True)
    ]
    for part, start, count, width in zip(parts, first[:-1].tolist(), counts, wide, strict=True):
        own, padded = slice(start, start + count), slice(start, start + width)
        more = ((0, 0), (0, width - count))
        points = np.concatenate([each.points for each in part.charges])
        point[:, padded] = np.pad(points.reshape(count, 9).T, more, mode="edge")
        middle[:, padded] = np.pad(np.concatenate([each.middles for each in part.charges]).T, more, mode="edge")
        area[:, own] = np.concatenate([each.areas for each in part.charges]).T
        edge[own] = np.concatenate([each.edges for each in part.charges])
        charges[own, :count], from_flux[own, :count] = part.inverse, part.from_flux
        own_value[0, own] = part.own_values
    return Iron(
        body=np.array(bodies, dtype=np.int64),
        first=first,
        volume=np.array([sum(shape.volume for shape in each) for each in shapes]),
        first_shape=np.cumsum([0, *map(len, shapes)]).astype(np.int64),
        shape_first=np.concatenate([[], *(each[:-1] for each in ends)]).astype(np.int64),
        shape_end=np.concatenate([[], *(each[1:] for each in ends)]).astype(np.int64),
        shape_volume=np.array([shape.volume for shape in every]),
        susceptibility=np.array([min(shape.susceptibility, IDEAL) for shape in every]),
        saturation=np.array([shape.saturation / (permeability or 1.0) for shape in every]),
        own_value=own_value,
        point=point,
        middle=middle,
        area=area,
        edge=edge,
        own=np.zeros((1, total)),
        inverse=charges,
        from_flux=from_flux,
    )


def own_potential(iron: Iron, dipoles: Dipoles) -> np.ndarray:
    """(1, n) [A] potential of the magnets of each body at its own iron, which does not change."""
    found = np.zeros((1, len(iron.edge)))
    for a, b in enumerate(iron.body.tolist()):
        own, points = slice(iron.first[a], iron.first[a + 1]), iron.point.reshape(3, 3, -1)
        for i in range(dipoles.first[b], dipoles.first[b + 1]):
            r = points[:, :, own] - dipoles.position[i][:, None]
            along = np.einsum("tcn,c->tn", r, dipoles.moment[i])
            found[0, own] += (along / np.sum(r * r, axis=1) ** 1.5).mean(axis=0) / (4.0 * pi)
    return found
