"""pyattn: the fastest exact attention on CPUs for Python."""

import importlib as _importlib
import importlib.util as _util
import os as _os
import sys as _sys

if _util.find_spec("pyattn._core") is None:
    # This is a source checkout, found because Python was started in its folder; its compiled half is in the copy that
    # `pip install` made. That copy takes this one's place, whole, so that the two cannot be mixed.
    for _entry in _sys.path:
        _folder = _os.path.join(_entry or _os.curdir, "pyattn")
        if _util.find_spec("pyattn._core") is None and _os.path.isdir(_folder) and _folder not in __path__:
            if any(_name.startswith("_core.") for _name in _os.listdir(_folder)):
                __path__[:] = [_folder]
    if _util.find_spec("pyattn._core") is None:
        raise ImportError(
            "pyattn's compiled core is missing: run `pip install .` in the source folder first."
        )

if _sys.version_info < (3, 12):  # later ones refuse by themselves; here the core would wait for ever
    _interpreters = _importlib.import_module("_xxsubinterpreters")
    if _interpreters.get_current() != _interpreters.get_main():
        raise ImportError(
            "pyattn cannot be imported in a subinterpreter, only in Python's main one; "
            "with mod_wsgi set WSGIApplicationGroup %{GLOBAL}."
        )

from pyattn._version import __version__
from pyattn.functional import attention, attention_varlen, scaled_dot_product_attention
from pyattn.kv_cache import KVCache
from pyattn.masks import Alibi, Mask, alibi, causal, lengths, padding, window
from pyattn.pictures import show
from pyattn.rowwise import log_softmax, logsumexp, softmax
from pyattn.runtime import available_isas, get_num_threads, isa, set_num_threads, show_config, use_isa
from pyattn.scoring import additive_attention, concat_attention
from pyattn.states import merge_states

__all__ = [
    "Alibi",
    "KVCache",
    "Mask",
    "__version__",
    "additive_attention",
    "alibi",
    "attention",
    "attention_varlen",
    "available_isas",
    "causal",
    "concat_attention",
    "get_num_threads",
    "isa",
    "lengths",
    "log_softmax",
    "logsumexp",
    "merge_states",
    "padding",
    "scaled_dot_product_attention",
    "set_num_threads",
    "show",
    "show_config",
    "softmax",
    "use_isa",
    "window",
]
