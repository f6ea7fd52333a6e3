"""The filter as a program: jumps stay inside, and a small machine that runs it gives the verdicts meant."""

import struct

import pytest

from grader.sandbox import SandboxUnavailable, seccomp

ALLOW, KILL, EPERM, ENOSYS = 0x7FFF0000, 0x80000000, 0x00050001, 0x00050026
ARCH = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}


def verdict(machine, number, *arguments, architecture=None, **options):
    """Run the filter on one system call."""
    data = struct.pack("<IIQ6Q", number, architecture or ARCH[machine], 0, *(*arguments, *[0] * 6)[:6])
    lines = list(struct.iter_unpack("=HBBI", seccomp.program(machine, **options)))
    register, at = 0, 0
    while True:
        code, yes, no, value = lines[at]
        at += 1
        if code == 0x06:
            return value
        if code == 0x20:
            (register,) = struct.unpack_from("<I", data, value)
        else:
            hit = {0x15: register == value, 0x35: register >= value, 0x45: register & value}[code]
            at += yes if hit else no


@pytest.mark.parametrize(
    "machine, mount, read, clone, clone3", [("x86_64", 165, 0, 56, 435), ("aarch64", 40, 63, 220, 435)]
)
def test_verdicts(machine, mount, read, clone, clone3):
    assert verdict(machine, read) == ALLOW
    assert verdict(machine, mount) == EPERM
    assert verdict(machine, clone, 0x11) == ALLOW
    assert verdict(machine, clone, 0x10000011) == EPERM
    assert verdict(machine, clone3) == ENOSYS
    assert verdict(machine, read, architecture=0x40000003) == KILL


def test_only_oneself_may_be_limited_and_only_the_terminal_is_spared():
    assert verdict("x86_64", 302, 0) == ALLOW and verdict("x86_64", 302, 1) == EPERM
    assert verdict("x86_64", 141, 0, 0) == ALLOW and verdict("x86_64", 141, 0, 1) == EPERM
    assert verdict("x86_64", 141, 2, 0) == EPERM  # everybody of this user
    assert verdict("x86_64", 16, 0, 0x5401) == ALLOW
    assert verdict("x86_64", 16, 0, 0x5412) == verdict("x86_64", 16, 0, 0x541C) == EPERM


@pytest.mark.parametrize("machine, mmap", [("x86_64", 9), ("aarch64", 222)])
def test_where_nobody_counts_memory_none_without_a_file_is_shared(machine, mmap):
    private, shared, anonymous = 0x02, 0x01, 0x20
    for flags, allowed in ((private | anonymous, True), (shared, True), (shared | anonymous, False)):
        given = verdict(machine, mmap, 0, 4096, 3, flags, counted=False)
        assert given == (ALLOW if allowed else EPERM), flags
        assert verdict(machine, mmap, 0, 4096, 3, flags) == ALLOW


def test_the_x32_table_is_the_end():
    assert verdict("x86_64", 0x40000000) == KILL


def test_every_denied_call_is_denied_and_every_other_goes_through():
    denied = {numbers[0] for numbers in seccomp._DENIED.values()}
    for number in range(500):
        expected = EPERM if number in denied else ENOSYS if number == 435 else ALLOW
        assert verdict("x86_64", number) == expected, number


def test_another_machine_is_a_reason():
    with pytest.raises(SandboxUnavailable, match="riscv64"):
        seccomp.program("riscv64")
