"""polhode.picture and polhode.film: a simulation in its present state, and from there on."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import imageio.v3 as imageio
import numpy as np
import pytest
from meaning import Meaning

from polhode import Body, Camera, InputError, Run, Scene, Simulation, Sphere, View, World, film, picture, read_run
from polhode.simulation import program

SIZE = (200, 100)
SPHERE = Sphere(radius=0.1, mass=1.0, color="#ff0000")
BALL = Body(name="ball", support="free", shape=(SPHERE,), velocity=(1.0, 0.0, 0.0))
FRONT = Camera(position=(0.0, -3.0, 0.0), target=(0.0, 0.0, 0.0))
SCENE = Scene(body=(BALL,), world=World(gravity=(0.0, 0.0, 0.0)), view=View(camera=FRONT))


def middle(drawn: np.ndarray) -> tuple[float, float]:
    """Column and row of the middle of what is red, relative to the size."""
    red = (drawn[..., 0] > 2 * drawn[..., 1].astype(int)) & (drawn[..., 0] > 2 * drawn[..., 2].astype(int))
    assert red.sum() > 50
    rows, columns = np.nonzero(red)
    return columns.mean() / drawn.shape[1], rows.mean() / drawn.shape[0]


def test_a_picture_is_that_of_the_present_state() -> None:
    """The ball moves to the right; a camera in place of the scene's sees it elsewhere; nothing changes in the run."""
    simulation = Simulation(SCENE)
    first = picture(simulation, SIZE)
    assert (first.shape, first.dtype) == ((100, 200, 4), np.uint8)
    assert (first[..., 3] == 255).all()
    assert middle(first) == pytest.approx((0.5, 0.5), abs=0.02)
    simulation.advance(0.5)
    state, later = simulation.state, picture(simulation, SIZE)
    assert middle(later)[0] > 0.55
    assert np.array_equal(simulation.state, state)
    above = Camera(position=(0.5, 0.0, 3.0), target=(0.5, 0.0, 0.0), up=(0.0, 1.0, 0.0))
    assert middle(picture(simulation, SIZE, above)) == pytest.approx((0.5, 0.5), abs=0.02)
    clear = picture(simulation, SIZE, theme="light", transparent=True)
    assert clear[0, 0, 3] == 0
    assert clear[50, int(200 * middle(later)[0]), 3] == 255


def test_a_film_goes_on_from_the_present_state(tmp_path: Path) -> None:
    simulation, shares = Simulation(SCENE), []
    simulation.advance(0.2)
    film(simulation, tmp_path / "a.gif", until=0.6, fps=10.0, size=SIZE, progress=shares.append)
    frames = imageio.imread(tmp_path / "a.gif")
    assert frames.shape == (5, 100, 200, 3)
    columns = [middle(frame)[0] for frame in frames]
    assert columns == sorted(columns)
    assert columns[-1] > columns[0] + 0.04
    assert simulation.time == pytest.approx(0.6)
    assert shares == [0.0, 0.25, 0.5, 0.75, 1.0]


def test_a_film_ends_at_its_end_also_between_frames(tmp_path: Path) -> None:
    """The first frame is at 0.2 s, the last one at 0.5 s, and the simulation at 0.57 s."""
    simulation, twin = Simulation(SCENE), Simulation(SCENE)
    simulation.advance(0.2)
    film(simulation, tmp_path / "a.gif", until=0.57, fps=10.0, size=SIZE)
    twin.advance_steps(570)
    assert len(imageio.imread(tmp_path / "a.gif")) == 4
    assert simulation.time == pytest.approx(0.57)
    assert simulation.state == pytest.approx(twin.state, abs=1e-12)


@pytest.mark.parametrize(
    ("name", "arguments", "message"),
    [
        ("picture", {"size": (3, 50)}, Meaning("size", least=16)),
        ("picture", {"size": (50, 10**5)}, Meaning("size", most=8192)),
        ("picture", {"theme": "blue"}, Meaning("theme", "dark")),
        ("picture", {"camera": 5}, Meaning("camera", name="Camera")),
        ("film", {"path": "a.gif", "until": 0.1}, Meaning("until", until=0.1)),
        ("film", {"path": "a.txt", "until": 1.0}, Meaning("a.txt", ending=".txt")),
        ("film", {"path": "a.png", "until": 1.0}, Meaning("a.png", ending=".png")),
        ("film", {"path": "a.gif", "until": 1.0, "fps": 1e-309}, Meaning("fps", limit=1e-4)),
        ("film", {"path": "a.gif", "until": 1.0, "fps": 1e9}, Meaning("fps", limit=1e6)),
        ("film", {"path": "a.gif", "until": 1.0, "speed": 1e-300}, Meaning("until", until=1.0)),
        ("film", {"path": "a.gif", "until": 1e300}, Meaning("until", until=1e300)),
        ("film", {"path": "none/a.gif", "until": 1.0}, Meaning("none/a.gif", folder="none")),
    ],
)
def test_wrong_arguments_are_refused(
    name: str, arguments: dict[str, object], message: Meaning, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    simulation = Simulation(SCENE)
    simulation.advance(0.2)
    with pytest.raises(InputError) as refused:
        {"picture": picture, "film": film}[name](simulation, **arguments)
    assert message.of(refused.value)
    assert [*tmp_path.iterdir()] == []


def test_without_the_program_the_library_says_so(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(program, "entry_points", lambda **group: ())
    with pytest.raises(InputError, match="polhode_app"):
        picture(Simulation(SCENE))
    with pytest.raises(InputError, match="polhode_app"):
        Simulation(SCENE).run(0.1).save(tmp_path / "a.vtkhdf")


def test_a_run_saved_as_a_recording_has_the_same_bits(tmp_path: Path) -> None:
    simulation = Simulation(SCENE)
    run = simulation.run(0.3, 0.02)
    run.save(tmp_path / "a.vtkhdf")
    again = read_run(tmp_path / "a.vtkhdf")
    assert again.numbers.tobytes() == np.ascontiguousarray(run.numbers).tobytes()
    assert again.columns == run.columns


def acted_on(simulation: Simulation) -> Run:
    def act(_time: float) -> None:
        simulation.set({"world.gravity[2]": -5.0})

    return simulation.run(0.1, progress=act)


@pytest.mark.parametrize("run", [acted_on, lambda simulation: [simulation.advance(0.1), simulation.run(0.2)][1]])
def test_a_run_that_its_scene_does_not_determine_is_no_recording(
    run: Callable[[Simulation], Run], tmp_path: Path
) -> None:
    with pytest.raises(InputError, match="a.vtkhdf"):
        run(Simulation(SCENE)).save(tmp_path / "a.vtkhdf")
    assert [*tmp_path.iterdir()] == []
