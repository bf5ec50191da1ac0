r"""A UDF file as its blocks: \include of the schema, header, data, and one record per report of PEM.

A block is \begin{NAME} ... \end{NAME}. Blocks of the schema itself (DEFINITIONS), which some files carry along, are
passed over: the schema is known here. A file may have several data blocks; a name may occur in one of them only.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

from polhode.scene.files.file_io import contents
from polhode.scene.message import Message
from polhode.scene.problem import InputError, did_you_mean
from polhode.udf.schema import DATA, HEADER, RESULT, Kind, Struct, read_value
from polhode.udf.tokenizer import Words, decoded

VERSIONS = ("1.0", "1.1", "1.2", "1.3")
LARGEST = 2**29  # [bytes] of text, with its records; all of it is in memory while it is read
SCHEMA = re.compile(r"(?i)(?:.*[/\\])?pem(?:(\d+)_(\d+))?(?:_def)?\.udf")
"""Names of schema files: pem_def.udf, or with a version as pem1_3_def.udf, with or without a folder."""
DEFINITIONS = ("def", "global_def", "unit")  # blocks of the schema itself


@dataclass
class UdfDocument:
    """Contents of a file, by the names of the schema, in file units.

    - header: texts of HEADER, as far as the file states them
    - data: unitParameter, which may be missing, body and simulation
    - records: one for each report, each with simulationResult; only on request
    """

    header: Struct = field(default_factory=lambda: Struct(1))
    data: Struct = field(default_factory=lambda: Struct(1))
    records: list[Struct] = field(default_factory=list)


def read_document(path: Path, records: bool = False) -> UdfDocument:
    """The input of a file, and on request its records. Raises InputError with the line of the first fault.

    Without `records` reading ends where they begin, so a long output file is not parsed as a whole. It is decoded as a
    whole: at most LARGEST bytes.
    """
    words = Words(str(path), decoded(contents(path, LARGEST), str(path)))
    document = UdfDocument()
    while words.kind != "end":
        if words.kind == "command" and words.value == "include":
            _check_schema(words)
        elif not _block(words, document, records):
            break
    missing = [name for name in ("body", "simulation") if name not in document.data]
    if missing:
        rule = Message("has no data named {names}, so it is no input of PEM", names=" and ".join(missing))
        raise InputError.of(str(path), rule, Message("open a file that PEM can run"))
    return document


def _block(words: Words, document: UdfDocument, records: bool) -> bool:
    """Read one block into the document; False before unrequested records. Raises InputError for an unknown block."""
    block = words.command("begin", "the outermost level")
    if block in DEFINITIONS:
        words.leave(block)
    elif block == "data":
        _assign(words, DATA, document.data)
    elif block == "header":
        _header(words, document.header)
    elif block == "record":
        if not records:
            return False
        document.records.append(_record(words))
    else:
        words.fault(
            Message("\\begin{{{block}}} is no block of a UDF file", block=block[:40]),
            Message("remove it, or open a file of PEM"),
        )
    return True


def _check_schema(words: Words) -> None:
    """Read the name of the schema in braces. Raises InputError for unknown versions of PEM."""
    line, name = words.line, words.command("include", "\\include")
    found = SCHEMA.fullmatch(name)
    if found is None or (found[1] and f"{found[1]}.{found[2]}" not in VERSIONS):
        rule = Message(
            "includes '{name}', which is no schema of PEM {first} to {last}",
            name=name[:60],
            first=VERSIONS[0],
            last=VERSIONS[-1],
        )
        words.fault(rule, Message("open a file of these versions"), line)


def _header(words: Words, header: Struct) -> None:
    """Read the header: the data of HEADER, other blocks are passed over.

    An engine or a version that is not stated counts as PEM's newest. Raises InputError for any other.
    """
    line = words.line
    while not (words.kind == "command" and words.value == "end"):
        block = words.command("begin", "the header")
        if block == "data":
            _assign(words, HEADER, header)
        else:
            words.leave(block)
    _close(words, "header")
    engine, version = header.get("EngineType", "pem"), header.get("EngineVersion", VERSIONS[-1])
    if engine != "pem" or version not in VERSIONS:
        rule = Message(
            "was written for {engine} {version}, not for PEM {first} to {last}",
            engine=engine[:40],
            version=version[:40],
            first=VERSIONS[0],
            last=VERSIONS[-1],
        )
        words.fault(rule, Message("open a file of these versions"), line)


def _record(words: Words) -> Struct:
    """Read one record, from its name in braces to its end. Raises InputError where it has no result."""
    words.expect("{", "\\begin{record}")
    name = words.text("the name of a record")
    words.expect("}", "\\begin{record}")
    record = Struct(words.line)
    if words.command("begin", f"record {name}") != "data":
        words.fault(Message("record {name} has no \\begin{{data}}", name=name), Message("add it"))
    _assign(words, RESULT, record)
    _close(words, "record")
    if not record:
        words.fault(Message("record {name} has no simulationResult", name=name), Message("remove it, or run PEM again"))
    return record


def _assign(words: Words, layout: dict[str, Kind], into: Struct) -> None:
    r"""Read `name:value` up to \end{data} into a struct, its last argument; layout: types of the known names.

    An array may have [] after its name. Raises InputError for an unknown name, with the most similar, or a repeated
    one.
    """
    while words.kind != "command":
        line, name = words.line, words.value
        if words.kind != "word":
            words.wrong("\\begin{data}", Message("a name or \\end{data}"))
        if name not in layout:
            remedy = did_you_mean(name, layout, Message("known are {known}", known=", ".join(layout)))
            words.fault(Message("'{name}' is not known here", name=name[:40]), remedy)
        if name in into:
            words.fault(Message("'{name}' is repeated here", name=name), Message("remove one of them"))
        words.step()
        if words.skip("["):
            words.expect("]", name)
        words.expect(":", name)
        into[name] = read_value(words, layout[name], name)
        if not into:
            into.line = line
    _close(words, "data")


def _close(words: Words, block: str) -> None:
    r"""Go past \end{block}. Raises InputError where another block is closed."""
    if words.command("end", f"\\begin{{{block}}}") != block:
        words.fault(
            Message("\\begin{{{block}}} is closed by another \\end", block=block),
            Message("write \\end{{{block}}}", block=block),
        )
