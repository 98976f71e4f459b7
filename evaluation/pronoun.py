"""Pronouns that a model writes for "it", and their change if words are hidden from attention."""

from __future__ import annotations

import functools
import math
import operator
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from tqdm import tqdm

from core.interventions.intervention import Intervention, hide
from core.interventions.kinds import MaskedCell
from core.pronoun import Word, control_word, phrase_of, words_of
from core.records.search import Decoding
from core.records.sources import TokenSequence
from core.records.tokens import SPACE
from model import Translator
from model.families.transformer import Transformer
from model.hooks.interventions import intervening
from model.teacher_forcing import likeliest_outputs, tensor_of
from model.tokenizer import TextTokenizer
from training.corpora.coreference_text import PRONOUN_FORMS
from training.corpora.text_pairs import CoreferencePair
from training.files import SHARE_DIGITS, number
from words.packs import pack_of

from .attention_links import head_of, share

DECODING = Decoding(beam_size=1)
WHERES = (
    "encoder_from_it", "encoder_from_it_best", "encoder_from_it_others", "encoder_from_it_guided",
    "cross_from_pronoun", "cross_from_pronoun_best", "it_and_pronoun", "cross", "encoder", "both",
)  # fmt: skip
WORDS = ("antecedent", "antecedent_phrase", "other", "other_phrase", "control")
CONTROL = (
    "the nearest word before 'it', outside both noun phrases, with as many pieces as the antecedent"
)
DETERMINERS = pack_of(("en", "de")).determiners

Head = tuple[int, int]


@dataclass(frozen=True)
class FollowedPronoun:
    """A held-out sentence and the position in its plain output that writes the pronoun.

    `row`: the decoder position that writes the pronoun. `form_ids`: the id of each form of the
    pronoun, spelled as in the output. `written`, `right`: the form in the output and in the
    reference, in lower case. `it`, `hidden`: source positions of "it", and of each of `WORDS`.
    """

    pair: CoreferencePair
    src: TokenSequence
    tgt: TokenSequence
    row: int
    form_ids: dict[str, int]
    written: str
    right: str
    it: tuple[int, ...]
    hidden: dict[str, tuple[int, ...]]


def pronoun_forms_in(pair: CoreferencePair, text: str) -> list[tuple[int, int]]:
    """Return the spans of words in `text` that are forms of the pronoun in its case."""
    forms = set(PRONOUN_FORMS[pair.case].values())
    return [m.span() for m in re.finditer(r"\w+", text) if m[0].lower() in forms]


def forms_in(pair: CoreferencePair, text: str) -> Counter[str]:
    """Count each form of the pronoun in its case in `text`, in lower case."""
    return Counter(text[slice(*span)].lower() for span in pronoun_forms_in(pair, text))


def word_over(src: TokenSequence, span: tuple[int, int]) -> Word:
    """Return the source word that contains the first piece of a span."""
    first = src.pieces_at(*span)[0]
    return next(word for word in words_of(src) if first in word.positions)


def noun_phrase(src: TokenSequence, noun: tuple[int, int]) -> tuple[int, ...]:
    """Return positions of the noun with this span, its determiner and the adjective between."""
    phrase = phrase_of(words_of(src), word_over(src, noun), DETERMINERS)
    return tuple(position for word in phrase for position in word.positions)


def control_positions(pair: CoreferencePair, src: TokenSequence) -> tuple[int, ...]:
    """Return positions of a word that should not matter, see `CONTROL`; () if there is none."""
    spans = (pair.pronoun, pair.antecedent, pair.distractor)
    pronoun, noun, other = (word_over(src, span) for span in spans)
    control = control_word(words_of(src), pronoun, noun, other, DETERMINERS)
    return control.positions if control else ()


def follow(
    tokenizer: TextTokenizer, pair: CoreferencePair, src: TokenSequence, tgt: TokenSequence
) -> FollowedPronoun | None:
    """Find the pronoun in an output; None unless it has just one form, written as one piece."""
    spans = pronoun_forms_in(pair, tgt.text)
    control = control_positions(pair, src)
    if len(spans) != 1 or not control:
        return None
    written = tgt.text[slice(*spans[0])]
    row = tgt.pieces_at(*spans[0])[0]
    form_ids = {}
    for form in dict.fromkeys(PRONOUN_FORMS[pair.case].values()):
        # At the start of a sentence all forms are compared with a capital.
        spelled = form.capitalize() if written[0].isupper() else form
        form_ids[form] = tokenizer.id_of(SPACE + spelled)
    # `SPACE + form` must be one piece, or log p of the first piece would not be that of the word.
    if None in form_ids.values() or tgt.ids[row] != form_ids[written.lower()]:
        return None
    return FollowedPronoun(
        pair=pair,
        src=src,
        tgt=tgt,
        row=row,
        form_ids=form_ids,
        written=written.lower(),
        right=pair.right_form,
        it=src.pieces_at(*pair.pronoun),
        hidden={
            "antecedent": src.pieces_at(*pair.antecedent),
            "antecedent_phrase": noun_phrase(src, pair.antecedent),
            "other": src.pieces_at(*pair.distractor),
            "other_phrase": noun_phrase(src, pair.distractor),
            "control": control,
        },
    )


def changes_of(
    item: FollowedPronoun, hidden: Sequence[int], heads: dict[str, Head | None], n_heads: int
) -> dict[str, Intervention]:
    """Return for each of `WHERES` the intervention that hides the positions `hidden` there.

    `heads` are those of `followed_heads`; an entry that needs a head which is None is left out.
    "encoder_from_it_others" hides them from all heads of the best head's layer but that one.
    """

    def from_it(head: Head | None = None) -> Intervention:
        return cells("encoder", item.it, hidden, head)

    def from_pronoun(head: Head | None = None) -> Intervention:
        return cells("cross", (item.row,), hidden, head)

    def from_it_in_others(best: Head) -> Intervention:
        others = (from_it((best[0], head)) for head in range(n_heads) if head != best[1])
        # `|` joins interventions; the empty one is its neutral element.
        return functools.reduce(operator.or_, others, Intervention())

    changes = {
        "encoder_from_it": from_it(),
        # `None and ...` is None: without a head the place is left out below.
        "encoder_from_it_best": heads["encoder"] and from_it(heads["encoder"]),
        "encoder_from_it_others": heads["encoder"] and from_it_in_others(heads["encoder"]),
        "encoder_from_it_guided": heads["guided"] and from_it(heads["guided"]),
        "cross_from_pronoun": from_pronoun(),
        "cross_from_pronoun_best": heads["cross"] and from_pronoun(heads["cross"]),
        "it_and_pronoun": from_it() | from_pronoun(),
        "cross": hide(*hidden, where="cross"),
        "encoder": hide(*hidden, where="encoder"),
        "both": hide(*hidden),
    }
    return {where: change for where, change in changes.items() if change is not None}


def every_change(
    item: FollowedPronoun, heads: dict[str, Head | None], n_heads: int
) -> dict[tuple[str, str], Intervention]:
    """Return the intervention for each of `WHERES` and `WORDS` that hides that word there."""
    by_word = {word: changes_of(item, item.hidden[word], heads, n_heads) for word in WORDS}
    return {
        (where, word): by_word[word][where]
        for where in WHERES
        for word in WORDS
        if where in by_word[word]
    }


def cells(
    site: str, queries: Iterable[int], keys: Sequence[int], head: Head | None = None
) -> Intervention:
    """Mask every query from every key at a site, in one head or in all."""
    layer_and_head = head or (None, None)
    return Intervention(*(MaskedCell(site, *layer_and_head, q, k) for q in queries for k in keys))


def followed_heads(card: Any) -> dict[str, Head | None]:
    """Return each site's best head, and the one that training guided unless it is one of them."""
    entries = {site: card.heads.get(site) for site in ("encoder", "cross")}
    heads = {site: head_of(entry) if entry else None for site, entry in entries.items()}
    guided = head_of(card.guided) if card.guided else None
    return {**heads, "guided": None if guided == heads["encoder"] else guided}


@dataclass(frozen=True)
class PronounOutcome:
    """Outcome of one intervention for one pronoun."""

    half: str  # of the sentence in its minimal pair
    flipped: bool  # another form than without the intervention
    right: bool
    change: float = math.nan  # of the log-odds of the right form; NaN after a new search
    other_gender: bool = False  # after a new search: flipped to exactly one other form


Outcomes = dict[tuple[str, str], list[PronounOutcome]]


@torch.inference_mode()
def form_log_probs(
    model: Transformer, item: FollowedPronoun, changes: Sequence[Intervention]
) -> np.ndarray:
    """Return log p of each form of the pronoun at its row, unchanged and under each change.

    float32 array (1 + number of changes, number of forms), natural logarithms.
    """
    device = model.embedding.weight.device
    src = torch.tensor([item.src.ids], device=device)
    # Up to the row: it reads the piece before the pronoun and writes the pronoun.
    read = torch.tensor([[model.config.bos_id, *item.tgt.ids[: item.row]]], device=device)
    # One batch, a row for each change; the first row is unchanged.
    every = (Intervention(), *changes)
    with intervening(model, every, n_src=src.shape[1], n_tgt=read.shape[1]) as changed:
        hidden = changed.hidden(src, read)[:, -1]  # (B, d_model)
    log_probs = model.logits(hidden).log_softmax(dim=-1)
    return log_probs[:, list(item.form_ids.values())].cpu().numpy()


def force(
    model: Transformer, items: Sequence[FollowedPronoun], heads: dict[str, Head | None]
) -> Outcomes:
    """Hide words from the model while it reads the unchanged output up to the pronoun."""
    outcomes: Outcomes = {}
    for item in tqdm(items, desc="pronouns, forced prefix", unit="sentence"):
        changes = every_change(item, heads, model.config.n_heads)
        log_probs = form_log_probs(model, item, tuple(changes.values()))
        right = list(item.form_ids).index(item.right)
        # Against the best other form: log P(right) - log P(best other).
        odds = log_probs[:, right] - np.delete(log_probs, right, axis=1).max(axis=1)
        likeliest = log_probs.argmax(axis=1)
        for row, key in enumerate(changes, start=1):
            outcome = PronounOutcome(
                half=item.pair.half,
                flipped=bool(likeliest[row] != likeliest[0]),
                right=bool(likeliest[row] == right),
                change=float(odds[row] - odds[0]),
            )
            outcomes.setdefault(key, []).append(outcome)
    return outcomes


def judge_output(item: FollowedPronoun, text: str) -> PronounOutcome:
    """Judge a new output: flipped if its pronoun forms differ from those of the plain output."""
    written = forms_in(item.pair, text)
    flipped = written != forms_in(item.pair, item.tgt.text)
    return PronounOutcome(
        half=item.pair.half,
        flipped=flipped,
        right=pronoun_is_right(item.pair, text),
        # Several or no forms are a rewritten sentence, not another gender.
        other_gender=flipped and written.total() == 1,
    )


def search_anew(
    model: Transformer,
    tokenizer: TextTokenizer,
    items: Sequence[FollowedPronoun],
    heads: dict[str, Head | None],
) -> Outcomes:
    """Hide words and search again, greedily; the pronoun's row is that of the plain output."""
    outcomes: Outcomes = {}
    for item in tqdm(items, desc="pronouns, new search", unit="sentence"):
        changes = every_change(item, heads, model.config.n_heads)
        # The length limit of `Translator.translate`.
        max_len = min(2 * len(item.src) + 10, model.config.max_len)
        outputs = greedy_outputs(model, item.src.ids, tuple(changes.values()), max_len)
        for key, ids in zip(changes, outputs, strict=True):
            outcome = judge_output(item, tokenizer.decode(ids).text)
            outcomes.setdefault(key, []).append(outcome)
    return outcomes


@torch.inference_mode()
def greedy_outputs(
    model: Transformer, src_ids: Sequence[int], changes: Sequence[Intervention], max_len: int
) -> list[tuple[int, ...]]:
    """Return one greedy translation of the source under each change, all in one batch.

    Each ends with ``</s>`` or after `max_len` tokens.
    """
    with intervening(model, changes, n_src=len(src_ids), n_tgt=max_len) as changed:
        return likeliest_outputs(changed, tensor_of(model, src_ids), [max_len] * len(changes))


def rows_of(outcomes: Outcomes) -> list[dict[str, Any]]:
    """Return one row for each of `WHERES` and `WORDS`: a summary of all sentences and each half."""
    rows = []
    for (where, word), of_word in outcomes.items():
        row: dict[str, Any] = {"where": where, "word": word, "all": summary(of_word)}
        for half in ("first", "second"):
            row[half] = summary([outcome for outcome in of_word if outcome.half == half])
        rows.append(row)
    return rows


def summary(outcomes: Sequence[PronounOutcome]) -> dict[str, Any]:
    """Return counts, and the share of flips with its bounds; shares of nothing are None."""
    n = len(outcomes)
    flips = sum(o.flipped for o in outcomes)
    right = sum(o.right for o in outcomes)
    changes = [o.change for o in outcomes if not math.isnan(o.change)]
    entry = {
        "n": n,
        "flips": flips,
        **share(flips, n, "share"),
        "right": right,
        "share_right": number(right / n if n else math.nan, SHARE_DIGITS),
    }
    # Only forced outcomes have log-odds, only searched ones another gender.
    if changes:
        entry["log_odds_change"] = number(float(np.mean(changes)))
    else:
        entry["other_gender"] = sum(o.other_gender for o in outcomes)
    return entry


def translate_plainly(
    translator: Translator, tokenizer: TextTokenizer, pairs: Sequence[CoreferencePair]
) -> tuple[list[FollowedPronoun], dict[str, Any]]:
    """Return the sentences whose pronoun can be followed, and their counts."""
    items: list[FollowedPronoun] = []
    right = 0
    for pair in tqdm(pairs, desc="pronouns, original output", unit="sentence"):
        tree = translator.search(pair.source, DECODING)
        tgt = tokenizer.decode(tree.hypothesis(tree.best).ids)
        right += pronoun_is_right(pair, tgt.text)
        item = follow(tokenizer, pair, translator.tokenize(pair.source), tgt)
        if item is not None:
            items.append(item)
    counts = {
        "sentences": len(pairs),
        "right": right,
        "share_right": number(right / len(pairs), SHARE_DIGITS),
        "followed": len(items),
    }
    return items, counts


def pronoun_is_right(pair: CoreferencePair, translation: str) -> bool:
    """Return True if a translation has the pronoun forms of the reference, no more and no fewer.

    Forms of the pronoun's case are counted in both texts (er, sie, es for a subject), so a wrong
    gender, a missing pronoun and a repeated noun all count as wrong.
    """
    return forms_in(pair, translation) == forms_in(pair, pair.target)


def likeliest_form(
    translator: Translator, pair: CoreferencePair, intervention: Intervention | None = None
) -> str:
    """Return the form of the pronoun, of all genders, that makes the reference likeliest."""
    start, end = pair.target_pronoun
    capital = pair.target[start].isupper()
    scores = {}
    # Forms repeat within a case ("ihm"), and each is scored once.
    for form in dict.fromkeys(PRONOUN_FORMS[pair.case].values()):
        form = form.capitalize() if capital else form
        changed = pair.target[:start] + form + pair.target[end:]
        scores[form] = float(
            translator.score(pair.source, changed, intervention=intervention).sum()
        )
    return max(scores, key=scores.__getitem__)


def forced_choice_is_right(
    translator: Translator, pair: CoreferencePair, intervention: Intervention | None = None
) -> bool:
    """Return True if no other gender's pronoun makes the reference likelier."""
    return likeliest_form(translator, pair, intervention).lower() == pair.right_form
