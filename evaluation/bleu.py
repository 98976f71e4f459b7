"""Translations of a set, and their BLEU and chrF."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest
from typing import Any

import sacrebleu
from tqdm import tqdm

from core.records.search import Decoding
from model import Translator, translate_many
from training.corpora.text_pairs import TextPair

DECODING = Decoding(beam_size=5, alpha=0.6)


def translate_all(translator: Translator, sentences: Sequence[str], label: str) -> dict[str, str]:
    """Return translations of the distinct sentences, with a beam of 5 and alpha 0.6."""
    distinct = list(dict.fromkeys(sentences))
    translations = {}
    lines = translate_many(translator, distinct, DECODING)
    for line in tqdm(lines, desc=label, unit="sentence", total=len(distinct)):
        if line.error is not None:
            raise line.error
        translations[line.source] = line.output or ""
    return translations


def corpus_bleu(texts: Sequence[str], *references: Sequence[str | None]) -> tuple[Any, str]:
    """Return BLEU of a corpus, cased and detokenised, by sacreBLEU, and its signature.

    `references`: several lists, one entry for each text; None if a text has no further reference.
    """
    metric = sacrebleu.BLEU()
    # Its annotation knows no missing references, which sacreBLEU itself takes.
    lists: list[Any] = [list(reference) for reference in references]
    score = metric.corpus_score(list(texts), lists)
    return score, str(metric.get_signature())


def bleu_scores(pairs: Sequence[TextPair], translations: dict[str, str]) -> dict[str, Any]:
    """Return BLEU, chrF and their details for a set.

    ``bleu`` has one reference per line of the file; ``bleu_all_references`` counts each distinct
    source once, against every reference that the file has for it.
    """
    hypotheses = [translations[p.source] for p in pairs]
    targets = [p.target for p in pairs]
    single, signature = corpus_bleu(hypotheses, targets)
    scores = {
        "bleu": round(single.score, 2),
        "signature": signature,
        "precisions": [round(p, 1) for p in single.precisions],
        "brevity_penalty": round(single.bp, 4),
        "sentences": len(pairs),
        "chrf": round(sacrebleu.corpus_chrf(hypotheses, [targets]).score, 1),
    }
    references: dict[str, list[str]] = {}
    for pair in pairs:
        references.setdefault(pair.source, []).append(pair.target)
    # Repeated sources mean several references; `zip_longest` fills the gaps with None.
    if len(references) < len(pairs):
        hypotheses = [translations[source] for source in references]
        several, signature = corpus_bleu(hypotheses, *zip_longest(*references.values()))
        scores["bleu_all_references"] = round(several.score, 2)
        scores["signature_all_references"] = signature
    return scores


def bleu_row(text: str, reference: str) -> list[float]:
    """Return n-gram counts of one sentence, in the order that `core.bootstrap.bleu` sums."""
    # Only the counts are used; effective order just keeps sacreBLEU from warning.
    score = sacrebleu.BLEU(effective_order=True).sentence_score(text, [reference])
    return [*score.counts, *score.totals, score.sys_len, score.ref_len]
