"""VTKHDF files that grow while they are written: blocks of geometry over time.

If the process is killed, the file can be opened and holds all frames up to the last `commit`. HDF5 keeps its metadata
in memory until a flush; crash_safe_file writes them in an order in which nothing is unreachable. The data of a frame
are on the disk before the numbers of frames, and these change at once. The oldest format is used: newer ones mark a
file that is open for writing, and no one else may open a file that a killed process has marked.

Layout (VTK File Formats, VTKHDF 2.3), for t frames and blocks of n points:

    /VTKHDF                     attributes Version, Type = PartitionedDataSetCollection
      Assembly/NAME/NAME        soft link to /VTKHDF/NAME
      NAME                      attributes Version, Type = PolyData, Index
        NumberOfPoints          (1,) int64
        Points                  (t n, 3) float32 [m], frame after frame; (n, 3) where they do not move
        Vertices, Lines, Polygons, Strips
          NumberOfCells, NumberOfConnectivityIds   (1,) int64
          Connectivity, Offsets                    int64 numbers of points, and where each cell begins
        PointData/FIELD         (t n,) or (t n, c) float32, frame after frame
        CellData/FIELD          (cells,) or (cells, c), with the attribute `names`
        Steps                   attribute NSteps = t
          Values                (t,) float64 [s], shared by all blocks
          PointOffsets, PointDataOffsets/FIELD     (t,) int64 first row of each frame: 0, n, 2 n ... or 0
          CellDataOffsets/FIELD, PartOffsets, NumberOfParts, CellOffsets, ConnectivityIdOffsets     constant

Data sets that are the same in all blocks are one data set with several names (hard links). Floating-point data are in
chunks of at most ROWS frames, and of at most PIECE bytes unless one frame is larger; full chunks are compressed by
deflate with shuffled bytes.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import h5py
import numpy as np

from polhode.recording.crash_safe_file import CrashSafeFile

VERSION = (2, 3)  # of the VTKHDF format
ROWS = 64  # frames per chunk, at most
MANY = 1024  # the same for data with one number per frame, uncompressed
PIECE = 2**20  # [bytes] per chunk, at most, except for a single frame
SIGN = 0x706F6C686F646500  # placeholder of the numbers of frames until their places in the file are known
LONG = 2**18  # placeholder of the length of the times
PLAIN = 0b11  # filter mask of a chunk that is neither shuffled nor compressed
NO_CELLS = (np.zeros(0, np.int64), np.zeros(1, np.int64))
KINDS = ("Vertices", "Lines", "Polygons", "Strips")  # VTK counts cells in this order

Cells = tuple[np.ndarray, np.ndarray]  # numbers of points, cell after cell; where each begins, and the end


@dataclass(frozen=True, eq=False)
class Block:
    """Geometry of one kind: its cells are constant, its points may move, laboratory frame."""

    name: str
    points: np.ndarray  # (n, 3) [m] at the start
    cells: Mapping[str, Cells] = field(default_factory=dict)  # by kind
    moves: bool = True
    fields: Mapping[str, int] = field(default_factory=dict)  # components of each point field over time, by name
    cell_data: Mapping[str, np.ndarray] = field(default_factory=dict)
    names: Mapping[str, tuple[str, ...]] = field(
        default_factory=dict
    )  # texts that the numbers in cell_data mean, by name

    @cached_property
    def row_bytes(self) -> int:
        """[bytes] of a frame, uncompressed, in float32."""
        numbers = (3 if self.moves else 0) + sum(self.fields.values())
        return 4 * numbers * len(self.points)


def cells_of(rows: np.ndarray) -> Cells:
    """Cells (m, c) of one size: flat numbers of points (m c,), and offsets (m + 1,), int64."""
    return rows.astype(np.int64).ravel(), np.arange(len(rows) + 1, dtype=np.int64) * rows.shape[1]


class GrowableDataset:
    """A data set that grows by rows of `items` entries. Complete chunks are compressed.

    A chunk that is not full is written uncompressed, so that it has its final size, and is overwritten in place until
    it is; so the file never has holes or chunks that move.
    """

    def __init__(self, group: h5py.Group, name: str, items: int, tail: tuple[int, ...], kind: str, packs: bool = True):
        """Create the empty data set `name` in a group.

        items: entries of a row, such as the points of a frame
        tail, kind: shape of an entry, and its type in numpy's letters
        packs: whether full chunks are compressed
        """
        row_bytes = max(1, items) * int(np.prod(tail)) * np.dtype(kind).itemsize
        self.rows = 1 << (int(np.clip(PIECE // max(row_bytes, 1), 1, ROWS if packs else MANY)).bit_length() - 1)
        self.items, self.tail, self._packs = items, tail, packs
        filters = {"compression": "gzip", "compression_opts": 1, "shuffle": True} if packs else {}
        self._set = group.create_dataset(
            name,
            shape=(0, *tail),
            maxshape=(None, *tail),
            chunks=(max(1, self.rows * items), *tail),
            dtype=kind,
            **filters,
        )
        self._waiting: list[np.ndarray] = []
        self._begun = np.empty((0, *tail), kind)  # rows of the chunk that is not full, which are on the disk, too
        self._done = 0  # rows in full chunks on the disk

    @cached_property
    def _piece(self) -> np.ndarray:
        """Buffer of the incomplete chunk."""
        return np.zeros(self._set.chunks, self._set.dtype)

    def add(self, rows: np.ndarray) -> None:
        """Append rows (r * items, ...) at the next commit; they are copied if their type or layout differs."""
        self._waiting.append(np.ascontiguousarray(rows, self._set.dtype).reshape(-1, *self.tail))

    def write(self) -> None:
        """Write the waiting rows to the file; the numbers of frames are written separately.

        Full chunks are compressed, unless a part of the chunk is on the disk: then it keeps its place and size. The
        rest waits in `_begun` for further rows, and is on the disk as well. Raises nothing for a full disk:
        `Writer.commit` does.
        """
        if not self._waiting or self.items == 0:
            return
        begun, length = len(self._begun) > 0, self.rows * self.items
        numbers = np.concatenate([self._begun, *self._waiting])
        self._waiting = []
        self._set.id.set_extent((self._done * self.items + len(numbers), *self.tail))
        while len(numbers) >= length:
            # A chunk that is on the disk keeps its place and size, so that a kill loses nothing of it.
            self._write(numbers[:length], plain=begun)
            numbers, begun = numbers[length:], False
            self._done += self.rows
        if len(numbers):
            self._piece[: len(numbers)] = numbers
            self._write(self._piece, plain=True)
        self._begun = numbers.copy()

    def _write(self, piece: np.ndarray, plain: bool) -> None:
        """Write a chunk past the filters of HDF5: as it is, or shuffled and compressed here."""
        corner = (self._done * self.items, *(0 for _ in self.tail))
        if plain or not self._packs:
            self._set.id.write_direct_chunk(corner, piece.tobytes(), PLAIN if self._packs else 0)
            return
        size = piece.dtype.itemsize
        shuffled = np.ascontiguousarray(piece.reshape(-1).view(np.uint8).reshape(-1, size).T)
        self._set.id.write_direct_chunk(corner, zlib.compress(shuffled.tobytes(), 1))


class Writer:
    """A file of blocks that grows by frames. Further data sets of the caller are added by `grow`.

    Raises OSError if the disk is full; committed frames stay valid, and the file can only be closed. For one thread at
    a time.
    """

    def __init__(self, path: Path, blocks: tuple[Block, ...]):
        """Lay out the blocks of a file, which is on the disk from the first commit of a frame on."""
        self.path, self.rows = path, 0
        self._disk = CrashSafeFile(path)
        self.file = h5py.File(self._disk, "w", libver=("earliest", "v108"))
        self._grown: list[GrowableDataset] = []
        self._resized: list[tuple[h5py.Dataset, tuple[int, ...]]] = []
        self._added = 0  # frames, including those that are not committed
        with ExitStack() as undo:
            undo.callback(self.abandon)
            self._lay_out(blocks)
            undo.pop_all()

    def _lay_out(self, blocks: tuple[Block, ...]) -> None:
        """Create all groups and data sets of the blocks, empty, and defer the numbers of frames."""
        root = self.file.create_group("VTKHDF", track_order=True)
        _head(root, "PartitionedDataSetCollection")
        self._steps = [root.create_group(f"{block.name}/Steps") for block in blocks]
        for number, steps in enumerate(
            self._steps
        ):  # together, so that their counts are close to each other in the file
            steps.attrs.create("NSteps", SIGN + number, dtype="i8")
        self._shared = self._make_shared(self._steps[0])
        self._hold_counts()
        assembly = root.create_group("Assembly", track_order=True)
        self._blocks = {}
        for number, block in enumerate(blocks):
            self._blocks[block.name] = self._make(root[block.name], block, number)
            assembly.create_group(block.name, track_order=True)[block.name] = h5py.SoftLink(f"/VTKHDF/{block.name}")

    def grow(self, name: str, items: int, tail: tuple[int, ...], kind: str, packs: bool = True) -> GrowableDataset:
        """A data set of the caller, outside of VTK's groups, written at each commit; `name` is its path."""
        where, _, last = name.rpartition("/")
        grown = GrowableDataset(self.file.require_group(where), last, items, tail, kind, packs)
        self._grown.append(grown)
        return grown

    def _make_shared(self, steps: h5py.Group) -> dict[str, h5py.Dataset]:
        """The data sets that are the same in all blocks; but for the times only their lengths grow."""
        self._times = self._add(steps, "Values", 1, (), "f8", packs=False)
        made = {"Values": steps["Values"]}
        for name, tail, value in (
            ("PartOffsets", (), 0),
            ("NumberOfParts", (), 1),
            ("CellOffsets", (len(KINDS),), 0),
            ("ConnectivityIdOffsets", (len(KINDS),), 0),
            ("Still", (), 0),
        ):
            made[name] = steps.create_dataset(
                name, (0, *tail), "i8", maxshape=(None, *tail), chunks=(MANY, *tail), fillvalue=value
            )
            self._resized.append((made[name], tail))
        return made

    def _make(self, group: h5py.Group, block: Block, number: int) -> tuple[Block, dict[str, GrowableDataset]]:
        """Create the data sets of a block; gives it with those that grow, by the name of the field."""
        _head(group, "PolyData")
        group.attrs["Index"] = number
        count = len(block.points)
        group["NumberOfPoints"] = np.array([count])
        for kind in KINDS:
            connectivity, offsets = block.cells.get(kind, NO_CELLS)
            of_kind = group.create_group(kind)
            of_kind["NumberOfCells"] = np.array([len(offsets) - 1])
            of_kind["NumberOfConnectivityIds"] = np.array([len(connectivity)])
            of_kind["Connectivity"], of_kind["Offsets"] = connectivity, offsets
        steps, numbers, made = group["Steps"], group.create_group("PointData"), {}
        for name, shared in self._shared.items():
            if name not in steps and name != "Still":
                steps[name] = shared
        offsets = self._shared["Still"]
        if block.moves or block.fields:
            grown = self._add(steps, "Moving", 1, (), "i8", packs=False)
            made["offsets"], offsets = grown, steps["Moving"]
        steps["PointOffsets"] = offsets if block.moves else self._shared["Still"]
        of_points, of_cells = steps.create_group("PointDataOffsets"), steps.create_group("CellDataOffsets")
        if block.moves:
            made["Points"] = self._add(group, "Points", count, (3,), "f4")
        else:
            group["Points"] = block.points.astype("f4")
        for name, components in block.fields.items():
            made[name] = self._add(numbers, name, count, (components,) if components > 1 else (), "f4")
            of_points[name] = offsets
        cells = group.create_group("CellData")
        for name, values in block.cell_data.items():
            cells[name], of_cells[name] = values, self._shared["Still"]
            cells[name].attrs["names"] = np.array(block.names.get(name, ()), dtype=h5py.string_dtype())
        return block, made

    def _add(self, group: h5py.Group, name: str, items: int, tail: tuple[int, ...], kind: str, packs: bool = True):  # type: ignore[no-untyped-def]
        """A data set of VTK's that grows, registered for commits."""
        grown = GrowableDataset(group, name, items, tail, kind, packs)
        self._grown.append(grown)
        return grown

    def add(self, times: np.ndarray, moved: Mapping[str, Mapping[str, np.ndarray]]) -> None:
        """Add r frames at times (r,) [s], which become valid by `commit`.

        moved: by block and field, arrays (r, n) or (r, n, c); "Points" are positions (r, n, 3) [m]
        """
        for name, (block, made) in self._blocks.items():
            for what, grown in made.items():
                if what == "offsets":
                    grown.add((self._added + np.arange(len(times))) * len(block.points))
                else:
                    values = moved[name][what]
                    grown.add(values.reshape(-1, *grown.tail))
        self._times.add(times)
        self._added += len(times)

    def commit(self) -> None:
        """Make everything added so far valid in the file; raises OSError where the disk is full.

        The file appears on the disk with its first frames, or not at all.
        Each data set that grows, those of `grow` too, must have got its rows for the frames before.
        """
        for grown in self._grown:
            grown.write()
        for shared, tail in self._resized:
            shared.id.set_extent((self._added, *tail))
        for steps in self._steps:
            steps.attrs.modify("NSteps", np.int64(self._added))
        self.file.flush()
        self._disk.commit()
        if self._added:
            self._disk.publish()
        self.rows = self._added

    def _hold_counts(self) -> None:
        """Defer the places in the file of all numbers of frames: NSteps of each block, and the length of the times.

        They must change at once: VTK takes no file whose blocks disagree, and breaks where there are more times. HDF5
        does not tell where it keeps them, so they get unusual values first, which are looked for in the file.
        """
        times = self._shared["Values"]
        times.resize(LONG, axis=0)
        self.file.flush()
        self._disk.check()
        self._disk.seek(0)
        content = self._disk.read()
        signs = [(SIGN + k).to_bytes(8, "little") for k in range(len(self._steps))]
        found = [content.find(sign) for sign in (*signs, LONG.to_bytes(8, "little") + b"\xff" * 8)]
        assert min(found) > 0, "HDF5 keeps numbers otherwise than it did"
        times.resize(0, axis=0)
        for steps in self._steps:
            steps.attrs.modify("NSteps", np.int64(0))
        self.file.flush()
        for offset in found:
            self._disk.defer(offset)

    def close(self) -> None:
        """Close without frames that are not committed. Does not raise for a full disk."""
        self.file.close()
        self._disk.close()

    def abandon(self) -> None:
        """Close and delete the file, also where closing fails to write."""
        self.close()
        if self._disk.is_published:
            self.path.unlink(missing_ok=True)


def _head(group: h5py.Group, kind: str) -> None:
    """Write the attributes by which VTK knows a group."""
    group.attrs.create("Version", VERSION, dtype="i8")
    group.attrs.create("Type", np.bytes_(kind))
