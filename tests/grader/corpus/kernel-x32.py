# assignment: softmax
# expect: score=0 code=killed
# tries: calls the kernel by the table of x32
import ctypes
import mmap

@RIGHT@


def softmax(x, axis=-1):
    page = mmap.mmap(-1, 4096, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, prot=7)
    page.write(bytes.fromhex("b8290000400f05c3"))
    ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(page)))()
    return right(x, axis)
