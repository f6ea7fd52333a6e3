"""Models that run on pyattn's attention, read from the files their authors publish."""

from pyattn.models.fetch import ModelNotAvailable
from pyattn.models.sentence_encoder import SentenceEncoder

__all__ = ["ModelNotAvailable", "SentenceEncoder"]
