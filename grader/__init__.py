"""Grades students' attention: runs hostile code in a sandbox, names its mistake, measures its speed."""

import os

# Before NumPy is loaded: on a busy machine the threads of BLAS wait for each other many times longer than they compute.
for _name in ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_name, "1")
