"""The physics thread through its queue and its slot, without a window."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator

import pytest

from polhode.engine.compiled_scene import CompiledScene
from polhode.physics.bodies.shapes import MeshShape, Orientation, Sphere
from polhode.physics.grab.interactions import PullAll
from polhode.scene.part import mark_validated
from polhode.scene.scene import Body, Dipole, Ghost, Scene
from polhode_app.compilation.preparation import Preparation
from polhode_app.messages import (
    AdvanceSteps,
    CompilationProgress,
    GhostLost,
    Interact,
    LoadScene,
    Pause,
    Play,
    Reset,
    RunHalted,
    SceneLoaded,
    SceneRejected,
    SetSpeed,
    StepLimitsFound,
    WarningRaised,
)
from polhode_app.runner import pending_scene
from polhode_app.runner.thread import SimulationThread

PATIENCE = 120.0  # [s] the first start of all compiles the kernels


@pytest.fixture
def runner() -> Iterator[SimulationThread]:
    runner = SimulationThread()
    runner.start()
    yield runner
    assert runner.stop(), "the thread did not end"


def pendulum(name: str = "bob") -> Scene:
    ball = Sphere(kind="sphere", radius=0.02, mass=0.1, position=(0.0, 0.0, -0.3))
    return Scene(body=(Body(name=name, orientation=Orientation(axis=(1.0, 0.0, 0.0), angle=0.5), shape=(ball,)),))


def exploding() -> Scene:
    """Two magnets so strong that their force is beyond all numbers; no file may state them."""
    magnet = Dipole(moment=(0.0, 0.0, 1.0)).model_copy(update={"moment": (0.0, 0.0, 1e160)})
    mark_validated(magnet)
    ball = Sphere(kind="sphere", radius=0.02, mass=0.1)
    places = {"left": (0.0, 0.0, 0.0), "right": (1.0, 0.0, 0.0)}
    return Scene(
        body=tuple(Body(name=name, position=at, shape=(ball,), dipole=(magnet,)) for name, at in places.items())
    )


def wait(condition: Callable[[], object]) -> None:
    end = time.perf_counter() + PATIENCE
    while not condition():
        assert time.perf_counter() < end, "it never came"
        time.sleep(0.002)


def events(runner: SimulationThread, count: int = 1) -> list[object]:
    """Messages in order; limits of the step come whenever they are known, and the progress of the compiler at first."""
    heard: list[object] = []
    wait(
        lambda: (
            heard.extend(e for e in runner.events() if not isinstance(e, StepLimitsFound | CompilationProgress))
            or len(heard) >= count
        )
    )
    return heard


def limits(runner: SimulationThread, scene: Scene) -> StepLimitsFound:
    heard: list[StepLimitsFound] = []
    wait(
        lambda: heard.extend(e for e in runner.events() if isinstance(e, StepLimitsFound) and e.scene is scene) or heard
    )
    return heard[0]


def test_the_limits_of_the_step_are_told_for_the_newest_scene(runner: SimulationThread) -> None:
    """A ball of 2 cm 30 cm below its pivot, at rest at 0.5 rad: sqrt(g l cos(0.5) / (l^2 + 0.4 r^2)) = 5.35 1/s."""
    first = pendulum()
    runner.send(LoadScene(first))
    assert limits(runner, first).largest["rk4"] == pytest.approx(2.828 / 5.35, rel=0.01)
    longer = first.model_copy(update={"solver": first.solver.model_copy(update={"time_step": 2.0})})
    runner.send(LoadScene(longer, carry=True))
    told = limits(runner, longer)
    assert told.hold_for(first)  # nothing that moves is another
    heavier = first.model_copy(update={"world": first.world.model_copy(update={"gravity": (0.0, 0.0, -20.0)})})
    assert not told.hold_for(heavier)


def test_a_loaded_scene_stands_at_its_start_until_play(runner: SimulationThread) -> None:
    command = LoadScene(pendulum())
    runner.send(command)
    (loaded,) = events(runner)
    assert isinstance(loaded, SceneLoaded)
    wait(lambda: runner.frame)
    assert runner.frame.generation == loaded.generation == command.generation
    assert runner.frame.snapshot.time == 0.0
    runner.send(Play())
    wait(lambda: runner.frame.snapshot.time > 0.1)
    assert abs(runner.frame.drift) < 1e-6  # nothing rubs, and the step is fine
    runner.send(Pause())
    wait(lambda: not runner.frame.running)
    runner.send(Reset())
    wait(lambda: runner.frame.snapshot.time == 0.0)


def test_steps_are_counted_one_by_one(runner: SimulationThread) -> None:
    runner.send(LoadScene(pendulum()))
    runner.send(AdvanceSteps(3))
    runner.send(AdvanceSteps(1))
    wait(lambda: runner.frame and runner.frame.snapshot.step == 4)
    assert not runner.frame.running


def test_the_measured_factor_is_the_speed_that_was_asked_for(runner: SimulationThread) -> None:
    runner.send(LoadScene(pendulum()))
    runner.send(SetSpeed(5.0))
    runner.send(Play())
    wait(lambda: runner.frame and runner.frame.snapshot.time > 7.5)
    wait(lambda: runner.frame.factor == pytest.approx(5.0, rel=0.15))  # other work may interrupt it for a moment


def test_an_edit_goes_on_from_where_it_was(runner: SimulationThread) -> None:
    runner.send(LoadScene(pendulum()))
    runner.send(AdvanceSteps(200))
    wait(lambda: runner.frame and runner.frame.snapshot.step == 200)
    before = runner.frame.snapshot
    runner.send(LoadScene(pendulum().model_copy(update={"title": "edited"}), carry=True))
    wait(lambda: runner.frame.scene.title == "edited")
    assert runner.frame.snapshot.time == before.time
    assert (runner.frame.snapshot.bodies.basis == before.bodies.basis).all()


@pytest.mark.parametrize("paused_again", [False, True])
def test_play_waits_for_the_edit_of_a_scene_that_stands(
    runner: SimulationThread, monkeypatch: pytest.MonkeyPatch, paused_again: bool
) -> None:
    """Otherwise a joint that was drawn at the start would tie bodies that have fallen apart meanwhile."""
    compiled = threading.Event()

    class Slow(Preparation):
        def poll(self) -> CompiledScene | None:
            return super().poll() if compiled.is_set() else None

    runner.send(LoadScene(pendulum()))
    wait(lambda: runner.frame)
    monkeypatch.setattr(pending_scene, "Preparation", Slow)
    runner.send(LoadScene(pendulum().model_copy(update={"title": "edited"}), carry=True))
    runner.send(Play())
    if paused_again:
        runner.send(Pause())
    time.sleep(0.3)
    assert runner.frame.snapshot.time == 0.0
    compiled.set()
    wait(lambda: runner.frame.scene.title == "edited")
    if paused_again:
        time.sleep(0.3)
        assert runner.frame.snapshot.time == 0.0
    else:
        wait(lambda: runner.frame.snapshot.time > 0.1)


def test_an_interaction_of_an_earlier_generation_is_ignored(runner: SimulationThread) -> None:
    first, second = LoadScene(pendulum()), LoadScene(pendulum(), carry=True)
    grip = PullAll((0.0, 0.0, 1.0))
    for command in (first, second, Interact(first.generation, grip)):
        runner.send(command)
    wait(lambda: runner.frame is not None and runner.frame.generation == second.generation)
    runner.send(AdvanceSteps(3))
    wait(lambda: runner.frame.snapshot.step == 3)
    assert runner.frame.snapshot.interaction_marker is None
    runner.send(Interact(second.generation, grip))
    wait(lambda: runner.frame.snapshot.interaction_marker is not None)


def test_a_scene_that_cannot_be_built_leaves_the_old_one_running(runner: SimulationThread) -> None:
    good = pendulum()
    runner.send(LoadScene(good))
    runner.send(Play())
    gone = MeshShape(kind="mesh", file="nowhere.stl", mass=1.0)
    bad = Scene(body=(Body(name="ghost", shape=(gone,)),))
    refused = LoadScene(bad)
    runner.send(refused)
    _, rejected = events(runner, 2)
    assert isinstance(rejected, SceneRejected)
    assert rejected.generation == refused.generation
    assert rejected.error.problems[0].place == "body[0].shape[0].file"
    now = runner.frame.snapshot.time
    wait(lambda: runner.frame.snapshot.time > now + 0.05)
    assert runner.frame.scene is good


def test_what_leaves_the_numbers_is_named_and_pauses_the_run(runner: SimulationThread) -> None:
    runner.send(LoadScene(exploding()))
    runner.send(Play())
    _, halted = events(runner, 2)
    assert isinstance(halted, RunHalted)
    assert halted.part in ("left", "right")
    assert halted.part in halted.message
    wait(lambda: runner.frame and not runner.frame.running)
    runner.send(LoadScene(pendulum()))  # and the thread lives
    runner.send(Play())
    wait(lambda: runner.frame.snapshot.time > 0.05)


def test_magnets_that_come_too_near_are_told_once_and_the_run_goes_on(runner: SimulationThread) -> None:
    magnet = Dipole(moment=(0.0, 0.0, 1e-6))
    ball = Sphere(kind="sphere", radius=0.02, mass=0.1)
    bodies = [
        Body(
            name=name, support="free", position=(x, 0.0, 0.0), velocity=(-x, 0.0, 0.0), shape=(ball,), dipole=(magnet,)
        )
        for name, x in (("left", 0.0), ("right", 0.1))
    ]
    runner.send(LoadScene(Scene(body=tuple(bodies))))
    runner.send(AdvanceSteps(100))
    (loaded,) = events(runner)
    assert isinstance(loaded, SceneLoaded)
    runner.send(Play())
    (warned,) = events(runner)
    assert isinstance(warned, WarningRaised)
    assert "'left' and 'right'" in warned.problem.rule
    wait(lambda: runner.frame.snapshot.time > 1.0)
    runner.send(Reset())
    wait(lambda: runner.frame.snapshot.time < 0.5)
    assert not any(isinstance(event, WarningRaised) for event in runner.events())


def test_a_failure_of_the_program_is_told_and_the_thread_lives(runner: SimulationThread) -> None:
    runner.send(LoadScene(pendulum()))
    runner.send(AdvanceSteps("three"))  # type: ignore[arg-type]
    _, halted = events(runner, 2)
    assert isinstance(halted, RunHalted)
    assert halted.message
    runner.send(AdvanceSteps(1))
    wait(lambda: runner.frame and runner.frame.snapshot.step == 1)


def haunted(*ghosts: Ghost) -> Scene:
    return pendulum().model_copy(update={"ghost": ghosts})


def test_ghosts_keep_the_clock_in_steps_of_their_own(runner: SimulationThread) -> None:
    runner.send(
        LoadScene(haunted(Ghost(method="euler"), Ghost(time_step=0.03), Ghost(body="bob", tilt=(0.1, 0.0, 0.0))))
    )
    wait(lambda: runner.frame)
    start = runner.frame
    assert (start.ghosts[0].bodies.basis == start.snapshot.bodies.basis).all()
    assert (start.ghosts[2].bodies.basis != start.snapshot.bodies.basis).any()
    runner.send(AdvanceSteps(100))
    wait(lambda: runner.frame.snapshot.step == 100)
    euler, coarse, _ = runner.frame.ghosts
    assert (euler.step, coarse.step) == (100, 3)
    assert coarse.time == pytest.approx(0.09)
    assert (euler.bodies.basis != runner.frame.snapshot.bodies.basis).any()
    edited = haunted(Ghost(method="euler"), Ghost(time_step=0.03), Ghost(), Ghost(method="verlet"))
    runner.send(LoadScene(edited, carry=True))
    wait(lambda: runner.frame.scene is edited)
    assert (runner.frame.ghosts[0].bodies.basis == euler.bodies.basis).all()  # continues from its state
    assert (runner.frame.ghosts[3].bodies.basis == runner.frame.snapshot.bodies.basis).all()  # splits off here
    runner.send(Reset())
    wait(lambda: runner.frame.snapshot.time == 0.0)
    assert [ghost.time for ghost in runner.frame.ghosts] == [0.0] * 4


def test_a_ghost_that_diverges_is_told_once_and_the_run_goes_on(runner: SimulationThread) -> None:
    """Friction turns the bob back within 0.1 ms; Euler's step of 1 s overshoots until the state is NaN or infinite."""
    scene = haunted(Ghost(name="coarse", method="euler", time_step=0.01))
    scene = scene.model_copy(update={"body": (scene.body[0].model_copy(update={"friction": 100.0}),)})
    scene = scene.model_copy(update={"solver": scene.solver.model_copy(update={"time_step": 1e-5})})
    runner.send(LoadScene(scene))
    for _ in range(20):
        runner.send(AdvanceSteps(20_000))
    wait(lambda: runner.frame and runner.frame.snapshot.step == 400_000)
    _, *lost = events(runner, 2)
    assert [type(event) for event in lost] == [GhostLost]
    assert lost[0].name == "coarse"
    assert runner.frame.ghosts == (None,)
    runner.send(Reset())
    wait(lambda: runner.frame.snapshot.time == 0.0)
    assert runner.frame.ghosts[0].time == 0.0


def test_stop_ends_the_thread_under_full_load() -> None:
    runner = SimulationThread()
    runner.start()
    runner.send(LoadScene(pendulum()))
    runner.send(SetSpeed(1e9))
    runner.send(Play())
    wait(lambda: runner.frame and runner.frame.snapshot.time > 1.0)
    begun = time.perf_counter()
    assert runner.stop()
    assert time.perf_counter() - begun < 5.0  # a batch is 8 ms, and others may work here, too
