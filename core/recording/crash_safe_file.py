"""A crash-consistent file for HDF5: valid after every single write, even if the process is killed.

HDF5 can't close a file whose disk is full, and crashes at the end. So from the first write on that fails nothing more
comes to the disk: it keeps what stood there before, as if the program had died. What HDF5 has written since is told to
it from memory, so it ends in peace. A write is done or not begun: room is made before.

What is written over what was there at the last `commit` waits for the next one: only new places are written at once,
which nothing points to yet. Then trees of pieces get their nodes from the root down, so that none is ever out of reach;
at last the places that are held change by one write. The end of the file that its first bytes tell is always the real
one, for readers go nowhere beyond.
"""

from __future__ import annotations

import io
import os
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing_extensions import Buffer


NUMBER = 8  # [bytes] of what is held
END = 40  # where the oldest format has the end of the file
NODE = b"TREE"  # a node of a tree begins so; its level, 0 for leaves, is the sixth byte


class CrashSafeFile(io.RawIOBase):
    """A new file for reading and writing, without a buffer. `check` says whether everything is on the disk."""

    def __init__(self, path: Path):
        """Raises OSError where there can't be such a file."""
        self._file = path.open("w+b", buffering=0)
        self._place = self._size = 0  # [bytes] the size on the disk
        self._failure: BaseException | None = None
        self._waiting: list[tuple[int, bytes]] = []  # what is not on the disk: where, and what
        self._old = 0  # [bytes] the size when all was there
        self._held: dict[int, tuple[bytes, bytearray]] = {}  # what the disk has at a place, and what it is to have

    def check(self) -> None:
        """Raises what has stopped a write, if anything has."""
        if self._failure is not None:
            raise self._failure

    def readable(self) -> bool:
        return True

    def writable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = os.SEEK_SET, /) -> int:
        self._place = offset + (0, self._place, self._end)[whence] if whence else offset
        return self._place

    @property
    def _end(self) -> int:
        return max(self._size, *(place + len(content) for place, content in self._waiting), 0)

    def tell(self) -> int:
        return self._place

    def defer(self, place: int) -> None:
        """Let all later writes to the 8 bytes at `place` wait for `commit`."""
        self._place = place
        content = self.read(NUMBER)
        self._held[place] = content, bytearray(content)
        self._old = self._size

    def commit(self) -> None:
        """All that waits comes to the disk, what is held at once. Raises as `check`."""
        self._settle()
        self.check()

    def _settle(self) -> None:
        if self._failure is not None or not self._held:
            return
        nodes = {place: late for place, late in self._waiting if late.startswith(NODE)}
        others = [(place, late) for place, late in self._waiting if not late.startswith(NODE)]
        self._waiting = []
        for place, late in (*others, *sorted(nodes.items(), key=lambda node: -node[1][5])):
            self._write_now(place, memoryview(late))
        first = min(self._held)
        self._place, self._held, held = first, {}, self._held
        content = bytearray(self.read(max(held) + NUMBER - first))
        for place, (_, new) in held.items():
            content[place - first : place - first + NUMBER] = new
        self._write_now(first, memoryview(content))
        self._held = {place: (bytes(new), new) for place, (_, new) in held.items()}
        self._old = self._size

    def readinto(self, into: Buffer, /) -> int:
        with memoryview(into).cast("B") as content:
            self._file.seek(self._place)
            count = self._file.readinto(content)
            content[count:] = bytes(len(content) - count)
            for place, late in self._waiting:
                count = max(count, _copy(late, place, content, self._place))
            for place, (_, new) in self._held.items():
                _copy(new, place, content, self._place)
        self._place += count
        return count

    def write(self, given_: Buffer, /) -> int:
        with memoryview(given_).cast("B") as given:
            count = len(given)
            late = max(0, min(count, self._old - self._place)) if self._held else 0
            content = self._without_held(given)
            if late:
                self._waiting.append((self._place, bytes(content[:late])))
            if late < count:
                self._write_now(self._place + late, content[late:])
            self._place += count
            return count

    def _without_held(self, content: memoryview) -> memoryview:
        """What the disk is to have of it now."""
        if not self._held or self._place >= max(self._held) + NUMBER or self._place + len(content) <= min(self._held):
            return content
        given = bytearray(content)
        for place, (old, new) in self._held.items():
            _copy(given, self._place, new, place)
            _copy(old, place, given, self._place)
        return memoryview(given)

    def _write_now(self, place: int, content: memoryview) -> None:
        if self._failure is None:
            try:
                self._grow(place + len(content))
                self._file.seek(place)
                done = 0
                while done < len(content):
                    done += self._file.write(content[done:])
            except (OSError, KeyboardInterrupt) as error:  # HDF5 would take Ctrl-C for a broken disk
                self._failure = error
        if self._failure is not None:
            self._waiting.append((place, bytes(content)))

    def _grow(self, size: int) -> None:
        """Make room up to a size [bytes]; raises OSError, and nothing has changed, where there is none."""
        count = size - self._size
        if count <= 0:
            return
        with ExitStack() as undo:
            undo.callback(self._file.truncate, self._size)
            if hasattr(os, "posix_fallocate"):
                os.posix_fallocate(self._file.fileno(), self._size, count)
            else:
                self._file.seek(self._size)
                while count > 0:
                    count -= self._file.write(bytes(min(count, 2**20)))
            undo.pop_all()
        self._size = size
        self._tell_end()

    def _tell_end(self) -> None:
        if self._held:
            self._file.seek(END)
            self._file.write(self._size.to_bytes(NUMBER, "little"))

    def truncate(self, size: int | None = None, /) -> int:
        size = self._place if size is None else size
        try:
            if self._failure is None and size < self._size:
                self._size = size
                self._tell_end()
                self._file.truncate(size)
            elif self._failure is None:
                self._grow(size)
        except OSError as error:
            self._failure = error
        return size

    def close(self) -> None:
        if not self.closed:
            self._settle()
        self._file.close()
        super().close()


def _copy(source: bytes | bytearray, start: int, into: bytearray | memoryview, begin: int) -> int:
    """Write into `into`, which stands at `begin`, what it shares with `source` at `start`; up to where it has it."""
    first, last = max(start, begin), min(start + len(source), begin + len(into))
    if first >= last:
        return 0
    into[first - begin : last - begin] = source[first - start : last - start]
    return last - begin
