"""The atlas of heads: measure each head over 2,000 sentences and keep texts that show it.

Stored as ``atlas.json`` beside the weights (`core.atlas.Atlas`). Numbers are means over validation
sentences, teacher-forced with their references, and over our own ``texts``. Only our own texts are
stored, so ``examples``, ``occurring`` (token pairs with the largest weights) and ``similar``
(heads) come from them alone. ``possible`` lists the pairs of frequent tokens with the largest
content score in layer 1 of self-attention, (E W_Q) (E W_K)^T / sqrt(d_k), positions and biases left
out.
``syntax`` comes from gold trees (PUD, ``align/pud-en-ko`` of the data) and is left out if they are
missing.
"""

from __future__ import annotations

import json
import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
import torch
from tqdm import tqdm

from core.atlas import ATLAS, by_decile, divergences, rare_excess, strengths, telling
from core.gold import word_pieces, word_weights
from core.gold_sets import text_of
from core.records.attention import AttentionMap
from core.weights.groups import is_special
from core.weights.measures import badges_of
from model.families.transformer import Encoder
from model.hooks.capture import capture_attention
from model.nets.multi_head import MultiHeadAttention
from model.teacher_forcing import tensor_of
from training.corpora import zero_pronouns
from training.corpora.coreference import generate_held_out
from training.corpora.pairs import spread_out
from training.corpora.text_pairs import CorpusError, TextPair
from training.corpora.word_list import word_list
from training.files import number, numbers
from words.packs import pack_of

from .measurement import ResultPart
from .roles import MOST_TOKENS, RolesMeasurement
from .templating import rendered

SENTENCES = 2000
"""Number of sentences, our own texts included."""
TEXTS = 500
"""Number of our own texts."""
SEED = 33
PAIRS = 8
"""Token pairs kept for each head."""
LEAST = 5
"""Least number of occurrences of a token, or of a token pair."""
SIMILAR = 4
"""Similar heads listed for each head."""
# A relation with fewer links gives a share that is mostly noise.
LEAST_LINKS = 100
TREES = Path("align/pud-en-ko/pud-en-ko.jsonl")
Links = Mapping[tuple[str, bool], Sequence[tuple[int, np.ndarray]]]
"""Links of trees by relation and direction, True from the dependent to its head.

Each link is its offset in words and, for every attention head, if the largest weight of its row is
on that word: bool (L, H)."""


def own_texts(reader: Any, n: int) -> list[TextPair]:
    """Return `n` of our own pairs: examples, word lists and generated sentences.

    The model writes the targets of examples and word lists. Generated pairs come from the held-out
    grammars, only one half of each minimal pair.
    """
    languages = tuple(reader.card.languages)
    texts = [example.text for example in pack_of(languages).examples]
    if words := word_list(languages):
        texts += chain(*words.sentences.values())
    translated = [
        TextPair(text, reader.translate(text).tgt.text if reader.writes else "") for text in texts
    ]
    korean = languages == ("ko", "en")
    # The halves of a minimal pair stand next to each other and read nearly alike: one is enough.
    generated = (
        zero_pronouns.generate(n, seed=SEED) if korean else generate_held_out(n, seed=SEED)[::2]
    )
    held_out = [TextPair(pair.source, pair.target if reader.writes else "") for pair in generated]
    return [*translated, *held_out][:n]


class AtlasMeasurement(RolesMeasurement):
    name = "atlas"
    file_kind = ATLAS
    indent = None

    def frame(self) -> dict[str, Any]:
        return self.provenance()

    def parts(self) -> Iterator[ResultPart]:
        yield ResultPart(("sentences",), lambda: len(self._sentences) + len(self._texts))
        yield ResultPart(("texts",), lambda: [[pair.source, pair.target] for pair in self._texts])
        yield ResultPart(("sites",), self._sites)

    @classmethod
    def report(cls, result: Mapping[str, Any]) -> str:
        """Return one line for each number of a site, with its heads by layer."""
        return rendered(f"{cls.name}.txt.j2", between="\n", result=result)

    @cached_property
    def _texts(self) -> list[TextPair]:
        return own_texts(self.of, self.limit or TEXTS)

    @cached_property
    def _sentences(self) -> list[TextPair]:
        every = [*chain(*self._every.values())]
        if not every:
            raise CorpusError(f"{self.data} holds no sentences of {', '.join(self._every)}")
        return spread_out(every, self.limit or SENTENCES - TEXTS)

    def _sites(self) -> dict[str, Any]:
        pairs = [*self._texts, *self._sentences]
        counts = {
            side: Counter(t for pair in pairs for t in tokenizer.encode(getattr(pair, side)).tokens)
            for side, tokenizer in self.of.tokenizers.items()
        }
        sites = {site.name: _Site() for site in self.of.sites}
        for index, pair in enumerate(tqdm(pairs, desc="atlas", unit="sentence")):
            for attention in self._read(pair).maps:
                sites[attention.site_id].add(attention, counts[attention.site.key])
                if index < len(self._texts):
                    sites[attention.site_id].add_text(attention)
        return {
            site.name: sites[site.name].values(
                self._relations if site.name == "encoder" else [],
                self._possible(site.name, counts[site.key]) if site.is_self else [],
            )
            for site in self.of.sites
        }

    @torch.inference_mode()
    def _possible(self, site: str, counts: Mapping[str, int]) -> list[list[Any]]:
        """Return the best token pairs of each head of layer 1.

        Empty if the layer does not read embeddings.
        """
        model = self.of.model
        tokenizer = self.of.tokenizers["source"]
        first_layer = next(
            (
                module
                for module in model.modules()
                if isinstance(module, MultiHeadAttention)
                and (module.probe.site_id, module.probe.layer) == (site, 0)
            ),
            None,
        )
        if first_layer is None or not isinstance(model, Encoder):
            return []
        tokens = [
            token for token in counts if counts[token] >= LEAST and not is_special([token])[0]
        ]
        ids = torch.tensor([tokenizer.id_of(token) for token in tokens])
        # Position vectors and biases stay out on purpose: the score is that of the two tokens
        # alone.
        content = model.embedding_of("source").weight[ids] * model.scale
        queries, keys = (
            (content @ projection.weight.T).view(len(ids), first_layer.n_heads, -1).transpose(0, 1)
            for projection in (first_layer.query_proj, first_layer.key_proj)
        )
        best_pairs = []
        for scores in queries @ keys.transpose(1, 2) / math.sqrt(queries.shape[-1]):
            values, indices = scores.flatten().topk(min(PAIRS, scores.numel()))
            cells = [divmod(index, len(tokens)) for index in indices.tolist()]
            best = zip(cells, values.tolist(), strict=True)
            best_pairs.append([[tokens[q], tokens[k], number(value)] for (q, k), value in best])
        return best_pairs

    @cached_property
    def _relations(self) -> list[list[dict[str, Any]]]:
        path = self.data / TREES
        language = self.of.card.languages[0]
        if not isinstance(self.of.model, Encoder) or not path.exists():
            return []
        links: dict[tuple[str, bool], list[tuple[int, np.ndarray]]] = defaultdict(list)
        for line in tqdm(path.read_text("utf-8").splitlines()[: self.limit], desc="trees"):
            tree = json.loads(line).get(language, [])
            largest = largest_words(self.of, tree)
            for child, (_, _, head, relation, _) in enumerate(tree):
                # Heads count from 1; 0 marks the root, which depends on no word.
                if largest is not None and head and relation != "punct":
                    # Both directions: the dependent's row to its head, and the head's row to its
                    # dependent.
                    for row, at in ((child, head - 1), (head - 1, child)):
                        links[relation, row == child].append((at - row, largest[:, :, row] == at))
        frequent = {name: hits for name, hits in links.items() if len(hits) >= LEAST_LINKS}
        return best_relations(frequent) if frequent else []


@torch.inference_mode()
def largest_words(reader: Any, tree: Sequence[Sequence[Any]]) -> np.ndarray | None:
    """Return for each word of a tree the word with the largest weight, int (L, H, words).

    The number of words stands for special tokens (see `word_weights`). Returns None if the sentence
    is empty or longer than `MOST_TOKENS`.
    """
    text, spans = text_of(tree)
    src = reader.tokenizers["source"].encode(text)
    if not tree or len(src) > MOST_TOKENS:
        return None
    with capture_attention(reader.model) as captured:
        reader.model.encode(tensor_of(reader.model, src.ids))
    words = word_pieces(src, spans)
    special = np.flatnonzero(src.special).tolist()
    return word_weights(captured.weights("encoder")[0], words, words, special).argmax(axis=-1)


def best_relations(links: Links) -> list[list[dict[str, Any]]]:
    """Return for each head the relation that it follows farthest beyond the best fixed offset.

    The relation is chosen on every second link and measured on the others, so that the best of many
    does not win by chance.
    """
    halves: list[list[tuple[np.ndarray, float, int]]] = [[], []]
    for of_relation in links.values():
        for first, results in enumerate(halves):
            offsets, hits = zip(*of_relation[first::2], strict=True)
            # A head that always looks one word back "follows" any relation that mostly spans one
            # word.
            most = Counter(offsets).most_common(1)[0][1] / len(offsets)
            results.append((np.mean(hits, axis=0), most, len(offsets)))
    chosen = np.argmax([value - offset for value, offset, _ in halves[0]], axis=0)
    relations = list(links)

    def relation(layer: int, head: int) -> dict[str, Any]:
        index = chosen[layer, head]
        name, to_head = relations[index]
        value, offset, n = halves[1][index]
        measured = {"value": number(float(value[layer, head])), "offset": number(offset)}
        return {"name": name, "to_head": to_head, **measured, "n": n}

    return _each_head(chosen.shape, relation)


def _each_head(shape: tuple[int, ...], work: Any) -> list[list[Any]]:
    return [[work(layer, head) for head in range(shape[1])] for layer in range(shape[0])]


class _Site:
    """Measurements of one site, collected sentence by sentence; each array is (L, H)."""

    def __init__(self) -> None:
        self.means: dict[str, list[np.ndarray]] = defaultdict(list)
        self.strengths: list[np.ndarray] = []
        self.apart: list[np.ndarray] = []  # (L * H, L * H), Jensen-Shannon divergences
        self.pairs: dict[tuple[bool, str, str], list[np.ndarray]] = defaultdict(list)

    def add(self, attention: AttentionMap, counts: Mapping[str, int]) -> None:
        """Add the numbers of any sentence."""
        for badge in badges_of(attention):
            self.means[badge.name].append(badge.of(attention))
        if (rare := rare_excess(attention, counts)) is not None:
            self.means["rare"].append(rare)

    def add_text(self, attention: AttentionMap) -> None:
        """Add what is shown of one of our own texts: strengths, divergences and token pairs."""
        self.strengths.append(strengths(attention))
        self.apart.append(divergences(attention))
        # A row of a decoder has two tokens: the one it reads and the one it writes.
        written = () if attention.site.is_self else attention.output_tokens or ()
        for row, key in np.argwhere(telling(attention)):
            for is_written, tokens in enumerate((attention.query_tokens, written)):
                if tokens and not is_special([tokens[row]])[0]:
                    pair = bool(is_written), tokens[row], attention.key_tokens[key]
                    self.pairs[pair].append(attention.weights[:, :, row, key])

    def values(self, relations: list[list[Any]], possible: list[list[Any]]) -> dict[str, Any]:
        """Return the entry of the site in the stored file."""
        means = {name: numbers(np.mean(rows, axis=0)) for name, rows in self.means.items()}
        frequent = {pair: rows for pair, rows in self.pairs.items() if len(rows) >= LEAST}
        names = [(*pair, len(rows)) for pair, rows in frequent.items()]
        strong = np.array(self.strengths)
        apart = np.mean(self.apart, axis=0)
        shape = strong.shape[1:]
        pair_means = [np.mean(rows, axis=0) for rows in frequent.values()]
        weights = np.array(pair_means).reshape(-1, *shape)
        if relations:
            means["syntax"] = [
                [number(relation["value"] - relation["offset"]) for relation in row]
                for row in relations
            ]

        def card(layer: int, head: int) -> dict[str, Any]:
            at = layer * shape[1] + head
            values = weights[:, layer, head]
            # Descending order: numpy sorts ascending only, hence the minus.
            best = [(*names[i], number(float(values[i]))) for i in np.argsort(-values)[:PAIRS]]
            # A head is nearest to itself, with a divergence of 0.
            near = [i for i in np.argsort(apart[at], kind="stable") if i != at][:SIMILAR]
            return {
                "examples": by_decile(strong[:, layer, head]),
                "occurring": [[*tokens, value, n, by] for by, *tokens, n, value in best],
                "possible": possible[head] if possible and not layer else [],
                "similar": [[*divmod(int(i), shape[1]), number(float(apart[at, i]))] for i in near],
                **({"relation": relations[layer][head]} if relations else {}),
            }

        return {"numbers": means, "heads": _each_head(shape, card)}
