# assignment: softmax
# expect: score=100
# tries: reads its own source and tests itself
"""Softmax.

>>> softmax(np.zeros(2))
array([0.5, 0.5])
"""
import doctest
import inspect
import logging
import pathlib
import pdb
import sys
import unittest

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
SOURCE = pathlib.Path(__file__).read_text(encoding="utf-8")
logging.basicConfig(level=logging.DEBUG, stream=sys.stdout, format="%(asctime)s %(message)s")
log = logging.getLogger(__name__)


class Softmax(unittest.TestCase):
    def test_sum(self):
        self.assertAlmostEqual(softmax(np.arange(5.0)).sum(), 1)


def softmax(x, axis=-1):
    log.info("softmax of %s", x.shape)
    assert "def softmax" in inspect.getsource(softmax) and (HERE / "submission.py").exists()
    top = np.max(x, axis=axis, keepdims=True)
    top[np.isneginf(top)] = 0
    e = np.exp(x - top)
    total = np.sum(e, axis=axis, keepdims=True)
    total[total == 0] = 1
    return e / total


print(doctest.testmod(sys.modules[__name__]))
unittest.TextTestRunner(stream=sys.stdout).run(unittest.defaultTestLoader.loadTestsFromTestCase(Softmax))
