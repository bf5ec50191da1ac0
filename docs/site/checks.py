"""Checks of a built site: dead links, addresses of a network, and the size of the first page."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

LARGEST_FIRST_PAGE = 2e6  # [bytes]
LOADING = {"script": "src", "img": "src", "source": "src", "video": "src", "iframe": "src", "link": "href"}
"""Attributes that a browser loads when it opens a page."""
ALONE = ("media", "live")
"""Folders with pages of runs."""
CODE = re.compile(r"<pre\b.*?</pre>", re.DOTALL)
"""Code, whose thousands of elements have no links but those of its lines to themselves."""


class _Parser(HTMLParser):
    """Collects the links, anchors and loaded files of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.anchors: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        named = {key: value for key, value in attrs if value is not None}
        self.anchors.update(named[key] for key in ("id", "name") if key in named)
        if tag == "a" and "href" in named:
            self.links.append(named["href"])
        if tag in LOADING and LOADING[tag] in named and named.get("loading") != "lazy":
            self.loaded.append(named[LOADING[tag]])
        elif tag in LOADING and LOADING[tag] in named:
            self.links.append(named[LOADING[tag]])
        self.links += [named["poster"]] if "poster" in named else []


@cache
def _parsed(page: Path) -> _Parser:
    parser = _Parser()
    parser.feed(CODE.sub("", page.read_text("utf-8")))
    return parser


def faults(site: Path) -> list[str]:
    """All faults of a site, one a line: dead links, files from a network, a first page that is too large."""
    found = [fault for page in sorted(site.rglob("*.html")) for fault in _of_page(page, site)]
    found += list(_of_styles(site))
    size = first_page_size(site)
    if size > LARGEST_FIRST_PAGE:
        found.append(f"index.html: {size / 1e6:.2f} MB are loaded, more than {LARGEST_FIRST_PAGE / 1e6:g} MB")
    return found


def _of_page(page: Path, site: Path) -> Iterator[str]:
    if page.parent.name in ALONE:  # a page of a run, which is tested where it is made
        return
    parsed, name = _parsed(page), page.relative_to(site).as_posix()
    for link in parsed.loaded:
        if urlsplit(link).netloc:
            yield f"{name}: loads {link} from a network"
    for link in [*parsed.links, *parsed.loaded]:
        if (target := _target(page, link)) is None:
            continue
        anchor = unquote(urlsplit(link).fragment)
        if not target.is_file():
            yield f"{name}: {link} does not exist"
        elif not anchor or target.suffix != ".html" or target.parent.name in ALONE:  # of a run: its language
            continue
        elif anchor not in _parsed(target).anchors | _THEMES | {"__top"}:
            yield f"{name}: {link}: the page has no such place"


_THEMES = {"only-light", "only-dark"}  # after pictures: the colours with which they are shown


def _target(page: Path, link: str) -> Path | None:
    """The file that a link means; None for an address of a network."""
    parts = urlsplit(link)
    if parts.scheme or parts.netloc:
        return None
    return (page.parent / unquote(parts.path)).resolve() if parts.path else page


def _of_styles(site: Path) -> Iterator[str]:
    for style in site.rglob("*.css"):
        for address in re.findall(r"url\([\"']?(https?:[^)]*)\)", style.read_text("utf-8")):
            yield f"{style.name}: loads {address} from a network"


def first_page_size(site: Path) -> float:
    """Bytes that a browser loads with the first page, the film and the index of the search included."""
    page = site / "index.html"
    files = {target for link in _parsed(page).loaded if (target := _target(page, link)) is not None}
    files |= {page, *site.glob("assets/javascripts/workers/*.js"), *site.glob("search/search_index.js")}
    return float(sum(file.stat().st_size for file in files if file.is_file()))
