"""Wrong calls of what makes, joins and moves tensors, and of the namespace's own functions."""

from __future__ import annotations

import tracer as tr
from tests.errors.function_calls import Call, t

NAMESPACE: dict[str, Call] = {
    "finfo": (
        lambda: tr.finfo(tr.int32),
        TypeError,
        "finfo needs a floating dtype, got int32",
    ),
    "iinfo": (
        lambda: tr.iinfo(t(2)),
        TypeError,
        "iinfo needs an integer dtype, got float32",
    ),
    "a kind of dtype": (
        lambda: tr.isdtype(tr.int32, "integer"),
        TypeError,
        "a dtype was needed, got 'integer'",
    ),
    "a version": (
        lambda: t(2).__array_namespace__(api_version="1999.12"),
        ValueError,
        "__array_namespace__ needs a version of ('2021.12', '2022.12', '2023.12', '2024.12', "
        "'2025.12'), got '1999.12'",
    ),
    "from_dlpack": (
        lambda: tr.from_dlpack([1.0]),
        AttributeError,
        "from_dlpack needs an array with __dlpack__, got list",
    ),
    "asarray of a list without a copy": (
        lambda: tr.asarray([1.0], copy=False),
        tr.CopyError,
        "asarray needs a copy of a list",
    ),
    "asarray of another dtype without a copy": (
        lambda: tr.asarray(t(2), tr.int32, copy=False),
        tr.CopyError,
        "asarray needs a copy to convert float32 to int32",
    ),
    "geomspace": (
        lambda: tr.geomspace(0, 1, 3),
        ValueError,
        "geomspace needs numbers other than 0, got 0 and 1",
    ),
    "geomspace of texts": (
        lambda: tr.geomspace("a", 1, 3),
        TypeError,
        "geomspace needs a number, got 'a'",
    ),
    "a diagonal": (lambda: tr.eye(2, k=1.5), TypeError, "eye needs an int k, got 1.5"),
    "a triangle": (
        lambda: tr.tril(t(2)),
        ValueError,
        "tril needs at least 2 dimensions, got 1",
    ),
    "vander": (lambda: tr.vander(t(2, 2)), ValueError, "vander needs a vector, got shape (2, 2)"),
    "meshgrid": (
        lambda: tr.meshgrid(t(2), t(2, 3)),
        ValueError,
        "meshgrid needs vectors, got shape (2, 3)",
    ),
    "meshgrid's indexing": (
        lambda: tr.meshgrid(t(2), indexing="ji"),
        ValueError,
        'meshgrid needs indexing "xy" or "ij", got \'ji\'',
    ),
    "broadcast_shapes": (
        lambda: tr.broadcast_shapes((2,), (3,)),
        ValueError,
        "broadcast_shapes needs shapes that broadcast, got (2,) and (3,)",
    ),
    "expand_dims": (
        lambda: tr.expand_dims(t(2), (0, -3)),
        ValueError,
        "expand_dims needs distinct axes, got (0, -3)",
    ),
    "hstack": (
        lambda: tr.hstack(t(2)),
        TypeError,
        "hstack needs a list of one tensor or more, got Tensor",
    ),
    "split": (
        lambda: tr.split(t(5), 2),
        ValueError,
        "split needs equal parts, got 2 of a length of 5",
    ),
    "split in none": (
        lambda: tr.array_split(t(5), 0),
        ValueError,
        "split needs 1 part or more, got 0",
    ),
    "rot90's axes": (
        lambda: tr.rot90(t(2, 2), axes=(0, 0)),
        ValueError,
        "rot90 needs distinct axes, got (0, 0)",
    ),
    "roll": (
        lambda: tr.roll(t(2, 3), (1, 2), axis=(0, 1, 1)),
        ValueError,
        "roll needs a shift for each axis, got (1, 2) and (0, 1, 1)",
    ),
    "roll's shift": (
        lambda: tr.roll(t(2), 1.5),
        TypeError,
        "roll needs an int shift, got 1.5",
    ),
    "repeat": (
        lambda: tr.repeat(t(3), [1, 2]),
        ValueError,
        "repeat needs 1 or 3 numbers that are not negative, got [1, 2]",
    ),
    "repeat by floats": (
        lambda: tr.repeat(t(3), 1.5),
        TypeError,
        "repeat needs ints, got float64",
    ),
    "delete": (
        lambda: tr.delete(t(3), 3, 0),
        IndexError,
        "delete: index 3 is out of bounds for axis 0 with size 3",
    ),
    "insert": (
        lambda: tr.insert(t(3), [0, 1], t(3), 0),
        ValueError,
        "insert needs shapes that broadcast, got (3,) and (2,)",
    ),
    "tile": (
        lambda: tr.tile(t(3), -1),
        ValueError,
        "tile needs lengths that are not negative, got (-1,)",
    ),
    "concatenate a 0-d tensor": (
        lambda: tr.concat([t(2), t()]),
        ValueError,
        "concatenate needs tensors with axes, got a 0-d one; see stack",
    ),
    "arange beyond int32": (
        lambda: tr.arange(2**40, 2**40 + 3),
        OverflowError,
        "arange: 1099511627776 does not fit int32",
    ),
    "arange below 0": (
        lambda: tr.arange(-1, 3, dtype=tr.uint8),
        OverflowError,
        "arange: -1 does not fit uint8",
    ),
    "vsplit a vector": (
        lambda: tr.vsplit(t(6), 2),
        ValueError,
        "vsplit needs two axes or more, got tensor<6xf32>",
    ),
    "split by a float": (
        lambda: tr.split(t(6), 2.0),
        TypeError,
        "split needs a number of parts or their ends, got 2.0",
    ),
    "insert before a float": (
        lambda: tr.insert(t(2), 1.0, 5),
        TypeError,
        "insert needs ints as places, got 1.0",
    ),
}
