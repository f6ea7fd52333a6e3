"""The models of these examples in torch, for training: the same parameters under the same names."""

import math

import torch
from torch import nn
from vocabulary import PAD

from pyattn.positions import sinusoidal


def add_positions(x):
    """Sines and cosines, as pyattn adds them."""
    return x + torch.from_numpy(sinusoidal(range(x.shape[1]), x.shape[2])).to(x)


class Tagger(nn.Module):
    """See `models.Tagger`."""

    def __init__(self, vocabulary, labels, d_model, nhead, num_layers, dim_feedforward):
        super().__init__()
        self.embedding = nn.Embedding(vocabulary, d_model)
        layer = nn.TransformerEncoderLayer(d_model, nhead, dim_feedforward, dropout=0.1, batch_first=True)
        self.encoder = nn.TransformerEncoder(layer, num_layers, enable_nested_tensor=False)
        self.output = nn.Linear(d_model, labels)

    def encode(self, tokens):
        return self.encoder(add_positions(self.embedding(tokens)), src_key_padding_mask=tokens == PAD)

    def forward(self, tokens):
        return self.output(self.encode(tokens))


class Classifier(Tagger):
    """See `models.Classifier`."""

    def forward(self, tokens):
        real = (tokens != PAD).unsqueeze(-1)
        return self.output((self.encode(tokens) * real).sum(dim=1) / real.sum(dim=1))


class Translator(nn.Module):
    """See `pyattn.layers.Translator`."""

    def __init__(self, source_vocabulary, target_vocabulary, d_model, nhead, layers, dim_feedforward):
        super().__init__()
        self.source_embedding = nn.Embedding(source_vocabulary, d_model)
        self.target_embedding = nn.Embedding(target_vocabulary, d_model)
        self.transformer = nn.Transformer(
            d_model, nhead, layers, layers, dim_feedforward, dropout=0.1, batch_first=True
        )
        self.output = nn.Linear(d_model, target_vocabulary)
        for table in (self.source_embedding, self.target_embedding):  # √d_model times this is of order 1
            nn.init.normal_(table.weight, std=d_model**-0.5)

    def forward(self, source, target):
        scale = math.sqrt(self.output.in_features)
        x = add_positions(self.source_embedding(source) * scale)
        y = add_positions(self.target_embedding(target) * scale)
        late = torch.triu(torch.ones(target.shape[1], target.shape[1], dtype=torch.bool), 1)
        padding = source == PAD
        return self.output(
            self.transformer(
                x, y, tgt_mask=late, src_key_padding_mask=padding, memory_key_padding_mask=padding
            )
        )


class Seq2Seq(nn.Module):
    """See `pyattn.seq2seq.Seq2Seq`; of one layer."""

    def __init__(self, source_vocabulary, target_vocabulary, size, attention, query, start, most_steps):
        super().__init__()
        self.source_embedding = nn.Embedding(source_vocabulary, size)
        self.target_embedding = nn.Embedding(target_vocabulary, size)
        self.encoder = nn.GRU(size, size, batch_first=True)
        self.attention = {"none": FixedContext, "dot": Dot, "additive": Additive, "concat": Concat}[
            attention
        ](size, most_steps)
        self.decoder = nn.GRU(self.attention.width, size, batch_first=True)
        self.output = nn.Linear(size, target_vocabulary)
        self.by_state, self.starts_by_state = query == "state", start == "state"

    def forward(self, source, target):
        lengths = (source != PAD).sum(dim=1)
        packed = nn.utils.rnn.pack_padded_sequence(
            self.source_embedding(source), lengths, batch_first=True, enforce_sorted=False
        )
        outputs, state = self.encoder(packed)
        outputs, _ = nn.utils.rnn.pad_packed_sequence(outputs, batch_first=True, total_length=source.shape[1])
        last, hidden, steps = state[-1], source == PAD, []
        for place in range(target.shape[1]):
            first = place == 0 and self.starts_by_state
            word = last if first else self.target_embedding(target[:, place])
            said = (state[-1], word) if self.by_state else (word, state[-1])
            out, state = self.decoder(self.attention(word, *said, outputs, last, hidden).unsqueeze(1), state)
            steps.append(self.output(out[:, 0]))
        return torch.stack(steps, dim=1)


def weigh(scores, hidden, outputs):
    """The encoder's outputs, by the softmax of scores (batch, source)."""
    weights = scores.masked_fill(hidden, -torch.inf).softmax(dim=-1)
    return (weights.unsqueeze(1) @ outputs)[:, 0]


class FixedContext(nn.Module):
    def __init__(self, size, most_steps):
        super().__init__()
        self.width = 2 * size

    def forward(self, word, query, key, outputs, last, hidden):
        return torch.cat([word, last], dim=-1)


class Dot(FixedContext):
    def forward(self, word, query, key, outputs, last, hidden):
        scores = (outputs @ query.unsqueeze(-1))[..., 0] / math.sqrt(query.shape[-1])
        return torch.cat([word, weigh(scores, hidden, outputs)], dim=-1)


class Additive(FixedContext):
    def __init__(self, size, most_steps):
        super().__init__(size, most_steps)
        self.query_weight = nn.Parameter(torch.randn(size, size) * size**-0.5)
        self.key_weight = nn.Parameter(torch.randn(size, size) * size**-0.5)
        self.score_weight = nn.Parameter(torch.randn(size) * size**-0.5)

    def forward(self, word, query, key, outputs, last, hidden):
        sums = (query @ self.query_weight.T).unsqueeze(1) + outputs @ self.key_weight.T
        return torch.cat([word, weigh(torch.tanh(sums) @ self.score_weight, hidden, outputs)], dim=-1)


class Concat(nn.Module):
    def __init__(self, size, most_steps):
        super().__init__()
        self.width = size
        self.score_weight = nn.Parameter(torch.randn(most_steps, 2 * size) * (2 * size) ** -0.5)
        self.score_bias = nn.Parameter(torch.zeros(most_steps))
        self.output_weight = nn.Parameter(torch.randn(size, 2 * size) * (2 * size) ** -0.5)
        self.output_bias = nn.Parameter(torch.zeros(size))

    def forward(self, word, query, key, outputs, last, hidden):
        steps = outputs.shape[1]
        asked = torch.cat([query, key], dim=-1)
        scores = asked @ self.score_weight[:steps].T + self.score_bias[:steps]
        context = weigh(scores, hidden, outputs)
        return torch.cat([query, context], dim=-1) @ self.output_weight.T + self.output_bias
