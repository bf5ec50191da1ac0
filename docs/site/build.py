"""The steps of a build, as jobs of two processes: pages in Markdown and what is drawn, then MkDocs, then the checks."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from time import monotonic

from docs.site import checks, material
from docs.site.contents import LANGUAGES, ROOT
from docs.site.drawing import figures, films, live_pages
from docs.site.links import Links
from docs.site.pages import navigation, pages_of
from docs.site.workers import Job, Workers
from polhode.scene import gallery

BUILD = ROOT / "build"
KEPT, KEPT_LIVE = BUILD / "docs-media", BUILD / "docs-live"
PROCESSES = 2
MARKDOWN, HTML, CHECKS = 3.0, 7.0, 3.0  # efforts, beside those of films


class Progress:
    """Tells after each step how many there are, and how long the others will take."""

    def __init__(self, jobs: list[Job], say: Callable[[str], object]):
        self._left, self._count, self._say = len(jobs), len(jobs), say
        self._effort, self._begin = sum(job.effort for job in jobs), monotonic()
        self._effort_left = self._effort

    def done(self, job: Job) -> None:
        """Tell that a job is done."""
        self._left -= 1
        self._effort_left -= job.effort
        seconds = (monotonic() - self._begin) * self._effort_left / (self._effort - self._effort_left)
        left = f"; about {seconds:.0f} s left" if self._left else ""
        self._say(f"{self._count - self._left}/{self._count} {job.title}{left}")


def build(site: Path, say: Callable[[str], object]) -> list[str]:
    """Build the site in a folder, which is replaced; returns its faults. `say` gets a line after each step.

    Raises JobFailed.
    """
    BUILD.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=BUILD, ignore_cleanup_errors=True) as scratch, Workers(PROCESSES) as workers:
        work = Path(scratch)
        shown = films.files(KEPT)
        live = live_pages.files(KEPT_LIVE)
        drawn = [*films.jobs(shown, work), *live_pages.jobs(live)]
        written = [Job(f"pages ({language})", sources, (language, work / language), MARKDOWN) for language in LANGUAGES]
        html = [Job(f"pages in HTML ({language})", rendered, (language, work), HTML) for language in LANGUAGES]
        check = Job("links", checks.faults, (site,), CHECKS)
        say(f"{len(drawn)} of {len({*shown.values(), *live.values()})} films, pictures and pages have changed")
        if not live:
            say("no web module is built, so no scene runs in its page: make web-module")
        progress = Progress([*written, *drawn, *html, check], say)
        workers.run([*written, *drawn], progress.done)
        for language in LANGUAGES:
            films.copy(shown, work / language / "media", language)
        workers.run(html, progress.done)
        _put_together(work, site)
        live_pages.copy(live, site / live_pages.FOLDER)
        for found, kept in ((shown, KEPT), (live, KEPT_LIVE)):
            films.forget_others(found.values(), kept)
        faults = checks.faults(site)
        progress.done(check)
        return faults


def sources(language: str, folder: Path) -> None:
    """Write all pages of a language with their pictures and figures to a folder."""
    links = Links()
    for path, text in pages_of(language, links).items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, "utf-8")
    shutil.copytree(gallery.FOLDER / "pictures", folder / "scenes" / "pictures")
    (folder / "pictures").mkdir()
    for picture in links.pictures:
        shutil.copy(picture, folder / "pictures" / picture.name)
    figures.make(folder / "figures", language)


def rendered(language: str, work: Path) -> None:
    """Have MkDocs write the pages of a language to site-LANGUAGE of the folder `work`. Raises SystemExit at a fault."""
    path = work / f"{language}.yml"
    material.write(path, material.settings(language, work / language, work / f"site-{language}", navigation(language)))
    os.environ["NO_MKDOCS_2_WARNING"] = "1"
    command = ["build", "--quiet", "--strict", "-f", str(path)]
    import_module("mkdocs.__main__").cli(command, standalone_mode=False)


def _put_together(work: Path, site: Path) -> None:
    """Replace the site by the pages of all languages, English ones at the top."""
    shutil.rmtree(site, ignore_errors=True)
    shutil.move(work / "site-en", site)
    shutil.move(work / "site-ja", site / "ja")
    for page in site.glob("**/404.html"):  # of a server; its links hold at the top of one only
        page.unlink()
