"""Builds the site in both languages: `python -m docs.site [FOLDER]`, by default build/docs."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from time import perf_counter

from docs.site import checks
from docs.site.build import BUILD, build
from docs.site.drawing import films, window_picture
from docs.site.workers import JobFailed
from polhode.scene.problem import InputError

INTERRUPTED = 130  # exit status


def main() -> int:
    """Make the pictures that are part of the sources, or the site; the exit status."""
    if sys.argv[1:] == ["film"]:
        with tempfile.TemporaryDirectory() as frames:
            films.film_of_the_readme(Path(frames))
        return 0
    if sys.argv[1:] == ["window"]:
        window_picture.make()
        return 0
    try:
        return make_site(Path(sys.argv[1]) if sys.argv[1:] else BUILD / "docs")
    except (JobFailed, InputError) as error:
        sys.stderr.write(f"{error}\n")
        return 1
    except KeyboardInterrupt:
        sys.stderr.write("Stopped.\n")
        return INTERRUPTED


def make_site(site: Path) -> int:
    """Build, check, and tell how many pages there are; the exit status."""
    begin = perf_counter()
    faults = build(site, _say)
    pages = len(list(site.rglob("*.html")))
    size = checks.first_page_size(site) / 1e6
    sys.stdout.write("".join(f"{fault}\n" for fault in faults))
    _say(f"{site}/index.html: {pages} pages in {perf_counter() - begin:.0f} s, the first with {size:.2f} MB")
    return 1 if faults else 0


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    raise SystemExit(main())
