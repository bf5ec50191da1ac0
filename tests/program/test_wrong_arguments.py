"""Wrong arguments of public functions and methods: each is refused with InputError, its place, rule and remedy.

`CALLS` has a right call of every public function and method; the test replaces one argument at a time. Parts of a scene
are in tests/physics/scene/test_with_values.py. Callables, and constructors that only the library calls, are left out.
"""

from __future__ import annotations

import inspect
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from math import inf, nan
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from meaning import refuses

import polhode
from polhode.data.measured import measured
from polhode.scene.part import ScenePart

ROOT = Path(__file__).parents[2]
NUMBERS = (object(), "1", nan, inf, [1.0], True)
TIMES = (*NUMBERS, -1.0)
COUNTS = (object(), "1", 1.5, -3, [1], nan)
FEW = (*COUNTS, 0)
NAMES = (object(), 5, "nobody", b"a", nan)
PATHS = (5, object(), "there_is_no_such_file", "no/such/file.txt", nan, b"a")
OBJECTS = (object(), 5, "text", [], nan)
ARRAYS = (object(), "text", 5, np.zeros((2, 2, 2)), np.full((3, 1), nan), [nan])
ROWS = (object(), "1", 1.5, 10**6, -(10**6))
Wrong = dict[str, tuple[object, ...]]


@dataclass(frozen=True)
class Call:
    """A right call, and what is wrong for each of its arguments."""

    of: Callable[[], Callable[..., object]]
    right: Callable[[], dict[str, Any]]
    wrong: Wrong


@cache
def top() -> polhode.Scene:
    return polhode.read_scene("heavy_top")


@cache
def simulation() -> polhode.Simulation:
    return polhode.Simulation(top())


@cache
def jelly() -> polhode.Simulation:
    return polhode.Simulation(polhode.read_scene("jelly_pendulum").with_values({"soft[0].modes": 6}))


@cache
def recording() -> polhode.Recording:
    return polhode.read_recording(next((ROOT / "tests/recordings").glob("*format_1.vtkhdf")))


@cache
def data() -> polhode.MeasuredData:
    return polhode.read_data(ROOT / "measurements/pendulum.csv")


@cache
def folder() -> Path:
    """An empty folder."""
    return Path(tempfile.mkdtemp())


@cache
def a_run() -> polhode.Run:
    return polhode.Simulation(top()).run(0.01)


def no_force(*_: object) -> tuple[np.ndarray, np.ndarray]:
    return np.zeros(3), np.zeros(3)


@cache
def a_sweep() -> polhode.Sweep:
    return polhode.Sweep(top(), axes={"body[0].friction": (0.0, 1.0, 2)}, until=0.01)


def shape() -> np.ndarray:
    """A shape (3, n) of the jelly."""
    return np.ones((3, len(jelly().snapshot().points.position)))


def a_fit() -> dict[str, Any]:
    """Arguments of a fit."""
    scene = polhode.read_scene(ROOT / "measurements/pendulum.toml")
    free = ["body[0].friction"]
    return {"scene": scene, "data": data(), "mapping": {"wy": "bob.angular_velocity.y"}, "free": free}


@cache
def fitted() -> polhode.FitResult:
    return polhode.fit(**a_fit())


def method(
    owner: Callable[[], object], name: str, right: Callable[[], dict[str, Any]], /, **wrong: tuple[object, ...]
) -> Call:
    """A method of an object that is made when it is needed."""
    return Call(lambda: getattr(owner(), name), right, wrong)


def function(name: str, right: Callable[[], dict[str, Any]], /, **wrong: tuple[object, ...]) -> Call:
    """A public function or class."""
    return Call(lambda: getattr(polhode, name), right, wrong)


def row(name: str) -> Call:
    """A method of a recording that takes a frame."""
    return method(recording, name, lambda: {"row": 0}, row=ROWS)


FREE = (*OBJECTS[:2], "body[0].friction", ["body[0].fricton"], [5], [])
MAPPING = (*OBJECTS[:2], {"wy": "bob.nothing"}, {"nothing": "bob.angular_velocity.y"}, {5: 5}, {})
BOUNDS = (*OBJECTS[:2], {"body[0].friction": (nan, 1)}, {"body[0].fricton": (0, 1)}, {"body[0].friction": 5})
INTERACTIONS = (*OBJECTS, polhode.PullBody(9, (0, 0, 0), (0, 0, 0)), polhode.PullBody(0, (nan, 0, 0), (0, 0, 0)))


def uncertain_top() -> polhode.Scene:
    """The heavy top, with an uncertain friction."""
    return top().with_values({"body[0].friction": "1e-4 +- 1e-5"})


@cache
def found_uncertainties() -> polhode.Uncertainties:
    """Uncertainties of a short run."""
    return polhode.uncertainties(uncertain_top(), 0.01, columns=["top.u3.z"])


CALLS: dict[str, Call] = {
    "read_scene": function("read_scene", lambda: {"path": "heavy_top"}, path=PATHS),
    "write_scene": function(
        "write_scene",
        lambda: {"scene": top(), "path": folder() / "top.toml"},
        scene=OBJECTS,
        path=PATHS[:2],
        mode=("a", 1.5),
    ),
    "read_udf": function("read_udf", dict, path=PATHS),
    "read_records": function("read_records", dict, path=PATHS),
    "write_udf": function("write_udf", lambda: {"scene": top(), "path": "x/y.udf"}, scene=OBJECTS, path=PATHS[:2]),
    "write_mjcf": function(
        "write_mjcf",
        lambda: {"scene": top(), "path": "x/y.xml"},
        scene=OBJECTS,
        path=PATHS[:2],
        overwrite=(5, "yes"),
    ),
    "read_robot": function(
        "read_robot",
        lambda: {"path": "arm.urdf"},
        path=PATHS,
        packages=(5, {5: "arm"}, {"arm": 5}),
        zero_limits=(5, "loose", {"hinge": "loose"}),
        root=(5, nan),
        start=(5, nan),
    ),
    "read_map": function("read_map", lambda: {"path": "map.h5"}, path=PATHS, check_cancelled=(5,)),
    "read_recording": function("read_recording", dict, path=PATHS),
    "read_hand_in": function("read_hand_in", dict, path=PATHS),
    "collect": function(
        "collect",
        lambda: {"folder": folder()},
        folder=PATHS,
        lesson=OBJECTS,
        besides=(5, [5]),
        progress=(5,),
        check_cancelled=(5,),
    ),
    "read_data": function(
        "read_data",
        lambda: {"path": ROOT / "measurements/pendulum.csv"},
        path=PATHS,
        units=(5, {"wy": "no unit"}, {"nothing": "m"}, {5: 5}),
        table=(5, nan),
        time=(5, nan, "no column"),
        rate=("a", nan, -1.0, 0.0),
        drop_later=(5, "yes"),
        progress=(5,),
    ),
    "fit": function(
        "fit",
        a_fit,
        scene=OBJECTS,
        data=OBJECTS,
        mapping=MAPPING,
        free=FREE,
        bounds=BOUNDS,
        loss=NAMES,
        hold_out=(*NUMBERS, -0.1, 1.0),
        meshes=OBJECTS,
        stated=(5, {"data.time_offset": nan}, {"data.nothing": 0.0}, {"data.time_offset": "a"}),
        progress=(5,),
        segments=(*FEW, 10**9),
        runs=(5, [5], ["a"], [(5, 5)], [(polhode.read_scene("heavy_top"),)]),
        own=(5, [5], "body[0].friction", ["body[0].fricton"]),
    ),
    "profile": function(
        "profile",
        lambda: {"result": fitted(), "name": "body[0].friction"},
        result=OBJECTS,
        name=NAMES,
        count=FEW,
        width=(*NUMBERS, 0.0),
    ),
    "FitResult.estimate": method(fitted, "estimate", lambda: {"name": "body[0].friction"}, name=NAMES),
    "MeasuredData.of_arrays": method(
        data,
        "of_arrays",
        lambda: {"times": [0.0, 1.0, 2.0], "columns": {"a": [1.0, 2.0, 3.0]}},
        times=(*ARRAYS[:4], [0.0, 1.0], [2.0, 1.0, 0.0], [0.0, nan, 1.0]),
        columns=(*OBJECTS, {"a": [1.0]}, {"a": "text"}, {"a": [1.0, inf, 2.0]}, {}),
        units=(5, {"a": "no unit"}, {5: 5}),
    ),
    "MeasuredData.column": method(data, "column", lambda: {"name": "wy"}, name=NAMES),
    "find_equilibria": function(
        "find_equilibria",
        lambda: {"scene": top()},
        scene=OBJECTS,
        starts=FEW,
        seed=COUNTS,
        meshes=OBJECTS,
        time_limit=TIMES,
        progress=(5,),
        check_cancelled=(5,),
        found=(5,),
    ),
    "potential_landscape": function(
        "potential_landscape",
        lambda: {"scene": top(), "axes": ["top.tilt.x"]},
        scene=OBJECTS,
        axes=(5, "top.tilt.x", ["top.tilt.q"], [5], []),
        counts=(*FEW[:-2], [3, 3], [-1], ["a"]),
        ranges=(5, [(nan, 1.0)], [(0.0, 1.0), (0.0, 1.0)], [5], [("a", 1.0)]),
    ),
    "Sweep": function(
        "Sweep",
        lambda: {"scene": polhode.read_scene("basins_of_three_magnets")},
        scene=OBJECTS,
        settings=(*COUNTS, 99),
        meshes=OBJECTS,
        workers=FEW,
        axes=(*OBJECTS, {}, {"body[0].fricton": (0.0, 1.0, 3)}, {"body[0].friction": (0.0, nan, 3)}),
        until=TIMES,
        outcome=OBJECTS,
    ),
    "Sweep.save": method(a_sweep, "save", dict, path=(*PATHS[:2], "a.txt", "no/such/a.h5")),
    "Scene.with_values": method(top, "with_values", dict, values=(5, "a", {"nothing": 1}, {5: 1}, {"title": 5}, [])),
    "Scene.place_of": method(top, "place_of", lambda: {"number": 0}, number=(*COUNTS, 99)),
    "Scene.contact_shape": method(top, "contact_shape", lambda: {"contact": polhode.Contact()}, contact=OBJECTS),
    "Scene.in_folder": method(top, "in_folder", dict, folder=(5, object())),
    "Simulation": function("Simulation", lambda: {"scene": top()}, scene=OBJECTS, meshes=OBJECTS, compiled=OBJECTS),
    "Simulation.advance": method(simulation, "advance", dict, seconds=(*TIMES, 1e30)),
    "Simulation.advance_steps": method(simulation, "advance_steps", dict, steps=(*COUNTS, 10**30)),
    "Simulation.sample": method(
        simulation, "sample", lambda: {"columns": [0]}, columns=(5, "a", [-1], [10**6]), every=FEW, into=ARRAYS[:-2]
    ),
    "Simulation.load": method(simulation, "load", lambda: {"scene": top()}, scene=OBJECTS, compiled=OBJECTS),
    "Simulation.fork": method(simulation, "fork", dict, scene=OBJECTS),
    "Simulation.drive": method(simulation, "drive", dict, values=(5, "a", (1.0,), (nan,))),
    "Simulation.set": method(
        simulation,
        "set",
        dict,
        values=(5, "a", {"nothing": 1}, {5: 1}, {"title": 5}, [], {"body[0].friction": nan}, {"body[0].friction": "a"}),
    ),
    "Simulation.add_force": method(
        simulation,
        "add_force",
        lambda: {"on": "top", "function": no_force},
        on=NAMES,
        function=(5, "a", None, object()),
    ),
    "Simulation.remove_force": method(simulation, "remove_force", dict, on=(*NAMES, "top")),
    "Simulation.grab": method(simulation, "grab", dict, interaction=INTERACTIONS),
    "Simulation.track": method(
        simulation,
        "track",
        lambda: {"place": 0.3, "velocity": 0.0, "within": 0.1},
        place=NUMBERS,
        velocity=NUMBERS,
        within=TIMES,
    ),
    "Simulation.play": method(simulation, "play", dict, track=(5, "a")),
    "Simulation.excite": method(
        jelly,
        "excite",
        lambda: {"name": "jelly", "shape": shape(), "speed": 0.1},
        name=NAMES,
        shape=ARRAYS,
        speed=NUMBERS,
    ),
    "Simulation.mute": method(
        jelly, "mute", lambda: {"name": "jelly", "mode": 0}, name=NAMES, mode=(*COUNTS, 10**6), on=(5, "a")
    ),
    "Simulation.restore": method(
        simulation,
        "restore",
        lambda: {"time": 0.0, "steps": 0, "state": simulation().state, "track": simulation().inputs.sensor_track},
        time=NUMBERS,
        steps=COUNTS,
        state=ARRAYS,
        track=ARRAYS,
        interaction=INTERACTIONS,
    ),
    "Simulation.run": method(simulation, "run", lambda: {"until": 0.0}, until=TIMES, every=(*TIMES, 0.0)),
    "Simulation.field": method(simulation, "field", dict, points=ARRAYS),
    "picture": function(
        "picture",
        lambda: {"simulation": simulation(), "size": (16, 16)},
        simulation=OBJECTS,
        size=(5, "a", (1, 2), (16, nan)),
        camera=OBJECTS,
        theme=NAMES,
        transparent=(5, "a"),
    ),
    "film": function(
        "film",
        lambda: {"simulation": simulation(), "path": folder() / "a.gif", "until": 1.0},
        simulation=OBJECTS,
        path=PATHS[:2],
        until=TIMES,
        fps=(*TIMES, 0.0),
        speed=(*TIMES, 0.0),
        size=(5, "a", (1, 2), (16, nan)),
        camera=OBJECTS,
        theme=NAMES,
    ),
    "mass_properties": function(
        "mass_properties",
        lambda: {"mesh": ROOT / "meshes/torus_knot.stl"},
        mesh=(*OBJECTS, (5, 6)),
        density=(*TIMES, 0.0),
        mass=(*TIMES, 0.0),
        scale=(*TIMES, 0.0),
    ),
    "Simulation.return_to": method(simulation, "return_to", dict, checkpoint=OBJECTS),
    "Simulation.snapshot": method(simulation, "snapshot", dict, forces=(5, "a", nan)),
    "read_run": function("read_run", dict, path=PATHS),
    "columns": function("columns", lambda: {"scene": top()}, scene=OBJECTS, meshes=OBJECTS),
    "Run.__getitem__": method(a_run, "__getitem__", dict, name=NAMES),
    "Run.plot": Call(lambda: partial(a_run().plot, "energy.total"), dict, {"axes": (5, "a")}),
    "Run.save": method(a_run, "save", lambda: {"path": folder() / "run.csv"}, path=PATHS[:2], units=(5, "a")),
    "Playback": function("Playback", lambda: {"run": recording()}, run=OBJECTS, meshes=OBJECTS),
    "Playback.go_to": method(lambda: recording().playback, "go_to", dict, row=ROWS),
    "Playback.snapshot": method(
        lambda: recording().playback, "snapshot", lambda: {"row": 0}, row=ROWS, forces=(5, "a")
    ),
    "Playback.table": method(lambda: recording().playback, "table", dict, start=("a", 1.5), stop=("a", 1.5)),
    "Playback.__getitem__": method(lambda: recording().playback, "__getitem__", dict, name=NAMES),
    "Playback.start_replay": method(
        lambda: recording().playback, "start_replay", dict, method=NAMES, time_step=(*TIMES, 0.0)
    ),
    "Playback.rerun": method(lambda: recording().playback, "rerun", dict, method=NAMES, time_step=(*TIMES, 0.0)),
    "Playback.replay_frames": method(lambda: recording().playback, "replay_frames", dict, simulation=OBJECTS),
    "Recording.table": method(recording, "table", dict, start=("a", 1.5), stop=("a", 1.5)),
    "Recording.__getitem__": method(recording, "__getitem__", dict, name=NAMES),
    "uncertainties": function(
        "uncertainties",
        lambda: {"scene": uncertain_top(), "until": 0.01, "columns": ["top.u3.z"]},
        scene=(*OBJECTS, top()),
        until=TIMES,
        every=(*TIMES, 0.0),
        columns=(5, "top.u3.z", ["nobody"], [5]),
        draws=COUNTS,
        seed=COUNTS,
    ),
    "Uncertainties.sd": method(found_uncertainties, "sd", dict, name=NAMES),
    "Uncertainties.at_end": method(found_uncertainties, "at_end", dict, name=NAMES),
    "Uncertainties.period": method(found_uncertainties, "period", dict, name=NAMES),
    "Uncertainties.differs_from": method(found_uncertainties, "differs_from", dict, name=(*NAMES, "top.u3.z")),
    "RecordedRun.state": row("state"),
    "RecordedRun.row": row("row"),
    "RecordedRun.states": method(recording, "states", lambda: {"start": 0, "stop": 1}, start=COUNTS, stop=COUNTS),
    "RecordedRun.row_at": method(recording, "row_at", dict, time=(object(), "1", nan, [1.0], True)),
    "RecordedRun.scene_at": row("scene_at"),
    "RecordedRun.interaction_at": row("interaction_at"),
    "RecordedRun.driven_at": row("driven_at"),
    "RecordedRun.muted_modes_at": row("muted_modes_at"),
}
RESULTS = (
    *("Run", "MeshReport", "Equilibria", "FitResult", "MeasuredData", "Snapshot", "Checkpoint"),
    *("Problem", "InputError", "Diverged", "Uncertainties", "UncertainValue", "Drawn", "ClassResult"),
    "HandIn",
)
"""Classes that the library makes."""
OTHERS = (
    "RecordedRun",
    "Recording",
    "Equilibria.shaped",
    "InputError.of",
    "Problem.at",
    "Problem.with_arguments",
    "Snapshot.of",
    "Sweep.run",
)


def public_calls() -> set[str]:
    """Names of all public functions, classes that users make, and methods with arguments."""
    found = set()
    for name in polhode.__all__:
        thing = getattr(polhode, name)
        is_part = isinstance(thing, type) and issubclass(thing, ScenePart)
        if inspect.isfunction(thing) and inspect.signature(thing).parameters:
            found.add(name)
        if (
            isinstance(thing, type)
            and not is_part
            and name not in (*RESULTS, "Carry", "Grab", "PullAll", "PullBody", "PullPoint", "Twist")
        ):
            found.add(name)
        for base in thing.__mro__ if isinstance(thing, type) and (not is_part or name == "Scene") else ():
            if base.__module__.startswith("polhode."):
                found |= {f"{name}.{each}" for each in methods(base)}
    inherited = {f"Recording.{each}" for each in methods(polhode.RecordedRun)}
    return found - inherited - {*OTHERS}


def methods(owner: type) -> set[str]:
    """Public methods of a class that take arguments."""
    functions = {
        name: getattr(each, "__func__", each) for name, each in vars(owner).items() if not name.startswith("__pydantic")
    }
    return {
        name
        for name, each in functions.items()
        if (name == "__getitem__" or not name.startswith("_"))
        and name != "model_post_init"
        and inspect.isfunction(each)
        and len(inspect.signature(each).parameters) > 1
    }


def test_every_public_function_and_method_is_tried() -> None:
    assert public_calls() - CALLS.keys() == set()
    assert CALLS.keys() - public_calls() == set()


@pytest.mark.parametrize("name", CALLS)
def test_wrong_arguments_are_refused(name: str) -> None:
    call, survived = CALLS[name], []
    parameters = inspect.signature(call.of()).parameters
    missing = {key for key, each in parameters.items() if each.kind is not each.VAR_POSITIONAL} - call.wrong.keys()
    assert missing <= {"like", "progress", "check_cancelled", "engine", "present", "source", "meshes", "scene"}, missing
    for argument, values in call.wrong.items():
        for value in values:
            try:
                call.of()(**{**call.right(), argument: value})
            except polhode.InputError as error:
                said = [str(each) for each in error.problems if not (each.rule and each.remedy)]
                is_of_file = Path(error.source).suffix or argument in ("path", "folder", "mesh")
                said += [str(each) for each in error.problems if not (each.place or is_of_file)]
            except Exception as error:  # noqa: BLE001  # the finding of this test
                said = [f"{type(error).__name__}: {error}"[:120]]
            else:
                said = ["accepted"]
            survived += [(argument, repr(value)[:60], each) for each in said]
    assert survived == []


def test_a_name_in_place_of_a_scene_names_the_function_that_reads_it() -> None:
    for name in ("heavy_top", Path("heavy_top")):
        with refuses("scene", "read_scene", name="Scene", value="'heavy_top'"):
            polhode.Simulation(name)  # type: ignore[arg-type]


def test_a_single_name_in_place_of_a_list_is_refused_as_such() -> None:
    scene = polhode.read_scene("heavy_top")
    data = measured("swing", np.array([0.0, 1.0]), {"w": np.array([0.0, 1.0])})
    for free in ("body[0].friction", {"body[0].friction": (0.0, 1.0)}):
        with refuses("free", "list", "brackets"):
            polhode.fit(scene, data, {"w": "top.angular_velocity.z"}, free)  # type: ignore[arg-type]


def test_a_missing_argument_names_its_function() -> None:
    with pytest.raises(TypeError, match=r"^advance\(\) .*seconds"):
        polhode.Simulation(polhode.read_scene("heavy_top")).advance()  # type: ignore[call-arg]


def test_all_values_in_place_of_an_axis_are_refused_with_the_axis() -> None:
    place, values = "axes['body[0].friction']", np.linspace(0.0, 2.0, 5)
    with refuses(place, "number", first=0.0, last=2.0, count=5, value=str(values.tolist())):
        polhode.Sweep(top(), axes={"body[0].friction": values}, until=1.0)  # type: ignore[dict-item]
    with refuses(place, "number", value="3"):
        polhode.Sweep(top(), axes={"body[0].friction": 3}, until=1.0)  # type: ignore[dict-item]


def test_a_size_of_one_number_is_refused_with_what_a_size_is() -> None:
    with refuses("size", "width", "height", "pixels", value="320"):
        polhode.picture(simulation(), size=320)  # type: ignore[arg-type]
