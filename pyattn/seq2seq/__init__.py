"""Recurrent translators, as they were when attention was invented: NumPy arrays in and out, torch's parameters."""

from pyattn.seq2seq.model import Seq2Seq
from pyattn.seq2seq.recurrent import GRU, LSTM

__all__ = ["GRU", "LSTM", "Seq2Seq"]
