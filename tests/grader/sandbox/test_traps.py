"""Hostile submissions: each ends with a verdict, and the same sandbox then serves the next call."""

import time
from dataclasses import replace

import numpy as np
import pytest
from sandbox_limits import LIMITS

from grader.models import Call, Status

HEAD = "import ctypes, os, signal, sys, threading, time\nimport numpy as np\ndef honest(x): return x + 1\n"
X = np.arange(6, dtype=np.float32)


def end_then_next(opened, source, limits=LIMITS):
    """The outcome of the attack; and that the next call is as if nothing had been."""
    box = opened(HEAD + source)
    outcome = box.call(Call("f", {"x": X}), limits)
    following = box.call(Call("honest", {"x": X}), LIMITS)
    assert following.status is Status.OK, following
    assert np.array_equal(following.results[0], X + 1) and following.printed == b""
    return outcome


ENDS = {
    "exits at once": ("os._exit(0)", Status.EXITED),
    "exits with a status": ("os._exit(3)", Status.EXITED),
    "crashes": ("ctypes.string_at(0)", Status.KILLED),
    "aborts": ("os.abort()", Status.KILLED),
    "kills itself": ("os.kill(os.getpid(), signal.SIGKILL)", Status.KILLED),
    "stops itself": ("os.kill(os.getpid(), signal.SIGSTOP); return x", Status.TIMEOUT),
    "sleeps": ("time.sleep(60)", Status.TIMEOUT),
    "never ends and ignores SIGTERM": (
        "[signal.signal(n, signal.SIG_IGN) for n in (2, 15, 1, 24)]\n    while True: pass", Status.TIMEOUT),
    "execs another program": ("os.execv(sys.executable, [sys.executable, '-c', 'pass'])", Status.EXITED),
    "fills memory": ("return [bytearray(1 << 20) for _ in range(1 << 20)]", Status.OUT_OF_MEMORY),
    "fills shared memory": (
        "import mmap\n    try: m = mmap.mmap(-1, 1 << 30)\n    except PermissionError: raise MemoryError() from None\n"
        "    for i in range(0, 1 << 30, 4096): m[i] = 1\n    return x",
        Status.OUT_OF_MEMORY),
    "raises in the text of its exception": (
        "E = type('E', (Exception,), {'__str__': lambda self: 1 / 0})\n    raise E()", Status.RAISED),
    "hangs in the text of its exception": (
        "E = type('E', (Exception,), {'__str__': lambda self: time.sleep(60)})\n    raise E()", Status.TIMEOUT),
    "writes a huge file": (
        "b = b'x' * (1 << 20)\n    with open('/tmp/big', 'wb') as file:\n        while True: file.write(b)",
        Status.RAISED),
}  # fmt: skip


@pytest.mark.parametrize("name", ENDS)
def test_ends_with_its_verdict(opened, name):
    body, status = ENDS[name]
    limits = replace(LIMITS, wall_seconds=1.0)
    began = time.monotonic()
    outcome = end_then_next(opened, f"def f(x):\n    {body}\n", limits)
    assert outcome.status is status and outcome.results == () and outcome.message, outcome
    assert time.monotonic() - began < 5


GOES_ON = {
    "an exit handler that hangs": "import atexit; atexit.register(time.sleep, 60)",
    "a thread that is no daemon": "threading.Thread(target=time.sleep, args=(60,)).start()",
    "descriptors closed": "os.closerange(0, 5000)",
    "stdout closed": "sys.stdout.close(); sys.stderr.close()",
    "stdout replaced": "sys.stdout = sys.stderr = None",
    "builtins replaced": "import builtins; builtins.type = builtins.len = builtins.isinstance = None",
    "numpy emptied": "np.copyto = np.frombuffer = np.ndarray = np.dtype = None",
    "os emptied": "os._exit = os.write = os.close = os.kill = lambda *a: None",
    "the runner stopped": "[os.kill(1, n) for n in (19, 15, 9, 2, 20)]",
    "everybody stopped": "signal.signal(15, signal.SIG_IGN); os.kill(-1, 15)",
    "a background process": "os.fork() or (os.setsid(), os.fork(), time.sleep(60))",
    "many zombies": "[os.fork() or os._exit(0) for _ in range(8)]",
    "zombies of orphans": "[os.fork() or (os.fork(), os._exit(0)) for _ in range(4)]",
    "files in /tmp": "[open(f'/tmp/{n}', 'w').write('x' * 1000) for n in range(200)]",
    "a folder that cannot be read": "os.makedirs('/tmp/a/b'); open('/tmp/a/b/c', 'w'); os.chmod('/tmp/a', 0)",
    "names that are no text": "open(b'/tmp/\\xff\\n', 'w')",
    "files in shared memory": "open('/dev/shm/x', 'w').write('x' * 100000)",
    "a pipe in /tmp": "os.mkfifo('/tmp/pipe')",
    "a link in /tmp": "os.symlink('/', '/tmp/root')",
    "globals changed": "global honest; honest = None; np.ones = None; sys.modules.clear()",
    "its own limits lowered": "import resource; resource.setrlimit(resource.RLIMIT_NOFILE, (0, 0))",
    "its nice value raised": "os.nice(19)",
}


@pytest.mark.parametrize("name", GOES_ON)
def test_answers_and_leaves_nothing_to_the_next(opened, name):
    outcome = end_then_next(opened, f"def f(x):\n    {GOES_ON[name]}\n    return x * 2\n")
    # Whoever breaks their own tools may end without an answer; but an answer must be the right one.
    if outcome.status is Status.OK:
        assert np.array_equal(outcome.results[0], X * 2)
    else:
        assert outcome.status in (Status.EXITED, Status.RAISED, Status.MISSING), outcome


def test_a_deep_tree_of_folders_is_gone_afterwards(opened):
    source = """
def f(x):
    os.chdir('/tmp')
    for _ in range(3000):
        os.mkdir('d'); os.chdir('d')
    return x
def look(x):
    return np.array([float(len(os.listdir('/tmp')))])
"""
    box = opened(HEAD + source)
    assert box.call(Call("f", {"x": X}), LIMITS).status is Status.OK
    assert box.call(Call("look", {"x": X}), LIMITS).results[0] == 0


STOPPED = {
    "change the system": "open('/usr/x', 'w')",
    "change its own source": "open('/submission/submission.py', 'w')",
    "change NumPy": "open(np.__file__, 'a')",
    "change the runner": "open('/runner/inside/runner.py', 'a')",
    "read the host's passwords": "open('/etc/shadow')",
    "read the host's home": "os.listdir('/root/.ssh')",
    "read the runner's environment": "open('/proc/1/environ').read()",
    "open the runner's channel": "[os.open(f'/proc/1/fd/{n}', os.O_RDWR) for n in os.listdir('/proc/1/fd')]",
    "write the runner's memory": "open('/proc/1/mem', 'r+b')",
    "change the runner's priority to be ended": "open('/proc/1/oom_score_adj', 'w')",
    "make a socket": "__import__('socket').socket()",
    "make a pair of sockets": "__import__('socket').socketpair()",
    "limit the runner": "__import__('resource').prlimit(1, 7, (0, 0))",
    "move the runner to another core": "os.sched_setaffinity(1, [0])",
    "slow the runner down": "os.setpriority(os.PRIO_PROCESS, 1, 19)",
    "make a folder in /": "os.mkdir('/x')",
    "make a device": "os.mknod('/tmp/sda', 0o60600, 0x800)",
    "write to /dev": "open('/dev/x', 'w')",
    "make hidden memory": "os.memfd_create('x')",
}


@pytest.mark.parametrize("name", STOPPED)
def test_is_not_allowed_to(opened, name):
    source = f"def f(x):\n    try:\n        {STOPPED[name]}\n    except OSError:\n        return x\n    return x - 1\n"
    outcome = end_then_next(opened, source)
    assert outcome.status is Status.OK, outcome
    assert np.array_equal(outcome.results[0], X), "it was allowed"


DENIED_CALLS = {
    "mount": "165, b'none', b'/tmp', b'tmpfs', 0, 0",
    "unshare": "272, 0x10000000",
    "clone into a user namespace": "56, 0x10000011, 0, 0, 0, 0",
    "ptrace": "101, 16, 1, 0, 0",
    "process_vm_readv": "310, 1, 0, 0, 0, 0, 0",
    "keyctl": "250, 0, 0",
    "bpf": "321, 0, 0, 0",
    "perf_event_open": "298, 0, 0, 0, 0, 0",
    "io_uring_setup": "425, 1, 0",
    "shared memory of System V": "29, 1, 4096, 0o1666",
    "a message queue": "240, b'q', 0o100, 0o666, 0",
    "a timer": "222, 1, 0, b'12345678'",
    "a timer with a descriptor": "283, 1, 0",
    "an interval": "38, 0, bytes(32), 0",
    "an alarm": "37, 1",
    "who watches thousands of descriptors": "291, 0",
    "typing into the terminal": "16, 0, 0x5412, b'x'",
}


@pytest.mark.parametrize("name", DENIED_CALLS)
def test_the_filter_denies(opened, name):
    source = f"""
def f(x):
    libc = ctypes.CDLL(None, use_errno=True)
    result = libc.syscall({DENIED_CALLS[name]})
    if result == 0 and os.getpid() == 1: os._exit(9)
    return np.array([float(result), float(ctypes.get_errno())])
"""
    outcome = end_then_next(opened, source)
    assert outcome.results[0].tolist() == [-1.0, 1.0], outcome


def test_another_abi_is_the_end(opened):
    """`int 0x80` is the 32-bit table, where the numbers mean other calls."""
    source = """
def f(x):
    import mmap
    code = mmap.mmap(-1, 4096, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, prot=7)
    code.write(bytes.fromhex('b814000000cd80c3'))
    ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(code)))()
    return x
"""
    outcome = end_then_next(opened, source)
    assert outcome.status is Status.KILLED and outcome.message.params == {"signal": "SIGSYS"}


def test_forks_end_at_the_limit(opened):
    source = """
def f(x):
    made = 0
    try:
        while made < 100:
            if os.fork() == 0: time.sleep(60); os._exit(0)
            made += 1
    except BlockingIOError:
        pass
    return np.array([float(made)])
"""
    outcome = end_then_next(opened, source)
    assert outcome.results[0][0] <= LIMITS.processes + 4


def test_a_fork_bomb_is_ended(opened):
    outcome = end_then_next(
        opened, "def f(x):\n    while True:\n        try: os.fork()\n        except OSError: pass\n"
    )
    assert outcome.status is Status.TIMEOUT


def test_processor_time_of_all_processes_is_limited(opened):
    source = "def f(x):\n    for _ in range(3):\n        if os.fork() == 0: break\n    while True: pass\n"
    outcome = end_then_next(opened, source, replace(LIMITS, wall_seconds=9.0, cpu_seconds=1.0))
    assert outcome.status is Status.TIMEOUT and outcome.message.code == "cpu-time-out"
    assert outcome.cpu_seconds < 2


def test_memory_of_all_processes_is_limited(opened):
    source = """
def f(x):
    for _ in range(4):
        if os.fork() == 0: break
    held = bytearray(os.urandom(1)) * (60 << 20)
    time.sleep(1)
    return x
"""
    box = opened(HEAD + source)
    outcome = box.call(Call("f", {"x": X}), LIMITS)
    assert outcome.status is Status.OUT_OF_MEMORY or outcome.peak_bytes < LIMITS.memory_bytes + (8 << 20), (
        outcome
    )
    assert box.call(Call("honest", {"x": X}), LIMITS).status is Status.OK


def test_a_leak_is_gone_with_its_call(opened):
    source = "kept = []\ndef f(x):\n    kept.append(np.ones(10 << 20))\n    return x\n"
    box = opened(HEAD + source)
    for _ in range(4):
        assert box.call(Call("f", {"x": X}), LIMITS).status is Status.OK


def test_gigabytes_of_print_are_cut_in_the_middle_and_block_nobody(opened):
    source = """
def f(x):
    os.write(1, b'first')
    for _ in range(500): os.write(1, b'x' * 1000000)
    os.write(2, b'last')
    return x
"""
    limits = replace(LIMITS, printed_bytes=1000, wall_seconds=10)
    outcome = end_then_next(opened, source, limits)
    assert outcome.status is Status.OK
    assert outcome.printed.startswith(b"first") and outcome.printed.endswith(b"last")
    assert b"bytes ...]" in outcome.printed and len(outcome.printed) < 1100


def test_endless_print_is_a_time_out(opened):
    outcome = end_then_next(opened, "def f(x):\n    while True: os.write(1, b'x' * 65536)\n")
    assert outcome.status is Status.TIMEOUT and len(outcome.printed) <= LIMITS.printed_bytes + 64


def test_what_is_printed_without_line_end_is_kept(opened):
    source = """
def f(x):
    print('半', end='', flush=True)
    sys.stdout.buffer.write(b'\\xff\\0')
    ctypes.CDLL(None).printf(b' from C')
    return x
"""
    printed = end_then_next(opened, source).printed
    assert sorted(printed) == sorted("半".encode() + b"\xff\0 from C")


def test_a_report_written_by_hand_is_read_with_care(opened):
    """The child can write anything into its own arena; what is no proper record is no answer."""
    source = """
def f(x):
    import gc, mmap
    arena = x
    while not isinstance(arena, mmap.mmap): arena = arena.base if isinstance(arena, np.ndarray) else arena.obj
    for size in (4, 100, 1 << 16):
        arena[:size] = os.urandom(size)
    arena[:4] = (1 << 16).to_bytes(4, 'little')
    os._exit(0)
"""
    outcome = end_then_next(opened, source)
    assert outcome.status is Status.EXITED and outcome.results == ()


def test_a_forged_result_stays_with_its_own_call(opened):
    """A forged answer is an answer like any other, and the next call begins with an empty arena."""
    source = """
def arena_of(x):
    import mmap
    while not isinstance(x, mmap.mmap): x = x.base if isinstance(x, np.ndarray) else x.obj
    return x
def f(x):
    from_now = arena_of(x)
    if os.fork() == 0:
        time.sleep(0.05)
        while True: from_now[:8] = b'\\xff' * 8
    return x * 2
"""
    for _ in range(3):
        assert end_then_next(opened, source).status is Status.OK


def test_a_run_ends_when_its_time_is_over(opened):
    limits = replace(LIMITS, run_seconds=1.0)
    box = opened(HEAD + "def f(x): time.sleep(60)\n", limits=limits)
    began = time.monotonic()
    assert box.call(Call("f", {"x": X}), LIMITS).status is Status.TIMEOUT
    outcome = box.call(Call("honest", {"x": X}), LIMITS)
    assert (outcome.status, outcome.message.code) == (Status.SKIPPED, "run-over")
    assert time.monotonic() - began < 2


def test_a_lost_runner_is_replaced(opened):
    box = opened(HEAD + "def f(x): return x\n")
    assert box.call(Call("f", {"x": X}), LIMITS).status is Status.OK
    box._engine._started.process.kill()
    assert box.call(Call("f", {"x": X}), LIMITS).status in (Status.OK, Status.KILLED)
    assert box.call(Call("honest", {"x": X}), LIMITS).status is Status.OK
