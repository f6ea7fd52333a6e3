"""How Sphinx writes docs/_build: ``nox -s docs``.

The sources' root is Sphinx's too, so that documents link to each other as they do in a checkout.
"""

import pyattn

project = "pyattn"
copyright = "the authors of pyattn"
version = release = pyattn.__version__

root_doc = "docs/index"
include_patterns = ["*.md", "docs/**.md", "csrc/README.md", "benchmarks/README.md", "examples/**.md"]
exclude_patterns = [".*", "build", "dist", "docs/_build"]
extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.viewcode",
    "numpydoc",
]

# Types are told by the docstrings, with shapes; a reference that leads nowhere is a warning, and a warning an error.
nitpicky = True
nitpick_ignore_regex = [("py:obj", ".*")]  # of the default role, below
autodoc_typehints = "none"
autodoc_member_order = "bysource"
autodoc_default_options = {
    "members": True,
    "special-members": "__call__",
    "inherited-members": "Layer, tuple, str, Enum, BaseException",  # but not what these bring
}
autodoc_preserve_defaults = True
numpydoc_show_class_members = False
default_role = "autolink"  # `Linear` in a docstring is a reference; `x`, a parameter, is none

myst_heading_anchors = 3

html_theme = "furo"
html_title = f"pyattn {release}"
