"""The one file that touches jaxlib's private modules: Client, Executable, buffers.

Measured on jaxlib 0.10.2 and 0.12.0.1. On the CPU `jax` is not imported.
"""

from __future__ import annotations

import importlib.util
import inspect
import warnings
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from itertools import chain
from operator import methodcaller
from types import SimpleNamespace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runtime.memory import keep_freed_memory
from tracer.config import config, quiet_xla

quiet_xla()

import jaxlib  # noqa: E402
from jaxlib import _hlo, _jax, _profile_data, _profiler, xla_client  # noqa: E402

Buffer = Any
CompileError = RuntimeError
"""What jaxlib raises of a program or a run: JaxRuntimeError, or this, its base."""
_KINDS = {"cpu": "CPU", "gpu": "GPU", "cuda": "GPU", "rocm": "GPU", "tpu": "TPU"}
_PLUGINS = ("jax_plugins", "libtpu")
_LAPACK = '"lapack_'
"""How the targets of LAPACK start in a program's text."""


class _Sharding(_jax.SingleDeviceSharding):  # type: ignore[misc]
    """One device, with what jaxlib expects `jax` to have added to the class."""

    memory_kind = None

    def _to_xla_hlo_sharding(self, ndim: int) -> Any:
        return xla_client.HloSharding.replicate()


def _aval(shape: tuple[int, ...], dtype: Any) -> SimpleNamespace:
    return SimpleNamespace(shape=shape, dtype=dtype, weak_type=False)


class Executable:
    """A loaded program for one device: buffers in, buffers out; returns before it has run."""

    def __init__(self, client: Client, loaded: Any, results: Sequence[tuple[Any, ...]]) -> None:
        self.loaded = loaded
        self._handlers = [client.result_handler(shape, dtype) for shape, dtype in results]
        self._execute_with_tokens = partial(loaded.execute_sharded, with_tokens=True)
        self._consume = methodcaller("consume_with_handlers", self._handlers)

    def __call__(self, inputs: Sequence[Buffer]) -> list[Buffer]:
        """Raises CompileError where the run can't be started."""
        return self.loaded.execute_sharded(inputs).consume_with_handlers(self._handlers)  # type: ignore[no-any-return]

    def fill(self, inputs: Sequence[Buffer], results: list[Buffer]) -> None:
        """The same, the buffers put into `results`.

        All in one call of C code: a signal handler that raises in between would lose the memory of
        inputs that are donated, and the results.
        """
        started = map(self.loaded.execute_sharded, (inputs,))
        results.extend(chain.from_iterable(map(self._consume, started)))

    def fill_watched(self, inputs: Sequence[Buffer], results: list[Buffer]) -> Callable[[], Any]:
        """The same; what waits until the program has run, and keeps no buffer alive."""
        started: list[Any] = []
        try:
            started.extend(map(self._execute_with_tokens, (inputs,)))
            return started[0].consume_token().block_until_ready  # type: ignore[no-any-return]
        finally:
            results.extend(chain.from_iterable(map(self._consume, started)))

    def serialize(self) -> bytes:
        """The program for `Client.load`. Raises CompileError or MemoryError where XLA can't."""
        return self.loaded.serialize()  # type: ignore[no-any-return]

    def optimized_text(self) -> str:
        """The HLO that XLA made of the program."""
        return "\n".join(module.to_string() for module in self.loaded.hlo_modules())

    def optimized_stablehlo(self) -> bytes:
        """The same as the bytecode of a StableHLO module, large constants included."""
        (module,) = self.loaded.hlo_modules()
        return _jax.mlir.hlo_to_stablehlo(module.as_serialized_hlo_module_proto())  # type: ignore[no-any-return]


class Client:
    """One device of a PJRT client."""

    def __init__(self, device: Any) -> None:
        self._device = device
        self._client = device.client
        self._devices = _jax.DeviceList((device,))
        self._sharding = _Sharding(device)

    @property
    def platform(self) -> str:
        """ "cpu", "gpu" or "tpu"."""
        return _KINDS[self._client.platform].lower()

    def compile(
        self,
        text: str,
        results: Sequence[tuple[Any, ...]],
        options: Sequence[tuple[str, Any]] = (),
    ) -> Executable:
        """Compiles StableHLO text; `results` are shapes and dtypes. Raises CompileError."""
        if _LAPACK in text:
            _register_lapack()
        made = self.compile_options(options)
        return Executable(self, self._client.compile_and_load(text, self._devices, made), results)

    def load(
        self,
        data: bytes,
        results: Sequence[tuple[Any, ...]],
        options: Sequence[tuple[str, Any]] = (),
    ) -> Executable:
        """What `Executable.serialize` gave: native code, to be trusted. Raises CompileError."""
        if _LAPACK[1:].encode() in data:
            _register_lapack()
        made = self.compile_options(options)
        loaded = self._client.deserialize_executable(data, self._devices, made)
        return Executable(self, loaded, results)

    def compile_options(self, options: Sequence[tuple[str, Any]]) -> Any:
        """XLA's, with these flags, and those of the environment as XLA read them."""
        made = xla_client.CompileOptions()
        made.device_assignment = xla_client.DeviceAssignment.create(np.array([[self._device.id]]))
        made.env_option_overrides = list(options)
        return made

    @property
    def identity(self) -> tuple[str, ...]:
        """What a compiled program is for: release of jaxlib, platform, kind of device, driver."""
        client = self._client
        kind = self._device.device_kind
        return jaxlib.__version__, client.platform, kind, client.platform_version

    def put(self, array: NDArray[Any], share: bool = False) -> Buffer:
        """An array on the device: a copy, or with share=True its own memory where that will do."""
        kinds = _jax.HostBufferSemantics
        semantics = kinds.ZERO_COPY if share else kinds.IMMUTABLE_ONLY_DURING_CALL
        aval = _aval(array.shape, array.dtype)
        return _jax.batched_device_put(
            aval, self._sharding, [array], [self._device], True, False, semantics, True
        )

    def from_dlpack(self, array: Any, copy: bool) -> Buffer:
        """What an array of this device offers through DLPack; this way imports jax.

        Raises BufferError unless it is row-major, CompileError where it can't be had.
        """
        on_cpu = self.platform == "cpu"
        stream = None if on_cpu else self._device.get_stream_for_external_ready_events()
        capsule = array.__dlpack__() if on_cpu else array.__dlpack__(stream=stream)
        buffer = _jax.dlpack_managed_tensor_to_buffer(capsule, self._device, stream, copy)
        order = ",".join(map(str, reversed(range(len(buffer.shape)))))
        if not str(buffer._pjrt_layout).startswith("{" + order):
            raise BufferError(f"a row-major array is needed, got layout {buffer._pjrt_layout}")
        return buffer

    def result_handler(self, shape: tuple[int, ...], dtype: Any) -> Any:
        """What wraps one result of this shape and dtype."""
        aval = _aval(shape, dtype)
        return _jax.array_result_handler(aval, self._sharding, True, *_handler_flags())


class _Everywhere(_jax.GSPMDSharding):  # type: ignore[misc]
    """The same on several devices, with what jaxlib expects `jax` to have added to the class."""

    memory_kind = None

    def _to_xla_hlo_sharding(self, ndim: int) -> Any:
        return xla_client.HloSharding.replicate()


class Replicas:
    """A program that runs on several CPU devices at once, as so many replicas."""

    def __init__(self, text: str, count: int) -> None:
        """Raises CompileError where XLA refuses it, ValueError where there are fewer devices."""
        found = [c._device for (kind, _), c in clients().items() if kind == "CPU"][:count]
        if len(found) < count:
            raise ValueError(f"{count} CPU devices are needed, there are {len(found)}")
        options = xla_client.CompileOptions()
        options.num_replicas = count
        numbers = np.array([[device.id] for device in found])
        options.device_assignment = xla_client.DeviceAssignment.create(numbers)
        self._devices, everywhere = found, _jax.DeviceList(tuple(found))
        self._sharding = _Everywhere(everywhere, xla_client.HloSharding.replicate())
        self._loaded = found[0].client.compile_and_load(text, everywhere, options)

    def __call__(self, arrays: Sequence[NDArray[Any]]) -> list[list[NDArray[Any]]]:
        """Each result as each device has it; all are given these arrays. Raises CompileError."""
        made = self._loaded.execute_sharded([self._put(array) for array in arrays])
        results = made.disassemble_into_single_device_arrays()
        return [[get(buffer) for buffer in buffers] for buffers in results]

    def _put(self, array: NDArray[Any]) -> Buffer:
        semantics = _jax.HostBufferSemantics.IMMUTABLE_ONLY_DURING_CALL
        aval, copies = _aval(array.shape, array.dtype), [array] * len(self._devices)
        return _jax.batched_device_put(
            aval, self._sharding, copies, self._devices, True, False, semantics, True
        )


def hlo_text(text: str, whole: bool = False) -> str:
    """StableHLO text as HLO, before XLA optimises it; whole: with large constants too.

    Raises CompileError.
    """
    computation = _jax.mlir.mlir_module_to_xla_computation(
        text, use_tuple_args=False, return_tuple=False
    )
    module = computation.as_hlo_module()
    return _whole(module) if whole else module.to_string()


def hlo_of_proto(data: bytes) -> str:
    """The whole text of a serialized HloModuleProto. Raises CompileError for what is none."""
    return _whole(_hlo.XlaComputation(data).as_hlo_module())


def _whole(module: Any) -> str:
    options = _hlo.HloPrintOptions()
    options.print_large_constants = True
    return module.to_string(options)  # type: ignore[no-any-return]


def need_whole(text: str) -> None:
    """Raises CompileError for HLO text without the elements of a constant: XLA makes some up."""
    if "constant({...})" in text:
        raise CompileError("the elements of a constant are left out of the text: constant({...})")


def hlo_to_proto(text: str) -> bytes:
    """HLO text as a serialized HloModuleProto. Raises CompileError for what XLA can't read."""
    return _hlo.hlo_module_from_text(text).as_serialized_hlo_module_proto()  # type: ignore[no-any-return]


def hlo_to_stablehlo(text: str) -> bytes:
    """HLO text, optimised too, as the bytecode of a StableHLO module. Raises CompileError."""
    need_whole(text)
    return _jax.mlir.hlo_to_stablehlo(hlo_to_proto(text))  # type: ignore[no-any-return]


def hlo_costs(text: str) -> dict[str, float]:
    """What XLA counts of HLO text, by name: "flops", "bytes accessed", … Raises CompileError."""
    client = clients()["CPU", 0]._client
    return _jax.hlo_module_cost_analysis(client, _hlo.hlo_module_from_text(text))  # type: ignore[no-any-return]


def get(buffer: Buffer) -> NDArray[Any]:
    """The elements, once they are there; read-only. Raises CompileError where the run failed."""
    buffer.block_until_ready()  # raises if the run failed, where a look would abort the process
    try:
        return np.asarray(memoryview(buffer))
    except BufferError:  # a dtype that Python's buffer protocol lacks; this way imports jax
        return np.asarray(buffer._single_device_array_to_np_array_did_copy()[0])


def place_of(buffer: Buffer) -> tuple[str, int]:
    """Kind and ordinal of the device where a buffer is."""
    device = buffer._sharding._device
    return _KINDS[device.client.platform], device.local_hardware_id


def to_dlpack(buffer: Buffer, stream: Any, version: Any, copied: bool) -> Any:
    """A capsule of a buffer's memory; jaxlib 0.10 knows only those without a version."""
    flags = {"max_version": version, "copied": copied} if _has_versions() else {}
    return _jax.buffer_to_dlpack_managed_tensor(buffer, stream=stream, **flags)


@cache
def _has_versions() -> bool:
    return "max_version" in (inspect.getdoc(_jax.buffer_to_dlpack_managed_tensor) or "")


@cache
def _register_lapack() -> None:
    """Makes the routines of LAPACK known to XLA on the CPU; their code is SciPy's."""
    from jaxlib import lapack  # noqa: PLC0415  imports SciPy, which only such a program needs

    for name, function, version in lapack.registrations()["cpu"]:
        xla_client.register_custom_call_target(name, function, "cpu", version)
    # whatever the name, this finds SciPy's code
    lapack.prepare_lapack_call("getrf", np.float64)  # type: ignore[no-untyped-call]


@cache
def _handler_flags() -> tuple[bool, ...]:
    """jaxlib 0.10 wants _skip_checks=True where jax is not imported; later ones don't know it."""
    return (True,) if "_skip_checks" in (inspect.getdoc(_jax.array_result_handler) or "") else ()


@cache
def clients() -> dict[tuple[str, int], Client]:
    """Every device of this process by kind and ordinal; CPU first."""
    if config.keep_memory:
        keep_freed_memory()
    cpu = xla_client.make_cpu_client(num_devices=config.cpu_devices)
    found = list(cpu.local_devices())
    if any(importlib.util.find_spec(name) for name in _PLUGINS):
        found += _accelerators()
    return {(_KINDS[d.client.platform], d.local_hardware_id): Client(d) for d in found}


def _accelerators() -> list[Any]:
    import jax.extend.backend  # noqa: PLC0415  finds the plugins, and is kept out of start-up

    found: list[Any] = []
    for platform in ("tpu", "gpu"):
        try:
            found += jax.extend.backend.get_backend(platform).local_devices()
        except RuntimeError:  # the plugin of this platform is not installed
            continue
    return found


def is_profiled() -> bool:
    """Whether a profiler is running in this process, ours or another."""
    return _profiler.TraceMe.is_enabled()  # type: ignore[no-any-return]


def start_profiler() -> Any:
    """A session of jaxlib's profiler; `stop` gives an XSpace as bytes. Python calls are left out.

    Only one of several sessions sees anything: the others fail when they are stopped.
    """
    options = _profiler.ProfileOptions()
    options.python_tracer_level = 0
    return _profiler.ProfilerSession(options)


def span(name: str, **facts: Any) -> Any:
    """An event of this thread for whichever profiler is running."""
    return _profiler.TraceMe(name, **facts)


Seen = tuple[str, float, float, dict[str, Any]]
"""An event of a profile: its name, its start and duration in nanoseconds, what is known of it."""


def profiled(data: bytes) -> Iterator[tuple[str, str, list[Seen]]]:
    """What an XSpace holds: the name of a plane, that of a line in it, and the line's events."""
    with warnings.catch_warnings():  # of jaxlib's own types, which end the process as errors
        warnings.simplefilter("ignore", DeprecationWarning)
        for plane in _profile_data.ProfileData.from_serialized_xspace(data).planes:
            for line in plane.lines:
                events = [(e.name, e.start_ns, e.duration_ns, dict(e.stats)) for e in line.events]
                yield plane.name, line.name, events
