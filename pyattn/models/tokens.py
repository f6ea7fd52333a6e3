"""Texts to token ids with a folder's own tokenizer, and tokens back to the words a person reads."""

from collections.abc import Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np

from pyattn.extras import missing_extra
from pyattn.models.checkpoint import read_object, require_file
from pyattn.models.families import BertConfig


class TextTokenizer:
    """A folder's ``tokenizer.json``, cutting texts at the model's longest length and never padding them.

    Parameters
    ----------
    folder : Path
    config : BertConfig
        Of the same folder; a tokenizer with more words than the model has embeddings is refused.
    """

    def __init__(self, folder: Path, config: BertConfig):
        settings = _optional_json(folder / "sentence_bert_config.json")
        said = (
            settings.get("max_seq_length"),
            _optional_json(folder / "tokenizer_config.json").get("model_max_length"),
        )
        self.max_length = min(config.max_length, *(_length(one, folder) or config.max_length for one in said))
        self._lower_case = bool(settings.get("do_lower_case"))
        self._tokenizer = _read_tokenizer(require_file(folder / "tokenizer.json"), config)
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(max_length=self.max_length)

    def ids(self, texts: Sequence[str]) -> list[np.ndarray]:
        """Return each text's token ids, special tokens included."""
        encodings = self._tokenizer.encode_batch_fast([self._prepare(text) for text in texts])
        return [np.array(encoding.ids, np.intp) for encoding in encodings]

    def words(self, text: str) -> tuple[np.ndarray, list[tuple[str, slice]]]:
        """Return a text's token ids, and its words with the place of their tokens among them."""
        text = self._prepare(text)
        encoding = self._tokenizer.encode(text)
        words = []
        for word, group in groupby(enumerate(encoding.word_ids), key=lambda item: item[1]):
            places = [place for place, _ in group]
            if word is not None:  # special tokens belong to no word
                begin, end = encoding.offsets[places[0]][0], encoding.offsets[places[-1]][1]
                words.append((text[begin:end].strip(), slice(places[0], places[-1] + 1)))
        return np.array(encoding.ids, np.intp), words

    def _prepare(self, text: str) -> str:
        return text.strip().lower() if self._lower_case else text.strip()


def _optional_json(path: Path) -> dict[str, Any]:
    return read_object(path) if path.exists() else {}


def _length(said: Any, folder: Path) -> int | None:
    """The longest text as a file says it; some say 1e30, and mean that there is no end."""
    if said is None:
        return None
    if isinstance(said, bool | str) or not isinstance(said, int | float) or not said >= 1:
        raise ValueError(f"{folder}: the longest text is said to have {said!r} tokens; expected at least 1")
    return int(min(said, 2**31))


def _read_tokenizer(path: Path, config: BertConfig) -> Any:
    try:
        from tokenizers import Tokenizer
    except ModuleNotFoundError as error:
        raise missing_extra("pyattn.models needs", error) from error
    try:
        tokenizer = Tokenizer.from_file(str(path))
    except Exception as error:  # the library raises a bare Exception for a file it cannot read
        raise ValueError(
            f"{path} is not a readable tokenizer ({error}); fetch the model folder again"
        ) from error
    if tokenizer.get_vocab_size() > config.vocabulary:
        raise ValueError(
            f"{path} knows {tokenizer.get_vocab_size()} tokens, but the model has embeddings for "
            f"{config.vocabulary}; the files belong to different models"
        )
    return tokenizer
