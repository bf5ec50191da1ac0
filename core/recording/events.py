"""What was done to a running scene from outside: hands, the sensor, edits. A recording keeps them, a re-run does them.

They are told as text, and text is never executed: each names one of the few deeds that there are.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np
import tomlkit

from core.physics.grab.interactions import Grip
from core.recording.event_checks import GRIPS, fault, unsuited, unsuited_grip
from core.scene.message import Message
from core.scene.problem import InputError, Problem
from core.scene.scene import Scene
from core.scene.scene_file import scene_of, tables_of
from core.scene.toml_edit import document_of, stated

if TYPE_CHECKING:
    from core.simulation.simulation import Simulation  # it brings the compiler

ENDS = ("reset", "go_back")  # deeds after which time is another one


@dataclass(frozen=True)
class Deed:
    """Something that was done when so many moments had been recorded."""

    row: int  # moments before it
    step: int  # of the simulation
    time: float  # [s]
    what: str  # name of what Simulation does
    how: Mapping[str, Any]  # its arguments, as text can hold them

    def line(self) -> bytes:
        """One line of JSON."""
        return json.dumps(asdict(self), separators=(",", ":")).encode() + b"\n"


def deeds_in(lines: bytes, rows: int, source: str) -> tuple[Deed, ...]:
    """The deeds that were done up to the last of so many moments; a last line that is not whole is none.

    Raises InputError where another line is no deed.
    """
    found: list[Deed] = []
    every = lines.rstrip(b"\0").split(b"\n")
    for number, line in enumerate(every[:-1], 1):  # behind the last deed is an empty one, or what was not finished
        try:
            about = json.loads(line)
        except (ValueError, RecursionError):
            about = None
        wrong = fault(about)
        if not wrong and found and about["row"] < found[-1].row:
            wrong = Message("was done before the one that it follows")
        if wrong:
            raise InputError(source, [Problem(f"Deeds, line {number}", wrong, Message("use another copy of it"))])
        if about["row"] <= rows:
            found.append(Deed(**about))
    return tuple(found)


def told(what: str, arguments: tuple[Any, ...], before: Scene) -> dict[str, Any]:
    """The arguments of a deed as text holds them; `before` is the scene that ran."""
    return TOLD[what][0](*arguments, before)


def do(deed: Deed, simulation: Simulation) -> None:
    """Do it once more. Raises InputError where it does not suit the scene."""
    built = simulation.built
    grip = grip_from(deed.how["grip"]) if deed.what == "hold" else None
    wrong = unsuited_grip(grip, built) if grip is not None else unsuited(deed.what, deed.how, built)
    if wrong:
        raise InputError(
            simulation.scene.title, [Problem(f"deed '{deed.what}'", wrong, Message("use another copy of it"))]
        )
    TOLD[deed.what][1](simulation, **deed.how)


def edited(scene: Scene, changed: Mapping[str, str], removed: Iterable[str]) -> Scene:
    """A scene with tables of its file replaced, each told as TOML, and others removed."""
    tables = {name: table for name, table in stated(scene).items() if name not in removed}
    for text in changed.values():
        tables |= tables_of(text, scene.title)
    return scene_of(tables, scene.title).in_folder(scene.folder)


def _tell_edit(scene: Scene, before: Scene) -> dict[str, Any]:
    old, new = stated(before), stated(scene)
    changed = {name: _toml({name: new[name]}) for name in new if name not in old or old[name] != new[name]}
    return {"changed": changed, "removed": [name for name in old if name not in new]}


def _toml(tables: dict[str, Any]) -> str:
    return tomlkit.dumps(document_of(tables))


def _edit(simulation: Simulation, changed: Mapping[str, str], removed: Iterable[str]) -> None:
    simulation.load(edited(simulation.scene, changed, removed))


def grip_told(grip: Grip) -> dict[str, Any]:
    return {"kind": type(grip).__name__, **asdict(grip)}


def grip_from(told: Mapping[str, Any]) -> Grip:
    """The grip of its text."""
    values = {key: tuple(value) if isinstance(value, list) else value for key, value in told.items() if key != "kind"}
    return GRIPS[told["kind"]](**values)


def _hold(simulation: Simulation, grip: Mapping[str, Any]) -> None:
    simulation.hold(grip_from(grip))


def _excite(simulation: Simulation, name: str, shape: list[list[float]], speed: float) -> None:
    simulation.excite(name, np.array(shape), speed)


Tell = Callable[..., dict[str, Any]]
Do = Callable[..., None]
TOLD: Mapping[str, tuple[Tell, Do]] = MappingProxyType(
    {
        "load": (_tell_edit, _edit),
        "hold": (lambda grip, _: {"grip": grip_told(grip)}, _hold),
        "release": (lambda _: {}, lambda simulation: simulation.release()),
        "follow": (
            lambda place, velocity, within, _: {"place": place, "velocity": velocity, "within": within},
            lambda simulation, place, velocity, within: simulation.follow(place, velocity, within),
        ),
        "drive": (
            lambda values, _: {"values": list(values)},
            lambda simulation, values: simulation.drive(tuple(values)),
        ),
        "excite": (
            lambda name, shape, speed, _: {"name": name, "shape": np.asarray(shape).tolist(), "speed": speed},
            _excite,
        ),
        "silence": (
            lambda name, mode, on, _: {"name": name, "mode": mode, "on": on},
            lambda simulation, name, mode, on: simulation.silence(name, mode, on),
        ),
    }
)
"""How each deed is told, and how it is done, by the name of what Simulation does."""
