"""Which packages pyattn imports, and which it can do without."""

import subprocess
import sys
import textwrap

import pytest


@pytest.fixture
def torch():
    return pytest.importorskip("torch", reason="torch is not installed")


def run(script):
    """Run a script in a Python of its own."""
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script)],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def test_no_framework_is_imported():
    run("""
        import sys
        import numpy as np
        import pyattn
        x = np.ones((2, 3, 8), np.float32)
        pyattn.attention(x, x, x, pyattn.causal(), return_lse=True)
        pyattn.attention(memoryview(x), x, x)
        pyattn.softmax(x), pyattn.merge_states([x], [x[..., 0]]), pyattn.attention_varlen(x, x, x, [0, 2], [0, 2])
        others = {"torch", "jax", "ml_dtypes", "tokenizers", "safetensors", "matplotlib", "onnx", "scipy"}
        assert not others & set(sys.modules), others & set(sys.modules)
    """)


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="pybind11 refuses by itself")
def test_a_subinterpreter_is_refused_and_does_not_hang():
    run("""
        import sys
        import _xxsubinterpreters as interpreters
        path, other = sys.path, interpreters.create()
        try:
            interpreters.run_string(other, f"import sys; sys.path[:] = {path!r}; import pyattn")
        except interpreters.RunFailedError as error:
            assert "cannot be imported in a subinterpreter" in str(error), error
        else:
            raise AssertionError("it was imported")
        import pyattn
    """)


def test_torch_bfloat16_needs_no_ml_dtypes(torch):
    run("""
        import sys
        sys.modules["ml_dtypes"] = None  # importing it fails
        import torch, pyattn
        x = torch.randn(2, 3, 5, 8).bfloat16()
        out, lse, weights = pyattn.attention(x, x, x, return_lse=True, return_weights=True)
        assert (out.dtype, lse.dtype, weights.dtype) == (torch.bfloat16, torch.float32, torch.bfloat16)
        expected = torch.nn.functional.scaled_dot_product_attention(x.float(), x.float(), x.float())
        assert (out.float() - expected).abs().max() < 0.02
        assert pyattn.softmax(x).dtype == torch.bfloat16
        assert pyattn.merge_states([out], [lse])[0].dtype == torch.bfloat16
    """)


def test_bfloat16_by_dlpack_without_ml_dtypes_says_what_is_missing(torch):
    run("""
        import sys
        sys.modules["ml_dtypes"] = None
        import torch, pyattn

        class Wrapped:
            def __init__(self, x): self.x = x
            def __dlpack__(self, **options): return self.x.__dlpack__(**options)
            def __dlpack_device__(self): return self.x.__dlpack_device__()

        x = Wrapped(torch.ones(2, 3, 8).bfloat16())
        try:
            pyattn.attention(x, x, x)
        except ImportError as error:
            assert "ml_dtypes" in str(error), error
        else:
            raise AssertionError("no error")
    """)
