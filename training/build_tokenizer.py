"""Joint vocabulary of a run, learnt once and kept in its folder."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch.distributed as dist

from core.replacement import replacement
from model.tokenizer import (
    TextTokenizer,
    build_tokenizer,
    build_word_tokenizer,
)

from .corpora.text_pairs import BETWEEN, TextPair
from .settings import family_of


def tokenizer_for(
    settings: dict[str, Any], pairs: list[TextPair], run: Path, workers: Any
) -> TextTokenizer:
    """Read ``tokenizer.json`` of the run, or learn it from both sides of the training pairs.

    ``settings["tokenizer"]`` gives ``vocab_size``, or ``file`` to share another run's vocabulary;
    ``alphabet`` as in `build_tokenizer`, and ``special`` tokens such as the tags of sets. With
    ``min_frequency`` the vocabulary consists of whole words, learnt from the sources alone.
    """
    path = run / "tokenizer.json"
    wanted = settings["tokenizer"]
    shared = wanted.get("file")
    if shared:
        tokenizer = TextTokenizer.from_file(Path(shared))
        if workers.leads:
            tokenizer.save(path)
        return tokenizer
    special = family_of(settings).special_tokens
    if workers.leads and not path.exists():
        with replacement(path) as part:
            _learnt(wanted, pairs, tuple(special.values())).save(part)
    # The other processes must not read the file before the first one has written it.
    if workers.world > 1:
        dist.barrier()
    return TextTokenizer.from_file(path, special)


def _learnt(
    wanted: dict[str, Any], pairs: list[TextPair], family_tokens: tuple[str, ...]
) -> TextTokenizer:
    if "min_frequency" in wanted:
        # Sentence boundaries are markup of the file, not words of the document.
        texts = (part for pair in pairs for part in pair.source.split(BETWEEN))
        rare = wanted["min_frequency"]
        return build_word_tokenizer(texts, wanted["vocab_size"], family_tokens, min_frequency=rare)
    texts = (text for pair in pairs for text in (pair.source, pair.target))
    special = (*family_tokens, *wanted.get("special", ()))
    alphabet = wanted.get("alphabet", 400)
    return build_tokenizer(texts, wanted["vocab_size"], special, alphabet=alphabet)
