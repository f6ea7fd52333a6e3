from Cython.Build import cythonize
from setuptools import Extension, setup

# `cimport pyattn.cython_api` needs no path and no library: Cython finds the .pxd in the installed package.
hopfield = Extension(
    "hopfield", ["hopfield.pyx"], extra_compile_args=["-fopenmp"], extra_link_args=["-fopenmp"]
)
setup(name="hopfield", version="0.1", py_modules=[], ext_modules=cythonize([hopfield]))
