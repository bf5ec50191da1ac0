"""The content of a mesh file as corners of triangles: regular files of bounded size only. No compiler."""

from __future__ import annotations

import os
from pathlib import Path

from polhode.mesh.files.damage import Damaged
from polhode.mesh.files.formats import FORMATS, LARGEST, Read, read_format
from polhode.mesh.files.udf import read_udf
from polhode.scene.files.file_io import NotRegular, TooLarge, regular
from polhode.scene.files.zip_archive import file_or_member, place_in_zip
from polhode.scene.message import Message
from polhode.scene.problem import InvalidValue
from polhode.udf.meshes import container

ENDINGS = tuple(FORMATS)
IN_UDF = ".udf#"  # start of the ending of a mesh in a UDF file


def corners_of(path: Path) -> Read:
    """Corners (m, 3, 3) of the triangles of a file [file units], its frame, and notes. Raises Damaged with remedies."""
    ending = path.suffix.lower()
    if ending not in ENDINGS and not ending.startswith(IN_UDF):
        raise Damaged(
            Message("has the unknown ending '{ending}'", ending=path.suffix),
            Message("give one of {endings}", endings=" ".join(ENDINGS)),
        )
    if ending.startswith(IN_UDF):
        _content(container(path), 0)
        return Read(read_udf(path))
    content = _content(path, FORMATS[ending].largest)
    if not content:
        raise Damaged(Message("is empty (0 bytes)"), Message("export it again"))
    return read_format(content, ending)


def _content(path: Path, largest: int) -> bytes:
    """All bytes of a file, or of a member of a zip, of at most `largest` [bytes]; none of a regular file if that is 0.

    Raises Damaged.
    """
    if "\0" in str(path):
        raise Damaged(Message("has a name that no file can have"), Message("check the name"))
    try:
        if largest == 0:
            regular(path).close()
            return b""
        return file_or_member(path, largest if place_in_zip(path) is None else min(largest, LARGEST))
    except InvalidValue as fault:
        raise Damaged(Message("is in a file that {fault}", fault=fault.problem.rule), fault.problem.remedy) from None
    except IsADirectoryError:
        raise Damaged(Message("is a folder"), Message("give a file")) from None
    except NotRegular:
        raise Damaged(Message("is a device, a pipe or a socket, not a file"), Message("name a regular file")) from None
    except TooLarge as large:
        size = large.size / 1e9
        raise Damaged(
            Message("has {size:.1f} GB, the limit is {most:.2g} GB", size=size, most=(largest + 1) / 1e9),
            Message("reduce its triangles"),
        ) from None
    except FileNotFoundError:
        raise Damaged(
            Message("is not in {folder}", folder=path.parent.resolve()), Message("check the name and the folder")
        ) from None
    except PermissionError:
        raise Damaged(Message("may not be read (no permission)"), Message("change its permissions")) from None
    except OSError as error:
        raise Damaged(
            Message("cannot be read ({reason})", reason=Message(os.strerror(error.errno or 0))),
            Message("check the file and its disk"),
        ) from None
