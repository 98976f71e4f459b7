"""BLEU of one output against one reference, with its parts."""

from __future__ import annotations

from dataclasses import dataclass

from sacrebleu.metrics import BLEU


@dataclass(frozen=True)
class SentenceBleu:
    """BLEU (Papineni et al. 2002) as sacreBLEU counts it.

    Attributes
    ----------
    score : 0 to 100.
    precisions : of 1-grams to 4-grams, 0 to 100, smoothed where nothing matches.
    matches, totals : how many n-grams of the output the reference has too, and how many there are.
    brevity_penalty : 1 when the output is no shorter than the reference.
    output_length, reference_length : in words, as sacreBLEU splits them.
    signature : the settings, to be quoted with the score.
    """

    score: float
    precisions: tuple[float, ...]
    matches: tuple[int, ...]
    totals: tuple[int, ...]
    brevity_penalty: float
    output_length: int
    reference_length: int
    signature: str


def sentence_bleu(output: str, reference: str) -> SentenceBleu:
    """BLEU of one sentence: orders longer than the output are left out, zero counts smoothed."""
    metric = BLEU(effective_order=True)
    found = metric.sentence_score(output, [reference])
    return SentenceBleu(
        score=found.score,
        precisions=tuple(found.precisions),
        matches=tuple(found.counts),
        totals=tuple(found.totals),
        brevity_penalty=found.bp,
        output_length=found.sys_len,
        reference_length=found.ref_len,
        signature=str(metric.get_signature()),
    )
