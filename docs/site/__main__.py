"""Builds the site in both languages: `python -m docs.site [FOLDER]`, by default build/docs."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from time import perf_counter

from docs.site import checks, figures, films, material, window_picture
from docs.site.contents import LANGUAGES, ROOT
from docs.site.links import Links
from docs.site.pages import navigation, pages_of
from polhode.scene import gallery

BUILD = ROOT / "build"


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


def build(site: Path) -> None:
    """Build the site in a folder, which is replaced. Raises CalledProcessError where MkDocs finds a fault."""
    with tempfile.TemporaryDirectory(dir=BUILD) as scratch, ThreadPoolExecutor(2) as pool:
        work = Path(scratch)
        filmed = pool.submit(_filmed, work)
        for language in LANGUAGES:
            sources(language, work / language)
        filmed.result()
        list(pool.map(lambda language: _rendered(language, work), LANGUAGES))
        shutil.rmtree(site, ignore_errors=True)
        shutil.copytree(work / "site-en", site)
        shutil.copytree(work / "site-ja", site / "ja")
        for page in site.glob("**/404.html"):  # of a server; its links hold at the top of one only
            page.unlink()


def _filmed(work: Path) -> None:
    """Make films, pictures and replays of all languages in media-LANGUAGE of the folder `work`."""
    for language in LANGUAGES:
        films.make(work / f"media-{language}", BUILD / "docs-media", language)


def _rendered(language: str, work: Path) -> None:
    """Have MkDocs write the pages of a language to site-LANGUAGE of the folder `work`."""
    shutil.move(work / f"media-{language}", work / language / "media")
    path = work / f"{language}.yml"
    material.write(path, material.settings(language, work / language, work / f"site-{language}", navigation(language)))
    command = [sys.executable, "-m", "mkdocs", "build", "--quiet", "--strict", "-f", str(path)]
    subprocess.run(command, cwd=ROOT, env={**os.environ, "NO_MKDOCS_2_WARNING": "1"}, check=True)


def main() -> int:
    """Build, check, and tell how many pages there are; the exit status."""
    if sys.argv[1:] == ["film"]:
        with tempfile.TemporaryDirectory() as frames:
            films.film_of_the_readme(Path(frames))
        return 0
    if sys.argv[1:] == ["window"]:
        window_picture.make()
        return 0
    site = Path(sys.argv[1]) if sys.argv[1:] else BUILD / "docs"
    BUILD.mkdir(exist_ok=True)
    begin = perf_counter()
    build(site)
    faults = checks.faults(site)
    pages = len(list(site.rglob("*.html")))
    size = checks.first_page_size(site) / 1e6
    sys.stdout.write("".join(f"{fault}\n" for fault in faults))
    sys.stdout.write(
        f"{site}/index.html: {pages} pages in {perf_counter() - begin:.0f} s, the first with {size:.2f} MB\n"
    )
    return 1 if faults else 0


if __name__ == "__main__":
    raise SystemExit(main())
