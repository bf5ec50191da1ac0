"""Members of zip archives, unpacked by the piece and counted: the sizes that a zip states are not trusted. The only
module that unpacks a zip. Readers choose the members; nothing else is unpacked, and no member that another library
would find under the same name.
"""

from __future__ import annotations

import posixpath
import re
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from struct import error as StructError  # noqa: N812  (a class, in spite of its name)
from typing import IO, BinaryIO

from polhode.scene.files.file_io import PIECE, TooLarge, all_bytes, regular
from polhode.scene.message import Message
from polhode.scene.problem import InvalidValue

DAMAGED = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError)
MISPLACED = (*DAMAGED, StructError, ValueError, IndexError)  # before the first byte of a member
METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
OLDEST = (1980, 1, 1, 0, 0, 0)  # time of files in an archive
LARGEST_DIRECTORY = 4 * 2**20  # [bytes] of a zip whose members are read as files; some 40 000 of them
IN_ZIP = re.compile(r"(?is)(.+?\.zip)#(?:/(.*))?")


class Counted:
    """A member of a zip that refuses to give more than `most` bytes, whatever the zip states."""

    def __init__(self, file: IO[bytes], most: int):
        self._file, self._left, self._most = file, most, most

    def read(self, size: int) -> bytes:
        """Up to `size` bytes, which must be stated, or all would be unpacked at once. Raises TooLarge."""
        if size < 0:
            raise ValueError("a member is read by the piece")
        piece = self._file.read(min(size, self._left + 1))
        self._left -= len(piece)
        if self._left < 0:
            raise TooLarge(self._most - self._left)
        return piece


def open_zip(file: BinaryIO) -> zipfile.ZipFile:
    """The directory of a zip. Raises InvalidValue for a damaged one."""
    try:
        return zipfile.ZipFile(file)
    except MISPLACED as error:
        raise damaged() from error


@contextmanager
def member(archive: zipfile.ZipFile, info: zipfile.ZipInfo, most: int) -> Iterator[Counted]:
    """A member of up to `most` bytes, for as long as it is read.

    Raises InvalidValue for one that is damaged or can't be unpacked, and TooLarge, also before it is read where it
    states its size. Of other methods than deflate Python unpacks a whole piece at once, whatever it grows to.
    """
    if info.compress_type not in METHODS:
        rule = Message("is packed by another method than deflate")
        raise InvalidValue(rule, Message("pack it again as an ordinary zip"))
    if info.file_size > most:
        raise TooLarge(info.file_size)
    try:
        opened = archive.open(info)
    except MISPLACED as error:
        raise damaged() from error
    try:
        with opened:
            yield Counted(opened, most)
    except DAMAGED as error:
        raise damaged() from error


def unpacked(archive: zipfile.ZipFile, infos: Iterable[zipfile.ZipInfo], most: int) -> dict[str, bytes]:
    """Contents of members by name, of up to `most` bytes together. Raises as `member`."""
    found: dict[str, bytes] = {}
    for info in infos:
        with member(archive, info, most) as file:
            found[info.filename] = b"".join(iter(lambda: file.read(PIECE), b""))
        most -= len(found[info.filename])
    return found


def packed(members: Mapping[str, bytes], method: int = zipfile.ZIP_STORED) -> bytes:
    """A zip of these members and no others; equal members make equal bytes. method: one of METHODS"""
    with zipfile.ZipFile(out := BytesIO(), "w") as archive:
        for name, content in members.items():
            archive.writestr(zipfile.ZipInfo(name, OLDEST), content, method)
    return out.getvalue()


def damaged() -> InvalidValue:
    """The error for a zip that can't be unpacked."""
    return InvalidValue(Message("is a damaged zip, or one with a password"), Message("export it again"))


def place_in_zip(path: Path) -> tuple[Path, str] | None:
    """The zip and the member in it that a path such as `robots.zip#/arm/link.stl` means; None for other paths.

    Dots in the path of the member are taken out as in folders; one that leads out of the zip is no name of a member.
    """
    found = IN_ZIP.fullmatch(path.as_posix())
    return (Path(found[1]), posixpath.normpath(found[2] or ".")) if found else None


def member_names(zip_file: Path) -> list[str]:
    """Names of the files in a zip. Raises as `member_content`."""
    with regular(zip_file) as file:
        return [info.filename for info in open_zip(_ByPieces(file)).infolist() if not info.is_dir()]


def file_or_member(path: Path, most: int) -> bytes:
    """All bytes of a file, or of the member of a zip that a path names, at most `most`. Raises as `member_content`."""
    inside = place_in_zip(path)
    return all_bytes(path, most) if inside is None else member_content(*inside, most)


def is_file_or_member(path: Path) -> bool:
    """Whether a path is that of a file, or of a file in a zip."""
    inside = place_in_zip(path)
    try:
        return path.is_file() if inside is None else inside[1] in member_names(inside[0])
    except (OSError, ValueError):
        return False


def member_content(zip_file: Path, name: str, most: int) -> bytes:
    """Content of the member of a zip, of up to `most` bytes, read as a file.

    Raises FileNotFoundError for one that is not there, InvalidValue for a damaged zip, TooLarge, also for a zip with a
    directory of more than LARGEST_DIRECTORY bytes, and any other OSError.
    """
    with regular(zip_file) as file:
        archive = open_zip(_ByPieces(file))
        try:
            info = archive.getinfo(name)
        except KeyError:
            raise FileNotFoundError(name) from None
        return unpacked(archive, [info], most)[info.filename]


class _ByPieces(BytesIO):
    """A file that gives pieces of up to LARGEST_DIRECTORY bytes only: the directory of a zip is read as one."""

    def __init__(self, file: BinaryIO):
        super().__init__()
        self._file = file
        self.seek, self.tell = file.seek, file.tell  # type: ignore[method-assign]

    def read(self, size: int | None = -1, /) -> bytes:
        """Up to `size` bytes, or all of the rest. Raises TooLarge for more than a piece."""
        wanted = LARGEST_DIRECTORY + 1 if size is None or size < 0 else size
        if wanted <= LARGEST_DIRECTORY + 1 and len(piece := self._file.read(wanted)) <= LARGEST_DIRECTORY:
            return piece
        raise TooLarge(wanted)
