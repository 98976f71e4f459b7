"""Scores of a checkpoint: BLEU, pronoun accuracy, and the heads that resolve "it"."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import Any

from tqdm import tqdm

from core.bootstrap import Measure, bleu, mean
from model import Translator
from training.card import CARD_FILE, stored_card
from training.corpora.chains import Chains, chosen_pairs
from training.corpora.coreference import NOUNS, generate_held_out, has_sibling
from training.corpora.german_nouns import noun_genders
from training.corpora.mined_it import natural_links, nearly_in, split_natural, verbatim_in
from training.corpora.pairs import own_sets, read_pairs, set_pairs, training_pairs
from training.corpora.text_pairs import CoreferencePair, TextPair
from training.corpora.word_list import word_list
from training.files import DOCS, SHARE_DIGITS, drawn_values, write_between

from .antecedent_heads import canonical_weights, head_links, property_links, served_by, use_of
from .attention_links import by_answer, head_of
from .bleu import DECODING, bleu_row, bleu_scores, translate_all
from .everyday import asked, everyday, translations_table
from .measured_sets import (
    BLEU_SETS,
    HELD_OUT_PAIRS,
    HELD_OUT_SEED,
)
from .measurement import Measurement, ResultPart
from .pronoun import forced_choice_is_right, pronoun_is_right
from .zero_pronouns import measure as dropped_subjects

CHAINS_SEED = 7
CHAINS = 400
SERVED = 200


def bounds_of(rows: Any, measure: Measure, digits: int) -> dict[str, float | None]:
    """Return the bounds of `drawn_values`, without the value."""
    drawn = drawn_values(rows, measure, digits)
    return {"low": drawn["low"], "high": drawn["high"]}


def pronoun_scores(
    translator: Translator, items: Sequence[CoreferencePair], translations: dict[str, str]
) -> dict[str, Any]:
    """Return shares of held-out sentences with the right pronoun, all and by half and reason.

    ``new_nouns``: the two nouns never trained together, though each of them and the property did.
    ``new_property``: the property never decided this situation in training. The ``..._sibling``
    scores cover those of which it decided a near-synonymous situation ("run after" for "chase")
    that trains.
    """
    right = [pronoun_is_right(p, translations[p.source]) for p in items]
    chosen = [forced_choice_is_right(translator, p) for p in items]

    def share(flags: Sequence[bool], keep: Callable[[CoreferencePair], bool]) -> float:
        kept = [flag for flag, p in zip(flags, items, strict=True) if keep(p)]
        return round(sum(kept) / len(kept), SHARE_DIGITS) if kept else float("nan")

    return {
        "accuracy": share(right, lambda p: True),
        "first": share(right, lambda p: p.half == "first"),
        "second": share(right, lambda p: p.half == "second"),
        "new_nouns": share(right, lambda p: p.held_out == "nouns"),
        "new_property": share(right, lambda p: p.held_out != "nouns"),
        "forced_choice": share(chosen, lambda p: True),
        "sentences": len(items),
        "sentences_new_property": sum(p.held_out != "nouns" for p in items),
        "new_property_sibling": share(right, lambda p: p.held_out != "nouns" and has_sibling(p)),
        "sentences_new_property_sibling": sum(
            p.held_out != "nouns" and has_sibling(p) for p in items
        ),
    }


def contrastive_scores(translator: Translator, items: Sequence[CoreferencePair]) -> dict[str, Any]:
    """Return the share of sentences whose reference beats itself with another gender's pronoun."""
    return contrastive_summary(items, likeliest_is_right(translator, items))


def likeliest_is_right(translator: Translator, items: Sequence[CoreferencePair]) -> list[bool]:
    """Return for each sentence whether the right pronoun is the likeliest."""
    return [
        forced_choice_is_right(translator, pair)
        for pair in tqdm(items, desc="contrastive", unit="sentence")
    ]


def contrastive_summary(
    items: Sequence[CoreferencePair], right: Sequence[bool], groups: Sequence[str] = ()
) -> dict[str, Any]:
    """Summarise right answers as a share, overall and by the reference's pronoun.

    ``low`` and ``high`` bound the share (95 %): Wilson (1927); or, if `groups` names the topic of
    each item, a bootstrap over groups (Efron 1979), since items about one noun are right or wrong
    together. ``majority`` is the most frequent pronoun of the references, and its share.
    """
    by_pronoun: dict[str, list[bool]] = {}
    for pair, flag in zip(items, right, strict=True):
        by_pronoun.setdefault(pair.right_form, []).append(flag)
    # Bounds of a share first; those over groups replace them below.
    scores = by_answer(by_pronoun, "accuracy") | {"right": sum(right)}
    if groups:
        counts = [
            [sum(flags), len(flags)]
            for name in dict.fromkeys(groups)
            if (flags := [flag for flag, group in zip(right, groups, strict=True) if group == name])
        ]
        scores |= bounds_of(counts, mean, SHARE_DIGITS)
    return scores


Texts = dict[str, tuple[list[TextPair], dict[str, str]]]
"""By set: its pairs, and the translation of each source."""


def domain_texts(
    translator: Translator, data: Path, sources: dict[str, Any], *, limit: int | None = None
) -> Texts:
    """Translate the validation part of every other set that the checkpoint validates with."""
    texts = {}
    for entry in own_sets(sources):
        folder = entry["folder"]
        # Already scored under a name of `BLEU_SETS`.
        if f"{folder}/val.tsv.gz" in BLEU_SETS.values():
            continue
        pairs = set_pairs(data, entry, "val")[:limit]
        texts[folder] = pairs, translate_all(translator, [p.source for p in pairs], folder)
    return texts


def domain_scores(texts: Texts) -> dict[str, dict[str, Any]]:
    """Return BLEU and chrF of each set; ``low`` and ``high`` bound its BLEU (95 %, bootstrap)."""
    scores = {}
    for folder, (pairs, translations) in texts.items():
        score = bleu_scores(pairs, translations)
        # Counts of n-grams add up over sentences, so that a bootstrap need not score texts again.
        rows = [bleu_row(translations[pair.source], pair.target) for pair in pairs]
        kept = {name: score[name] for name in ("bleu", "chrf", "sentences")}
        scores[folder] = kept | bounds_of(rows, bleu, 1)
    return scores


@dataclass(frozen=True)
class Natural:
    """Contrastive scores on sentences that people wrote.

    ``natural``: the development set, held-out sentences with "it" and a gendered pronoun
    (`training.corpora.mined_it`). ``unseen`` leaves out those in the text that was trained on
    before anything was held out (the sets ``before`` of the config), ``unlike`` those that nearly
    stand in any training text.

    ``natural_validation``: validation sentences of the same sets, found by the same rule, "es"
    included; nothing was chosen on them.

    ``chains``: joined sentences about nouns of no training chain (`training.corpora.chains`),
    bounded by drawing nouns. ``new`` leaves out nouns that a generated frame knows.
    """

    translator: Translator
    data: Path
    sources: dict[str, Any]
    limit: int | None

    @cached_property
    def pairs(self) -> dict[str, list[TextPair]]:
        return training_pairs(self.data, self.sources)

    @cached_property
    def split(self) -> tuple[dict[str, list[TextPair]], list[CoreferencePair]]:
        return split_natural(self.pairs)

    def natural(self) -> dict[str, Any]:
        # The split is deterministic: these are the very sentences that training left out.
        sets, held_out = self.split
        held_out = held_out[: self.limit]
        right = likeliest_is_right(self.translator, held_out)
        scores = contrastive_summary(held_out, right)
        names = self.sources["natural"].get("before", ())
        before = [pair for name in names for pair in self.pairs[name]]
        text = [*before, *(pair for every in sets.values() for pair in every)]
        for name, in_training in (
            ("unseen", verbatim_in(held_out, before)),
            ("unlike", nearly_in(held_out, text)),
        ):
            kept = [i for i, is_there in enumerate(in_training) if not is_there]
            scores[name] = contrastive_summary(
                [held_out[i] for i in kept], [right[i] for i in kept]
            )
        return scores

    def natural_validation(self) -> dict[str, Any]:
        genders = noun_genders(pair.target for every in self.pairs.values() for pair in every)
        others = [
            pair for name in self.pairs for pair in set_pairs(self.data, {"folder": name}, "val")
        ]
        links = natural_links(others, genders)[: self.limit]
        return contrastive_scores(self.translator, links)

    def chains(self) -> dict[str, Any]:
        chains = Chains(chosen_pairs(self.split[0], self.sources["chains"]))
        links = chains.one_noun(self.limit or CHAINS, CHAINS_SEED, held_out=True)
        right = likeliest_is_right(self.translator, links)
        nouns = [link.source[slice(*link.antecedent)].lower() for link in links]
        scores = contrastive_summary(links, right, nouns)
        kept = [i for i, noun in enumerate(nouns) if noun not in NOUNS]
        scores["new"] = contrastive_summary(
            [links[i] for i in kept], [right[i] for i in kept], [nouns[i] for i in kept]
        )
        return scores


class EvaluateMeasurement(Measurement):
    """All scores and heads of a checkpoint, for its card.

    Pronouns and heads are only measured if generated pairs were trained on.
    """

    name = "evaluate"
    file_kind = CARD_FILE

    def frame(self) -> dict[str, Any]:
        self.words = word_list(self.of.card.languages)
        # A card without data names no sets: pronouns are measured then, too.
        self.generated = not self.sources or "coreference" in self.sources
        return {
            "fingerprint": self.of.card.fingerprint,
            "scores": {},
            **({"heads": {}, "canonical": {}} if self.generated else {}),
            "decoding": {"beam_size": DECODING.beam_size, "alpha": DECODING.alpha},
        }

    def parts(self) -> Iterator[ResultPart]:
        # A set may be used in the other direction: its files are then read reversed.
        turned = {entry["folder"]: entry["reversed"] for entry in own_sets(self.sources)}
        for name, file in BLEU_SETS.items():
            folder = file.split("/")[0]
            if not self.sources or folder in turned:
                work = partial(self._bleu, name, file, turned.get(folder, False))
                yield ResultPart(("scores", name), work)
        # Lambdas: parts are worked out only if the stored card lacks them.
        yield ResultPart(("scores", "domains"), lambda: domain_scores(self._texts))
        if self.words is not None:
            yield ResultPart(("scores", "nouns"), lambda: self._asked["nouns"])
            yield ResultPart(("scores", "subjects"), lambda: self._asked["subjects"])
            yield ResultPart(("everyday",), self._everyday)
        if "dropped" in self.sources:
            work = partial(dropped_subjects, self.of, DECODING, limit=self.limit)
            yield ResultPart(("scores", "dropped"), work)
        if not self.generated:
            return
        yield ResultPart(("scores", "coreference"), self._coreference)
        if "natural" in self.sources:
            natural = Natural(self.of, self.data, self.sources, self.limit)
            yield ResultPart(("scores", "natural"), natural.natural)
            yield ResultPart(("scores", "natural_validation"), natural.natural_validation)
            if "chains" in self.sources:
                yield ResultPart(("scores", "chains"), natural.chains)
        yield ResultPart(("heads",), lambda: self._heads)
        yield ResultPart(("canonical",), lambda: canonical_weights(self.of, DECODING, self._heads))

    def _bleu(self, name: str, file: str, reversed: bool) -> dict[str, Any]:
        pairs = list(read_pairs(self.data / file, reversed=reversed))[: self.limit]
        return bleu_scores(pairs, translate_all(self.of, [p.source for p in pairs], name))

    @cached_property
    def _texts(self) -> Texts:
        return domain_texts(self.of, self.data, self.sources, limit=self.limit)

    @cached_property
    def _asked(self) -> dict[str, Any]:
        assert self.words is not None
        return asked(self.of, self._texts, self.words)

    def _everyday(self) -> dict[str, list[list[str]]]:
        assert self.words is not None
        return everyday(lambda text: self.of.translate(text, DECODING).text, self.words)

    @cached_property
    def _items(self) -> list[CoreferencePair]:
        return generate_held_out(self.limit or HELD_OUT_PAIRS, seed=HELD_OUT_SEED)

    def _coreference(self) -> dict[str, Any]:
        sources = [pair.source for pair in self._items]
        translations = translate_all(self.of, sources, "coreference")
        return pronoun_scores(self.of, self._items, translations)

    @cached_property
    def _heads(self) -> dict[str, Any]:
        heads = head_links(self.of, self._items)
        noun_head = head_of(heads["encoder"])
        heads["encoder"]["use"] = use_of(self.of, self._items, noun_head)
        heads["property"] = property_links(self.of, self._items, noun_head)
        heads["property"]["serves"] = served_by(
            self.of, self._items[:SERVED], noun_head, head_of(heads["property"])
        )
        return heads

    @classmethod
    def write(cls, folder: Path, result: Mapping[str, Any]) -> None:
        """Merge the scores into the card, which holds more than these."""
        super().write(folder, {**stored_card(folder), **result})

    def publish(self, folder: Path, result: Mapping[str, Any]) -> None:
        super().publish(folder, result)
        page = DOCS / f"{folder.name}.md"
        if "everyday" in result and page.exists():
            write_between(page, translations_table(result["everyday"]))
