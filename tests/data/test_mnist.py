"""MNIST: the digits themselves, epochs and batches, and where the files come from."""

import gzip
import hashlib
import struct
import sys
import threading
import zipfile
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from importlib import resources
from pathlib import Path

import numpy as np
import pytest

from tracer.data import MNIST, Batch, mnist

DIGITS = resources.files("tracer.data") / "digits"
NAMES = tuple(mnist.SHA256)
EMBEDDED = "4,000 + 1,000 digits embedded in tracer"


def idx(array: np.ndarray) -> bytes:
    return struct.pack(f">{1 + array.ndim}I", 2048 + array.ndim, *array.shape) + array.tobytes()


def write_set(folder: Path, training: int = 10, test: int = 5, side: int = 28) -> Path:
    """A small set of the four files, gzipped; image i has all pixels i and label i % 10."""
    folder.mkdir(parents=True, exist_ok=True)
    for prefix, count in (("train", training), ("t10k", test)):
        numbers = np.arange(count, dtype=np.uint8)
        images = np.broadcast_to(numbers[:, None, None], (count, side, side))
        for name, array in (("images-idx3", images), ("labels-idx1", numbers % 10)):
            content = gzip.compress(idx(array), mtime=0)
            (folder / f"{prefix}-{name}-ubyte.gz").write_bytes(content)
    return folder


def numbers_of(batch: Batch) -> list[int]:
    return np.rint(batch.images[:, 0, 0, 0] * 255).astype(int).tolist()


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Keeps the tests away from the files of the person who runs them."""
    monkeypatch.setattr(mnist, "user_cache_dir", lambda name: str(tmp_path / "cache" / name))
    return tmp_path / "cache" / "tracer" / "datasets" / "mnist"


@pytest.fixture(scope="module")
def embedded() -> MNIST:
    return MNIST(directory=Path(str(DIGITS)))


class TestEmbeddedDigits:
    def test_files_are_those_the_readme_names(self):
        readme = (DIGITS / "README.md").read_text()
        for name in NAMES:
            content = (DIGITS / f"{name}.gz").read_bytes()
            assert f"| {name}.gz | {hashlib.sha256(content).hexdigest()} |" in readme
        assert "Yann LeCun, Corinna Cortes and Christopher J. C. Burges" in readme
        assert "CC BY-SA 3.0" in readme

    def test_are_the_default(self):
        assert MNIST().source == EMBEDDED

    def test_each_class_is_equally_frequent(self, embedded):
        training = np.concatenate([b.labels for b in MNIST(batch_size=4000).training])
        test = np.concatenate([b.labels for b in embedded.validation])
        assert np.bincount(training).tolist() == [400] * 10
        assert np.bincount(test).tolist() == [100] * 10

    def test_images_are_centred_strokes_of_ink(self, embedded):
        images = np.concatenate([b.images for b in embedded.validation])
        assert images.min() == 0.0 and images.max() == 1.0
        assert 0.1 < images.mean() < 0.16
        assert images[:, 8:20, 8:20].mean() > 10 * images[:, :3].mean()

    def test_images_and_labels_belong_together(self):
        (training,) = MNIST(batch_size=4000).training
        means = np.stack([training.images[training.labels == d].mean(0) for d in range(10)])
        (test,) = MNIST(batch_size=1000).validation
        distances = ((test.images[:, None] - means) ** 2).sum((2, 3, 4))
        assert (distances.argmin(1) == test.labels).mean() > 0.75

    def test_can_be_read_from_inside_a_zip(self, tmp_path, monkeypatch):
        with zipfile.ZipFile(tmp_path / "tracer.whl", "w") as wheel:
            for name in NAMES:
                content = (DIGITS / f"{name}.gz").read_bytes()
                wheel.writestr(f"tracer/data/digits/{name}.gz", content)
        inside = zipfile.Path(tmp_path / "tracer.whl", "tracer/data/")
        monkeypatch.setattr(resources, "files", lambda package: inside)
        assert MNIST().source == EMBEDDED


class TestBatches:
    def test_types_and_shapes(self, embedded):
        for part in (embedded.training, embedded.validation):
            batch = next(iter(part))
            assert isinstance(batch, Batch)
            assert batch.images.dtype == np.float32 and batch.images.shape == (128, 28, 28, 1)
            assert batch.labels.dtype == np.int32 and batch.labels.shape == (128,)
            assert batch.images.flags.c_contiguous

    def test_pixels_are_divided_by_255_in_float32(self, tmp_path):
        folder = write_set(tmp_path / "set", training=256)
        (batch,) = MNIST(256, directory=folder).training
        pixels = np.sort(batch.images[:, 5, 7, 0])
        expected = np.arange(256, dtype=np.float32) / np.float32(255)
        np.testing.assert_array_equal(pixels, expected, strict=True)

    def test_batches_are_new_arrays_each_time(self, embedded):
        first = next(iter(embedded.validation))
        first.images[:] = 7
        assert next(iter(embedded.validation)).images.max() == 1.0

    def test_unpacks_as_a_pair(self, embedded):
        images, labels = next(iter(embedded.validation))
        assert len(images) == len(labels) == 128

    @pytest.mark.parametrize("size", [1, np.int64(3), 10])
    def test_accepts_any_size_up_to_the_training_set(self, tmp_path, size):
        part = MNIST(size, directory=write_set(tmp_path / "set")).training
        assert [len(b.labels) for b in part] == [size] * len(part)

    @pytest.mark.parametrize("size", [128.0, "128", None, True, (128,), np.zeros(2), np.float32(1)])
    def test_size_of_another_type(self, size):
        with pytest.raises(TypeError) as raised:
            MNIST(size)
        kind = type(size).__name__
        assert str(raised.value) == f"MNIST needs an int batch_size, got {size!r} ({kind})"

    @pytest.mark.parametrize("size", [0, -1])
    def test_size_below_one(self, size):
        with pytest.raises(ValueError) as raised:
            MNIST(size)
        assert str(raised.value) == f"MNIST needs a batch_size of at least 1, got {size}"

    def test_size_above_the_training_set(self):
        with pytest.raises(ValueError) as raised:
            MNIST(4001)
        assert str(raised.value) == (
            "MNIST needs a batch_size of at most 4000, the size of its training set, got 4001"
        )


class TestTraining:
    def epochs(self, data: MNIST, count: int = 3) -> list[list[int]]:
        return [[n for b in data.training for n in numbers_of(b)] for _ in range(count)]

    def test_remainder_is_dropped(self, embedded):
        batches = list(embedded.training)
        assert len(batches) == len(embedded.training) == 31
        assert {len(b.labels) for b in batches} == {128}

    def test_an_epoch_holds_each_example_at_most_once(self, tmp_path):
        data = MNIST(3, directory=write_set(tmp_path / "set"))
        epochs = self.epochs(data, 20)
        assert all(len(set(e)) == len(e) == 9 for e in epochs)
        assert len({(set(range(10)) - set(e)).pop() for e in epochs}) > 3

    def test_every_epoch_has_its_own_order(self, tmp_path):
        data = MNIST(10, directory=write_set(tmp_path / "set"))
        epochs = self.epochs(data)
        assert len({tuple(e) for e in epochs}) == 3
        assert all(sorted(e) == list(range(10)) for e in epochs)

    def test_labels_follow_their_images(self, tmp_path):
        for batch in MNIST(4, directory=write_set(tmp_path / "set")).training:
            assert numbers_of(batch) == batch.labels.tolist()

    def test_same_seed_same_epochs(self, tmp_path):
        folder = write_set(tmp_path / "set")
        first, same, other = (MNIST(3, directory=folder, seed=s) for s in (5, 5, 6))
        expected = self.epochs(first)
        assert self.epochs(same) == expected
        assert self.epochs(other) != expected

    def test_default_seed_is_fixed(self):
        first, second = next(iter(MNIST().training)), next(iter(MNIST().training))
        np.testing.assert_array_equal(first.labels, second.labels)

    def test_an_epoch_left_early_does_not_change_the_next(self, tmp_path):
        folder = write_set(tmp_path / "set")
        whole, part = MNIST(3, directory=folder), MNIST(3, directory=folder)
        next(iter(part.training))
        assert self.epochs(part, 2) == self.epochs(whole)[1:]

    def test_epochs_may_run_side_by_side(self, tmp_path):
        folder = write_set(tmp_path / "set")
        data, expected = MNIST(3, directory=folder), self.epochs(MNIST(3, directory=folder), 2)
        first, second = iter(data.training), iter(data.training)
        later = [n for b in second for n in numbers_of(b)]
        assert [[n for b in first for n in numbers_of(b)], later] == expected


class TestValidation:
    def test_last_partial_batch_is_kept(self, embedded):
        sizes = [len(b.labels) for b in embedded.validation]
        assert sizes == [128] * 7 + [104]
        assert len(embedded.validation) == 8

    def test_full_batches_only_when_the_size_divides(self):
        assert [len(b.labels) for b in MNIST(250).validation] == [250] * 4

    def test_in_the_order_of_the_files_every_time(self, tmp_path):
        data = MNIST(2, directory=write_set(tmp_path / "set"))
        for _ in range(2):
            assert [numbers_of(b) for b in data.validation] == [[0, 1], [2, 3], [4]]

    def test_size_may_exceed_the_test_set(self, tmp_path):
        data = MNIST(10, directory=write_set(tmp_path / "set"))
        assert [numbers_of(b) for b in data.validation] == [[0, 1, 2, 3, 4]]
        assert len(data.validation) == 1


class TestDirectory:
    def test_is_used_and_named(self, tmp_path):
        folder = write_set(tmp_path / "set")
        assert MNIST(2, directory=str(folder)).source == f"10 + 5 digits in {folder}"

    def test_may_begin_with_the_home_directory(self, tmp_path, monkeypatch):
        monkeypatch.setenv("HOME", str(tmp_path))
        monkeypatch.setenv("USERPROFILE", str(tmp_path))
        folder = write_set(tmp_path / "set")
        assert MNIST(2, directory="~/set").source == f"10 + 5 digits in {folder}"

    def test_comes_before_the_cache(self, tmp_path, cache):
        write_set(cache, training=20)
        assert MNIST(2, directory=write_set(tmp_path / "set")).source.startswith("10 + 5 digits")

    def test_plain_files_come_before_gzipped_ones(self, tmp_path):
        folder = write_set(tmp_path / "set")
        (folder / NAMES[3]).write_bytes(idx(np.full(5, 8, np.uint8)))
        (batch,) = MNIST(10, directory=folder).validation
        assert batch.labels.tolist() == [8] * 5

    def test_a_folder_with_the_name_of_a_file_is_passed_over(self, tmp_path):
        folder = write_set(tmp_path / "set")
        (folder / NAMES[0]).mkdir()
        assert len(MNIST(2, directory=folder).training) == 5

    @pytest.mark.parametrize("download", [False, True])
    def test_missing_files_are_listed(self, tmp_path, download):
        folder = write_set(tmp_path / "set")
        for name in NAMES[1:3]:
            (folder / f"{name}.gz").unlink()
        with pytest.raises(FileNotFoundError) as raised:
            MNIST(directory=folder, download=download)
        assert str(raised.value) == (
            "MNIST needs train-labels-idx1-ubyte, t10k-images-idx3-ubyte (each plain or .gz): "
            f"not in {folder}"
        )

    def test_that_is_not_there(self, tmp_path):
        with pytest.raises(FileNotFoundError) as raised:
            MNIST(directory=tmp_path / "none")
        assert str(raised.value) == (
            f"MNIST needs {', '.join(NAMES)} (each plain or .gz): not in {tmp_path / 'none'}, "
            "which is no directory"
        )

    def test_images_of_another_size(self, tmp_path):
        folder = write_set(tmp_path / "set", side=32)
        with pytest.raises(ValueError) as raised:
            MNIST(2, directory=folder)
        assert str(raised.value) == (
            f"{folder / NAMES[0]}.gz: images of 32 x 32 pixels, MNIST has 28 x 28"
        )

    def test_damaged_file_is_found_before_any_training(self, tmp_path):
        folder = write_set(tmp_path / "set")
        (folder / f"{NAMES[2]}.gz").write_bytes(b"<html>403 Forbidden</html>")
        with pytest.raises(ValueError) as raised:
            MNIST(2, directory=folder)
        assert str(raised.value) == (
            f"{folder / NAMES[2]}.gz: a web page of 26 bytes, not an IDX file; its first bytes "
            "are b'<html>403 Forbid'; delete it and fetch it again"
        )


class TestCache:
    @pytest.mark.parametrize("download", [False, True])
    def test_is_used_when_complete(self, cache, download):
        write_set(cache)
        assert MNIST(2, download=download).source == f"10 + 5 digits in {cache}"

    def test_is_passed_over_when_a_file_is_missing(self, cache):
        (write_set(cache) / f"{NAMES[1]}.gz").unlink()
        assert MNIST().source == EMBEDDED

    def test_is_not_created_without_a_download(self, cache):
        MNIST()
        assert not cache.exists()


class TestDownload:
    @pytest.fixture
    def remote(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
        """A folder served over HTTP in the place of the real host, with the sha256 of its files."""
        pytest.importorskip("pooch")
        folder = write_set(tmp_path / "remote")
        handler = type("Quiet", (SimpleHTTPRequestHandler,), {"log_message": lambda *_: None})
        server = ThreadingHTTPServer(("127.0.0.1", 0), partial(handler, directory=folder))
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        monkeypatch.setenv("NO_PROXY", "127.0.0.1")
        monkeypatch.setattr(mnist, "URL", f"http://127.0.0.1:{server.server_port}/")
        for name in NAMES:
            digest = hashlib.sha256((folder / f"{name}.gz").read_bytes()).hexdigest()
            monkeypatch.setitem(mnist.SHA256, name, digest)
        yield folder
        server.shutdown()
        server.server_close()

    def test_fills_the_cache(self, remote, cache):
        assert MNIST(2, download=True).source == f"10 + 5 digits in {cache}"
        assert sorted(p.name for p in cache.iterdir()) == sorted(f"{n}.gz" for n in NAMES)
        for name in NAMES:
            assert (cache / f"{name}.gz").read_bytes() == (remote / f"{name}.gz").read_bytes()

    def test_serves_later_programs_without_one(self, remote, cache):
        MNIST(2, download=True)
        for name in NAMES:
            (remote / f"{name}.gz").unlink()
        assert MNIST(2, download=True).source == MNIST(2).source == f"10 + 5 digits in {cache}"

    def test_fetches_only_what_is_missing(self, remote, cache):
        kept = write_set(cache, training=20)
        for name in NAMES[2:]:
            (kept / f"{name}.gz").unlink()
        for name in NAMES[:2]:
            (remote / f"{name}.gz").unlink()
        assert MNIST(2, download=True).source == f"20 + 5 digits in {cache}"

    def test_wrong_sha256_keeps_nothing(self, remote, cache, monkeypatch):
        found = mnist.SHA256[NAMES[1]]
        monkeypatch.setitem(mnist.SHA256, NAMES[1], "0" * 64)
        with pytest.raises(ValueError) as raised:
            MNIST(2, download=True)
        start = f"cannot fetch {mnist.URL}{NAMES[1]}.gz into {cache}: "
        assert str(raised.value).startswith(start)
        assert f"expected {'0' * 64} but got {found}" in str(raised.value)
        assert [p.name for p in cache.iterdir()] == [f"{NAMES[0]}.gz"]
        assert MNIST().source == EMBEDDED

    def test_file_that_the_server_lacks(self, remote, cache):
        (remote / f"{NAMES[0]}.gz").unlink()
        with pytest.raises(OSError) as raised:
            MNIST(2, download=True)
        start = f"cannot fetch {mnist.URL}{NAMES[0]}.gz into {cache}: 404"
        assert str(raised.value).startswith(start)
        assert list(cache.iterdir()) == []

    def test_without_pooch(self, monkeypatch):
        monkeypatch.setitem(sys.modules, "pooch", None)
        with pytest.raises(ModuleNotFoundError) as raised:
            MNIST(download=True)
        assert str(raised.value) == (
            "MNIST(download=True) needs pooch: pip install stablehlo-tracer[data]"
        )

    def test_bad_batch_size_is_found_before_the_download(self, remote, cache):
        with pytest.raises(ValueError):
            MNIST(0, download=True)
        assert not cache.exists()

    def test_the_originals_are_named(self):
        assert mnist.URL == "https://storage.googleapis.com/cvdf-datasets/mnist/"
        assert [mnist.SHA256[name][:8] for name in NAMES] == [
            "440fcabf", "3552534a", "8d422c7b", "f7ae60f9",
        ]  # fmt: skip
