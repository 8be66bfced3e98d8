"""Layers of causal attention in PyTorch: the training step, by gradient descent."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import nn
from torch.nn import functional

from benchmarks.programs import shared
from benchmarks.programs.torch_lenet import VERSION
from benchmarks.serve import Workload
from benchmarks.workload import repeat


def sdpa(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
    """PyTorch's own attention."""
    return functional.scaled_dot_product_attention(q, k, v, is_causal=True)


def plain(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
    """Attention as two products and a softmax."""
    mask = torch.ones(q.shape[-2], k.shape[-2], dtype=torch.bool).tril()
    scores = (q @ k.transpose(-1, -2)) * q.shape[-1] ** -0.5
    return scores.masked_fill(~mask, -1e9).softmax(-1) @ v


ATTENTION = {"sdpa": sdpa, "plain": plain}


class Layer(nn.Module):
    """Attention and a gelu, each behind a norm and with a residual."""

    def __init__(self, weights: dict[str, shared.Floats], heads: int, attention: str) -> None:
        super().__init__()
        width, hidden = weights["up"].shape
        self.heads, self.attention = heads, ATTENTION[attention]
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv = nn.Linear(width, 3 * width, bias=False)
        self.out = nn.Linear(width, width, bias=False)
        self.up, self.down = nn.Linear(width, hidden), nn.Linear(hidden, width)
        for name in ("qkv", "out", "up", "down"):
            layer = getattr(self, name)
            layer.weight = nn.Parameter(torch.tensor(weights[name].T.copy()))
            if layer.bias is not None:
                nn.init.zeros_(layer.bias)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        batch, length, width = x.shape
        parts = self.qkv(self.norm1(x)).split(width, -1)
        q, k, v = (p.view(batch, length, self.heads, -1).transpose(1, 2) for p in parts)
        mixed = self.attention(q, k, v).transpose(1, 2).reshape(x.shape)
        x = x + self.out(mixed)
        return x + self.down(functional.gelu(self.up(self.norm2(x)), approximate="tanh"))


def training(
    attention: str, form: shared.Form, device: str = "cpu", fused: bool = True
) -> Callable[[], torch.Tensor]:
    """Forward, backward and update of all layers; the loss."""
    weights = shared.transformer_weights(form)
    model = nn.Sequential(*(Layer(layer, form["heads"], attention) for layer in weights))
    model.to(device)
    optimizer = torch.optim.SGD(model.parameters(), form["rate"], fused=fused)
    x = torch.tensor(shared.sequences(form["sequences"])).to(device)

    def once() -> torch.Tensor:
        loss = model(x).square().mean()
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()
        return loss

    return once


def step(attention: str, form: shared.Form, count: int = 10) -> Workload:
    """A workload of such steps."""
    once = training(attention, form)
    losses = [once().item() for _ in range(2)]
    return repeat(once, lambda: None, count), {"version": VERSION, "losses": losses}
