"""What runs inside the sandbox: standard library and NumPy only, nothing of the grader can be imported there."""
