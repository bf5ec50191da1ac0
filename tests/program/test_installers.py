"""Installers: the wheel, the starters, the entry of the menu and the types of files; every night the whole of it."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tomllib
import zipfile
from pathlib import Path
from xml.etree import ElementTree

import pytest

from installers.libraries import build_wheel, install_wheel
from polhode.scene import gallery
from polhode_app.version import OLDER

ROOT = Path(__file__).parents[2]
LINUX = ROOT / "installers/linux"
LARGEST_WHEEL = 10_300_000  # bytes, of which 3.9 million are pictures of the gallery and 1.8 million meshes
linux = pytest.mark.skipif(sys.platform != "linux", reason="starters and menus of Linux")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_wheel(ROOT, tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def installed(wheel: Path) -> Path:
    """A folder with the files of the wheel of the program, without its libraries."""
    site = wheel.parent / "site"
    install_wheel(wheel, site)
    return site


def test_the_wheel_is_small_and_brings_two_packages(wheel: Path) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    with zipfile.ZipFile(wheel) as file:
        names = file.namelist()
    top = {"polhode", "polhode_app", f"polhode-{project['version']}.dist-info"}
    assert {name.split("/")[0] for name in names} == top
    assert {"polhode/py.typed", "polhode_app/py.typed"} <= {*names}
    assert wheel.stat().st_size < LARGEST_WHEEL


def test_an_installed_wheel_brings_scenes_meshes_pictures_and_translations(installed: Path) -> None:
    program = """
import sys
from polhode.scene import gallery
from polhode.scene.scene_file import read_scene
from polhode_app.i18n.language import FOLDER
assert str(gallery.FOLDER).startswith(sys.argv[1]), gallery.FOLDER
for name in gallery.scene_names():
    for shape in (shape for body in read_scene(gallery.path(name)).body for shape in body.shape):
        if shape.kind == "mesh":
            assert (gallery.FOLDER / shape.file).is_file(), shape.file
    assert gallery.picture(name, "light").is_file(), name
assert list(FOLDER.glob("ja/*/*.mo"))
print(*gallery.scene_names())
"""
    environment = {**os.environ, "PYTHONPATH": str(installed)}
    words = [sys.executable, "-P", "-c", program, str(installed)]
    told = subprocess.run(words, env=environment, capture_output=True, text=True, check=True).stdout
    assert told.split() == gallery.scene_names()
    assert not list(installed.rglob("*.po"))


@pytest.mark.nightly
def test_a_script_makes_everything_from_the_wheel(installed: Path, tmp_path: Path) -> None:
    """Of at most 30 lines: the recipe docs/recipes/whole_lab.py, in an empty folder."""
    recipe = ROOT / "docs/recipes/whole_lab.py"
    text = recipe.read_text("utf-8").partition('"""\n')[2]
    assert len([line for line in text.splitlines() if line.strip()]) <= 30
    done = subprocess.run(
        [sys.executable, "-P", recipe],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(installed)},
        capture_output=True,
        text=True,
        check=True,
    )
    errors = [float(line.split()[1]) for line in done.stdout.splitlines() if line.endswith(" J")]
    assert errors == sorted(errors, reverse=True)
    assert len(errors) == 3
    assert "body[0].friction = 0.008" in done.stdout
    assert {file.name for file in tmp_path.iterdir()} == {"run.csv", "run.units.csv", "start.png", "swing.mp4"}


SCRIPT = """
import polhode
from polhode import Simulation, read_scene
from polhode.scene import gallery
simulation = Simulation(read_scene(gallery.path("heavy_top")))
simulation.advance(0.1)
assert abs(simulation.time - 0.1) < 1e-9
print(polhode.__file__)
"""


def users_folder(folder: Path) -> Path:
    """A folder with a script, a package `core` and a module `app` of the user, which nothing of Polhode may import."""
    (folder / "core").mkdir()
    for own in ("core/__init__.py", "app.py"):
        (folder / own).write_text('raise SystemExit("not this one")\n')
    (folder / "script.py").write_text(SCRIPT)
    return folder


def said_by(words: list[object], folder: Path, **environment: str) -> str:
    """Output of a program started in a folder, which must succeed; it does not inherit the module path of the tests."""
    kept = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "PYTHONSAFEPATH")}
    done = subprocess.run(words, cwd=folder, env=kept | environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.nightly
def test_an_installed_program_runs_beside_packages_of_the_names_that_it_once_had(
    installed: Path, tmp_path: Path
) -> None:
    users_folder(tmp_path)
    path, module = {"PYTHONPATH": str(installed)}, [sys.executable, "-m", "polhode_app"]
    here = str(installed / "polhode/__init__.py")
    assert said_by([sys.executable, "-c", "import polhode; print(polhode.__file__)"], tmp_path, **path).strip() == here
    assert said_by([sys.executable, "script.py"], tmp_path, **path).strip() == here
    said_by([*module, "run", "heavy_top", "--until", "0.1", "--out", "run.vtkhdf"], tmp_path, **path)
    assert "Heavy top" in said_by([*module, "info", "run.vtkhdf"], tmp_path, **path)


def leave_old(site: Path) -> None:
    """Files of the packages of version 0.1, by which they are known, in a site-packages folder."""
    for folder, files in OLDER.items():
        for file in (*files, "__init__.py"):
            (site / folder / file).parent.mkdir(parents=True, exist_ok=True)
            (site / folder / file).write_text('raise SystemExit("an old file was used")\n')


@pytest.mark.nightly
def test_folders_of_an_older_version_are_named_and_change_nothing(wheel: Path, tmp_path: Path) -> None:
    site = tmp_path / "site"
    install_wheel(wheel, site)
    words, path = [sys.executable, "-m", "polhode_app", "info", "--json"], {"PYTHONPATH": str(site)}
    (site / "core/simulation").mkdir(parents=True)
    (site / "core/simulation/simulation.py").touch()  # a package of somebody else
    assert json.loads(said_by(words, tmp_path, **path))["left_over"] == []
    leave_old(site)
    left = [str(site / "core"), str(site / "app")]
    assert json.loads(said_by(words, tmp_path, **path))["left_over"] == left
    *lines, first, second = said_by(words[:-1], tmp_path, **path).splitlines()
    assert str(site) in "".join(lines)
    assert [first.split(":")[0], second.split(":")[0]] == left
    assert "heavy_top" in said_by([*words[:-2], "scenes"], tmp_path, **path)


def old_wheel(folder: Path) -> Path:
    """A wheel of version 0.1 with a few files, and the command, in its packages `core` and `app`."""
    files = {f"{package}/{file}": "" for package, names in OLDER.items() for file in (*names, "__init__.py")}
    about = "polhode-0.1.0.dist-info"
    files |= {
        "app/__main__.py": "def main():\n    print('old')\n",
        f"{about}/METADATA": "Metadata-Version: 2.1\nName: polhode\nVersion: 0.1.0\n",
        f"{about}/WHEEL": "Wheel-Version: 1.0\nGenerator: x\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        f"{about}/entry_points.txt": "[console_scripts]\npolhode = app.__main__:main\n",
    }
    record = "".join(f"{name},,\n" for name in [*files, f"{about}/RECORD"])
    with zipfile.ZipFile(folder / "polhode-0.1.0-py3-none-any.whl", "w") as made:
        for name, text in (files | {f"{about}/RECORD": record}).items():
            made.writestr(name, text)
    return folder / "polhode-0.1.0-py3-none-any.whl"


@pytest.fixture
def environment(tmp_path: Path) -> Path:
    """A virtual environment with pip, and with the libraries of this one but without the program."""
    made, libraries = tmp_path / "venv", tmp_path / "libraries"
    libraries.mkdir()
    for path in Path(sysconfig.get_path("purelib")).iterdir():
        if not re.match(r"_*(editable.*)?polhode|pip|setuptools|.*\.pth$", path.name):
            (libraries / path.name).symlink_to(path)
    subprocess.run([sys.executable, "-m", "venv", made], check=True)
    (site,) = made.glob("lib/python*/site-packages")
    (site / "libraries.pth").write_text(f"{libraries}\n")
    return made


@pytest.mark.nightly
@pytest.mark.timeout(1200)
@linux
def test_pip_replaces_version_0_1_and_its_commands_run(wheel: Path, environment: Path, tmp_path: Path) -> None:
    programs, (site,) = environment / "bin", environment.glob("lib/python*/site-packages")
    pip = [programs / "python", "-m", "pip", "--disable-pip-version-check", "install", "--no-index", "--no-deps"]
    user = tmp_path / "user"
    user.mkdir()
    said_by([*pip, old_wheel(tmp_path)], user)
    assert said_by([programs / "polhode"], user) == "old\n"
    assert {path.name for path in site.iterdir()} >= {"core", "app"}
    said_by([*pip, wheel], user)
    assert not {path.name for path in site.iterdir()} & {"core", "app"}
    users_folder(user)
    assert said_by([programs / "python", "script.py"], user).strip() == str(site / "polhode/__init__.py")
    for command in ([programs / "polhode"], [programs / "python", "-m", "polhode_app"]):
        said_by([*command, "run", "heavy_top", "--until", "0.1", "--out", "run.vtkhdf"], user)
        assert "Heavy top" in said_by([*command, "info", "run.vtkhdf"], user)
    assert json.loads(said_by([programs / "polhode", "info", "--json"], user))["folder"] == str(site)
    said_by([programs / "polhode", "verify"], user)


@pytest.fixture
def lab(tmp_path: Path) -> Path:
    """A folder as the installers make it; in place of Python a program that prints its words and its environment."""
    tree = tmp_path / "my lab"
    for place in ("python/bin", "share/applications", "share/mime/packages", "share/icons/hicolor/48x48/apps"):
        (tree / place).mkdir(parents=True)
    for name in ("polhode", "install", "uninstall", "refresh"):
        text = (LINUX / name).read_text("utf-8").replace("VERSION", "1.2.3").replace('PYTHON"', 'python3.99"')
        (tree / name).write_text(text, "utf-8")
        (tree / name).chmod(0o755)
    python = tree / "python/bin/python3.99"
    python.write_text('#!/bin/sh\nprintf "%s\\n" "$@"\nenv\n', "utf-8")
    python.chmod(0o755)
    shutil.copy(LINUX / "polhode.desktop", tree / "share/applications")
    shutil.copy(LINUX / "polhode.xml", tree / "share/mime/packages")
    (tree / "share/icons/hicolor/48x48/apps/polhode.png").write_bytes(b"picture")
    return tree


def started(program: Path, home: Path, **given: str) -> tuple[list[str], dict[str, str]]:
    """Words and environment that Python is started with."""
    environment = {"HOME": str(home), "PATH": os.environ["PATH"], **given}
    words = [program, "a file.toml", "--flag"]
    text = subprocess.run(words, env=environment, capture_output=True, text=True, check=True).stdout
    lines = text.splitlines()
    return lines[:4], dict(line.split("=", 1) for line in lines[4:] if "=" in line)


@linux
def test_the_starter_takes_nothing_from_other_pythons(lab: Path, tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(lab / "polhode")
    words, seen = started(link, tmp_path, PYTHONPATH="/elsewhere", PYTHONHOME="/elsewhere")
    assert words == ["-m", "polhode_app", "a file.toml", "--flag"]
    assert not {"PYTHONPATH", "PYTHONHOME"} & seen.keys()
    assert seen["PYTHONNOUSERSITE"] == seen["PYTHONSAFEPATH"] == "1"


@linux
def test_what_can_be_computed_again_lies_beside_the_program_or_below_its_version(lab: Path, tmp_path: Path) -> None:
    _, seen = started(lab / "polhode", tmp_path)
    assert seen["POLHODE_CACHE"] == str(lab / "cache")
    assert (lab / "cache").stat().st_mode & 0o777 == 0o700
    assert seen["MPLCONFIGDIR"] == str(lab / "cache/matplotlib")
    (lab / "cache").rmdir()
    (lab / "cache").symlink_to(tmp_path)  # not this program's own
    _, seen = started(lab / "polhode", tmp_path)
    assert seen["POLHODE_CACHE"] == str(tmp_path / ".cache/polhode/1.2.3")
    _, seen = started(lab / "polhode", tmp_path, POLHODE_CACHE="/given")
    assert seen["POLHODE_CACHE"] == "/given"


@linux
def test_what_is_installed_is_uninstalled_but_files_of_the_user(lab: Path, tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    environment = {"HOME": str(home), "PATH": os.environ["PATH"]}
    subprocess.run([lab / "install"], check=True, env=environment)
    entry = home / ".local/share/applications/polhode.desktop"
    assert f'Exec="{lab}/polhode" %f' in entry.read_text("utf-8")
    assert (home / ".local/share/icons/hicolor/48x48/apps/polhode.png").read_bytes() == b"picture"
    (lab / "mine.toml").write_text("format = 1\n")
    (lab / "cache/kernels").mkdir(parents=True)
    (home / ".cache/polhode/1.2.3/kernels").mkdir(parents=True)
    (home / ".cache/polhode/1.2.4/kernels").mkdir(parents=True)  # another version's
    subprocess.run([lab / "uninstall"], check=True, env=environment)
    assert [path.name for path in lab.iterdir()] == ["mine.toml"]
    assert not entry.exists()
    assert not [path for path in home.rglob("*polhode*") if path.is_file()]
    assert [path.name for path in (home / ".cache/polhode").iterdir()] == ["1.2.4"]


@linux
def test_the_entry_of_another_copy_stays(lab: Path, tmp_path: Path) -> None:
    home = tmp_path / "home"
    entry = home / ".local/share/applications/polhode.desktop"
    entry.parent.mkdir(parents=True)
    entry.write_text('Exec="/other/polhode" %f\n')
    subprocess.run([lab / "uninstall"], check=True, env={"HOME": str(home), "PATH": os.environ["PATH"]})
    assert entry.exists()
    assert not lab.exists()


@linux
@pytest.mark.skipif(shutil.which("desktop-file-validate") is None, reason="needs desktop-file-utils")
def test_the_entry_of_the_menu_is_sound() -> None:
    done = subprocess.run(["desktop-file-validate", LINUX / "polhode.desktop"], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "")


TYPES = """
import sys
from PySide6.QtCore import QMimeDatabase
for file in sys.argv[1:]:
    print(QMimeDatabase().mimeTypeForFile(file).name())
"""


@linux
@pytest.mark.skipif(shutil.which("update-mime-database") is None, reason="needs shared-mime-info")
def test_scenes_are_told_from_other_toml_files(tmp_path: Path) -> None:
    ElementTree.parse(LINUX / "polhode.xml")
    (tmp_path / "mime/packages").mkdir(parents=True)
    shutil.copy(LINUX / "polhode.xml", tmp_path / "mime/packages")
    subprocess.run(["update-mime-database", tmp_path / "mime"], check=True)
    recording, mesh = tmp_path / "run.vtkhdf", tmp_path / "part.stl"
    recording.write_bytes(b"\x89HDF\r\n\x1a\n" + bytes(100))
    mesh.write_bytes(bytes(84))
    scenes = [gallery.path(name) for name in gallery.scene_names()]
    files = [ROOT / "pyproject.toml", recording, mesh, *scenes]
    environment = {**os.environ, "XDG_DATA_HOME": str(tmp_path)}
    words = [sys.executable, "-c", TYPES, *map(str, files)]
    told = subprocess.run(words, env=environment, capture_output=True, text=True, check=True).stdout.split()
    assert told[:3] == ["application/toml", "application/x-vtkhdf", "model/stl"]
    assert dict(zip(scenes, told[3:], strict=True)) == dict.fromkeys(scenes, "application/x-polhode-scene")


@pytest.mark.nightly
@pytest.mark.timeout(7200)
@pytest.mark.skipif(
    sys.platform != "linux" or os.geteuid() != 0 or shutil.which("mmdebstrap") is None,
    reason="a bare system is made by root, with mmdebstrap",
)
def test_a_bundle_is_built_installed_started_and_removed(tmp_path: Path) -> None:
    """Sizes and times of the starts have their limits in installers/trial.py."""
    subprocess.run([sys.executable, "-m", "installers.bundle"], cwd=ROOT, check=True)
    trial = [sys.executable, "-m", "installers.trial", str(tmp_path)]
    done = subprocess.run(trial, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
