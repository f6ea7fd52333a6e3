"""The submission that the self-test hands in: it tries what must not work. Runs inside, imports nothing of ours.

A probe returns 1 where it was stopped and 0 where it was not, and prints what happened.
"""

import os
import sys
import time

import numpy as np


def _stopped(attempt, *arguments):
    try:
        result = attempt(*arguments)
    except Exception as error:
        print(f"{type(error).__name__}: {error}")
        return np.array([1.0])
    print(f"it worked: {result!r}"[:200])
    return np.array([0.0])


def write_system():
    return _stopped(open, "/usr/x", "w")


def read_outside(path):
    return _stopped(lambda: open(path).read())


def read_environment():
    return _stopped(lambda: open("/proc/1/environ", "rb").read())


def open_socket():
    import socket

    return _stopped(socket.socket)


def nested_namespace():
    import ctypes

    libc = ctypes.CDLL(None, use_errno=True)
    for number in ctypes.c_long(272 if os.uname().machine == "x86_64" else 97), None:
        made = libc.syscall(number, 0x10000000) if number else libc.unshare(0x10000000)
        if made == 0:
            print("a user namespace was made")
            return np.array([0.0])
    print(os.strerror(ctypes.get_errno()))
    return np.array([1.0])


def open_pipe_of_runner():
    """The runner's channel is behind one of its descriptors."""
    return _stopped(lambda: [os.open(f"/proc/1/fd/{name}", os.O_RDWR) for name in os.listdir("/proc/1/fd")])


def read_memory_of_runner():
    return _stopped(open, "/proc/1/mem", "r+b")


def stop_runner():
    """Signals from within do not reach process 1."""
    import signal

    for number in (signal.SIGSTOP, signal.SIGKILL, signal.SIGTERM, signal.SIGINT):
        os.kill(1, number)
    return np.array([1.0])


def import_grader():
    found = [name for name in ("pyattn", "grader", "torch", "scipy", "pip", "setuptools") if _finds(name)]
    print("can be imported:", found)
    return np.array([float(not found)])


def _finds(name):
    import importlib.util

    return importlib.util.find_spec(name) is not None


def right_python(prefix, package):
    print(sys.base_prefix, np.__file__)
    return np.array([float(sys.base_prefix == prefix and np.__file__ == package)])


def fork_beyond(limit):
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


def allocate_beyond(megabytes):
    held = []
    for _ in range(megabytes):
        held.append(bytearray(os.urandom(1)) * (1 << 20))
    print(f"{len(held)} MB held")
    return np.array([0.0])


def leave_daemon():
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            while True:
                open("/tmp/beat", "w").close()
                time.sleep(0.01)
        os._exit(0)
    time.sleep(0.05)
    return np.array([1.0])


def find_daemon():
    others = [name for name in os.listdir("/proc") if name.isdigit() and int(name) not in (1, os.getpid())]
    files = os.listdir("/tmp")
    print("processes:", others, "files:", files)
    return np.array([float(not others and not files)])
