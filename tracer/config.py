"""The table of settings: name, type, default, doc. The only reader of the environment."""

import os
import time
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting; `TRACER_<NAME>` in the environment overrides its default."""

    name: str
    kind: type[Any]
    default: Any
    doc: str


SETTINGS = (
    Setting("recording_limit", int, 20_000, "Operations a recording holds before it is cut."),
    Setting("lazy_repr", bool, False, "Whether repr() of a pending tensor leaves it pending."),
    Setting("verify_passes", bool, False, "Whether MLIR verifies the program after each pass."),
    Setting("disabled_passes", str, "", "Passes that no pipeline runs, by name, with commas."),
    Setting("cpu_devices", int, 1, "How many CPU devices this process has."),
    Setting("keep_memory", bool, False, "Whether memory that a run frees stays with this process."),
    Setting("disk_cache", bool, True, "Whether compiled programs are kept on disk."),
    Setting("cache_directory", str, "", "Where they are kept; empty: in the user's cache."),
    Setting("cache_limit", int, 1024, "MiB of them that are kept, the latest used."),
    Setting("dump", str, "", "Where what runs is written down, a bundle; empty: nowhere."),
    Setting("dump_stages", str, "trace,lowered", "Stages that a bundle has, with commas."),
    Setting("dump_filter", str, "", "Names of programs that a bundle has, as a pattern."),
    Setting("override", str, "", "Where programs to compile instead are; empty: nowhere."),
)


def _parse(setting: Setting, text: str) -> Any:
    if setting.kind is bool and text.lower() in ("1", "true", "yes", "on"):
        return True
    if setting.kind is bool and text.lower() in ("0", "false", "no", "off", ""):
        return False
    if setting.kind is int and text.isdecimal():
        return int(text)
    if setting.kind is str:
        return text
    name = f"TRACER_{setting.name.upper()}"
    raise ValueError(f"{name} needs {_expected(setting, '0 or 1')}, got {text!r}")


def _expected(setting: Setting, truth: str) -> str:
    return {bool: truth, int: "a positive integer", str: "text"}[setting.kind]


class Config:
    """The settings as attributes: `tracer.config.recording_limit = 5_000`."""

    recording_limit: int
    lazy_repr: bool
    verify_passes: bool
    disabled_passes: str
    cpu_devices: int
    keep_memory: bool
    disk_cache: bool
    cache_directory: str
    cache_limit: int
    dump: str
    dump_stages: str
    dump_filter: str
    override: str

    def __init__(self) -> None:
        for setting in SETTINGS:
            text = os.environ.get(f"TRACER_{setting.name.upper()}")
            setattr(self, setting.name, setting.default if text is None else _parse(setting, text))

    def __setattr__(self, name: str, value: Any) -> None:
        setting = next((s for s in SETTINGS if s.name == name), None)
        if setting is None:
            known = ", ".join(s.name for s in SETTINGS)
            raise AttributeError(f"no setting is named {name!r}; the settings are: {known}")
        if type(value) is not setting.kind or (setting.kind is int and not value > 0):
            raise ValueError(f"{name} needs {_expected(setting, 'True or False')}, got {value!r}")
        object.__setattr__(self, name, value)

    def __repr__(self) -> str:
        return "\n".join(f"{s.name} = {getattr(self, s.name)!r}  # {s.doc}" for s in SETTINGS)


def quiet_xla() -> None:
    """Keeps XLA's start-up notices off the user's terminal, unless asked for."""
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "1")


started = time.time()
"""When this process loaded the library, in seconds of Unix time."""


def compiler_environment() -> dict[str, str]:
    """What the environment tells XLA: its flags, and how many threads it may use."""
    return {name: os.environ.get(name, "") for name in ("XLA_FLAGS", "LIBTPU_INIT_ARGS", "NPROC")}


config = Config()
