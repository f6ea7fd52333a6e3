"""Calls from several Python threads, forked children, and the lock that Python holds."""

import os
import subprocess
import sys
import textwrap
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from oracle import assert_same_bits

import pyattn

pytestmark = pytest.mark.alone  # beside others OpenMP's threads are told to wait without turning


def problems(n):
    rng = np.random.default_rng(0)
    for i in range(n):
        queries, keys, width = 1 + 37 * i % 150, 1 + 211 * i % 1500, 1 + 11 * i % 70
        yield [rng.standard_normal((2, m, width)).astype(np.float32) for m in (queries, keys, keys)]


@pytest.mark.parametrize("num_threads", [1, 2, 5])
def test_calls_from_many_threads_at_once_do_not_disturb_each_other(num_threads, isa):
    calls = list(problems(40))

    def attend(call):
        return pyattn.attention(*call, pyattn.causal(), return_lse=True, num_threads=num_threads)

    expected = list(map(attend, calls))
    with ThreadPoolExecutor(8) as pool:
        for _ in range(3):
            for actual, right in zip(pool.map(attend, calls), expected, strict=True):
                assert_same_bits(actual, right)


def test_errors_of_one_thread_are_its_own():
    calls = list(problems(20))

    def attend(i):
        bad = pyattn.lengths(10**6) if i % 2 else None
        try:
            return pyattn.attention(*calls[i], bad)
        except ValueError as error:
            return str(error)

    with ThreadPoolExecutor(8) as pool:
        for i, result in enumerate(pool.map(attend, range(20))):
            assert ("expected 0 to" in result) if i % 2 else result.shape == calls[i][0].shape


@pytest.mark.parametrize(
    "work",
    [
        lambda x: pyattn.attention(x, x, x, num_threads=1),
        lambda x: pyattn.attention_varlen(*(x[:, None],) * 3, [0, len(x)], [0, len(x)], num_threads=1),
        lambda x: [pyattn.softmax(np.broadcast_to(x[:, :1], (len(x), 4000))) for _ in range(3)],
    ],
    ids=["attention", "varlen", "softmax"],
)
def test_python_goes_on_while_the_core_computes(work):
    """Another thread makes many steps during one call, which none could if the lock were held."""
    x = np.random.default_rng(0).standard_normal((6000, 64)).astype(np.float32)
    inside, done = threading.Event(), threading.Event()

    def call():
        inside.set()
        work(x)
        done.set()

    thread = threading.Thread(target=call)
    thread.start()
    inside.wait()
    steps = 0
    while not done.is_set():
        time.sleep(0.001)
        steps += 1
    thread.join()
    assert steps >= 10


def run(script):
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", textwrap.dedent(script)],
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    assert done.returncode == 0, done.stderr


FORKED = """
    import os, signal, sys, threading
    import numpy as np
    import pyattn

    x = np.random.default_rng(0).standard_normal((4, 300, 64)).astype(np.float32)
    attend = lambda: pyattn.attention(x, x, x, pyattn.causal(), num_threads={threads})
    {before}

    def child():
        signal.alarm(30)  # a child that hangs is killed
        for _ in range(3):
            assert np.array_equal(attend(), expected)
        pyattn.softmax(x)
        {inside}

    expected = attend() if {called} else pyattn.attention(x, x, x, pyattn.causal(), num_threads=1)
    for _ in range(3):
        pid = os.fork()
        if pid == 0:
            status = 1
            try:
                child()
                status = 0
            finally:
                os._exit(status)
        assert os.waitpid(pid, 0)[1] == 0
        assert np.array_equal(attend(), expected)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
class TestFork:
    """A child computes and ends, whatever threads its parent had."""

    @pytest.mark.parametrize("threads", [1, 2, 8])
    @pytest.mark.parametrize("called", [True, False], ids=["after a call", "before any call"])
    def test_a_child_does_not_hang(self, threads, called):
        run(FORKED.format(threads=threads, called=called, before="", inside=""))

    def test_nor_does_its_own_child(self):
        again = "pid = os.fork(); pid or (attend(), os._exit(0)); assert os.waitpid(pid, 0)[1] == 0"
        run(FORKED.format(threads=2, called=True, before="", inside=again))

    def test_nor_one_forked_while_other_threads_compute(self):
        """As a server does that starts workers under load."""
        busy = "[threading.Thread(target=lambda: [attend() for _ in range(50)]).start() for _ in range(3)]"
        run(FORKED.format(threads=2, called=True, before=busy, inside=""))

    def test_a_child_that_may_start_no_thread_computes_alone(self):
        """Regression: the threads already started were abandoned, which ended the process."""
        limit = "import resource; os.getuid() or os.setuid(65534); resource.setrlimit(resource.RLIMIT_NPROC, (1, 1))"
        run(
            FORKED.format(
                threads=8,
                called=True,
                before="",
                inside=f"{limit}; assert np.array_equal(attend(), expected)",
            )
        )

    def test_a_pool_of_processes_works(self):
        run("""
            import multiprocessing
            import numpy as np
            import pyattn

            x = np.random.default_rng(0).standard_normal((4, 200, 64)).astype(np.float32)
            def attend(i):
                return pyattn.attention(x[i], x[i], x[i], num_threads=2)
            expected = list(map(attend, range(4)))
            with multiprocessing.get_context("fork").Pool(2) as pool:
                for one, other in zip(pool.map_async(attend, range(4)).get(timeout=60), expected):
                    assert np.array_equal(one, other)
        """)


@pytest.mark.parametrize("threads", [1, 2])
def test_python_may_end_while_a_daemon_thread_computes(threads):
    """Regression: taking back the lock of an interpreter that ends aborted the process."""
    run(f"""
        import threading, time
        import numpy as np
        import pyattn

        x = np.random.default_rng(0).standard_normal((2, 500, 64)).astype(np.float32)
        def forever():
            while True:
                pyattn.attention(x, x, x, num_threads={threads})
        for _ in range(4):
            threading.Thread(target=forever, daemon=True).start()
        time.sleep(0.3)
    """)
