"""What is known of the processor is what XLA compiles for, and does not change by itself."""

from __future__ import annotations

from runtime.host import describe_host, first_processor

CPUINFO = """processor\t: {n}
vendor_id\t: GenuineIntel
cpu family\t: 6
model\t\t: 85
model name\t: A processor
stepping\t: 7
cpu MHz\t\t: {clock}
core id\t\t: {n}
flags\t\t: fpu sse2 {flags}
bogomips\t: {clock}

processor\t: 1
flags\t\t: other
"""


def told(n: int = 0, clock: str = "2445.432", flags: str = "avx2") -> str:
    """What a file with these numbers tells."""
    return first_processor(CPUINFO.format(n=n, clock=clock, flags=flags).splitlines(keepends=True))


def test_instructions_count_and_clocks_do_not() -> None:
    assert told() == told(clock="1200.000") == told(n=3)
    assert told() != told(flags="avx2 avx512f")
    assert "model name\t: A processor\n" in told()
    assert "other" not in told()


def test_of_another_architecture() -> None:
    lines = ["processor\t: 0\n", "BogoMIPS\t: 243.75\n", "Features\t: fp asimd\n", "\n"]
    assert first_processor([*lines, "Features\t: fp\n"]) == "Features\t: fp asimd\n"


def test_this_machine_is_described() -> None:
    system, machine, processor, threads = describe_host()
    assert system
    assert machine
    assert len(processor) > 20
    assert int(threads) >= 1
