"""Sums of products over named axes."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from opt_einsum import contract_path
from opt_einsum.parser import parse_einsum_input

from tracer.dtypes import DType, bool_, result_type
from tracer.errors import at_caller
from tracer.functions.operands import as_dtype, need_dtype, promoted, wrap
from tracer.functions.reductions import sum
from tracer.ops.contraction import DotDimensionNumbers, dot_general
from tracer.ops.movement import reshape, slice, transpose
from tracer.values import Data

if TYPE_CHECKING:
    from tracer.tensor import Tensor

__all__ = ["einsum"]


class Term(NamedTuple):
    """A value, and a label for each of its axes."""

    data: Data
    labels: str


class Plan(NamedTuple):
    """The labels of the operands and of the result, and which operands meet at each step."""

    inputs: tuple[str, ...]
    output: str
    path: tuple[tuple[int, ...], ...]


def einsum(*operands: Any, optimize: Any = "auto", preferred_element_type: Any = None) -> Tensor:
    """The sum of products of operands: `einsum("ij,jk->ik", a, b)`, as numpy.einsum.

    Also `einsum(a, [0, 1], b, [1, 2], [0, 2])`. `...`, repeated labels (a diagonal) and lengths of
    1 that broadcast are understood. Two operands at a time meet in one product of matrices, in the
    order that opt_einsum finds; `optimize` is its strategy, a path, or False for left to right.
    Sums are taken in preferred_element_type, by default the operands' dtype, which the result has.

    Raises ValueError where labels, shapes or the path don't fit.
    """
    values, form = _values(operands)
    data = promoted("einsum", *values)
    dtype = _result_dtype(data[0].type.dtype, preferred_element_type)
    shapes = tuple(x.type.shape for x in data)
    plan = _planned(form, shapes, _hashable(optimize))
    lengths = _lengths(plan.inputs, shapes)
    terms = [_fitted(x, labels, lengths) for x, labels in zip(data, plan.inputs, strict=True)]
    for step in plan.path:
        chosen = [terms[i] for i in sorted(step)]
        terms = [term for i, term in enumerate(terms) if i not in step]
        needed = {*plan.output}.union(*(t.labels for t in terms))
        terms.append(_contracted(chosen, needed, plan.output, dtype))
    (last,) = terms
    found = as_dtype(last.data, dtype)
    if last.labels != plan.output:
        found = transpose(found, permutation=tuple(map(last.labels.index, plan.output)))
    return wrap(found)


def _hashable(value: Any) -> Any:
    """Lists as tuples, which a cache can hold."""
    return tuple(map(_hashable, value)) if isinstance(value, (list, tuple)) else value


def _values(operands: Sequence[Any]) -> tuple[tuple[Any, ...], Any]:
    """The operands, and the subscripts: one string, or a sublist for each and for the result."""
    if operands and isinstance(operands[0], str):
        values, form = tuple(operands[1:]), operands[0]
    else:
        values = tuple(operands[: len(operands) // 2 * 2 : 2])
        form = _hashable((*operands[1::2], *operands[len(values) * 2 :]))
    if not values:
        raise at_caller(ValueError("einsum needs subscripts and one operand or more, got none"))
    return values, form


def _result_dtype(dtype: DType, preferred: Any) -> DType:
    if dtype == bool_:
        raise at_caller(TypeError("einsum needs numbers, got bool"))
    found = dtype if preferred is None else need_dtype(preferred)
    if result_type(dtype, found) != found:
        message = f"einsum needs a preferred_element_type that holds {dtype}, got {found}"
        raise at_caller(TypeError(message))
    return found


def _planned(form: Any, shapes: tuple[tuple[int, ...], ...], optimize: Any) -> Plan:
    try:
        return _plan(form, shapes, optimize)
    except (ValueError, TypeError, IndexError, KeyError):
        found = ", ".join(map(str, shapes))
        message = f"einsum needs subscripts and a path that fit shapes {found}, got {form!r}"
        if optimize != "auto":
            message += f" and {optimize!r}"
        raise at_caller(ValueError(message)) from None


@lru_cache(4096)
def _plan(form: Any, shapes: tuple[tuple[int, ...], ...], optimize: Any) -> Plan:
    if isinstance(form, str):
        given: list[Any] = [form, *shapes]
    else:
        given = [x for pair in zip(shapes, form, strict=False) for x in pair]
        given += form[len(shapes) :]
    inputs, output, _ = parse_einsum_input(given, shapes=True)
    path, _ = contract_path(f"{inputs}->{output}", *shapes, shapes=True, optimize=optimize)
    steps = tuple(map(tuple, path))
    left = len(shapes)
    for step in steps:
        if not step or len({*step}) != len(step) or not all(0 <= i < left for i in step):
            raise ValueError("a step of the path names operands that are not there")
        left -= len(step) - 1
    if left != 1:
        raise ValueError("the path does not end in one operand")
    return Plan(tuple(inputs.split(",")), output, steps)


@lru_cache(4096)
def _lengths(inputs: tuple[str, ...], shapes: tuple[tuple[int, ...], ...]) -> dict[str, int]:
    """The length of each label: 1 only where it is 1 everywhere."""
    found: dict[str, int] = {}
    for labels, shape in zip(inputs, shapes, strict=True):
        for label, length in zip(labels, shape, strict=True):
            if found.get(label, 1) == 1:
                found[label] = length
    return found


def _fitted(x: Data, labels: str, lengths: dict[str, int]) -> Term:
    """Without axes of length 1 that broadcast, and with a diagonal where a label is repeated."""
    pairs = zip(labels, x.type.shape, strict=True)
    kept = [(label, n) for label, n in pairs if n == lengths[label]]
    if len(kept) < len(labels):
        x = reshape(x, shape=tuple(n for _, n in kept))
    term = Term(x, "".join(label for label, _ in kept))
    while len({*term.labels}) < len(term.labels):
        term = _diagonal(term)
    return term


def _diagonal(term: Term) -> Term:
    """One repeated label less: of two axes as one, every (n + 1)th element stands on a diagonal."""
    labels = term.labels
    label = next(label for label in labels if labels.count(label) > 1)
    first, second = labels.index(label), labels.rindex(label)
    rest = tuple(axis for axis in range(len(labels)) if axis not in (first, second))
    moved = transpose(term.data, permutation=(*rest, first, second))
    *outer, n, _ = moved.type.shape
    flat = reshape(moved, shape=(*outer, n * n))
    taken = slice(
        flat,
        start_indices=(0,) * len(flat.type.shape),
        limit_indices=flat.type.shape,
        strides=(1,) * len(outer) + (n + 1,),
    )
    return Term(taken, "".join(labels[axis] for axis in rest) + label)


def _contracted(terms: Sequence[Term], needed: Collection[str], output: str, dtype: DType) -> Term:
    """Terms as one, from left to right, with the labels that are needed afterwards."""
    made, *others = terms
    for i, term in enumerate(others):
        later = {*needed}.union(*(t.labels for t in others[i + 1 :]))
        # What comes first in the result stands on the left: that may save a transpose.
        left, right = sorted((made, term), key=lambda t: [t.labels.find(x) < 0 for x in output])
        made = _product(left, right, later, dtype)
    return _summed(made, needed, dtype)


def _summed(term: Term, needed: Collection[str], dtype: DType) -> Term:
    """Summed over the labels that nothing needs."""
    gone = [axis for axis, label in enumerate(term.labels) if label not in needed]
    if not gone:
        return term
    summed = sum(wrap(term.data), gone, dtype=dtype)
    return Term(summed._data, "".join(label for label in term.labels if label in needed))


def _product(a: Term, b: Term, needed: Collection[str], dtype: DType) -> Term:
    """Batched over common labels that are needed, contracted over the others."""
    a = _summed(a, {*needed, *b.labels}, dtype)
    b = _summed(b, {*needed, *a.labels}, dtype)
    common = [label for label in a.labels if label in b.labels]
    batch = [label for label in common if label in needed]
    inner = [label for label in common if label not in needed]
    numbers = DotDimensionNumbers(
        tuple(map(a.labels.index, batch)),
        tuple(map(b.labels.index, batch)),
        tuple(map(a.labels.index, inner)),
        tuple(map(b.labels.index, inner)),
    )
    meeting = result_type(a.data.type.dtype, b.data.type.dtype)
    left, right = as_dtype(a.data, meeting), as_dtype(b.data, meeting)
    free = [label for label in a.labels + b.labels if label not in common]
    product = dot_general(left, right, dot_dimension_numbers=numbers, dtype=dtype)
    return Term(product, "".join(batch + free))
