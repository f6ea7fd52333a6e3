"""The layers of torch.nn with parameters that matter: torch begins with zeros and ones where training would not end."""

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="torch is not installed")


def trained(module, dtype, seed=0):
    """The module in `dtype`, in eval mode, with every parameter drawn at random."""
    generator = torch.Generator().manual_seed(seed)
    module = module.to(getattr(torch, dtype)).eval()
    for parameter in module.parameters():
        spread = parameter.shape[-1] ** -0.5 if parameter.ndim > 1 else 0.5
        torch.nn.init.normal_(parameter, std=spread, generator=generator)
    return module


def answer(module, *arrays, **options):
    """What the module computes of NumPy arrays."""
    with torch.no_grad():
        result = module(*map(torch.from_numpy, arrays), **options)
    return [r.numpy() for r in result if r is not None] if isinstance(result, tuple) else result.numpy()


def assert_equal_to_rounding(ours, theirs):
    """Both are of order 1, after a few hundred sums."""
    assert ours.dtype == theirs.dtype
    np.testing.assert_allclose(ours, theirs, rtol=0, atol=1e-12 if ours.dtype == np.float64 else 1e-5)
