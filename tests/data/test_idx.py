"""IDX files: what is read, and the message for every way in which a file can be wrong."""

import gzip
import struct
import zipfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from tracer.data import read_idx
from tracer.data.idx import IMAGES, LABELS, read_examples

PIXELS = np.arange(2 * 3 * 4, dtype=np.uint8).reshape(2, 3, 4)
CLASSES = np.array([9, 0], np.uint8)


def idx(array: np.ndarray) -> bytes:
    return struct.pack(f">{1 + array.ndim}I", 2048 + array.ndim, *array.shape) + array.tobytes()


def plain(content: bytes) -> bytes:
    return content


def message(call: Callable[[], object]) -> str:
    with pytest.raises(ValueError) as raised:
        call()
    return str(raised.value)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "file.gz"


def message_for(file: Path, content: bytes, magic: int | None = None) -> str:
    file.write_bytes(content)
    text = message(lambda: read_idx(file, magic))
    assert text.startswith(f"{file}: ")
    return text.removeprefix(f"{file}: ")


@pytest.mark.parametrize("array", [PIXELS, CLASSES])
@pytest.mark.parametrize("name", ["file", "file.gz"])
@pytest.mark.parametrize("pack", [plain, gzip.compress])
def test_reads_plain_and_gzipped_whatever_the_name(tmp_path, name, pack, array):
    (tmp_path / name).write_bytes(pack(idx(array)))
    for path in (tmp_path / name, str(tmp_path / name)):
        found = read_idx(path)
        assert found.dtype == np.uint8
        np.testing.assert_array_equal(found, array, strict=True)


def test_reads_a_resource_inside_a_zip(tmp_path):
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("labels.gz", gzip.compress(idx(CLASSES)))
    np.testing.assert_array_equal(read_idx(zipfile.Path(tmp_path / "a.zip", "labels.gz")), CLASSES)


def test_the_array_cannot_be_written_to(file):
    file.write_bytes(idx(CLASSES))
    with pytest.raises(ValueError, match="read-only"):
        read_idx(file)[0] = 1


def test_no_such_file(file):
    with pytest.raises(FileNotFoundError, match=r"file\.gz"):
        read_idx(file)


@pytest.mark.parametrize(
    ("content", "magic", "expected"),
    [
        (b"\0\0\x0d\3" + bytes(16), None, "3331, expected 2051 (images) or 2049 (labels)"),
        (b"\3\x08\0\0" + bytes(16), None, "50855936, expected 2051 (images) or 2049 (labels)"),
        (b"Not Found", IMAGES, "1315927072, expected 2051 (images)"),
        (idx(CLASSES), IMAGES, "2049 (labels), expected 2051 (images)"),
        (idx(PIXELS), LABELS, "2051 (images), expected 2049 (labels)"),
        (
            gzip.compress(gzip.compress(idx(CLASSES), mtime=0)),
            LABELS,
            "529205248, expected 2049 (labels)",
        ),
    ],
    ids=["floats", "little-endian", "text", "labels", "images", "gzipped twice"],
)
def test_wrong_magic_number(file, content, magic, expected):
    assert message_for(file, content, magic) == f"magic number {expected}"


@pytest.mark.parametrize("pack", [plain, gzip.compress])
@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (idx(PIXELS)[:-5], "2 x 3 x 4 = 24 bytes, 19 follow"),
        (idx(PIXELS) + b"\0", "2 x 3 x 4 = 24 bytes, 25 follow"),
        (idx(PIXELS)[:16], "2 x 3 x 4 = 24 bytes, 0 follow"),
        (idx(CLASSES)[:-1], "2 = 2 bytes, 1 follow"),
        (
            struct.pack(">4I", 2051, 60000, 28, 28) + bytes(7840),
            "60000 x 28 x 28 = 47040000 bytes, 7840 follow",
        ),
        (
            struct.pack(">4I", 2051, 2**32 - 1, 2**32 - 1, 2**32 - 1),
            "4294967295 x 4294967295 x 4294967295 = 79228162458924105385300197375 bytes, 0 follow",
        ),
    ],
    ids=["short", "long", "header only", "labels", "ten rows", "absurd"],
)
def test_size_that_does_not_match_the_header(file, content, expected, pack):
    expected = f"the header announces {expected}; delete it and fetch it again"
    assert message_for(file, pack(content)) == expected


@pytest.mark.parametrize("pack", [plain, gzip.compress])
@pytest.mark.parametrize("size", [0, 1, 3, 4, 15])
def test_empty_file_and_header_cut_short(file, size, pack):
    expected = f"holds {size} bytes, too few for the header of an IDX file"
    content = pack(idx(PIXELS)[:size])
    assert message_for(file, content) == f"{expected}; delete it and fetch it again"


def test_header_that_announces_nothing(file):
    no_images, no_labels = PIXELS[:0], CLASSES[:0]
    expected = "the header announces 0 x 3 x 4 bytes, no data at all"
    assert message_for(file, idx(no_images)) == expected
    assert message_for(file, idx(no_labels)) == "the header announces 0 bytes, no data at all"


@pytest.mark.parametrize("kept", [2, 9, 12, -8, -1])
def test_truncated_gzip(file, kept):
    content = gzip.compress(idx(PIXELS))[:kept]
    expected = f"the gzip file of {len(content)} bytes is cut short; delete it and fetch it again"
    assert message_for(file, content) == expected


@pytest.mark.parametrize("where", [2, 10, -8, -4])
def test_damaged_gzip(file, where):
    content = bytearray(gzip.compress(idx(PIXELS)))
    content[where] ^= 0xFF
    expected = f"the gzip file of {len(content)} bytes is damaged; delete it and fetch it again"
    assert message_for(file, bytes(content)) == expected


@pytest.mark.parametrize("pack", [plain, gzip.compress])
@pytest.mark.parametrize("start", [b"<html><head><title>403", b"\n <!DOCTYPE html>", b"<?xml ver"])
def test_web_page_saved_as_data(file, start, pack):
    page = start.ljust(700, b" ")
    size = len(pack(page))
    assert message_for(file, pack(page)) == (
        f"a web page of {size} bytes, not an IDX file; its first bytes are {page[:16]!r}; "
        "delete it and fetch it again"
    )


def test_web_page_with_byte_order_mark(file):
    assert message_for(file, b"\xef\xbb\xbf<html>").startswith("a web page of 9 bytes")


@pytest.fixture
def pair(tmp_path: Path) -> tuple[Path, Path]:
    images, labels = tmp_path / "images", tmp_path / "labels"
    images.write_bytes(idx(PIXELS))
    labels.write_bytes(idx(CLASSES))
    return images, labels


def test_examples_are_the_two_files(pair):
    images, labels = read_examples(*pair)
    np.testing.assert_array_equal(images, PIXELS, strict=True)
    np.testing.assert_array_equal(labels, CLASSES, strict=True)


def test_files_in_the_wrong_order(pair):
    images, labels = pair
    expected = f"{labels}: magic number 2049 (labels), expected 2051 (images)"
    assert message(lambda: read_examples(labels, images)) == expected


@pytest.mark.parametrize("wrong", [10, 255])
def test_label_out_of_range(pair, wrong):
    pair[1].write_bytes(idx(np.array([9, wrong], np.uint8)))
    expected = f"{pair[1]}: label 1 is {wrong}, expected 0 to 9"
    assert message(lambda: read_examples(*pair)) == expected


def test_number_of_labels_is_not_that_of_images(pair):
    images, labels = pair
    labels.write_bytes(idx(np.zeros(3, np.uint8)))
    expected = f"{labels}: 3 labels for the 2 images of {images}"
    assert message(lambda: read_examples(images, labels)) == expected
