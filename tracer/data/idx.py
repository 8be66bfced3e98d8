"""Read IDX files, the format of MNIST, plain or gzipped, and refuse damaged ones."""

import gzip
import math
import os
import zlib
from importlib.resources.abc import Traversable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Source = str | os.PathLike[str] | Traversable

IMAGES = 2051
LABELS = 2049
CLASSES = 10

_KINDS = {IMAGES: "images", LABELS: "labels"}
_GZIP_MAGIC = b"\x1f\x8b"
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_REMEDY = "delete it and fetch it again"


def read_idx(path: Source, magic: int | None = None) -> NDArray[np.uint8]:
    """Return the array in an IDX file of images or of labels.

    Whether the file is gzipped is read off its first bytes, whatever its name.

    Args:
        path: A file name, a path, or a resource of a package.
        magic: The only magic number to accept: 2051 (images) or 2049 (labels). Default: both.

    Returns:
        A read-only uint8 array, [N, rows, columns] for images, [N] for labels.

    Raises:
        FileNotFoundError: There is no such file.
        ValueError: The file is damaged, cut short, empty, of another kind, or no IDX file.

    Source: "THE IDX FILE FORMAT" on the page of the MNIST database, Y. LeCun, C. Cortes,
    C. J. C. Burges.
    """
    file = Path(path) if isinstance(path, str | os.PathLike) else path
    payload = _payload(file)
    shape = _shape(file, payload, tuple(_KINDS) if magic is None else (magic,))
    return np.frombuffer(payload, np.uint8, offset=_header_size(len(shape))).reshape(shape)


def read_examples(images: Source, labels: Source) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """Return the images and labels of two IDX files that belong together.

    Returns:
        Two read-only uint8 arrays, [N, rows, columns] and [N], the labels in 0..9.

    Raises:
        FileNotFoundError: One of the files is missing.
        ValueError: As `read_idx`, or a label is above 9, or the two files differ in length.

    Source: as `read_idx`.
    """
    pixels, classes = read_idx(images, IMAGES), read_idx(labels, LABELS)
    if len(pixels) != len(classes):
        raise ValueError(
            f"{labels}: {len(classes)} labels for the {len(pixels)} images of {images}"
        )
    if np.any(wrong := classes >= CLASSES):
        position = int(np.argmax(wrong))
        raise ValueError(f"{labels}: label {position} is {classes[position]}, expected 0 to 9")
    return pixels, classes


def _payload(file: Traversable) -> bytes:
    stored = file.read_bytes()
    payload = _decompressed(file, stored) if stored.startswith(_GZIP_MAGIC) else stored
    # Servers answer a request they refuse with a page, and browsers save it as the file.
    if payload[:512].removeprefix(_BYTE_ORDER_MARK).lstrip().startswith(b"<"):
        raise ValueError(
            f"{file}: a web page of {len(stored)} bytes, not an IDX file; "
            f"its first bytes are {payload[:16]!r}; {_REMEDY}"
        )
    return payload


def _decompressed(file: Traversable, stored: bytes) -> bytes:
    try:
        return gzip.decompress(stored)
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        problem = "is cut short" if isinstance(error, EOFError) else "is damaged"
        raise ValueError(
            f"{file}: the gzip file of {len(stored)} bytes {problem}; {_REMEDY}"
        ) from error


def _shape(file: Traversable, payload: bytes, expected: tuple[int, ...]) -> tuple[int, ...]:
    magic = int.from_bytes(payload[:4], "big")
    if len(payload) >= 4 and magic not in expected:
        wanted = " or ".join(map(_described, expected))
        raise ValueError(f"{file}: magic number {_described(magic)}, expected {wanted}")
    rank = magic & 0xFF
    start = _header_size(rank)
    if len(payload) < start:
        raise ValueError(
            f"{file}: holds {len(payload)} bytes, too few for the header of an IDX file; {_REMEDY}"
        )
    shape = tuple(int(n) for n in np.frombuffer(payload, ">u4", count=rank, offset=4))
    _check_size(file, shape, len(payload) - start)
    return shape


def _check_size(file: Traversable, shape: tuple[int, ...], size: int) -> None:
    needed, factors = math.prod(shape), " x ".join(map(str, shape))
    if size != needed:
        raise ValueError(
            f"{file}: the header announces {factors} = {needed} bytes, {size} follow; {_REMEDY}"
        )
    if not needed:
        raise ValueError(f"{file}: the header announces {factors} bytes, no data at all")


def _described(magic: int) -> str:
    return f"{magic} ({_KINDS[magic]})" if magic in _KINDS else str(magic)


def _header_size(rank: int) -> int:
    return 4 + 4 * rank
