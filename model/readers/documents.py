"""Classification of documents, changed or not, and what a judgement depends on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pad_sequence

from core.documents import (
    DocumentChange,
    Importance,
    Judgement,
    OtherMap,
    js_divergence,
    placed,
    total_variation,
)
from core.records.attention import AttentionRecord
from core.records.sources import DocumentSource, Sides
from words import Message

from ..errors import InputError
from ..hooks.activations import Activation, HookPoint, recording
from ..hooks.capture import ForwardHook, Hooks, capture_attention, listening, maps_of, probes_of
from ..teacher_forcing import differentiable, in_batches
from .reader import Reader

Level = Literal["words", "sentences"]
AS_IT_IS = DocumentChange()
MOST_TOKENS = 2**13
"""Most tokens, or sentence vectors, in one batch of leave-one-out variants."""
EPSILON = 0.01
"""Largest total variation distance of another map's probabilities, as in Jain and Wallace 2019."""
STEPS = 150
RATE = 0.3
PENALTY = 500.0
"""Search for another map: steps of Adam, learning rate, weight of the penalty beyond `EPSILON`."""
FAR = (0.1, 0.5, 1.0, 3.0)
"""Scales of the noise on the model's own scores, one start of the search each."""
# Names of the sites.
_WORD = "words"
_SENTENCE = "sentences"


class DocumentReader(Reader):
    """Loaded checkpoint that classifies documents (capability "documents")."""

    @property
    def classes(self) -> tuple[str, ...]:
        """Ids of the classes."""
        return tuple(self.model.config.classes)

    def document(self, text: str) -> DocumentSource:
        """Parse `text` into a document.

        Raises InputError if it is empty or longer than the model takes.
        """
        return self.source_of(text, "document")

    def of_sentences(self, sentences: Sequence[str]) -> DocumentSource:
        """Build a document from `sentences` that are split already, of any length."""
        tokenizer = self.tokenizers["source"]
        parts = (tokenizer.encode(sentence) for sentence in sentences)
        # A sentence without a known sign has no pieces, and nothing to attend to.
        return DocumentSource("\n".join(sentences), tuple(filter(len, parts)))

    def judge(self, src: DocumentSource, change: DocumentChange = AS_IT_IS) -> Judgement:
        """Classify a document with `change` applied.

        Raises InputError if the change leaves nothing to read.
        """
        kept = _Kept.of(src, change)
        return self._run(src, kept, _weighing(self.model, change, kept))

    @torch.inference_mode()
    def _run(self, src: DocumentSource, kept: _Kept, hooks: Hooks) -> Judgement:
        """Classify what `kept` leaves under `hooks`, and record the attention."""
        with listening(hooks), capture_attention(self.model) as captured:
            logits = self.model(tuple(row[None] for row in self._rows(src, kept)))
        log_probs = logits[0].log_softmax(dim=-1).cpu().numpy()
        record = AttentionRecord(src, None, maps_of(captured, self.sites, kept.sides(src)))
        numbers = placed(src, kept.words, record)
        return Judgement(src, self.classes, log_probs, *numbers, record, kept.words)

    def replay(
        self, record: AttentionRecord, change: Any, points: Mapping[str, HookPoint]
    ) -> dict[str, Activation]:
        """Run the model as it ran for `record` under `change`, and return activations."""
        with recording(points) as cache:
            document: Any = record.src
            self.judge(document, change or AS_IT_IS)
        return cache

    def importance(self, src: DocumentSource) -> Importance:
        """Measure each word and sentence by leaving it out, and by gradient times input.

        Values refer to the probability of the class that the model chose.
        """
        rows = self._rows(src, _Kept.of(src, AS_IT_IS))
        vectors = self.sentence_vectors(rows)
        plain = self.class_probs(vectors[None])[0]
        decided = int(plain.argmax())
        word_drops, sentence_drops = self._drops(rows, vectors, float(plain[decided]), decided)
        word_gradients, sentence_gradients = self._gradients(rows, decided)
        return Importance(word_drops, sentence_drops, word_gradients, sentence_gradients)

    def other_map(self, src: DocumentSource, level: Level, *, seed: int = 0) -> OtherMap:
        """Search for weights of one level that differ most from the model's own at the same output.

        An adversarial map as in Jain and Wallace 2019: the probabilities may move by `EPSILON`.
        Weights of the other level are computed by the model.

        Parameters
        ----------
        src : DocumentSource
        level : "words" or "sentences"
        seed : int
            Draws the noise at the starts of the search.

        Raises
        ------
        InputError
            If there is nothing to choose: one sentence, or only single words.
        ValueError
            If there is no such level.
        """
        _check_level(src, level)
        plain = self.judge(src)
        other_rows = iter(self._most_different(src, plain, level, seed))

        def replace(_probe: nn.Module, _inputs: tuple[Tensor, ...], weights: Tensor) -> Tensor:
            # The probe is called once a row, in the order of `other_rows`.
            row = torch.tensor(next(other_rows), dtype=weights.dtype, device=weights.device)
            return row.view_as(weights)

        kept = _Kept.of(src, AS_IT_IS)
        judgement = self._run(src, kept, {_probe_of(self.model, level): replace})
        ours, theirs = (
            [np.asarray(judged.sentences)] if level == _SENTENCE else list(judged.words)
            for judged in (plain, judgement)
        )
        divergences = [js_divergence(p, q) for p, q in zip(ours, theirs, strict=True) if len(p) > 1]
        distance = total_variation(plain.probs, judgement.probs)
        return OtherMap(level, judgement, float(np.mean(divergences)), distance)

    # -- reading -----------------------------------------------------------------------------

    def _rows(self, src: DocumentSource, kept: _Kept) -> list[Tensor]:
        """Return the ids of each sentence that is read, without the words that are left out."""
        return [
            torch.tensor([src.sentences[sentence].ids[word] for word in kept.words[sentence]]).to(
                self.device
            )
            for sentence in kept.sentences
        ]

    @torch.inference_mode()
    def sentence_vectors(self, rows: Sequence[Tensor]) -> Tensor:
        """Encode sentences, a row of ids each, into vectors (N, d_state)."""
        vectors = []
        longest = max(map(len, rows))
        for items in in_batches(len(rows), longest, MOST_TOKENS):
            batch = [rows[item] for item in items]
            ids = pad_sequence(batch, batch_first=True, padding_value=self.model.config.pad_id)
            vectors.append(self.model.sentence_vectors(ids, [len(row) for row in batch]))
        return torch.cat(vectors)

    @torch.inference_mode()
    def class_probs(self, documents: Tensor) -> np.ndarray:
        """Classify documents given as sentence vectors (B, S, d_state); returns (B, classes)."""
        logits = self.model.judge_many(documents, [documents.shape[1]] * len(documents))
        return logits.softmax(dim=-1).cpu().numpy()

    # -- leaving one out -----------------------------------------------------------------------

    def _drops(
        self, rows: Sequence[Tensor], vectors: Tensor, plain: float, decided: int
    ) -> tuple[tuple[np.ndarray, ...], np.ndarray]:
        """Return the drops in p of the class `decided` without each word and each sentence.

        NaN where nothing would be left.
        """
        n_sentences = len(rows)
        sentence_drops = np.full(n_sentences, np.nan, np.float32)
        if n_sentences > 1:
            sentences = torch.arange(n_sentences, device=vectors.device)
            others = torch.stack([sentences[sentences != sentence] for sentence in sentences])
            sentence_drops[:] = plain - self._in_parts(vectors[others])[:, decided]
        word_drops = [np.full(len(row), np.nan, np.float32) for row in rows]
        for sentence, row in enumerate(rows):
            # Without its only word the sentence is gone.
            if len(row) == 1:
                word_drops[sentence][0] = sentence_drops[sentence]
                continue
            without = torch.stack(
                [torch.cat((row[:word], row[word + 1 :])) for word in range(len(row))]
            )
            documents = vectors.expand(len(row), -1, -1).clone()
            # Only the vector of this sentence changes, so the others are not encoded again.
            documents[:, sentence] = self.sentence_vectors(list(without))
            word_drops[sentence][:] = plain - self._in_parts(documents)[:, decided]
        return tuple(word_drops), sentence_drops

    def _in_parts(self, documents: Tensor) -> np.ndarray:
        """Classify documents (B, S, d_state) in batches that bound the memory."""
        batches = in_batches(len(documents), documents.shape[1], MOST_TOKENS)
        return np.concatenate([self.class_probs(documents[items]) for items in batches])

    def _gradients(
        self, rows: Sequence[Tensor], decided: int
    ) -> tuple[tuple[np.ndarray, ...], np.ndarray]:
        """Return gradient times input of p of the class `decided`, for words and for sentences."""
        lengths = [len(row) for row in rows]
        model = self.model
        with differentiable():
            ids = pad_sequence(list(rows), batch_first=True, padding_value=model.config.pad_id)
            # Parameters have no gradient; the embedded input is the leaf.
            embedded = model.embedding(ids).detach().clone().requires_grad_()
            vectors = model.words.summary(embedded, lengths)
            probs = model.judge_many(vectors[None], [len(rows)]).softmax(dim=-1)
            by_word, by_sentence = torch.autograd.grad(probs[0, decided], (embedded, vectors))
            words = (by_word * embedded).sum(-1).detach().cpu().numpy()
            sentences = (by_sentence * vectors).sum(-1).detach().cpu().numpy()
        return tuple(row[:n] for row, n in zip(words, lengths, strict=True)), sentences

    # -- other maps -------------------------------------------------------------------------

    def _most_different(
        self, src: DocumentSource, plain: Judgement, level: Level, seed: int
    ) -> list[np.ndarray]:
        """Search for the most different rows of weights at a level, by default the model's own."""
        model = self.model
        lengths = [len(sentence) for sentence in src.sentences]
        ours = [plain.sentences] if level == _SENTENCE else list(plain.words)
        generator = torch.Generator(self.device).manual_seed(seed)
        wanted = torch.tensor(plain.probs, device=self.device)
        rows = [torch.tensor(row, device=self.device) for row in ours]
        unchanged = pad_sequence(rows, batch_first=True)  # (rows, longest)
        there = pad_sequence([torch.ones_like(row) for row in rows], batch_first=True) > 0
        with differentiable():
            states = self._states_of(src, level)
            noise = torch.randn(len(FAR), *unchanged.shape, generator=generator, device=self.device)
            far = torch.tensor(FAR, device=self.device)[:, None, None]
            # Starts at several distances: gradient ascent from the model's weights alone stays
            # near them. 1e-9 keeps log finite.
            logits = (unchanged.clamp_min(1e-9).log() + far * noise).requires_grad_()
            adam = torch.optim.Adam([logits], lr=RATE)
            best = unchanged
            best_divergence = 0.0
            for _ in range(STEPS):
                weights = logits.masked_fill(~there, -torch.inf).softmax(dim=-1)
                probs = _judged(model, states, weights, level, lengths)
                divergence = _divergence(weights, unchanged)  # (len(FAR),)
                distance = (probs - wanted).abs().sum(-1) / 2
                # Invalid maps get -1, below every divergence.
                good = divergence.detach().where(distance <= EPSILON, -1.0)
                if float(good.max()) > best_divergence:
                    best_divergence = float(good.max())
                    best = weights[int(good.argmax())].detach()
                # Half of `EPSILON`: Adam overshoots, and a map just outside does not count.
                loss = (PENALTY * (distance - EPSILON / 2).relu() - divergence).sum()
                adam.zero_grad()
                loss.backward()
                adam.step()
        return [row[: len(our)].cpu().numpy() for row, our in zip(best, ours, strict=True)]

    def _states_of(self, src: DocumentSource, level: Level) -> Tensor:
        """Return the states of a level: words (S, T, d_state) or sentences (1, S, d_state)."""
        model = self.model
        rows = self._rows(src, _Kept.of(src, AS_IT_IS))
        ids = pad_sequence(rows, batch_first=True)
        lengths = [len(row) for row in rows]
        if level == _SENTENCE:
            vectors = model.sentence_vectors(ids, lengths)
            return model.sentences.states(vectors[None], [len(rows)]).detach()
        return model.words.states(model.embedding(ids), lengths).detach()


@dataclass(frozen=True)
class _Kept:
    """Indices of the words and sentences that are read, and of those masked out of attention."""

    sentences: tuple[int, ...]
    words: Mapping[int, tuple[int, ...]]
    unseen_sentences: frozenset[int]
    unseen_words: frozenset[tuple[int, int]]

    @classmethod
    def of(cls, src: DocumentSource, change: DocumentChange) -> _Kept:
        """Apply `change` to a document; raises InputError if nothing is left."""
        left = {
            i: tuple(word for word in range(len(sentence)) if (i, word) not in change.words)
            for i, sentence in enumerate(src.sentences)
            if i not in change.sentences
        }
        left = {i: words for i, words in left.items() if words}
        if not left:
            raise InputError(
                Message("model-document-nothing"), hint=Message("model-document-nothing-hint")
            )
        if change.removal == "unread":
            return cls(tuple(left), left, frozenset(), frozenset())
        # Masked words are read by the encoder and get no weight, unlike "unread" ones.
        every = {i: tuple(range(len(sentence))) for i, sentence in enumerate(src.sentences)}
        return cls(tuple(every), every, frozenset(every.keys() - left.keys()), change.words)

    def sides(self, src: DocumentSource) -> Sides:
        """Return the sides of `src` without what is not read."""
        (numbers,) = src.sides["sentences"]
        kept = [*self.words.items()]
        return {
            **src.sides,
            "words": tuple(tuple(src.sentences[i].tokens[k] for k in words) for i, words in kept),
            "sentence": tuple((numbers[i],) for i, _ in kept),
            "sentences": (tuple(numbers[i] for i, _ in kept),),
        }


def _check_level(src: DocumentSource, level: Level) -> None:
    """Raise the errors of `DocumentReader.other_map` that its arguments deserve."""
    if level not in get_args(Level):
        raise ValueError(f"level is {level!r}, expected one of {', '.join(get_args(Level))}")
    lengths = [len(sentence) for sentence in src.sentences]
    if (len(lengths) if level == _SENTENCE else max(lengths)) < 2:
        raise InputError(Message(f"model-document-one-{level}"))


def _weighing(model: nn.Module, change: DocumentChange, kept: _Kept) -> Hooks:
    """Return hooks that replace weights, or remove some, as `change` asks."""
    words = [
        np.array([(sentence, word) not in kept.unseen_words for word in kept.words[sentence]])
        for sentence in kept.sentences
    ]
    # A sentence whose words are all masked is masked itself, so how its words share does not
    # matter; all of them avoids 0 / 0.
    words = [seen if seen.any() else np.ones_like(seen) for seen in words]
    sentences = [np.array([sentence not in kept.unseen_sentences for sentence in kept.sentences])]
    hooks: dict[nn.Module, ForwardHook] = {}
    for name, weighing, seen in (
        (_WORD, change.word_weights, words),
        (_SENTENCE, change.sentence_weights, sentences),
    ):
        if weighing != "own" or not all(row.all() for row in seen):
            # The length of its name separates the random streams of the two levels.
            rng = np.random.default_rng((change.seed, len(name)))
            hooks[_probe_of(model, name)] = _replacing(weighing, iter(seen), rng)
    return hooks


def _replacing(weighing: str, seen: Iterator[np.ndarray], rng: np.random.Generator) -> ForwardHook:
    """Return a hook that reweights each call over the True entries of its row of `seen`."""

    def replace(_probe: nn.Module, _inputs: tuple[Tensor, ...], weights: Tensor) -> Tensor:
        may = torch.from_numpy(next(seen)).to(weights.device)
        row = weights.flatten() * may
        if weighing == "uniform":
            row = may.to(weights.dtype)
        elif weighing == "shuffled":
            indices = may.nonzero().flatten()
            row = row.index_put((indices,), row[indices[rng.permutation(len(indices))]])
        return (row / row.sum()).view_as(weights)

    return replace


def _judged(
    model: Any, states: Tensor, weights: Tensor, level: Level, lengths: Sequence[int]
) -> Tensor:
    """Classify a document under R maps.

    `weights` (R, rows, longest) belong to the rows of `states`; returns probabilities (R, classes).
    """
    if level == _SENTENCE:
        document = weights[:, 0] @ states[0]  # (R, d_state)
        return model.output(document).softmax(dim=-1)
    vectors = torch.einsum("rst,std->rsd", weights, states)
    return model.judge_many(vectors, [len(lengths)] * len(weights)).softmax(dim=-1)


def _divergence(weights: Tensor, ours: Tensor) -> Tensor:
    """Return each map's mean Jensen-Shannon divergence from `ours`; weights (R, rows, longest)."""
    middle = (weights + ours) / 2
    entropy = torch.special.entr
    divergences = entropy(middle).sum(-1) - (entropy(weights).sum(-1) + entropy(ours).sum(-1)) / 2
    # A row of one word leaves nothing to choose and would dilute the mean.
    more = (ours > 0).sum(-1) > 1
    return divergences[:, more].mean(-1)


def _probe_of(model: nn.Module, name: str) -> nn.Module:
    """Return the probe of the site called `name`."""
    return next(probe for probe in probes_of(model) if probe.site_id == name)
