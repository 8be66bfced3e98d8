"""Adam on a large multilayer perceptron in tracer: the most memory that steps take."""

from __future__ import annotations

import numpy as np

import tracer as tr
from benchmarks.programs import shared
from benchmarks.programs.ours_lenet import VERSION
from benchmarks.serve import Workload
from benchmarks.workload import peak_of
from tracer import losses, nn, optim


def peak() -> Workload:
    """The most resident memory above what there was before the model, in steps after the first."""
    device = tr.Device.default_xla()
    x = tr.asarray(shared.sequences((shared.MLP_BATCH, shared.MLP[0][0])), device=device)
    x.numpy()

    def make() -> object:
        with tr.default_device(device):
            layers = [
                nn.Dense(*shape, tr.relu, weight_initializer=nn.initializers.zeros)
                for shape in shared.MLP
            ]
        model = nn.Sequential(*layers)
        kernels = shared.weights(shared.MLP)
        for layer in layers:
            layer.weight = tr.asarray(kernels.pop(0), device=device)
        optimizer = optim.Adam(model, shared.ADAM_RATE)

        def step() -> float:
            target = tr.zeros_like(x)
            loss, gradient = tr.value_and_grad(lambda m: losses.mean_squared_error(m(x), target))(
                model
            )
            optimizer.update(model, gradient)
            del gradient  # else it is a result of the program, 200 MB more
            tr.barrier()
            return float(np.asarray(loss.numpy()))

        return step

    return peak_of(make), {"version": VERSION}
