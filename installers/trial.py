"""Try what `make bundle` has built: `python -m installers.trial FOLDER` writes pictures and prints what it measures.

The package is installed in a bare Debian, started by its entry of the menu without a network, timed until the scene on
the screen moves, and removed again; the folder is unpacked, renamed, entered in menus, started by that entry, runs
commands that load most libraries, and is uninstalled. Exit status 1 if a limit is missed, a command fails or anything
is left.
"""

from __future__ import annotations

import configparser
import os
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from installers.bare_system import HOME, BareSystem
from installers.watched_screen import WatchedScreen
from polhode.jit.storage.shipped_code import GENERIC

ROOT = Path(__file__).parents[1]
BUILD = ROOT / "build/bundle"
FIRST, WARM = 5.0, 3.0  # [s] from the start to a scene that moves: the very first time, and later
LIMIT = 60.0  # [s] after which a start counts as none
STARTS = 4  # later ones, of which the fastest counts: other programs may be running
SCENE = ROOT / "scenes/heavy_top.toml"
SWEPT, CELLS, FEW = ROOT / "scenes/basins_of_three_magnets.toml", "count = 256", "count = 4"
MEASURED = ROOT / "measurements/pendulum.toml"
# Each writes the file that its last word names, if that is one.
COMMANDS = (
    "--help",
    "run heavy_top --until 0.2 --out run.vtkhdf",
    "convert run.vtkhdf table.csv",
    "convert run.vtkhdf page.html",
    "convert run.vtkhdf model.glb",
    "render run.vtkhdf --size 320x240 --out picture.png",
    "sweep swept.toml --out map.h5",
    "render map.h5 --out map.png",
    "fit pendulum.toml --data pendulum.csv --map wy=bob.angular_velocity.y --free body[0].friction --report fit.pdf",
    "equilibria pendulum.toml",
    f"inertia {ROOT}/meshes/duck.stl",
)
# Written by libraries of the desktop for all programs alike, and by the settings of this one.
SHARED = (
    ".cache/fontconfig",
    ".cache/mesa_shader_cache",
    ".cache/qtshadercache",
    ".config/polhode",
    ".local/state/polhode",
)


def main(out: Path) -> int:
    """Both trials; returns the exit status."""
    out.mkdir(parents=True, exist_ok=True)
    missed = [*try_package(out), *try_folder(out)]
    for text in missed:
        print(f"MISSED: {text}", flush=True)
    return bool(missed)


def try_package(out: Path) -> list[str]:
    """Install the Debian package, start it, open a scene by file, remove it; returns what was missed."""
    (package,) = BUILD.glob("polhode_*.deb")
    root = out / "debian"
    if root.exists():
        shutil.rmtree(root)
    system = BareSystem(root)
    system.install(package)
    before = system.files()
    entry = configparser.ConfigParser(interpolation=None, strict=False)
    entry.read(root / "usr/share/applications/polhode.desktop")
    line = shlex.split(entry["Desktop Entry"]["Exec"])
    shutil.copy(SCENE, root / HOME / "my scene.toml")

    def start(*files: str) -> Callable[[str], subprocess.Popen[bytes]]:
        words = [word for word in line if word != "%f"] + [f"/{HOME}/{name}" for name in files]
        return lambda display: system.as_user(*words, display=display)

    missed = _timed(start(), out, "package")
    opened = _until_moving(start("my scene.toml"), out / "package scene.png")
    print(f"package, a scene by file: {_said(opened)}", flush=True)
    made = sorted(system.files() - before)
    system.as_root("apt-get", "-qq", "purge", "polhode")
    left = sorted(name for name in system.files() if "polhode" in name.lower() or name in made)
    return missed + _left("package", [name.removeprefix(f"{HOME}/") for name in left])


def try_folder(out: Path) -> list[str]:
    """Unpack the folder, rename it, enter it in menus, start it, uninstall it; returns what was missed."""
    (archive,) = BUILD.glob("polhode-*.tar.zst")
    place, home = out / "a folder", out / "home"
    for old in (place, home):
        shutil.rmtree(old, ignore_errors=True)
    place.mkdir()
    home.mkdir()
    subprocess.run(["tar", "--extract", f"--directory={place}", f"--file={archive}", "--no-same-owner"], check=True)
    (unpacked,) = place.iterdir()
    tree = unpacked.rename(place / "the lab")
    environment = {"HOME": str(home), "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"}
    subprocess.run([tree / "install"], check=True, env=environment, stdout=subprocess.DEVNULL)
    entry = (home / ".local/share/applications/polhode.desktop").read_text("utf-8")
    line = next(line for line in entry.splitlines() if line.startswith("Exec="))
    words = [word for word in shlex.split(line.removeprefix("Exec=")) if word != "%f"]
    start = lambda display: subprocess.Popen(words, env=environment | {"DISPLAY": display}, cwd=home)  # noqa: E731
    missed = _timed(start, out, "folder") + try_commands(tree / "polhode", out / "commands", environment)
    subprocess.run([tree / "uninstall"], check=True, env=environment)
    left = [path.relative_to(home).as_posix() for path in home.rglob("*") if path.is_file()]
    left += [path.name for path in place.rglob("*")]
    return missed + _left("folder", left)


def try_commands(program: Path, folder: Path, environment: dict[str, str]) -> list[str]:
    """Run commands in a new folder, with the machine code of the bundle; returns which have failed."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    (folder / "swept.toml").write_text(SWEPT.read_text("utf-8").replace(CELLS, FEW), encoding="utf-8")
    for file in (MEASURED, MEASURED.with_suffix(".csv")):
        shutil.copy(file, folder)
    missed = []
    for line in COMMANDS:
        words = shlex.split(line)
        done = subprocess.run(
            [program, *words], cwd=folder, env=environment | GENERIC, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        )
        written = folder / words[-1]
        if done.returncode or not (done.stdout or (written.is_file() and written.stat().st_size)):
            missed.append(f"polhode {line}: {done.stdout.decode()[-300:]}")
    print(f"{len(COMMANDS) - len(missed)} of {len(COMMANDS)} commands work", flush=True)
    return missed


def _timed(start: Callable[[str], subprocess.Popen[bytes]], out: Path, name: str) -> list[str]:
    """Time the first start and later ones; returns what was missed."""
    first = _until_moving(start, out / f"{name} first.png")
    later = [_until_moving(start, out / f"{name} warm.png") for _ in range(STARTS)]
    warm = min((seconds for seconds in later if seconds is not None), default=None)
    print(f"{name}: moving after {_said(first)} the first time, then {', '.join(map(_said, later))}", flush=True)
    times = (("first", first, FIRST), ("warm", warm, WARM))
    return [f"{name}, {kind} start: {_said(took)}" for kind, took, goal in times if took is None or took > goal]


def _until_moving(start: Callable[[str], subprocess.Popen[bytes]], picture: Path) -> float | None:
    """Seconds to a scene that moves on a screen of its own; two seconds later a picture is taken, and all ends."""
    screen = WatchedScreen()
    begun = time.monotonic()
    process = start(screen.display)
    try:
        took = screen.until_it_moves(begun, LIMIT)
        time.sleep(2.0)
        screen.save(picture)
    finally:
        process.kill()  # unshare does not pass on a polite signal
        process.wait()
        screen.close()
    return took


def _said(seconds: float | None) -> str:
    return "never" if seconds is None else f"{seconds:.2f} s"


def _left(name: str, files: list[str]) -> list[str]:
    """Files left after the removal, except files of the user and of the desktop."""
    wrong = [file for file in files if not file.startswith(SHARED) and file != "my scene.toml"]
    print(f"{name}, left after its removal: {', '.join(files) or 'nothing'}", flush=True)
    return [f"{name}: {file} is left" for file in wrong]


if __name__ == "__main__":
    if os.geteuid():
        raise SystemExit("a bare system can be made by root alone")
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        raise SystemExit("usage: python -m installers.trial OUT, the folder for pictures and what is unpacked")
    sys.exit(main(Path(sys.argv[1]).absolute()))  # HOME of the starts is in it
