"""The data of the page: motion, looks and plotted columns, as a table for JSON beside a blob of arrays."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Any

import numpy as np

from polhode_app.export.motion.actors import ActorMesh, Look
from polhode_app.export.motion.parts import Arrows, Deformed, Legend, MotionPart, Movement, Posed, RunMotion, Spheres
from polhode_app.export.motion.turns import extra_turns
from polhode_app.export.web.blob import Blob
from polhode_app.export.web.frames import camera_of, plane_of
from polhode_app.viewport.base.lighting import KEY
from polhode_app.viewport.base.palette import AXES, CURVES, RGB, THEMES, rgb
from polhode_app.viewport.geometry.spring_tubes import END, TURNS
from polhode_app.viewport.registry import VIEWS

GRAIN = 2.0**-15  # of positions, in radii of the stage: 1/30 of a pixel where the stage is as high as a screen
TURN = 2.0**-14  # of quaternions
CURVE = 2.0**-13  # of plotted values, in the range of each
FINE = 2.0**-16  # of vertices of a mesh, in its extent
Table = dict[str, Any]
Reader = Callable[[Movement], np.ndarray]


class Content:
    """The data of one page."""

    def __init__(self, motion: RunMotion):
        self.blob = Blob()
        self._motion, self._radius = motion, motion.stages["dark"].radius
        self._meshes: dict[bytes, int] = {}
        self._mesh_tables: list[Table] = []

    def table(self, names: tuple[str, ...]) -> Table:
        """Data of the page, without texts; columns of these names are plotted."""
        motion, stage = self._motion, self._motion.stages["dark"]
        parts = self.parts()
        return {
            "times": self.blob.doubles(motion.times),
            "radius": stage.radius,
            "center": stage.center.tolist(),
            "camera": camera_of(motion),
            "plane": plane_of(stage),
            "key": KEY.tolist(),
            "themes": {name: {**asdict(theme), "dark": theme.is_dark} for name, theme in THEMES.items()},
            "curves": [*CURVES],
            "poses": self._poses(),
            "meshes": self._mesh_tables,
            "parts": parts,
            "trails": [
                {"pose": trail.pose, "point": trail.point.tolist(), "color": [*trail.color]} for trail in motion.trails
            ],
            "legends": [_legend(legend) for legend in motion.legends],
            "axes": [*AXES],
            "columns": [self._column(name) for name in names],
            "arrays": self.blob.arrays,
        }

    def parts(self) -> list[Table]:
        """All parts."""
        return [self.part(part) for part in self._motion.parts]

    def moving(self, movement: Movement, values: Reader, grain: float) -> int:
        """Index of the array of moving positions or vectors (f, n, 3) that `values` reads from a movement."""
        return self.blob.series(values(movement), grain)

    def _poses(self) -> Table:
        """Positions, rotations and full turns of rigid parts."""
        poses = self._motion.poses
        return {
            "position": self.blob.series(poses.position, GRAIN * self._radius),
            "quaternion": self.blob.series(poses.quaternion, TURN),
            "turns": self.blob.whole(extra_turns(poses), 0),
        }

    def _column(self, name: str) -> Table:
        """A column of the plots; where a value is not finite the curve has a gap."""
        unit, values = self._motion.columns[name]
        good = np.isfinite(values)
        span = float(np.ptp(values[good])) if good.any() else 0.0
        made: Table = {"name": name, "unit": unit, "values": self.blob.series(values, CURVE * span or 1.0)}
        return made if good.all() else made | {"gaps": self.blob.bytes((~good).astype(np.uint8))}

    def part(self, part: MotionPart) -> Table:
        """A part."""
        made: Table = {
            "view": part.view,
            "kind": VIEWS[part.view].kind,
            "looks": [_look(part.look), _look(part.light_look)],
            "move": self._movement(part.movement),
        }
        if len(part.mesh.points):
            made["mesh"] = self._mesh(part.mesh, part.movement)
        if part.mesh.colors is not None:
            light = part.mesh.colors if part.light_colors is None else part.light_colors
            made["colors"] = [self.blob.bytes(part.mesh.colors), self.blob.bytes(light)]
        if part.texture is not None:
            made["texture"] = self.blob.bytes(part.texture)
        if not part.shown.all():
            made["shown"] = self.blob.bytes(part.shown.astype(np.uint8))
        return made

    def _mesh(self, mesh: ActorMesh, movement: Movement) -> int:
        """Index of a mesh; equal ones are kept once. Tubes, coils and sheets are made by the page."""
        generated = isinstance(movement, Deformed) and bool({"tube", "sheets"} & movement.structure.keys())
        key = b"generated" if generated else mesh.digest
        if key not in self._meshes:
            self._meshes[key] = len(self._mesh_tables)
            self._mesh_tables.append({} if generated else self._mesh_table(mesh))
        return self._meshes[key]

    def _mesh_table(self, mesh: ActorMesh) -> Table:
        extent = float(np.ptp(mesh.points, axis=0).max()) or self._radius
        made: Table = {"points": self.blob.series(mesh.points, FINE * extent, 1)}
        if mesh.normals is not None:
            made["normals"] = self.blob.bytes(np.rint(127 * np.nan_to_num(mesh.normals).clip(-1, 1)).astype(np.int8))
        if len(mesh.triangles):
            made["triangles"] = self.blob.whole(mesh.triangles)
        if len(mesh.lines):
            made["lines"] = self.blob.whole(mesh.lines)
        if mesh.texture is not None:
            made["texture"] = self.blob.series(mesh.texture, FINE * float(np.abs(mesh.texture).max() or 1.0), 1)
        return made

    def _movement(self, movement: Movement) -> Table:
        """Data of the motion of a part."""
        grain = GRAIN * self._radius
        if isinstance(movement, Posed):
            return {"kind": "posed", "poses": movement.poses.tolist()}
        if isinstance(movement, Arrows):
            first = movement.colors[0]
            colors = first if (movement.colors == first).all() else movement.colors
            made = {"kind": "arrows", "at": self.moving(movement, tails, grain), "colors": self.blob.bytes(colors)}
            return made | {"vectors": self.moving(movement, arrows, 2 * grain)}
        if isinstance(movement, Spheres):
            made = {"kind": "spheres", "points": self.moving(movement, positions, grain)}
            colors = [self.blob.bytes(movement.colors), self.blob.bytes(movement.light_colors)]
            return made | {"radius": movement.radius.tolist(), "colors": colors}
        return self._deformed(movement, grain) if isinstance(movement, Deformed) else {"kind": "still"}

    def _deformed(self, movement: Deformed, grain: float) -> Table:
        """A mesh whose points move: by few numbers where its structure is known."""
        structure, points = movement.structure, self.moving(movement, positions, grain)
        made: Table = {"kind": "points", "points": points}
        if "sheets" in structure:
            made |= {"kind": "sheets", "grids": np.asarray(structure["sheets"], int).reshape(-1, 3).tolist()}
        elif "tube" in structure:
            made |= _tube(movement)
        return made


def tails(movement: Movement) -> np.ndarray:
    """(f, n, 3) [m] the tails of arrows."""
    assert isinstance(movement, Arrows)
    return movement.at


def arrows(movement: Movement) -> np.ndarray:
    """(f, n, 3) [m] arrows."""
    assert isinstance(movement, Arrows)
    return movement.vectors


def positions(movement: Movement) -> np.ndarray:
    """(f, ..., 3) [m] the moving points of spheres or of a mesh; where its structure is known, those it follows from.

    These are the ends of coils and hanging strings, and the points that tubes and sheets are made through.
    """
    assert isinstance(movement, Spheres | Deformed)
    if isinstance(movement, Spheres):
        return movement.points
    points, structure = movement.points, movement.structure
    if "sheets" in structure:
        return sheet_points(points, np.asarray(structure["sheets"], int).reshape(-1, 3))
    if "tube" in structure:
        lines = _lines(movement)
        return lines[:, :, [0, -1]] if {"coils", "hanging"} & structure.keys() else lines[:, :, :: _finer(structure)]
    return points


def _lines(movement: Deformed) -> np.ndarray:
    """(f, n, r, 3) [m] middles of the rings of n tubes."""
    count, rings, sides = np.asarray(movement.structure["tube"], int).tolist()
    return movement.points.reshape(len(movement.points), count, rings, sides, 3).mean(axis=3)


def _finer(structure: Mapping[str, np.ndarray]) -> int:
    """Number of rings from one point of a tube to the next."""
    return int(np.asarray(structure.get("finer", [1])).ravel()[0])


def _tube(movement: Deformed) -> Table:
    """Data of tubes and coils, without their points."""
    structure = movement.structure
    count, rings, sides = np.asarray(structure["tube"], int).tolist()
    about = {"count": count, "sides": sides}
    if "coils" in structure:
        coils = np.asarray(structure["coils"], float).reshape(-1, 5)
        return {"kind": "coils", **about, "rings": rings, "turns": TURNS, "end": END, "coils": coils.tolist()}
    first = movement.points[0].reshape(count, rings, sides, 3)[:, 0]
    radius = np.linalg.norm(first[:, 0] - first.mean(axis=1), axis=1)
    if "hanging" in structure:
        strings = np.asarray(structure["hanging"], float).reshape(-1, 4)
        return {"kind": "hanging", **about, "rings": rings, "strings": strings.tolist(), "radius": radius.tolist()}
    about |= {"finer": _finer(structure), "radius": radius.tolist()}
    return {"kind": "tubes", **about, "capped": "finer" in structure}


def sheet_points(points: np.ndarray, grids: np.ndarray) -> np.ndarray:
    """(f, n, 3) the points that sheets of vertices (f, v, 3) are made through: every `finer`-th one along both sides.

    grids: (k, 3) rows and columns of points of each sheet, and the intervals between two of them
    """
    found, first = [], 0
    for rows, columns, finer in grids.tolist():
        shape = ((rows - 1) * finer + 1, (columns - 1) * finer + 1)
        count = shape[0] * shape[1]
        sheet = points[:, first : first + count].reshape(len(points), *shape, 3)
        found.append(sheet[:, ::finer, ::finer].reshape(len(points), -1, 3))
        first += count
    return np.concatenate(found, axis=1)


def _legend(legend: Legend) -> Table:
    """A legend, with its colours as CSS has them; "" for that of other texts."""
    colors = ["" if color == rgb(THEMES["dark"].text) else _css(color) for color in legend.colors]
    return asdict(legend) | {"colors": colors}


def _css(color: RGB) -> str:
    return "#" + bytes(round(255 * part) for part in color).hex()


def _look(look: Look) -> Table:
    """A look, without default values."""
    made = {name: value for name, value in asdict(look).items() if value not in (False, "", 0.0)}
    return made | {"color": [round(part, 4) for part in look.color]}
