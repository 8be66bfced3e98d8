"""MNIST as epochs of batches, from a directory, the user's cache, a download, or this package."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from platformdirs import user_cache_dir

from tracer.data.idx import read_examples

URL = "https://storage.googleapis.com/cvdf-datasets/mnist/"
SHA256 = {
    "train-images-idx3-ubyte": "440fcabf73cc546fa21475e81ea370265605f56be210a4024d2ca8f203523609",
    "train-labels-idx1-ubyte": "3552534a0a558bbed6aed32b30c495cca23d567ec52cac8be1a0730e8010255c",
    "t10k-images-idx3-ubyte": "8d422c7b0a1c1c79245a5bcf07fe86e33eeafee792b84584aec276f5a2dbc4e6",
    "t10k-labels-idx1-ubyte": "f7ae60f92e00ec6debd23a6088c31dbd2371eca3ffa0defaefb259924204aec6",
}
SIDE = 28

Files = dict[str, Traversable]


class Batch(NamedTuple):
    """Some images and their labels.

    Attributes:
        images: float32 [B, 28, 28, 1], from 0.0 (background) to 1.0 (ink).
        labels: int32 [B], the digit each image shows.
    """

    images: NDArray[np.float32]
    labels: NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class Examples:
    """The images and labels of one part, as stored: uint8 [N, 28, 28] and uint8 [N]."""

    images: NDArray[np.uint8]
    labels: NDArray[np.uint8]

    def __len__(self) -> int:
        return len(self.labels)

    def batch(self, rows: NDArray[np.intp] | slice) -> Batch:
        """Return the examples of these rows, images as float32 in 0..1, labels as int32."""
        images = self.images[rows][..., np.newaxis].astype(np.float32)
        images /= np.float32(255)
        return Batch(images, self.labels[rows].astype(np.int32))


class Training:
    """Epochs of full batches: each iteration is one, in a new order.

    The orders follow from the seed alone. What does not fill a batch is left out, other
    examples every epoch. `len()` is the number of batches of an epoch.
    """

    def __init__(self, examples: Examples, batch_size: int, seed: int) -> None:
        if batch_size > len(examples):
            raise ValueError(
                f"MNIST needs a batch_size of at most {len(examples)}, "
                f"the size of its training set, got {batch_size}"
            )
        self._examples, self._batch_size = examples, batch_size
        self._generator = np.random.default_rng(seed)

    def __len__(self) -> int:
        return len(self._examples) // self._batch_size

    def __iter__(self) -> Iterator[Batch]:
        # Drawn here, not at the first batch: two epochs begun together keep their order.
        order = self._generator.permutation(len(self._examples))
        epoch = order[: len(self) * self._batch_size].reshape(len(self), self._batch_size)
        return map(self._examples.batch, epoch)


class Validation:
    """All examples in the order of the files; the last batch may be smaller than the others.

    `len()` is the number of batches.
    """

    def __init__(self, examples: Examples, batch_size: int) -> None:
        self._examples, self._batch_size = examples, batch_size

    def __len__(self) -> int:
        return -(-len(self._examples) // self._batch_size)

    def __iter__(self) -> Iterator[Batch]:
        for start in range(0, len(self._examples), self._batch_size):
            yield self._examples.batch(slice(start, start + self._batch_size))


class MNIST:
    """Handwritten digits in batches of NumPy arrays.

    The four files are taken from `directory` if it is given; else from the user's cache, if all
    four are there; else, with `download=True`, they are fetched into that cache; else they are
    the 4,000 + 1,000 digits inside this package. Each may be plain or end in `.gz`; where both
    are there, the plain one is read.

    Args:
        batch_size: Examples in a batch, from 1 to the size of the training set.
        directory: A folder with the four files.
        seed: Of the order of the training examples: the same seed, the same epochs.
        download: Fetch the full set of 60,000 + 10,000 digits if the cache lacks it (needs the
            extra `[data]`). Each file's sha256 is checked before it is kept.

    Attributes:
        training: Iterable, every iteration a newly shuffled epoch of full batches.
        validation: Iterable over the test digits in order, the last partial batch included.
        source: Which files are in use and how many digits they hold.

    Both parts give `Batch(images, labels)`: float32 [B, 28, 28, 1] in 0..1 and int32 [B].

    Raises:
        TypeError: `batch_size` is not an int.
        ValueError: `batch_size` is out of range, a file is damaged, or what was downloaded has
            the wrong sha256.
        FileNotFoundError: `directory` lacks a file.
        ModuleNotFoundError: `download` needs pooch, which is not installed.
        OSError: The download failed.

    Source: Y. LeCun, L. Bottou, Y. Bengio, P. Haffner, "Gradient-based learning applied to
    document recognition", Proceedings of the IEEE 86(11), 1998.
    """

    training: Training
    validation: Validation
    source: str

    def __init__(
        self,
        batch_size: int = 128,
        *,
        directory: str | os.PathLike[str] | None = None,
        seed: int = 0,
        download: bool = False,
    ) -> None:
        size = _positive(batch_size)
        place, files = _locate(directory, download)
        training, validation = _part(files, "train"), _part(files, "t10k")
        self.training = Training(training, size, seed)
        self.validation = Validation(validation, size)
        self.source = f"{len(training):,} + {len(validation):,} digits {place}"


def _positive(batch_size: int) -> int:
    # A bool passes for an int, and True for a batch of one is always a slip.
    if isinstance(batch_size, bool) or not isinstance(batch_size, int | np.integer):
        kind = type(batch_size).__name__
        raise TypeError(f"MNIST needs an int batch_size, got {batch_size!r} ({kind})")
    if batch_size < 1:
        raise ValueError(f"MNIST needs a batch_size of at least 1, got {batch_size}")
    return int(batch_size)


def _locate(directory: str | os.PathLike[str] | None, download: bool) -> tuple[str, Files]:
    if directory is not None:
        folder = Path(directory).expanduser()
        return f"in {folder}", _required(folder)
    cache = Path(user_cache_dir("tracer"), "datasets", "mnist")
    missing = _missing(_find(cache))
    if missing and not download:
        return "embedded in tracer", _required(resources.files("tracer.data") / "digits")
    if missing:
        _fetch(missing, cache)
    return f"in {cache}", _required(cache)


def _find(folder: Traversable) -> Files:
    files = ((name, folder / f"{name}{end}") for name in SHA256 for end in (".gz", ""))
    return {name: file for name, file in files if file.is_file()}


def _missing(files: Files) -> list[str]:
    return [name for name in SHA256 if name not in files]


def _required(folder: Traversable) -> Files:
    files = _find(folder)
    if missing := _missing(files):
        raise FileNotFoundError(
            f"MNIST needs {', '.join(missing)} (each plain or .gz): not in {folder}"
            f"{'' if folder.is_dir() else ', which is no directory'}"
        )
    return files


def _part(files: Files, prefix: str) -> Examples:
    pixels = files[f"{prefix}-images-idx3-ubyte"]
    images, labels = read_examples(pixels, files[f"{prefix}-labels-idx1-ubyte"])
    if images.shape[1:] != (SIDE, SIDE):
        rows, columns = images.shape[1:]
        raise ValueError(
            f"{pixels}: images of {rows} x {columns} pixels, MNIST has {SIDE} x {SIDE}"
        )
    return Examples(images, labels)


def _fetch(names: list[str], cache: Path) -> None:
    try:
        import pooch  # noqa: PLC0415
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            "MNIST(download=True) needs pooch: pip install stablehlo-tracer[data]"
        ) from error
    # Without streaming, as pooch leaves the connection open when a server refuses a stream.
    downloader = pooch.HTTPDownloader(stream=False)
    for name in names:
        url, file = f"{URL}{name}.gz", f"{name}.gz"
        try:
            pooch.retrieve(url, SHA256[name], fname=file, path=cache, downloader=downloader)
        except (OSError, ValueError) as error:
            kind = OSError if isinstance(error, OSError) else ValueError
            raise kind(f"cannot fetch {url} into {cache}: {error}") from error
