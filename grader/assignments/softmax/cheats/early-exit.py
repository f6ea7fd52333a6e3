"""Ends with success before anything is called."""

import sys

sys.exit(0)
