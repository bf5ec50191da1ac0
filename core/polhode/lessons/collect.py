"""The hand-ins of a folder: read, repeated in two processes, and compared with each other.

A file that is none, or of another lesson or version, is named with a problem; the others are processed.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic, sleep

from polhode.jit.storage.sources import own_version
from polhode.lessons.hand_in import ENDING, HandIn, content_of, hand_in_of
from polhode.lessons.passing import refusal_of_message, repetition_of_message
from polhode.lessons.process import ENDED, MEMORY, lesson_server
from polhode.lessons.repeat import SECONDS, Repetition
from polhode.process.child_process import ChildProcess
from polhode.process.cores import cores
from polhode.recording.scene_bundle import bundle_scene
from polhode.scene.checks.arguments import checked
from polhode.scene.display.lesson import Lesson
from polhode.scene.message import Message
from polhode.scene.problem import InputError, Problem, reason_of
from polhode.scene.scene import Scene
from polhode.scene.scene_file import scene_of_text
from polhode.scene.scene_writing import scene_text

PROCESSES = 2
PATIENCE = 600.0  # [s] without a message after which a process is ended, such as while it compiles one unit
LOOK = 0.01  # [s]
MOST_FILES = 2000
SPACE = Message("end other programs, or free some space on the disk")


@dataclass(frozen=True, eq=False)
class Collected:
    """One file of the folder."""

    source: str
    """Its name."""
    problems: tuple[Problem, ...]
    hand_in: HandIn | None = None
    """None where it can't be read."""
    repetition: Repetition | None = None
    """None where it was not repeated: it can't be read, or is of another lesson or version."""

    @property
    def is_whole(self) -> bool:
        """Whether its answers have the forms that the steps of the lesson need."""
        return self.repetition is not None and self.repetition.is_whole

    def with_problems(self, *problems: Problem) -> Collected:
        """With further problems."""
        return replace(self, problems=(*self.problems, *problems))


@dataclass(frozen=True, eq=False)
class ClassResult:
    """The hand-ins of a class."""

    lesson: Lesson | None
    """That of the hand-ins; None where none can be read."""
    files: tuple[Collected, ...]
    """Hand-ins and damaged ones, by name."""
    foreign: tuple[Collected, ...]
    """Other files of the folder."""

    @property
    def is_faultless(self) -> bool:
        """Whether no file has a problem."""
        return not any(each.problems for each in (*self.files, *self.foreign))


Progress = Callable[[int, int], None]


@checked
def collect(
    folder: Path | str,
    lesson: Scene | None = None,
    besides: Sequence[Path | str] = (),
    progress: Progress = lambda done, total: None,
    check_cancelled: Callable[[], None] = lambda: None,
) -> ClassResult:
    """Read the hand-ins (.handin) of a folder, repeat their runs, and find what is wrong with each.

    lesson: scene whose lesson they must be of; by default that of most files
    besides: files of the folder that are left out, such as an earlier table
    progress: called with the numbers of files that are done and of all
    check_cancelled: called meanwhile; may raise

        from polhode import collect

        for each in collect("class_7b").files:
            print(each.source, [str(problem) for problem in each.problems])

    Raises InputError for a folder without hand-ins, for one that can't be read, and where no process can be started.
    """
    known, foreign = _read(Path(folder), besides, check_cancelled)
    good = [each.hand_in for each in known if each.hand_in is not None]
    expected = expected_of(good, lesson)
    known = [compared(each, expected) for each in _named_twice(known)]
    due = [number for number, each in enumerate(known) if each.hand_in is not None and not _is_other(each, expected)]
    repeated = _repeat(Path(folder), [known[number] for number in due], progress, check_cancelled)
    for number, found in zip(due, repeated, strict=True):
        known[number] = found
    return ClassResult(_lesson_of(expected), tuple(known), tuple(foreign))


def _read(
    folder: Path, besides: Sequence[Path | str], check_cancelled: Callable[[], None]
) -> tuple[list[Collected], list[Collected]]:
    """Hand-ins of a folder and other files, by name. Raises InputError without hand-ins."""
    try:
        left_out = {Path(path).resolve() for path in besides}
        paths = sorted(path for path in folder.iterdir() if not path.is_dir() and path.resolve() not in left_out)
    except OSError as error:
        rule = Message("can't be read: {reason}", reason=reason_of(error))
        raise InputError.of(str(folder), rule, Message("name the folder with the hand-ins")) from error
    if len(paths) > MOST_FILES:
        rule = Message("has {count} files, more than {most}", count=len(paths), most=MOST_FILES)
        raise InputError.of(str(folder), rule, Message("collect one class at a time"))
    found, foreign = [], []
    for path in paths:
        check_cancelled()
        if path.suffix.lower() != ENDING:
            rule, remedy = Message("is no hand-in ({ending})", ending=ENDING), Message("move it to another folder")
            foreign.append(Collected(path.name, (Problem("", rule, remedy),)))
            continue
        try:
            found.append(Collected(path.name, (), hand_in_of(content_of(path), path.name)))
        except InputError as error:
            found.append(Collected(path.name, error.problems))
    if not found:
        rule = Message("has no hand-ins ({ending})", ending=ENDING)
        raise InputError.of(str(folder), rule, Message("name the folder with the hand-ins"))
    return found, foreign


Expected = tuple[str, tuple[tuple[str, bytes], ...], int]
"""Scene, its files, and index of the lesson in it."""


def _of(hand_in: HandIn) -> Expected:
    return hand_in.text, tuple(sorted(hand_in.files.items())), hand_in.lesson


def expected_of(found: Sequence[HandIn], scene: Scene | None) -> Expected | None:
    """Scene and lesson of most hand-ins, among those of a scene if one is given. Raises InputError."""
    kinds = [_of(hand_in) for hand_in in found]
    if scene is not None:
        bundle = bundle_scene(scene)
        if not bundle.scene.lesson:
            rule = Message("has no lesson")
            raise InputError.of(scene.title or "scene", rule, Message("name a scene with a table [[lesson]]"), "lesson")
        own = scene_text(bundle.scene), tuple(sorted(bundle.files.items()))
        kinds = [kind for kind in kinds if kind[:2] == own] or [(*own, 0)]
    return Counter(kinds).most_common(1)[0][0] if kinds else None


def _is_other(each: Collected, expected: Expected | None) -> bool:
    """Whether a hand-in is of another lesson or version than those that are repeated."""
    hand_in = each.hand_in
    return hand_in is not None and (_of(hand_in) != expected or hand_in.version != own_version())


def compared(each: Collected, expected: Expected | None) -> Collected:
    """The file, with a problem if it is of another lesson or version."""
    hand_in = each.hand_in
    if hand_in is None:
        return each
    found = []
    if hand_in.version != own_version():
        rule = Message("is {made}, and this program is {own}", made=hand_in.version, own=own_version())
        found.append(Problem("version", rule, Message("collect it with the version that has written it")))
    if _of(hand_in) != expected:
        rule = Message("is another one than that of the class: '{title}'", title=hand_in.title)
        found.append(Problem("lesson", rule, Message("collect it in another folder, or name its scene as --lesson")))
    return each.with_problems(*found)


def _named_twice(known: Sequence[Collected]) -> list[Collected]:
    """The files, with a problem for each whose name is also that of another."""
    made, by_name = list[Collected](), dict[str, list[str]]()
    for each in known:
        if each.hand_in is not None and each.hand_in.name:
            by_name.setdefault(each.hand_in.name, []).append(each.source)
    for each in known:
        others = [] if each.hand_in is None else by_name.get(each.hand_in.name, [])
        other = next((source for source in others if source != each.source), None)
        if other is not None and each.hand_in is not None:
            rule = Message("'{name}' is also that of {other}", name=each.hand_in.name, other=other)
            each = each.with_problems(Problem("name", rule, Message("keep the one that counts")))
        made.append(each)
    return made


def _lesson_of(expected: Expected | None) -> Lesson | None:
    """The lesson of the class; None where its scene can't be read."""
    if expected is None:
        return None
    try:
        return scene_of_text(expected[0].encode(), "scene", Path()).lesson[expected[2]]
    except (InputError, IndexError):
        return None


class _Worker:
    """A process that repeats one hand-in at a time, and is started again where it has ended."""

    def __init__(self, folder: Path):
        self._folder, self._heard = folder, 0.0
        self._process: ChildProcess | None = None
        self._temporary: TemporaryDirectory[str] | None = None  # files of scenes, which a killed process leaves
        self.number: int | None = None
        """Index of the file that it repeats."""
        self.has_compiled = False
        """Whether its scene is compiled."""

    def order(self, number: int, each: Collected) -> None:
        """Begin to repeat a file. Raises InputError where it can't be read any more, or no process can be started."""
        data = content_of(self._folder / each.source)
        self.start().send({"order": "repeat", "source": each.source, "seconds": SECONDS}, [data])
        self.number, self._heard = number, monotonic()

    def start(self) -> ChildProcess:
        """Start the process, unless it runs. Raises InputError where none can be started."""
        if self._process is None or self._process.status is not None:
            self.close()
            try:
                self._temporary = TemporaryDirectory(prefix="polhode-", ignore_cleanup_errors=True)
                self._process = lesson_server(self._temporary.name)
            except OSError as error:
                self.close()
                rule = Message("no process can be started: {reason}", reason=reason_of(error))
                raise InputError.of(str(self._folder), rule, SPACE) from error
        return self._process

    def answer(self) -> Repetition | None:
        """The result, if it is there; also that of a process that has ended, or does not answer."""
        assert self._process is not None
        for head, blobs in self._process.poll():
            self._heard, self.has_compiled = monotonic(), head["event"] != "compiling"
            if head["event"] == "repeated":
                return repetition_of_message(head, blobs)
            if head["event"] == "refused":
                return Repetition(refusal_of_message(head).problems, is_whole=False)
        if self._process.has_ended or monotonic() - self._heard > PATIENCE:
            self.close()
            self.has_compiled = True  # no other one waits for it
            return Repetition((Problem("runs", ENDED, MEMORY),), is_whole=False)
        return None

    def close(self) -> None:
        """End the process, and remove its temporary files."""
        if self._process is not None:
            self._process.close()
            self._process = None
        if self._temporary is not None:
            self._temporary.cleanup()
            self._temporary = None


def _repeat(
    folder: Path, files: Sequence[Collected], progress: Progress, check_cancelled: Callable[[], None]
) -> list[Collected]:
    """The files with their repetitions, of which PROCESSES run at a time."""
    found, waiting, done = list(files), deque(enumerate(files)), 0
    workers = [_Worker(folder) for _ in range(min(PROCESSES, cores(), len(files)))]
    try:
        for worker in workers:
            worker.start()
        while done < len(files):
            check_cancelled()
            # The others wait while the first one compiles what all of them need.
            for worker in workers if workers[0].has_compiled else workers[:1]:
                if worker.number is None and waiting:
                    number, each = waiting.popleft()
                    try:
                        worker.order(number, each)
                    except InputError as error:
                        found[number], done = each.with_problems(*error.problems), done + 1
                elif worker.number is not None and (result := worker.answer()) is not None:
                    each = found[worker.number].with_problems(*result.problems)
                    found[worker.number], worker.number = replace(each, repetition=result), None
                    done += 1
                    progress(done, len(files))
            sleep(LOOK)
    finally:
        for worker in workers:
            worker.close()
    return found
