"""Error texts of operating systems for files, listed for the catalogues of translations.

Messages quote the text of the system (`reason_of`); a translation is found by that text. Texts that are missing here
are shown in English.
"""

from __future__ import annotations

from polhode.scene.message import Message

TEXTS = (
    Message("Operation not permitted"),
    Message("No such file or directory"),
    Message("Input/output error"),
    Message("Permission denied"),
    Message("Device or resource busy"),
    Message("File exists"),
    Message("No such device"),
    Message("No such device or address"),
    Message("Not a directory"),
    Message("Is a directory"),
    Message("Invalid argument"),
    Message("Too many open files"),
    Message("File too large"),
    Message("No space left on device"),
    Message("Read-only file system"),
    Message("File name too long"),
    Message("Disk quota exceeded"),
)
"""In the words of `os.strerror`."""

WITHIN = (
    Message("no such file or directory"),
    Message("permission denied"),
    Message("is a directory"),
    Message("not a directory"),
    Message("input/output error"),
    Message("file name too long"),
)
"""Those that follow the name of a recording."""
