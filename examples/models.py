"""The two models of these examples that pyattn does not bring: a label for each word, and one for the whole."""

import numpy as np

from pyattn.layers import Embedding, Encoder, Layer, Linear, SinusoidalPositions, valid_lens


class Tagger(Layer):
    """An encoder, and a linear map from each of its vectors to the labels.

    Parameters
    ----------
    vocabulary, labels, d_model, nhead, num_layers, dim_feedforward : int
    """

    def __init__(self, vocabulary, labels, d_model, nhead, num_layers, dim_feedforward):
        self.embedding = Embedding(vocabulary, d_model)
        self.positions = SinusoidalPositions(d_model)
        self.encoder = Encoder(num_layers, d_model, nhead, dim_feedforward=dim_feedforward)
        self.output = Linear(d_model, labels)

    def __call__(self, tokens, lengths):
        """Tell the logits of each token's labels, (batch, tokens, labels)."""
        return self.output(self.encode(tokens, lengths))

    def encode(self, tokens, lengths, **options):
        """Tell each token's vector, (batch, tokens, d_model)."""
        return self.encoder(self.positions(self.embedding(tokens)), valid_lens(lengths), **options)


class Classifier(Tagger):
    """The same, but the mean of the vectors is what is labelled."""

    def __call__(self, tokens, lengths):
        """Tell the logits of each sequence's labels, (batch, labels)."""
        real = np.arange(np.shape(tokens)[1]) < np.asarray(lengths)[:, None]
        vectors = self.encode(tokens, lengths) * real[..., None]
        return self.output(vectors.sum(axis=1) / np.asarray(lengths)[:, None].astype(vectors.dtype))
