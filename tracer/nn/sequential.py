"""Layers one after the other."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from tracer.tensor import Tensor
from tracer.tree import Module


class Sequential(Module):
    """Applies layers, or any functions of a tensor, in order: `Sequential(Dense(4, 2), relu)`."""

    def __init__(self, *layers: Callable[[Tensor], Any]) -> None:
        self.layers = list(layers)

    def __call__(self, x: Tensor) -> Tensor:
        for layer in self.layers:
            x = layer(x)
        return x

    def __getitem__(self, index: int) -> Callable[[Tensor], Any]:
        return self.layers[index]

    def __len__(self) -> int:
        return len(self.layers)

    def __iter__(self) -> Iterator[Callable[[Tensor], Any]]:
        return iter(self.layers)
