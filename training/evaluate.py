"""Scores of a checkpoint: BLEU, right pronouns, and the heads that link "it" to its antecedent."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import sacrebleu
from tqdm import tqdm

from analysis.measures import pair_weights
from model import Translator
from records import Decoding

from .coreference import PRONOUN_FORMS, CoreferencePair, generate_held_out
from .corpus import Pair, read_pairs

DECODING = Decoding(beam_size=5, alpha=0.6)
BLEU_SETS = {
    "multi30k_test_2016_flickr": "multi30k-en-de/test_2016_flickr.tsv.gz",
    "multi30k_test_2017_flickr": "multi30k-en-de/test_2017_flickr.tsv.gz",
    "multi30k_test_2018_flickr": "multi30k-en-de/test_2018_flickr.tsv.gz",
    "tatoeba_val": "tatoeba-en-de/val.tsv.gz",
}
HELD_OUT_PAIRS = 400
HELD_OUT_SEED = 7
CANONICAL = (
    "The animal didn't cross the street because it was too tired.",
    "The animal didn't cross the street because it was too wide.",
)


def translate_all(translator: Translator, sentences: Sequence[str], label: str) -> dict[str, str]:
    """Translations of the distinct sentences, beam 5 and alpha 0.6."""
    distinct = dict.fromkeys(sentences)
    return {
        s: translator.translate(s, DECODING).text
        for s in tqdm(distinct, desc=label, unit="sentence")
    }


def bleu_scores(pairs: Sequence[Pair], translations: dict[str, str]) -> dict[str, Any]:
    """Corpus BLEU, cased and detokenised, by sacreBLEU.

    ``bleu`` has one reference per line of the file; ``bleu_all_references`` counts each distinct
    source once, against every reference the file gives for it.
    """
    hypotheses = [translations[p.source] for p in pairs]
    metric = sacrebleu.BLEU()
    single = metric.corpus_score(hypotheses, [[p.target for p in pairs]])
    scores = {
        "bleu": round(single.score, 2),
        "signature": str(metric.get_signature()),
        "precisions": [round(p, 1) for p in single.precisions],
        "brevity_penalty": round(single.bp, 4),
        "sentences": len(pairs),
    }
    references: dict[str, list[str]] = {}
    for pair in pairs:
        references.setdefault(pair.source, []).append(pair.target)
    most = max(len(r) for r in references.values())
    if len(references) < len(pairs):
        streams = [[r[i] if i < len(r) else None for r in references.values()] for i in range(most)]
        metric = sacrebleu.BLEU()
        several = metric.corpus_score([translations[s] for s in references], streams)
        scores["bleu_all_references"] = round(several.score, 2)
        scores["signature_all_references"] = str(metric.get_signature())
    return scores


def pronoun_is_right(pair: CoreferencePair, translation: str) -> bool:
    """Whether a translation uses the pronoun forms the reference uses, no more and no fewer.

    Forms of the pronoun's case are counted in both texts (er, sie, es for a subject), so a wrong
    gender, a missing pronoun and a repeated noun all count as wrong.
    """
    forms = set(PRONOUN_FORMS[pair.case].values())

    def count(text: str) -> Counter:
        return Counter(w for w in re.findall(r"\w+", text.lower()) if w in forms)

    return count(translation) == count(pair.target)


def pronoun_scores(
    translator: Translator, items: Sequence[CoreferencePair], translations: dict[str, str]
) -> dict[str, Any]:
    """Shares of held-out sentences with the right pronoun, all and by half and reason.

    ``new_nouns``: the pair of nouns was never trained on, the property was. ``new_property``: the
    property never decided this situation in training, so that only what it means can help.
    """
    right = [pronoun_is_right(p, translations[p.source]) for p in items]
    chosen = [forced_choice_is_right(translator, p) for p in items]

    def share(flags: Sequence[bool], keep: Callable[[CoreferencePair], bool]) -> float:
        kept = [flag for flag, p in zip(flags, items, strict=True) if keep(p)]
        return round(sum(kept) / len(kept), 4) if kept else float("nan")

    return {
        "accuracy": share(right, lambda p: True),
        "first": share(right, lambda p: p.half == "first"),
        "second": share(right, lambda p: p.half == "second"),
        "new_nouns": share(right, lambda p: p.held_out == "nouns"),
        "new_property": share(right, lambda p: p.held_out != "nouns"),
        "forced_choice": share(chosen, lambda p: True),
        "sentences": len(items),
        "sentences_new_property": sum(p.held_out != "nouns" for p in items),
    }


def forced_choice_is_right(translator: Translator, pair: CoreferencePair) -> bool:
    """Whether the reference is likelier than itself with another gender's pronoun in its place."""
    start, end = pair.target_pronoun
    written = pair.target[start:end]
    best, best_score = "", -np.inf
    for form in dict.fromkeys(PRONOUN_FORMS[pair.case].values()):
        form = form.capitalize() if written[0].isupper() else form
        changed = pair.target[:start] + form + pair.target[end:]
        score = float(translator.score(pair.source, changed).sum())
        if score > best_score:
            best, best_score = form, score
    return best == written


def head_links(translator: Translator, items: Sequence[CoreferencePair]) -> dict[str, Any]:
    """For every head, weight on the antecedent minus weight on the other noun.

    Encoder: from the pieces of "it". Cross-attention: from the position that *writes* the first
    piece of the German pronoun, teacher-forced on the reference. The best head of a kind is the
    one whose smaller half is largest, so that a head which follows a position or a class of noun,
    right in one half and wrong in the other, does not win. ``to_it`` is the cross-attention head
    that looks most from the pronoun being written at "it" itself.
    """
    found: dict[str, dict[str, list[np.ndarray]]] = {
        kind: {"first": [], "second": []} for kind in ("encoder", "cross")
    }
    masses: dict[str, list[np.ndarray]] = {"encoder": [], "cross": []}
    to_it: list[np.ndarray] = []
    for pair in tqdm(items, desc="heads", unit="sentence"):
        record = translator.attend(pair.source, pair.target)
        antecedent = record.src.pieces_at(*pair.antecedent)
        other = record.src.pieces_at(*pair.distractor)
        rows = {
            "encoder": record.src.pieces_at(*pair.pronoun),
            "cross": record.tgt.pieces_at(*pair.target_pronoun)[:1],
        }
        for kind, queries in rows.items():
            to_antecedent = pair_weights(record.of(kind), queries, antecedent)
            to_other = pair_weights(record.of(kind), queries, other)
            found[kind][pair.half].append(to_antecedent - to_other)
            masses[kind].append(to_antecedent)
        to_it.append(pair_weights(record.cross, rows["cross"], rows["encoder"]))
    heads = {}
    for kind, halves in found.items():
        first = np.mean(halves["first"], axis=0)
        second = np.mean(halves["second"], axis=0)
        layer, head = np.unravel_index(np.minimum(first, second).argmax(), first.shape)
        heads[kind] = {
            "layer": int(layer),
            "head": int(head),
            "margin": round(float((first + second)[layer, head] / 2), 4),
            "first": round(float(first[layer, head]), 4),
            "second": round(float(second[layer, head]), 4),
            "antecedent": round(float(np.mean(masses[kind], axis=0)[layer, head]), 4),
            "n_pairs": len(items) // 2,
            "all_heads": np.round((first + second) / 2, 3).tolist(),
        }
    means = np.mean(to_it, axis=0)
    layer, head = np.unravel_index(means.argmax(), means.shape)
    weight = round(float(means[layer, head]), 4)
    heads["cross"]["to_it"] = {"layer": int(layer), "head": int(head), "weight": weight}
    return heads


def canonical_weights(translator: Translator) -> dict[str, Any]:
    """What the classic sentences get: translation, and the best head from "it" to each noun."""
    result = {}
    for sentence in CANONICAL:
        translation = translator.translate(sentence, DECODING)
        src, encoder = translation.src, translation.attention.encoder
        entry: dict[str, Any] = {"translation": translation.text}
        for noun in ("animal", "street"):
            weights = pair_weights(encoder, src.pieces_of("it"), src.pieces_of(noun))
            layer, head = np.unravel_index(weights.argmax(), weights.shape)
            entry[noun] = {
                "layer": int(layer), "head": int(head),
                "weight": round(float(weights[layer, head]), 4),
            }  # fmt: skip
        result[sentence] = entry
    return result


def evaluate(translator: Translator, data: Path, *, limit: int | None = None) -> dict[str, Any]:
    """All scores and heads of a checkpoint.

    Parameters
    ----------
    limit : only the first so many lines of each set, for a quick look
    """
    scores: dict[str, Any] = {}
    for name, file in BLEU_SETS.items():
        pairs = list(read_pairs(data / file))[:limit]
        translations = translate_all(translator, [p.source for p in pairs], name)
        scores[name] = bleu_scores(pairs, translations)
    items = generate_held_out(HELD_OUT_PAIRS if limit is None else limit, seed=HELD_OUT_SEED)
    translations = translate_all(translator, [p.source for p in items], "coreference")
    scores["coreference"] = pronoun_scores(translator, items, translations)
    return {
        "scores": scores,
        "heads": head_links(translator, items),
        "canonical": canonical_weights(translator),
        "decoding": {"beam_size": DECODING.beam_size, "alpha": DECODING.alpha},
    }


def report(result: dict[str, Any]) -> str:
    """The scores as lines of text."""
    lines = []
    for name, score in result["scores"].items():
        if "bleu" in score:
            lines.append(f"{name}: {score['bleu']} BLEU ({score['signature']})")
            if "bleu_all_references" in score:
                lines.append(
                    f"{name}, all references: {score['bleu_all_references']} BLEU "
                    f"({score['signature_all_references']})"
                )
        else:
            lines.append(f"{name}: " + ", ".join(f"{k} {v}" for k, v in score.items()))
    for kind, head in result["heads"].items():
        lines.append(
            f"{kind} layer {head['layer'] + 1} head {head['head'] + 1}: antecedent minus other "
            f"noun {head['margin']} (first half {head['first']}, second {head['second']})"
        )
    for sentence, entry in result["canonical"].items():
        lines.append(f"{sentence} -> {entry}")
    return "\n".join(lines)
