"""Films, pictures and replays of the site, made by the program itself with its own commands, in both languages.

They are kept in build/docs-media between builds, under names that change with everything that they depend on.
"""

from __future__ import annotations

import io
import os
import shutil
import tempfile
from collections.abc import Iterable, Mapping
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

from PIL import Image

from docs.site.contents import DOCS, LANGUAGES
from docs.site.drawing.keys import key
from docs.site.workers import Job
from polhode.scene import gallery
from polhode_app.cli.main import main as command_line

FILM = ("--size", "960x540", "--fps", "20", "--theme", "light")
PICTURE = ("--size", "1280x720", "--theme", "light")
MADE: dict[str, tuple[str, ...]] = {
    "magnet_pendulum.webm": ("magnet_pendulum", "--until", "6", *FILM),
    "cloth_on_ball.webm": ("cloth_on_ball", "--until", "2.5", *FILM),
    "heavy_top.webm": ("heavy_top", "--until", "3", *FILM),
    "eddy_current_brake.webm": ("eddy_current_brake", "--until", "2.5", *FILM),
    "break_shot.webm": ("break_shot", "--until", "2.5", *FILM),
    "field_lines.png": ("bar_magnets", "--until", "0.2", *PICTURE, "--show", "field_lines"),
    "forces.png": ("loop_the_loop", "--until", "0.9", *PICTURE, "--show", "path_force", "--show", "tangents")
    + ("--show", "curvature"),
    "magnet_pendulum.html": ("magnet_pendulum", "--until", "10", "--max-size", "1MB"),
    "trebuchet.html": ("trebuchet", "--until", "4", "--max-size", "1MB"),
}
"""Files by name: the scene and the options of `polhode render`."""
EFFORTS = {".webm": 4.0, ".html": 1.5, ".png": 1.0}
README = DOCS / "film.webp"

Files = dict[tuple[str, str], Path]  # where files are kept, by language and name


def files(kept: Path, made: Mapping[str, tuple[str, ...]] = MADE) -> Files:
    """The files of all languages in the folder `kept`; a replay has the texts of all, and is one file."""
    found = {}
    for name, (scene, *options) in made.items():
        for language in LANGUAGES:
            texts = "" if name.endswith(".html") else language
            digits = key(gallery.find(scene), texts, *options)
            found[language, name] = kept / "-".join(filter(None, (digits, texts, name)))
    return found


def jobs(found: Files, work: Path, made: Mapping[str, tuple[str, ...]] = MADE) -> list[Job]:
    """Jobs for the files that are missing, the longest ones first; unfinished files are in the folder `work`."""
    wanted: dict[Path, Job] = {}
    for (language, name), path in found.items():
        if not path.exists() and path not in wanted:
            title = f"{name} ({language}) of the scene {made[name][0]}"
            wanted[path] = Job(title, draw, (work, path, language, *made[name]), EFFORTS[path.suffix])
    return sorted(wanted.values(), key=lambda job: -job.effort)


def draw(work: Path, path: Path, language: str, scene: str, *options: str) -> None:
    """Make a file, which is there when it is complete. Raises RuntimeError with what the command said."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=work) as folder:
        render(scene, made := Path(folder) / path.name, *options, language=language)
        made.replace(path)


def copy(found: Files, folder: Path, language: str) -> None:
    """Copy the files of a language to a folder."""
    folder.mkdir(parents=True)
    for (of, name), path in found.items():
        if of == language:
            shutil.copyfile(path, folder / name)


def forget_others(found: Iterable[Path], kept: Path) -> None:
    """Delete the files in `kept` that this build does not show."""
    for path in {*kept.glob("*")} - {*found}:
        path.unlink()


def render(scene: str, out: Path, *options: str, language: str = "en") -> None:
    """Run `polhode render` in this process. Raises RuntimeError with what it said."""
    os.environ.pop("DISPLAY", None)
    os.environ["POLHODE_LANGUAGE"] = language
    command = ["render", scene, "--out", str(out), *options]
    with redirect_stderr(io.StringIO()) as said, redirect_stdout(said):
        status = command_line(command)
    if status != 0:
        raise RuntimeError(f"polhode {' '.join(command)}\n{said.getvalue()}")


def film_of_the_readme(work: Path) -> None:
    """Make docs/film.webp, the moving picture of both READMEs; `work` is an empty folder for its frames."""
    render("magnet_pendulum", work / "frame-%04d.png", "--until", "6", "--size", "640x360", "--fps", "15")
    frames = [Image.open(path).convert("RGB") for path in sorted(work.glob("frame-*.png"))]
    frames[0].save(README, save_all=True, append_images=frames[1:], duration=1000 // 15, loop=0, quality=60, method=6)
