"""Events: calls of methods of a simulation that a recording stores and a replay repeats.

An event is stored as one line of JSON. Its text is never executed: it names one of the few methods in HANDLERS.

    {"row": 12, "step": 480, "time": 0.48, "what": "hold", "how": {"grip": {"kind": "Twist", ...}}}

`row` is the number of frames before it, `step` and `time` [s] those of the simulation, `what` the method by its name in
files (STORED_NAMES), `how` its arguments by name: interactions by kind and fields, edits as the tables of the scene's
file that changed, in TOML.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, astuple, dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, get_args

import numpy as np
import tomlkit

from polhode.physics.grab.interactions import Interaction
from polhode.recording.checks.event_checks import event_mismatch, interaction_mismatch
from polhode.recording.checks.event_models import event_fault
from polhode.scene.message import Message
from polhode.scene.problem import InputError, Problem
from polhode.scene.scene import Scene
from polhode.scene.scene_file import scene_of, tables_of
from polhode.scene.toml_edit import document_of, stated

if TYPE_CHECKING:
    from polhode.simulation.simulation import Simulation  # imports the compiler

INTERACTIONS = {kind.kind: kind for kind in get_args(Interaction)}
KEYS = ("row", "step", "time", "what", "how")  # of an event in JSON, in the order of the fields of Event
STORED_NAMES = MappingProxyType({"grab": "hold", "track": "follow", "mute": "silence"})
"""Names in files of methods that have another name in files."""
METHODS = MappingProxyType({stored: name for name, stored in STORED_NAMES.items()})
"""The inverse of STORED_NAMES."""
EDITS = ("load", "set")  # events that change the scene
ENDS = ("reset", "restore")  # events that set the time back, so that a recording ends


@dataclass(frozen=True)
class Event:
    """A call of a method of Simulation, made before the step that follows `step`."""

    row: int  # number of recorded frames before it
    step: int  # step of the simulation
    time: float  # [s]
    name: str  # of the method
    arguments: Mapping[str, Any]  # of the method, as JSON can hold them

    @property
    def stored_name(self) -> str:
        """Name of the method in files."""
        return STORED_NAMES.get(self.name, self.name)

    def line(self) -> bytes:
        """The event as one line of JSON, in ASCII, with a line break at its end."""
        values = astuple(replace(self, name=self.stored_name))
        return json.dumps(dict(zip(KEYS, values, strict=True)), separators=(",", ":")).encode() + b"\n"


def parse_events(lines: bytes, times: np.ndarray, steps: np.ndarray, source: str) -> tuple[Event, ...]:
    """Events up to the last frame, from lines of JSON; an incomplete last line is ignored.

    lines: the bytes of the data set, perhaps with zeros at its end
    times, steps: (t,) [s] and (t,) of the frames
    source: the recording, for messages

    Raises InputError where another line is not an event, or events are not in order, among themselves or with frames.
    """
    found: list[Event] = []
    every = lines.rstrip(b"\0").split(b"\n")
    for number, line in enumerate(every[:-1], 1):  # after the last line break: nothing, or an incomplete line
        try:
            record = json.loads(line)
        except (ValueError, RecursionError):
            record = None
        fault = event_fault(record)
        if fault is None and record["row"] <= len(times):
            record["what"] = METHODS.get(record["what"], record["what"])
            event = Event(*(record[key] for key in KEYS))
            fault = _misplaced(event, found[-1] if found else None, times, steps)
            found.append(event)
        if fault is not None:
            raise InputError(source, [fault.at(f"Deeds, line {number}")])
    return tuple(found)


def _misplaced(event: Event, last: Event | None, times: np.ndarray, steps: np.ndarray) -> Problem | None:
    """Fault of an event before the previous one, or not between its frames; None if it is in order."""
    row, remedy = event.row, Message("use another copy of it")
    for name, value, known in (("step", event.step, steps), ("time", event.time, times)):
        earliest = max(known[row - 1] if row > 0 else -np.inf, getattr(last, name) if last is not None else -np.inf)
        latest = known[row] if row < len(known) else np.inf
        if not earliest <= value <= latest:
            rule = Message("is {value}, and must be from {least} to {most}", value=value, least=earliest, most=latest)
            return Problem(name, rule, remedy)
    if last is not None and row < last.row:
        return Problem("row", Message("is {row}, after {last}", row=row, last=last.row), remedy)
    return None


def serialize(name: str, arguments: tuple[Any, ...], before: Scene) -> dict[str, Any]:
    """The arguments of a method of Simulation as JSON can hold them; `before` is the scene that ran until then.

    An edit is stored as its difference from `before`.
    """
    return HANDLERS[name][0](*arguments, before)


def replay(event: Event, simulation: Simulation) -> None:
    """Repeat an event in a simulation at its step. Raises InputError if it does not fit the scene."""
    compiled, arguments = simulation.compiled, event.arguments
    if event.name == "grab":
        wrong = interaction_mismatch(interaction_from(arguments["grip"]), compiled)
    else:
        wrong = event_mismatch(event.name, arguments, compiled)
    if wrong:
        raise InputError.of(
            simulation.scene.title, wrong, Message("use another copy of it"), f"event '{event.stored_name}'"
        )
    HANDLERS[event.name][1](simulation, **event.arguments)


def edited(scene: Scene, changed: Mapping[str, str], removed: Iterable[str]) -> Scene:
    """A scene with tables of its file replaced by `changed`, as TOML texts by table name, and others removed.

    Its files stay in the folder of `scene`. Raises InputError where the result is no valid scene.
    """
    tables = {name: table for name, table in stated(scene).items() if name not in removed}
    for text in changed.values():
        tables |= tables_of(text, scene.title)
    return scene_of(tables, scene.title).in_folder(scene.folder)


def _serialize_edit(scene: Scene, before: Scene) -> dict[str, Any]:
    """The difference between the files of two scenes, by their first level of tables."""
    old, new = stated(before), stated(scene)
    changed = {name: _toml({name: new[name]}) for name in new if name not in old or old[name] != new[name]}
    return {"changed": changed, "removed": [name for name in old if name not in new]}


def _toml(tables: dict[str, Any]) -> str:
    """The text of a file with these tables."""
    return tomlkit.dumps(document_of(tables))


def _replay_edit(simulation: Simulation, changed: Mapping[str, str], removed: Iterable[str]) -> None:
    """Replace the scene by the one with these tables."""
    simulation.load(edited(simulation.scene, changed, removed))


def interaction_arguments(interaction: Interaction) -> dict[str, Any]:
    """The fields of an interaction and its kind, for JSON; `interaction_from` is the inverse."""
    return {"kind": interaction.kind, **asdict(interaction)}


def interaction_from(fields: Mapping[str, Any]) -> Interaction:
    """The interaction with these fields, as JSON holds them; they must have been checked (`event_fault`)."""
    values = {key: tuple(value) if isinstance(value, list) else value for key, value in fields.items()}
    return INTERACTIONS[values.pop("kind")](**values)


def _replay_grab(simulation: Simulation, grip: Mapping[str, Any]) -> None:
    simulation.grab(interaction_from(grip))


def _replay_excite(simulation: Simulation, name: str, shape: list[list[float]], speed: float) -> None:
    """Excite with the shape (3, n) that JSON holds as lists."""
    simulation.excite(name, np.array(shape), speed)


Serialize = Callable[..., dict[str, Any]]
Replay = Callable[..., None]
HANDLERS: Mapping[str, tuple[Serialize, Replay]] = MappingProxyType(
    {
        "load": (_serialize_edit, _replay_edit),
        "grab": (lambda interaction, _: {"grip": interaction_arguments(interaction)}, _replay_grab),
        "release": (lambda _: {}, lambda simulation: simulation.release()),
        "track": (
            lambda place, velocity, within, _: {"place": place, "velocity": velocity, "within": within},
            lambda simulation, place, velocity, within: simulation.track(place, velocity, within),
        ),
        "drive": (
            lambda values, _: {"values": list(values)},
            lambda simulation, values: simulation.drive(tuple(values)),
        ),
        "set": (lambda values, _: {"values": dict(values)}, lambda simulation, values: simulation.set(values)),
        "excite": (
            lambda name, shape, speed, _: {"name": name, "shape": np.asarray(shape).tolist(), "speed": speed},
            _replay_excite,
        ),
        "mute": (
            lambda name, mode, on, _: {"name": name, "mode": mode, "on": on},
            lambda simulation, name, mode, on: simulation.mute(name, mode, on),
        ),
    }
)
"""How each event is serialized and how it is replayed, by the name of the method of Simulation."""
