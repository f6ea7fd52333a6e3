"""The submission that the self-test hands in: it tries what must not work. Runs inside, imports nothing of ours.

A probe returns 1 where it was stopped and 0 where it was not, and prints what happened.
"""

import os
import sys
import time
from collections.abc import Callable

import numpy as np


def _stopped(attempt: Callable[..., object], *arguments: object) -> np.ndarray:
    try:
        result = attempt(*arguments)
    except Exception as error:
        print(f"{type(error).__name__}: {error}")
        return np.array([1.0])
    print(f"it worked: {result!r}"[:200])
    return np.array([0.0])


def write_system() -> np.ndarray:
    """Change the system."""
    return _stopped(open, "/usr/x", "w")


def read_outside(path: str) -> np.ndarray:
    """Read a file of the host."""
    return _stopped(lambda: open(path).read())


def read_environment() -> np.ndarray:
    """Read what the runner was started with."""
    return _stopped(lambda: open("/proc/1/environ", "rb").read())


def open_socket() -> np.ndarray:
    """Reach the network."""
    import socket

    return _stopped(socket.socket)


def nested_namespace() -> np.ndarray:
    """Become root in a namespace of one's own."""
    import ctypes

    libc = ctypes.CDLL(None, use_errno=True)
    new_user = 0x10000000
    unshare = 272 if os.uname().machine == "x86_64" else 97
    for made in (libc.unshare(new_user), libc.syscall(ctypes.c_long(unshare), new_user)):
        if made == 0:
            print("a user namespace was made")
            return np.array([0.0])
    print(os.strerror(ctypes.get_errno()))
    return np.array([1.0])


def open_pipe_of_runner() -> np.ndarray:
    """The runner's channel is behind one of its descriptors."""
    return _stopped(lambda: [os.open(f"/proc/1/fd/{name}", os.O_RDWR) for name in os.listdir("/proc/1/fd")])


def read_memory_of_runner() -> np.ndarray:
    """Change the runner itself."""
    return _stopped(open, "/proc/1/mem", "r+b")


def stop_runner() -> np.ndarray:
    """Signals from within do not reach process 1."""
    import signal

    for number in (signal.SIGSTOP, signal.SIGKILL, signal.SIGTERM, signal.SIGINT):
        os.kill(1, number)
    return np.array([1.0])


def import_grader() -> np.ndarray:
    """Import what would give the answers."""
    found = [name for name in ("pyattn", "grader", "torch", "scipy", "pip", "setuptools") if _finds(name)]
    print("can be imported:", found)
    return np.array([float(not found)])


def _finds(name: str) -> bool:
    import importlib.util

    return importlib.util.find_spec(name) is not None


def right_python(prefix: str, package: str) -> np.ndarray:
    """Not an attack: the interpreter and NumPy are those that were bound."""
    print(sys.base_prefix, np.__file__)
    return np.array([float(sys.base_prefix == prefix and np.__file__ == package)])


def fork_beyond(limit: int) -> np.ndarray:
    """Fork without end."""
    made = 0
    try:
        while made < limit + 32:
            if os.fork() == 0:
                time.sleep(20)
                os._exit(0)
            made += 1
    except OSError as error:
        print(f"{made} forks, then {error}")
        return np.array([float(made <= limit)])
    print(f"{made} forks")
    return np.array([0.0])


def allocate_beyond(megabytes: int) -> np.ndarray:
    """Hold more memory than allowed."""
    held = []
    for _ in range(megabytes):
        held.append(bytearray(os.urandom(1)) * (1 << 20))
    print(f"{len(held)} MB held")
    return np.array([0.0])


def leave_daemon() -> np.ndarray:
    """Leave a process behind."""
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            while True:
                open("/tmp/beat", "w").close()
                time.sleep(0.01)
        os._exit(0)
    time.sleep(0.05)
    return np.array([1.0])


def find_daemon() -> np.ndarray:
    """See whether another call left something."""
    others = [name for name in os.listdir("/proc") if name.isdigit() and int(name) not in (1, os.getpid())]
    files = os.listdir("/tmp")
    print("processes:", others, "files:", files)
    return np.array([float(not others and not files)])
