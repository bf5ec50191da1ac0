"""A page in which a scene runs: the engine, what is drawn from its state, and a replay for browsers that can't run it.

What the views of the window draw follows the state of the engine as far as `following.py` finds what it follows.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from polhode.compilation.web_module.build import build_module
from polhode.compilation.web_module.module import WebModule, kept_module
from polhode.engine.ledger import LEDGER_SIZE
from polhode.exporters.image.image import WORD, Image
from polhode.exporters.image.qualification import problems_of
from polhode.mesh.mesh import Meshes
from polhode.scene.files.file_writing import replacing
from polhode.scene.message import Message
from polhode.scene.problem import InputError
from polhode.scene.scene import Scene
from polhode.simulation.diverged import Diverged
from polhode.simulation.simulation import Simulation
from polhode_app.compilation.preparation import start_simulation
from polhode_app.export.motion.capture import Capture
from polhode_app.export.motion.parts import RunMotion
from polhode_app.export.web.blob import Blob
from polhode_app.export.web.live.basins_data import UNITS, MapOfStarts, basins_data, map_of_starts, map_texts
from polhode_app.export.web.live.card import Card, CardMaker
from polhode_app.export.web.live.engine_data import engine_data, worker_script
from polhode_app.export.web.live.lesson_data import LessonTables
from polhode_app.export.web.live.live_content import LiveContent
from polhode_app.export.web.live.probes import PROBES, ProbeSource
from polhode_app.export.web.live.pull import PATHS, drag_table, pullable_image
from polhode_app.export.web.page import (
    SCRIPTS,
    STYLES,
    THREE,
    Allowed,
    assembled,
    page_file,
    page_table,
    player_script,
)
from polhode_app.i18n.language import LANGUAGES, in_language, tr
from polhode_app.i18n.translation import translate
from polhode_app.viewport.registry import ON_REQUEST, VIEWS

LIVE_SCRIPTS = (
    *SCRIPTS[:-1],
    *("remote.js", "live/live_moments.js", "live/pick.js", "live/spring.js", "live/drag.js", "live/card.js"),
    *("live/basins.js", "live/map_panel.js"),
    *("live/live_player.js", SCRIPTS[-1]),
)
"""Files of the player of a live page, in order."""
LESSONS = (
    "measures.js",
    "student.js",
    "evaluation.js",
    "hand_in.js",
    "own_data.js",
    "curve.js",
    "elements.js",
    "steps.js",
    "panel.js",
)
WITH_LESSONS = (*LIVE_SCRIPTS[:-2], *(f"lesson/{name}" for name in LESSONS), *LIVE_SCRIPTS[-2:])
"""Those of a page with lessons, and of pages that share their scripts."""
LESSON_STYLES = (*STYLES, "lesson/lesson.css")
WANTED, LARGEST = (
    1.2e6,
    20e6,
)  # [bytes] of a page: beyond the first its size is reported, beyond the second it is refused
BUILDING = 0.9  # share of the building of the module in the progress
REPLAY = 5.0  # [s] of the replay
PATIENCE = 10.0  # [s] for its frames
FRAMES, FEWEST = 101, 6  # of the replay
NUMBERS = 3e5  # of all its frames, about
POLICY = Allowed(" 'wasm-unsafe-eval'", "worker-src blob:; ")
SHIFTS = "work.beads.shift"
Progress = Callable[[float], None]


@dataclass(frozen=True)
class LiveSettings:
    """Options of a live page."""

    plots: tuple[str, ...] = ()  # columns plotted at first
    theme: str = ""  # "dark" or "light"; "": that of the browser
    switches: Mapping[str, bool] = field(default_factory=dict)  # views shown or hidden, overriding the scene
    sizes: Mapping[str, float] = field(default_factory=dict)  # lengths of arrows by view, relative to the default
    shares: bool = False  # scripts and kernels with other pages, in files beside it; see `shared_scripts`


def shared_names(module: WebModule) -> tuple[str, ...]:
    """Names of the files beside pages that share them: three.js, kernels and player.

    Each has a hash of its content, so that no page meets a file of another version that a browser has kept.
    """
    contents = page_file(THREE).encode(), module.content, player_script(WITH_LESSONS).encode()
    hashes = (sha256(content).hexdigest()[:12] for content in contents)
    return tuple(f"{name}-{each}.js" for name, each in zip(("three", "kernels", "player"), hashes, strict=True))


def shared_scripts(module: WebModule) -> dict[str, str]:
    """Texts of the files of `shared_names` by their names."""
    kernels = Blob()
    kernels.bytes(np.frombuffer(module.content, np.uint8))
    texts = page_file(THREE), f'globalThis.polhodeKernels = "{kernels.text()}";\n', player_script(WITH_LESSONS)
    return dict(zip(shared_names(module), texts, strict=True))


class LivePage:
    """Makes the page of a scene."""

    def __init__(self, scene: Scene, settings: LiveSettings, module: WebModule, progress: Progress):
        """Compile the scene. Raises InputError, also for a scene whose run needs Python."""
        self._settings, self._module, self._progress = settings, module, progress
        self._meshes = Meshes()
        self.simulation = start_simulation(scene, self._meshes, progress)
        problems = problems_of(self.simulation)
        if problems:
            raise InputError(scene.title, problems)

    def text(self) -> tuple[str, list[Message]]:
        """The page, and notes about it. Raises InputError for unknown columns, and for a page that is too large."""
        simulation, scene = self.simulation, self.simulation.scene
        source = ProbeSource(simulation, self._meshes)
        image = pullable_image(Simulation(scene, self._meshes, simulation.compiled))
        motion, frames = self._captured(source)
        recorded = motion.thinned(np.arange(frames))
        probed = motion.thinned(np.arange(frames, len(motion.times)))
        content = LiveContent(recorded, probed, source)
        table = page_table(content, recorded, self._settings.plots, self._settings.theme)
        drawn = {part.view for part in motion.parts} - {*content.left_out}
        maker = CardMaker(scene, image, self._meshes, content.blob, drawn | {"trails"})
        card = maker.card(lambda share: self._progress(0.6 + 0.2 * share))
        lessons = LessonTables(simulation, image, self._meshes, content.blob)
        made = map_of_starts(scene, meshes=self._meshes)
        table["live"] = self._live(content, source, image, card, made)
        table["live"] |= self._lessons(lessons, motion)
        self._add_columns(table, motion)
        self._add_texts(table, content, card, lessons)
        blob = content.blob.text()
        table["arrays"] = content.blob.arrays
        allowed = replace(POLICY, files=shared_names(self._module)) if self._settings.shares else POLICY
        has_lessons = "lesson" in table["live"]
        scripts, styles = (WITH_LESSONS, LESSON_STYLES) if has_lessons else (LIVE_SCRIPTS, STYLES)
        text = assembled(scene.title, table, blob, scripts, allowed, styles)
        return text, lessons.notes + self._notes(len(text.encode()))

    def _lessons(self, lessons: LessonTables, motion: RunMotion) -> dict[str, Any]:
        """Further entries of the table of the engine for lessons."""
        done, count = 0, lessons.most
        scales = {name: _ends(values) for name, (_, values) in motion.columns.items()}

        def compiled() -> None:
            nonlocal done
            done += 1
            self._progress(0.8 + 0.15 * min(done / count, 1.0))

        found = lessons.table(scales, compiled)
        return {} if found is None else {"lesson": found, "worker": worker_script(has_lessons=True)}

    def _captured(self, source: ProbeSource) -> tuple[RunMotion, int]:
        """The motion of the replay, then that of displaced frames; and the number of frames of the replay."""
        added = views_to_try(self.simulation.scene)
        taken = Capture(source, {**dict.fromkeys(added, True), **self._settings.switches}, self._settings.sizes)
        step, begun = self.simulation.time_step, perf_counter()
        taken.add()
        try:
            source.go_to(max(REPLAY / (FRAMES - 1), step))
            taken.add()
            most = int(NUMBERS / max(taken.numbers_of_a_moment, 1))
            times = np.linspace(0.0, max(REPLAY, step), max(min(FRAMES, most), FEWEST))
            for time in times[times > self.simulation.time + step].tolist():
                source.go_to(time)
                taken.add()
                self._progress(0.5 * time / REPLAY)
                if perf_counter() - begun > PATIENCE:
                    break
        except Diverged:
            pass  # the replay ends there
        count = taken.frames
        source.displace(taken.stages["dark"].radius)
        for _ in range(PROBES):
            taken.add()
        motion = taken.motion(count)
        return replace(motion, shown=motion.shown - added), count

    def _live(
        self, content: LiveContent, source: ProbeSource, image: Image, card: Card, made: MapOfStarts | None
    ) -> dict[str, Any]:
        """Table of the engine and of its controls."""
        simulation, channels = self.simulation, source.channels
        shifts = (SHIFTS,) if channels.beads else ()
        further = () if made is None else UNITS
        engine = engine_data(
            simulation, content.blob, self._module, (*PATHS, *shifts), image, not self._settings.shares, further
        )
        ledger = channels.columns - LEDGER_SIZE
        return {
            "engine": engine,
            "worker": worker_script(),
            "references": content.references,
            "ranges": [[engine["members"][path][name] for name in ("offset", "count")] for path in shifts],
            "drag": drag_table(simulation, channels),
            "card": card.table,
            "basins": None if made is None else basins_data(made, content.blob, self._module),
            "energy": ledger - 1,
            "ledger": [ledger, LEDGER_SIZE],
            "ledgerAt": image.places["state"] + WORD.itemsize * simulation.compiled.model.ledger,
        }

    def _add_columns(self, table: dict[str, Any], motion: RunMotion) -> None:
        """Write the channel of each column of the plots."""
        channel = {name: number for number, name in enumerate(motion.columns)}
        for column in table["columns"]:
            column["channel"] = channel[column["name"]]

    def _add_texts(self, table: dict[str, Any], content: LiveContent, card: Card, lessons: LessonTables) -> None:
        """Write the texts of the engine in all languages."""
        scene = self.simulation.scene
        story = " ".join(scene.story.text.split())
        for language in LANGUAGES:
            with in_language(language):
                said = Message("Not drawn while the engine runs: {names}", names=_views(content.left_out))
                impossible = Message("Not possible in a page: {names}", names=", ".join(map(tr, card.left_out)))
                texts = (said, content.left_out), (impossible, card.left_out)
                parts = [translate(text) for text, names in texts if names]
                table["languages"][language] |= {
                    "story": tr(story) if story else "",
                    "leftOut": "\n".join(parts),
                    "card": card.texts(language),
                    "basins": map_texts(scene, table["live"]["basins"]),
                }
            if "lesson" in table["live"]:
                table["languages"][language]["lesson"] = lessons.texts(table["live"]["lesson"], language)

    def _notes(self, size: int) -> list[Message]:
        """Notes about the size [bytes] of the page. Raises InputError for one that is too large."""
        if size > LARGEST:
            rule = Message(
                "the page would have {size:.1f} MB, more than {most:g} MB", size=size / 1e6, most=LARGEST / 1e6
            )
            remedy = Message("simplify meshes, fields or iron of the scene, or export a replay")
            raise InputError.of(self.simulation.scene.title, rule, remedy)
        return [Message("{size:.1f} MB", size=size / 1e6)] if size > WANTED else []


def views_to_try(scene: Scene) -> set[str]:
    """Views of arrows that the card of a scene can show, and that are hidden at the start."""
    wanted = {name for trial in scene.story.try_ for name in trial.show if VIEWS[name].kind == "arrows"}
    return {name for name in wanted if name in ON_REQUEST and name not in scene.view.show}


def _ends(values: np.ndarray) -> tuple[float, float]:
    """Smallest and largest of values (f,); zeros without finite ones."""
    good = values[np.isfinite(values)]
    return (float(good.min()), float(good.max())) if len(good) else (0.0, 0.0)


def _views(names: list[str]) -> str:
    """Names of views in the current language."""
    return ", ".join(tr(VIEWS[name].title) for name in names)


def write_live_page(
    scene: Scene,
    out: Path,
    settings: LiveSettings | None = None,
    progress: Progress = lambda share: None,
) -> list[Message]:
    """Write the live page of a scene to a file; returns notes about it.

    Where no web module is built it is built first, which takes minutes. `progress` is called with the fraction done; it
    may raise to cancel. Raises InputError and OSError.
    """
    module, begin = kept_module(), 0.0
    if module is None:
        if problems := problems_of(Simulation(scene)):  # before the minutes that it takes
            raise InputError(scene.title or "scene", problems)
        module, begin = _built(lambda share: progress(BUILDING * share)), BUILDING

    def of_page(share: float) -> None:
        progress(begin + (1.0 - begin) * share)

    of_page.compiling = getattr(progress, "compiling", lambda done, total: None)  # type: ignore[attr-defined]
    text, notes = LivePage(scene, settings or LiveSettings(), module, of_page).text()
    with replacing(out) as file:
        file.write(text.encode())
    return notes


def _built(progress: Progress) -> WebModule:
    """The web module, built now. Raises InputError."""
    last = 0.0

    def report(share: float) -> None:
        nonlocal last
        last = share
        progress(share)

    return build_module(report, lambda: progress(last))
