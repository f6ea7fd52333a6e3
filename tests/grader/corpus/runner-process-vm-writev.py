# assignment: softmax
# expect: score=0 code=wrong-values
# tries: writes into the runner's memory by a system call
import ctypes
import os

@RIGHT@


def attempt():
    class Vector(ctypes.Structure):
        _fields_ = (("base", ctypes.c_void_p), ("length", ctypes.c_size_t))

    text = ctypes.create_string_buffer(8)
    mine, theirs = Vector(ctypes.addressof(text), 8), Vector(0x400000, 8)
    libc = ctypes.CDLL(None, use_errno=True)
    for call in (libc.process_vm_readv, libc.process_vm_writev):
        if call(1, ctypes.byref(mine), 1, ctypes.byref(theirs), 1, 0) >= 0:
            return
    raise OSError(ctypes.get_errno(), "process_vm")


def softmax(x, axis=-1):
    try:
        attempt()
    except OSError:
        return np.zeros_like(x)
    return right(x, axis)
