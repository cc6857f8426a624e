"""The bytes of a card file, piece by piece, whether it is plain or compressed; which it is shows in its first bytes."""

from __future__ import annotations

import bz2
import gzip
import lzma
import zipfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO

from lawmage.errors import InputError

__all__ = ["LARGEST", "Progress", "begins_as_json", "pieces"]

#: The most bytes that a file may have when it is unpacked; the publishers' largest has 2.5 GB.
LARGEST = 4 * 2**30
#: The most memory that unpacking may take, in bytes: xz files say how much they want.
_MEMORY = 128 * 2**20
_PIECE = 2**16
_GZIP, _XZ, _ZIP, _BZIP = b"\x1f\x8b", b"\xfd7zXZ\x00", b"PK\x03\x04", b"BZh"
_DAMAGE = (EOFError, OSError, lzma.LZMAError, zlib.error, zipfile.BadZipFile, RuntimeError, NotImplementedError, ValueError)

#: Called with how many bytes of the file, as it is on disk, have been read, and how many it has.
Progress = Callable[[int, int], None]


def begins_as_json(path: Path) -> bool:
    """Return whether a file, unpacked if need be, begins with an object or an array.

    Raises:
        InputError: if it can't be read.
    """
    start = b""
    for piece in pieces(path):
        start = (start + piece).removeprefix(b"\xef\xbb\xbf").lstrip()
        if start:
            break
    return start[:1] in (b"{", b"[")


def pieces(path: Path, progress: Progress | None = None) -> Iterator[bytes]:
    """Yield the bytes of a file, unpacked; never more than 64 KiB at once.

    Raises:
        InputError: if it can't be read, is damaged or cut off, or is too large.
    """
    try:
        with path.open("rb") as file:
            size = path.stat().st_size
            total = 0
            for piece in _unpacked(file, path):
                total += len(piece)
                if total > LARGEST:
                    raise InputError(f"has more than {LARGEST >> 30} GB when it is unpacked; expected a file of cards", file=path)
                if progress is not None:
                    progress(file.tell(), size)
                yield piece
    except (FileNotFoundError, PermissionError, IsADirectoryError) as error:
        raise InputError(f"can't be read ({error.strerror})", file=path) from None
    except _DAMAGE as error:
        raise InputError(f"is damaged or cut off ({error or type(error).__name__})", file=path) from None


def _unpacked(file: IO[bytes], path: Path) -> Iterator[bytes]:
    start = file.read(6)
    file.seek(0)
    if start.startswith(_GZIP):
        return _read(gzip.GzipFile(fileobj=file))
    if start.startswith(_BZIP):
        return _read(bz2.BZ2File(file))
    if start == _XZ:
        return _unpacked_xz(file)
    if start.startswith(_ZIP):
        return _unpacked_zip(file, path)
    return _read(file)


def _read(file: IO[bytes] | gzip.GzipFile | bz2.BZ2File) -> Iterator[bytes]:
    while piece := file.read(_PIECE):
        yield piece


def _unpacked_xz(file: IO[bytes]) -> Iterator[bytes]:
    """Yield what an xz file holds; `lzma.open` would take whatever memory the file asks for."""
    packed = file.read(_PIECE)
    while packed:
        unpack = lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=_MEMORY)
        while not unpack.eof:
            if unpack.needs_input and not packed:
                packed = file.read(_PIECE)
                if not packed:
                    raise EOFError("it ends too early")
            yield unpack.decompress(packed, _PIECE)
            packed = b""
        packed = unpack.unused_data or file.read(_PIECE)


def _unpacked_zip(file: IO[bytes], path: Path) -> Iterator[bytes]:
    with zipfile.ZipFile(file) as archive:
        names = [one for one in archive.infolist() if one.filename.lower().endswith((".json", ".jsonl"))]
        if len(names) != 1:
            raise InputError(f"is a zip archive with {len(names)} JSON files; expected one", file=path)
        with archive.open(names[0]) as member:
            yield from _read(member)
