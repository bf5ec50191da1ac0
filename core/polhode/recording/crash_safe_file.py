"""A crash-consistent file for HDF5: valid after every single write, even if the process is killed.

HDF5 can't close a file on a full disk, and crashes at the end. After the first write that fails nothing more is written
to the disk: the file keeps its last valid contents, as if the process had been killed. Later reads by HDF5 are served
from memory, so that it can end normally. A write succeeds or has no effect: space is allocated before.

Writes over data that existed at the last `commit` wait for the next one; only new offsets, to which nothing points yet,
are written at once. A commit writes tree nodes from the root down, so that none is ever unreachable, and finally the
deferred offsets by one write. The end of file stated in the first bytes is always the real one, because readers do not
read beyond it.

The protocol, from the side of core/polhode/recording/vtkhdf.py:

1. Lay out the file, and `defer` the 8-byte numbers that say how many frames there are. From here on overwriting waits.
2. Add the first frame, `commit`, and `publish`. Until then the file is in memory; it appears on the disk in one step.
3. Add frames and flush HDF5. Their data go to new space on the disk; changed metadata wait in memory.
4. `commit`: waiting metadata, tree nodes by falling level, then all deferred numbers at once. A reader that comes, or a
   kill that falls, between any two writes finds the frames of the last commit.
5. `close`, which commits what is consistent; without it the file is as after the last commit.

What the process has written survives it. Against a loss of power the file is not synchronized.
"""

from __future__ import annotations

import io
import os
from contextlib import ExitStack
from io import FileIO
from pathlib import Path
from typing import TYPE_CHECKING

from polhode.scene.files.file_writing import replacing

if TYPE_CHECKING:
    from typing_extensions import Buffer


NUMBER = 8  # [bytes] of a deferred value
END = 40  # [bytes] offset of the end-of-file address in the oldest format
NODE = b"TREE"  # signature of a tree node; its level, 0 for leaves, is the sixth byte


class CrashSafeFile(io.RawIOBase):
    """A new unbuffered file for reading and writing. `check` raises if anything is not on the disk.

    It is in memory until `publish`. Writing never raises for the disk, because HDF5 would not survive that; the error
    waits for `check`. For one thread at a time.
    """

    def __init__(self, path: Path):
        """Begin a file in memory, which is to get this path."""
        self._path = path.resolve()  # a link is kept
        self._file: io.BytesIO | FileIO = io.BytesIO()
        self._position = self._size = 0  # [bytes] the size on the disk
        self._failure: BaseException | None = None
        self._waiting: list[tuple[int, bytes]] = []  # writes that are not on the disk: position and content
        self._old = 0  # [bytes] the size at the last commit
        self._held: dict[
            int, tuple[bytes, bytearray]
        ] = {}  # by position: the content on the disk, and that of the next commit

    @property
    def is_published(self) -> bool:
        """Whether the file is on the disk."""
        return isinstance(self._file, FileIO)

    def publish(self) -> None:
        """Put the file on the disk, in place of another of its name; later calls have no effect.

        Raises OSError where it can't be written; then there is no new file, and an older one of its name stays.
        """
        if self.is_published:
            return
        with replacing(self._path) as file:
            file.write(self._file.getvalue())  # type: ignore[union-attr]
        self._file = FileIO(self._path, "r+")

    def check(self) -> None:
        """Raise the error that stopped a write, if there was one."""
        if self._failure is not None:
            raise self._failure

    def readable(self) -> bool:
        """True: HDF5 reads its own data."""
        return True

    def writable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = os.SEEK_SET, /) -> int:
        """Move to a position [bytes], which is returned; from the end, counting what waits in memory."""
        self._position = offset + (0, self._position, self._end)[whence] if whence else offset
        return self._position

    @property
    def _end(self) -> int:
        """Size [bytes] that HDF5 sees: on the disk, or waiting."""
        return max(self._size, *(offset + len(content) for offset, content in self._waiting), 0)

    def tell(self) -> int:
        return self._position

    def defer(self, offset: int) -> None:
        """Defer all later writes to the 8 bytes at `offset` [bytes], and over present data, to `commit`."""
        self._position = offset
        content = self.read(NUMBER)
        self._held[offset] = content, bytearray(content)
        self._old = self._size

    def commit(self) -> None:
        """Write everything that waits, deferred offsets at once. Raises as `check`."""
        self._settle()
        self.check()

    def _settle(self) -> None:
        """Write deferred data in the order that keeps the file valid; no effect after failures or before `defer`."""
        if self._failure is not None or not self._held:
            return
        nodes = {offset: late for offset, late in self._waiting if late.startswith(NODE)}
        others = [(offset, late) for offset, late in self._waiting if not late.startswith(NODE)]
        self._waiting = []
        for offset, late in (*others, *sorted(nodes.items(), key=lambda node: -node[1][5])):
            self._write_now(offset, memoryview(late))
        first = min(self._held)
        self._position, self._held, held = first, {}, self._held
        content = bytearray(self.read(max(held) + NUMBER - first))
        for offset, (_, new) in held.items():
            content[offset - first : offset - first + NUMBER] = new
        self._write_now(first, memoryview(content))
        self._held = {offset: (bytes(new), new) for offset, (_, new) in held.items()}
        self._old = self._size

    def readinto(self, into: Buffer, /) -> int:
        """Fill a buffer from the disk, overlaid with what waits; returns the number of bytes up to the end of both."""
        with memoryview(into).cast("B") as content:
            self._file.seek(self._position)
            count = self._file.readinto(content)
            content[count:] = bytes(len(content) - count)
            for offset, late in self._waiting:
                count = max(count, _copy(late, offset, content, self._position))
            for offset, (_, new) in self._held.items():
                _copy(new, offset, content, self._position)
        self._position += count
        return count

    def write(self, given_: Buffer, /) -> int:
        """Write to new space at once, keep what overwrites older data for `commit`; returns the number of bytes."""
        with memoryview(given_).cast("B") as given:
            count = len(given)
            late = max(0, min(count, self._old - self._position)) if self._held else 0
            content = self._without_held(given)
            if late:
                self._waiting.append((self._position, bytes(content[:late])))
            if late < count:
                self._write_now(self._position + late, content[late:])
            self._position += count
            return count

    def _without_held(self, content: memoryview) -> memoryview:
        """The content with the old values of deferred offsets; the new values wait in memory for `commit`."""
        if (
            not self._held
            or self._position >= max(self._held) + NUMBER
            or self._position + len(content) <= min(self._held)
        ):
            return content
        given = bytearray(content)
        for offset, (old, new) in self._held.items():
            _copy(given, self._position, new, offset)
            _copy(old, offset, given, self._position)
        return memoryview(given)

    def _write_now(self, offset: int, content: memoryview) -> None:
        """Write to the disk, or keep the content in memory from the first failure on."""
        if self._failure is None:
            try:
                self._grow(offset + len(content))
                self._file.seek(offset)
                done = 0
                while done < len(content):
                    done += self._file.write(content[done:])
            except (OSError, KeyboardInterrupt) as error:  # HDF5 would treat Ctrl-C as a disk error
                self._failure = error
        if self._failure is not None:
            self._waiting.append((offset, bytes(content)))

    def _grow(self, size: int) -> None:
        """Allocate space up to a size [bytes], by the file system or by writing zeros; without effect for a smaller
        size.

        Raises OSError if the disk is full; the file then keeps its length.
        """
        count = size - self._size
        if count <= 0:
            return
        with ExitStack() as undo:
            undo.callback(self._file.truncate, self._size)
            if self.is_published and hasattr(os, "posix_fallocate"):
                os.posix_fallocate(self._file.fileno(), self._size, count)
            else:
                self._file.seek(self._size)
                while count > 0:
                    count -= self._file.write(bytes(min(count, 2**20)))
            undo.pop_all()
        self._size = size
        self._tell_end()

    def _tell_end(self) -> None:
        """Write the size of the file to the place where HDF5 states it, if the file is laid out."""
        if self._held:
            self._file.seek(END)
            self._file.write(self._size.to_bytes(NUMBER, "little"))

    def truncate(self, size: int | None = None, /) -> int:
        """Set the size [bytes], by default to the present position; new space is allocated."""
        size = self._position if size is None else size
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
        """Commit the last consistent state, and close. Does not raise for the disk."""
        if not self.closed:
            self._settle()
        self._file.close()
        super().close()


def _copy(source: bytes | bytearray, start: int, into: bytearray | memoryview, begin: int) -> int:
    """Copy the common range of `source`, which begins at `start` [bytes], and `into`, which begins at `begin`.

    Returns the number of bytes of `into` up to the end of the common range, or 0.
    """
    first, last = max(start, begin), min(start + len(source), begin + len(into))
    if first >= last:
        return 0
    into[first - begin : last - begin] = source[first - start : last - start]
    return last - begin
