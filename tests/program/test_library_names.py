"""The public names of the library: found after every import, completed, typed, with the fields of models in `help`."""

from __future__ import annotations

import inspect
import os
import subprocess
import sys
from pathlib import Path

import pytest

import polhode
from polhode.scene import gallery
from polhode.scene.fields import forms
from polhode.scene.part import ScenePart
from polhode.scene.problem import InputError

CORE = Path(polhode.__file__).parents[1]
EVERY_IMPORT = """
import importlib, pkgutil
import polhode
before = {name: getattr(polhode, name) for name in polhode.__all__}
for module in pkgutil.walk_packages(polhode.__path__, "polhode."):
    importlib.import_module(module.name)
hidden = [name for name in polhode.__all__ if getattr(polhode, name) is not before[name]]
packages = {module.name for module in pkgutil.iter_modules(polhode.__path__)}
print(hidden + sorted(packages & set(polhode.__all__)))
"""
GOOD = """
import polhode
from polhode import Body, Cuboid, Orientation, Particle, Scene, Simulation, Solver, Spring, World

box = Body(
    name="box",
    orientation=Orientation(axis=(1, 0, 0), angle=0.3),
    shape=(Cuboid(size=(0.1, 0.1, 0.2), mass=1.0, position=(0, 0, -0.3)),),
)
scene = Scene(
    body=(box,),
    particle=(Particle(name="ball", mass=1.0, position=(0, 0, 1)),),
    spring=(Spring(from_="ball", to=(0.0, 0.0, 2.0), stiffness=100.0),),
    world=World(gravity=(0.0, 0.0, -9.8)),
    solver=Solver(time_step=1e-3),
)
simulation = Simulation(scene.with_values({"body[0].friction": 0.1}))
simulation.advance(0.5)
total: float = simulation.snapshot().energy.total
names: list[str] = polhode.scene_names()
print(total, len(names))
"""
BAD = """
from polhode import Simulation, read_scene

sim = Simulation(read_scene("heavy_top"))
sim.advanc(1)
"""


def python(code: str, folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a script in a folder, with the library alone on its path."""
    (folder / "script.py").write_text(code)
    command = [sys.executable, *arguments, "script.py"]
    environment = os.environ | {"PYTHONPATH": str(CORE), "MYPYPATH": str(CORE)}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)


def test_no_module_hides_a_public_name(tmp_path: Path) -> None:
    made = python(EVERY_IMPORT, tmp_path)
    assert made.stdout == "[]\n", made.stderr


def test_every_public_name_is_found_and_completed() -> None:
    assert sorted({*polhode.__all__}) == sorted(polhode.__all__)
    assert dir(polhode) == sorted(polhode.__all__)
    assert {name for name in polhode.__all__ if getattr(polhode, name, None) is None} == set()
    with pytest.raises(AttributeError, match="advance"):
        getattr(polhode, "advance")  # noqa: B009


def test_every_part_of_a_scene_is_a_public_name() -> None:
    models, found = [polhode.Scene], set()
    while models:
        model = models.pop()
        found.add(model)
        models += [each for form in forms(model).values() for each in form.models if each not in found]
    assert len(found) > 80
    assert {model for model in found if getattr(polhode, model.__name__) is not model} == set()


def test_help_states_every_field_with_its_unit() -> None:
    for name in polhode.__all__:
        model = getattr(polhode, name)
        if isinstance(model, type) and issubclass(model, ScenePart):
            text, signature = inspect.getdoc(model) or "", inspect.signature(model)
            for key, form in forms(model).items():
                line = next(line for line in text.split("\n") if line.startswith(f"{key}: "))
                assert (f"[{form.unit}]" in line) == bool(form.unit), (name, line)
                assert form.help == "" or form.help.split("\n")[0] in text, (name, key)
            assert all(each.kind is each.KEYWORD_ONLY for each in signature.parameters.values()), name
    assert "friction: float [N m s] = 0.0" in (inspect.getdoc(polhode.Body) or "")


def test_scenes_are_read_by_name_from_any_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert polhode.scene_names() == gallery.scene_names()
    assert polhode.read_scene("heavy_top") == polhode.read_scene(gallery.path("heavy_top"))
    (tmp_path / "heavy_top").write_text('title = "Mine"')
    assert polhode.read_scene("heavy_top").title == "Mine", "a file of that name counts first"
    with pytest.raises(InputError, match="did you mean 'heavy_top'"):
        polhode.read_scene("haevy_top")


def test_a_script_with_constructors_runs(tmp_path: Path) -> None:
    made = python(GOOD, tmp_path)
    assert made.returncode == 0, made.stderr
    assert float(made.stdout.split()[0]) > 0


@pytest.mark.nightly
def test_mypy_accepts_right_scripts_and_finds_misspelt_methods(tmp_path: Path) -> None:
    mypy = ("-m", "mypy", "--strict", f"--cache-dir={tmp_path / 'cache'}")
    accepted = python(GOOD, tmp_path, *mypy)
    assert accepted.returncode == 0, accepted.stdout
    refused = python(BAD, tmp_path, *mypy)
    assert '"Simulation" has no attribute "advanc"' in refused.stdout
    assert refused.returncode == 1
