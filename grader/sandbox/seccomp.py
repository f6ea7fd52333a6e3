"""The filter of system calls, assembled by hand: a denied call fails with EPERM, a foreign ABI is the end.

Allowed is what is not named here: NumPy, Cython and compilers want many calls, and the namespaces already hide
what those could reach. Named are the calls that make kernels fall, that reach other processes or the whole machine
(its disks, its few asynchronous requests), or that outlive the call (System V shared memory, message queues, keys;
timers, whose interrupts are counted as time of whoever they interrupt, and epoll, which makes each a thousand times as
long).
"""

from __future__ import annotations

import errno
import platform
import struct

from .unavailable import SandboxUnavailable

# name: (number on x86-64, number on aarch64); None where a machine does not have it
_DENIED: dict[str, tuple[int | None, int | None]] = {
    "mount": (165, 40), "umount2": (166, 39), "pivot_root": (155, 41), "chroot": (161, 51),
    "open_tree": (428, 428), "move_mount": (429, 429), "fsopen": (430, 430), "fsconfig": (431, 431),
    "fsmount": (432, 432), "fspick": (433, 433), "mount_setattr": (442, 442), "open_tree_attr": (467, 467),
    "statmount": (457, 457), "listmount": (458, 458),
    "ptrace": (101, 117), "process_vm_readv": (310, 270), "process_vm_writev": (311, 271), "kcmp": (312, 272),
    "pidfd_getfd": (438, 438), "process_madvise": (440, 440), "process_mrelease": (448, 448),
    "move_pages": (279, 239), "migrate_pages": (256, 238),
    "add_key": (248, 217), "request_key": (249, 218), "keyctl": (250, 219),
    "bpf": (321, 280), "perf_event_open": (298, 241), "userfaultfd": (323, 282), "memfd_secret": (447, 447),
    "memfd_create": (319, 279),  # memory that neither a limit of a process nor a sized tmpfs counts
    "io_uring_setup": (425, 425), "io_uring_enter": (426, 426), "io_uring_register": (427, 427),
    "name_to_handle_at": (303, 264), "open_by_handle_at": (304, 265), "fanotify_init": (300, 262),
    "unshare": (272, 97), "setns": (308, 268), "socket": (41, 198), "socketpair": (53, 199),
    "shmget": (29, 194), "shmat": (30, 196), "shmctl": (31, 195), "shmdt": (67, 197),
    "semget": (64, 190), "semop": (65, 193), "semctl": (66, 191), "semtimedop": (220, 192),
    "msgget": (68, 186), "msgsnd": (69, 189), "msgrcv": (70, 188), "msgctl": (71, 187),
    "mq_open": (240, 180), "mq_unlink": (241, 181),
    "init_module": (175, 105), "finit_module": (313, 273), "delete_module": (176, 106),
    "kexec_load": (246, 104), "kexec_file_load": (320, 294), "reboot": (169, 142), "syslog": (103, 116),
    "swapon": (167, 224), "swapoff": (168, 225), "acct": (163, 89), "quotactl": (179, 60), "quotactl_fd": (443, 443),
    "settimeofday": (164, 170), "clock_settime": (227, 112), "adjtimex": (159, 171), "clock_adjtime": (305, 266),
    "iopl": (172, None), "ioperm": (173, None), "modify_ldt": (154, None), "uselib": (134, None),
    "lookup_dcookie": (212, 18), "nfsservctl": (180, 42), "vhangup": (153, 58),
    "timer_create": (222, 107), "timer_settime": (223, 110), "timerfd_create": (283, 85), "timerfd_settime": (286, 86),
    "setitimer": (38, 103), "alarm": (37, None), "epoll_create": (213, None), "epoll_create1": (291, 20),
    "sync": (162, 81), "syncfs": (306, 267), "io_setup": (206, 0), "ioprio_set": (251, 30),
}  # fmt: skip
_UNKNOWN = {"clone3": 435}  # its flags lie in memory, where no filter can look; libc then falls back to clone
_CLONE = (56, 220)
_NEW_NAMESPACES = 0x7E020080
# These may speak of the caller only, else they reach the runner: (numbers, the arguments that must be 0)
_SELF_ONLY: dict[str, tuple[tuple[int, int], tuple[int, ...]]] = {
    "prlimit64": ((302, 261), (0,)), "sched_setaffinity": ((203, 122), (0,)), "sched_setparam": ((142, 118), (0,)),
    "sched_setscheduler": ((144, 119), (0,)), "sched_setattr": ((314, 274), (0,)),
    "setpriority": ((141, 140), (0, 1)),  # 0 of "users" would be everybody of this user, the runner included
}  # fmt: skip
_MMAP, _SHARED, _ANONYMOUS = (9, 222), 0x01, 0x20
_IOCTL, _TERMINAL_INPUT = (16, 29), (0x5412, 0x541C)  # TIOCSTI, TIOCLINUX

_MACHINES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}
_X32 = 0x40000000
_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_ALLOW, _KILL = 0x7FFF0000, 0x80000000
_DENY, _NO_SUCH_CALL = (0x00050000 | number for number in (errno.EPERM, errno.ENOSYS))
_NUMBER, _ARCHITECTURE, _ARGUMENTS = 0, 4, 16


def program(machine: str | None = None, *, pinned: bool = False, counted: bool = True) -> bytes:
    """The filter for a machine (this one by default), as `bwrap --seccomp` and the kernel read it.

    With `pinned`, nobody leaves the core that everything was put on. Without a cgroup in which all memory is `counted`
    nobody shares memory that has no file: what is not mapped stays there, and no process seems to hold it.
    """
    machine = machine or platform.machine()
    if machine not in _MACHINES:
        raise SandboxUnavailable(
            f"no filter of system calls for {machine}; there is one for {', '.join(_MACHINES)}"
        )
    column, architecture = _MACHINES[machine]
    lines = [
        _op(_LOAD, _ARCHITECTURE),
        _op(_EQUAL, architecture, yes=1),
        _op(_RETURN, _KILL),
        _op(_LOAD, _NUMBER),
    ]
    if machine == "x86_64":
        lines += [_op(_AT_LEAST, _X32, no=1), _op(_RETURN, _KILL)]
    for numbers in _DENIED.values():
        if (number := numbers[column]) is not None:
            lines += _if_call(number, [_op(_RETURN, _DENY)])
    for number in _UNKNOWN.values():
        lines += _if_call(number, [_op(_RETURN, _NO_SUCH_CALL)])
    if pinned:
        lines += _if_call(_SELF_ONLY["sched_setaffinity"][0][column], [_op(_RETURN, _DENY)])
    lines += _if_call(_CLONE[column], _unless_argument(0, _ANY_BIT, _NEW_NAMESPACES))
    for call, arguments in _SELF_ONLY.values():
        lines += _if_call(call[column], _only_zero(arguments))
    if not counted:
        lines += _if_call(_MMAP[column], _not_both(3, _SHARED, _ANONYMOUS))
    lines += _if_call(_IOCTL[column], _not_these(1, _TERMINAL_INPUT))
    return b"".join([*lines, _op(_RETURN, _ALLOW)])


def _op(code: int, value: int, yes: int = 0, no: int = 0) -> bytes:
    return struct.pack("=HBBI", code, yes, no, value)


def _if_call(number: int, then: list[bytes]) -> list[bytes]:
    return [_op(_EQUAL, number, no=len(then)), *then]


def _low(argument: int) -> int:
    return _ARGUMENTS + 8 * argument  # little-endian


def _unless_argument(argument: int, test: int, value: int) -> list[bytes]:
    return [_op(_LOAD, _low(argument)), _op(test, value, no=1), _op(_RETURN, _DENY), _op(_RETURN, _ALLOW)]


def _not_these(argument: int, values: tuple[int, ...]) -> list[bytes]:
    tests = [line for value in values for line in (_op(_EQUAL, value, no=1), _op(_RETURN, _DENY))]
    return [_op(_LOAD, _low(argument)), *tests, _op(_RETURN, _ALLOW)]


def _only_zero(arguments: tuple[int, ...]) -> list[bytes]:
    tests = [
        (_op(_LOAD, _low(argument)), _op(_EQUAL, 0, yes=1), _op(_RETURN, _DENY)) for argument in arguments
    ]
    return [*(line for test in tests for line in test), _op(_RETURN, _ALLOW)]


def _not_both(argument: int, one: int, other: int) -> list[bytes]:
    test = [_op(_LOAD, _low(argument)), _op(_ANY_BIT, one, no=2), _op(_ANY_BIT, other, no=1)]
    return [*test, _op(_RETURN, _DENY), _op(_RETURN, _ALLOW)]
