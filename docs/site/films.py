"""Films, pictures and replays of the site, made by the program itself with its own commands, in both languages.

What was made before is kept in build/docs-media and taken again as long as the scene, the command and, of replays, the
files of the page are the same.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from PIL import Image

from docs.site.contents import DOCS, ROOT
from polhode.scene import gallery

FILM = ("--size", "960x540", "--fps", "20", "--theme", "dark")
PICTURE = ("--size", "1280x720", "--theme", "dark")
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
SHOTS = 2  # at a time
README = DOCS / "film.webp"
PAGE = ROOT / "app/polhode_app/export/web/page"  # what replays are made of


def make(folder: Path, kept: Path, language: str) -> None:
    """Make all files of MADE in `folder`, those that are in `kept` without the program. Raises RuntimeError."""
    folder.mkdir(parents=True, exist_ok=True)
    kept.mkdir(parents=True, exist_ok=True)
    with ThreadPoolExecutor(SHOTS) as pool:
        for name, made in zip(MADE, pool.map(lambda name: _made(name, kept, language), MADE), strict=True):
            shutil.copyfile(made, folder / name)


def _made(name: str, kept: Path, language: str) -> Path:
    scene, *options = MADE[name]
    is_page = name.endswith(".html")  # which has both languages
    files = [gallery.path(scene), *(sorted(PAGE.iterdir()) if is_page else [])]
    said = "\n".join([*(file.read_text("utf-8") for file in files), *options, "" if is_page else language])
    path = kept / f"{hashlib.sha256(said.encode()).hexdigest()[:12]}-{name}"
    if not path.exists():
        render(scene, path, *options, language=language)
    return path


def render(scene: str, out: Path, *options: str, language: str = "en") -> None:
    """Run `polhode render`. Raises RuntimeError with what it said."""
    command = [sys.executable, "-m", "polhode_app", "render", scene, "--out", str(out), *options]
    environment = {key: value for key, value in os.environ.items() if key != "DISPLAY"} | {"POLHODE_LANGUAGE": language}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(command)}\n{done.stderr}")


def film_of_the_readme(work: Path) -> None:
    """Make docs/film.webp, the moving picture of both READMEs; `work` is an empty folder for its frames."""
    render("magnet_pendulum", work / "frame-%04d.png", "--until", "6", "--size", "640x360", "--fps", "15")
    frames = [Image.open(path).convert("RGB") for path in sorted(work.glob("frame-*.png"))]
    frames[0].save(README, save_all=True, append_images=frames[1:], duration=1000 // 15, loop=0, quality=60, method=6)
