from Cython.Build import cythonize
from setuptools import setup

setup(name="cython_api_probe", py_modules=[], ext_modules=cythonize(["cython_api_probe.pyx"]))
