"""Zips that state less than they unpack to."""

from __future__ import annotations

import bz2
import struct
import zipfile
import zlib


def understated(text: bytes, method: int, unpacked: int, name: str) -> bytes:
    """A zip whose only member states `text`, with the right checksum, and unpacks to `unpacked` bytes [2**20]."""
    piece = b" " * 2**20
    if method == zipfile.ZIP_DEFLATED:  # after a full flush blocks stand for themselves, and may be repeated
        packer = zlib.compressobj(9, zlib.DEFLATED, -15)
        content = packer.compress(text) + packer.flush(zlib.Z_FULL_FLUSH)
        content += (packer.compress(piece) + packer.flush(zlib.Z_FULL_FLUSH)) * (unpacked // 2**20) + packer.flush()
    else:
        content = bz2.compress(text + piece * (unpacked // 2**20))
    encoded = name.encode()
    about = struct.pack("<HHIIIH", 0, 0, zlib.crc32(text), len(content), len(text), len(encoded))
    local = struct.pack("<4sHHH", b"PK\3\4", 20, 0, method) + about + struct.pack("<H", 0) + encoded + content
    entry = struct.pack("<4sHHHH", b"PK\1\2", 20, 20, 0, method) + about + bytes(16) + encoded
    return local + entry + struct.pack("<4sHHHHIIH", b"PK\5\6", 0, 0, 1, 1, len(entry), len(local), 0)
