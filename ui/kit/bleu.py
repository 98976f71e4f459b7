"""BLEU of one sentence."""

from __future__ import annotations

from sacrebleu import BLEU
from sacrebleu.metrics.bleu import BLEUScore

# Shorter sentences have no 4-grams, which would make their BLEU zero.
BY_SENTENCE = BLEU(effective_order=True)


def sentence_bleu(output: str, reference: str) -> BLEUScore:
    """Return the BLEU of one sentence (Papineni et al. 2002) by sacreBLEU, zero counts smoothed."""
    return BY_SENTENCE.sentence_score(output, [reference])
