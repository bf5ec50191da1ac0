"""Frames per second of the page that replays a run, in headless Chromium. Goal: 60, where a graphics card draws.

The page plays, again and again, while the times of its own requestAnimationFrame are noted for some seconds: the median
and the 95th percentile of the intervals between two frames, all frames over the time, and what the page has taken back
to be faster (its level of quality; 0 is the best). Chromium hands out frames at 60 Hz; with --unlimited as fast as it
can, which shows how much is left.

    .venv/bin/python benchmarks/page_fps.py                                   software, eight scenes
    .venv/bin/python benchmarks/page_fps.py --angle vulkan --pages FOLDER all

Only making pages needs the program and its libraries: --make does nothing else, and --pages takes those of a folder.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from statistics import median, quantiles
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from browser import CHROMIUM, SOFTWARE, Browser, browser  # noqa: E402

SCENES = (
    *("magnet_pendulum", "heavy_top", "cloth_on_ball", "jelly_by_modes", "break_shot", "trebuchet"),
    *("bead_on_parabola", "course_11_hand"),
)
UNTIL = 10.0  # s of each run
SETTLES = 4.0  # [s] in which the page finds the level of quality that it can keep
RATE = 60.0  # frames per second: the goal
UNLIMITED = ("--disable-frame-rate-limit", "--disable-gpu-vsync")
CARD = (
    *("--ignore-gpu-blocklist", "--enable-gpu", "--enable-gpu-rasterization"),
    *("--disable-software-rasterizer", "--enable-features=Vulkan"),
)
"""Flags with which Chromium takes the graphics card without a screen, or fails."""
NOTE = """new Promise(done => {
  const times = [], end = performance.now() + 1000 * %g;
  const note = now => { times.push(now); now < end ? requestAnimationFrame(note) : done(times) };
  requestAnimationFrame(note);
})"""
ABOUT = """(() => {
  const gl = polhode.view.renderer.getContext(), about = gl.getExtension("WEBGL_debug_renderer_info");
  return gl.getParameter(about ? about.UNMASKED_RENDERER_WEBGL : gl.RENDERER);
})()"""


def page_of(scene: str, folder: Path) -> Path:
    """The page of a scene, made by the program where the folder has none."""
    page = folder / f"{scene}.html"
    if not page.exists():
        folder.mkdir(parents=True, exist_ok=True)
        command = [sys.executable, "-m", "polhode_app", "render", scene, "--until", str(UNTIL), "--out", str(page)]
        subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    return page


def measured(tab: Browser, page: Path, size: tuple[int, int], seconds: float) -> dict[str, Any]:
    """Intervals [ms] between the frames of a page that plays, and what draws them."""
    tab.open(page, size, plays=True)
    if tab.run("window.polhode === undefined"):
        sys.exit(f"{page.name}: {tab.run('document.getElementById(`notice`).textContent')}")
    tab.run("polhode.controls.repeat(true); polhode.play(true)")
    tab.run(NOTE % SETTLES)
    times = tab.run(NOTE % seconds)
    intervals = [after - before for before, after in pairwise(times)]
    rate = 1000 * len(intervals) / (times[-1] - times[0])
    found = {"scene": page.stem, "frames per second": rate, "median [ms]": median(intervals)}
    found |= {"95th percentile [ms]": quantiles(intervals, n=20)[-1], "level": tab.run("polhode.view.level")}
    return found | {"renderer": tab.run(ABOUT), "errors": tab.errors()}


def compare(options: argparse.Namespace, pages: list[Path]) -> list[dict[str, Any]]:
    """A line for each page."""
    graphics = SOFTWARE if options.angle == "swiftshader" else (f"--use-angle={options.angle}", *CARD)
    found = []
    with browser(graphics + (UNLIMITED if options.unlimited else ()), options.chromium) as tab:
        for page in pages:
            one = measured(tab, page, options.size, options.seconds)
            if not found:
                version = tab.call("Browser.getVersion")["product"]
                print(f"{one['renderer']}, {'x'.join(map(str, options.size))}, {version}")
            found.append(one)
            verdict = "ok" if one["median [ms]"] <= 1000 / (RATE - 0.5) else "MISS"
            print(
                f"{one['scene']:<22} {one['frames per second']:6.1f} frames per second (goal {RATE:g}) {verdict:<5}"
                f" median {one['median [ms]']:.1f} ms, 95th percentile {one['95th percentile [ms]']:.1f} ms,"
                f" level {one['level']}{', '.join(['', *one['errors']])}",
                flush=True,
            )
    return found


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("scenes", nargs="*", default=SCENES, help="names of built-in scenes, or all")
    parser.add_argument("--angle", default="swiftshader", help="what draws: swiftshader, gl-egl, gl, vulkan, default")
    parser.add_argument("--unlimited", action="store_true", help="frames as fast as the machine can")
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--size", type=lambda text: tuple(map(int, text.split("x"))), default=(1280, 720))
    parser.add_argument("--pages", type=Path, default=ROOT / "build/page_fps", help="folder of the pages")
    parser.add_argument("--make", action="store_true", help="only make the pages")
    parser.add_argument("--chromium", default=CHROMIUM, help="the program")
    parser.add_argument("--json", type=Path, help="file for all results")
    return parser.parse_args()


if __name__ == "__main__":
    options = arguments()
    names = options.scenes
    if list(names) == ["all"]:
        names = sorted(path.stem for path in (ROOT / "scenes").glob("*.toml"))
    made = [page_of(name, options.pages) for name in names]
    if not options.make and options.chromium is None:
        sys.exit("there is no Chromium: install it, or name it by --chromium")
    if not options.make:
        results = compare(options, made)
        if options.json:
            options.json.write_text(json.dumps(results, indent=1), "utf-8")
