"""Reading of whole files.

Files come from other people, so reading has limits: regular files only, of a stated size at most, and no call waits for
a pipe or a terminal. core/polhode/scene/files/file_writing.py writes files.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

from polhode.scene.message import Message
from polhode.scene.problem import InputError, InvalidValue, reason_of

# Opening a pipe does not wait, a terminal does not become the controlling one, and line ends are not translated.
READ = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0) | getattr(os, "O_BINARY", 0)
PIECE = 2**20  # [bytes]
NO_DEVICE = (errno.ENXIO, getattr(errno, "EOPNOTSUPP", errno.ENXIO))  # errors of opening a socket


class NotRegular(OSError):
    """The path is a device, a pipe or a socket, from which a program may read for ever."""

    def __init__(self) -> None:
        super().__init__(errno.EINVAL, Message("it is a device, a pipe or a socket"))


class TooLarge(OSError):
    """The file is larger than its reader allows; `size` [bytes] is how much it has, or at least has."""

    def __init__(self, size: int):
        super().__init__(errno.EFBIG, os.strerror(errno.EFBIG))
        self.size = size  # [bytes]


def regular(path: Path, flags: int = 0) -> BinaryIO:
    """Open a regular file for reading, at its start; a symbolic link is followed unless `flags` say otherwise.

    flags: further flags of os.open, such as O_NOFOLLOW

    Raises NotRegular, IsADirectoryError or another OSError, without blocking, for anything else. The open file is
    examined, not the name, which may mean something else by then.
    """
    try:
        descriptor = os.open(path, READ | flags)
    except OSError as error:
        if error.errno in NO_DEVICE:
            raise NotRegular from None
        if isinstance(error, PermissionError) and path.is_dir():  # Windows reports folders so
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR)) from None
        raise
    try:
        mode = os.fstat(descriptor).st_mode  # of the open file: the name may lead elsewhere by now
        if stat.S_ISDIR(mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        if not stat.S_ISREG(mode):
            raise NotRegular
        return os.fdopen(descriptor, "rb")
    except OSError:
        os.close(descriptor)
        raise


def all_bytes(path: Path, largest: int, flags: int = 0) -> bytes:
    """All bytes of a regular file, at most `largest` [bytes].

    The limit holds as well for files that have more than they state, such as those in /proc. Raises TooLarge,
    NotRegular or another OSError.
    """
    with regular(path, flags) as file:
        size = os.fstat(file.fileno()).st_size
        if size > largest:
            raise TooLarge(size)
        content = file.read(size + 1) or b""
        while len(content) <= largest and (more := file.read(min(PIECE, largest + 1 - len(content)))):
            content += more  # files in /proc are longer than they state
    if len(content) > largest:
        raise TooLarge(len(content))
    return content


def contents(path: Path, largest: int, read: Callable[[Path, int], bytes] = all_bytes) -> bytes:
    """All bytes of a scene's file, at most `largest` [bytes], by `read`, which takes these two.

    Raises InputError, with a rule and a remedy for each cause, where it can't be read, or holds nothing but white
    space.
    """

    def fault(rule: Message, remedy: Message) -> InputError:
        return InputError.of(str(path), rule, remedy)

    try:
        content = read(path, largest)
    except InvalidValue as bad:
        raise InputError(str(path), [bad.problem]) from None
    except IsADirectoryError:
        raise fault(Message("is a folder, not a file"), Message("name the scene file in it")) from None
    except NotRegular:
        raise fault(Message("is a device, a pipe or a socket, not a file"), Message("name a regular file")) from None
    except TooLarge as large:
        rule = Message(
            "is {size:.0f} MB, more than the {most:.0f} of any scene", size=large.size / 2**20, most=largest / 2**20
        )
        raise fault(rule, Message("is it a scene?")) from None
    except FileNotFoundError:
        raise fault(Message("there is no such file"), Message("check the name and the folder")) from None
    except PermissionError:
        raise fault(Message("you may not read this file"), Message("change its permissions")) from None
    except ValueError:  # a name with a zero character
        raise fault(Message("has a name that no file can have"), Message("check the name")) from None
    except OSError as error:
        raise fault(
            Message("cannot be read ({reason})", reason=reason_of(error)),
            Message("check the file and the disk"),
        ) from error
    if not content.strip():
        raise fault(Message("is empty"), Message("copy one of the built-in scenes to start from"))
    return content
