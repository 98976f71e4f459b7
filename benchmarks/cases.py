"""Cases: the same weights, the same source, the same number of target tokens."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from pathlib import Path

import torch
from torch import Tensor

from core.records.attention import TRANSFORMER_SITES
from core.records.search import BeamTree, Decoding
from model import Translator, capture_attention, save_checkpoint
from model.config import TransformerConfig
from model.experiments.tree import gather_tree
from model.families.transformer import Transformer
from model.io.assembly import LoadedCheckpoint
from model.io.checkpoint import checkpoints_folder
from model.nets.sublayers import TransformerState
from model.search.beam import beam_search
from model.tokenizer import build_tokenizer

DEFAULT_CHECKPOINT = "en-de"
SRC_LENGTH = 16  # tokens, </s> included
TGT_LENGTH = 20
BEAM_SIZE = 5
N_RUNNERS_UP = 5
ALPHA = 0.6
COST_LENGTHS = (8, 16, 32, 64, 128)
COST_WIDTHS = (1, 2, 3, 5, 10, 20)
SENTENCE = "The animal didn't cross the street because it was too tired."
LONG_SENTENCE = (
    "A young woman in a red jacket is walking her small brown dog along the river "
    "while two children play with a ball."
)

WORDS = "The man with the red hat is playing a song for the children who sit in the old park and"

Cases = dict[str, Callable[[], object]]


def sentence_of(translator: Translator, n_tokens: int, start: str = "") -> str:
    """Return a sentence of at most `n_tokens` source tokens that begins with `start`.

    As long as possible: the next word would exceed `n_tokens`.
    """
    words = (start + " " + " ".join([WORDS] * 8)).split()
    text = ""
    for word in words:
        longer = f"{text} {word}".strip()
        if len(translator.tokenize(longer)) > n_tokens:
            break
        text = longer
    return text


class WithoutEnd:
    """A `Seq2SeqModel` whose hypotheses never end, so that every search runs to `max_len`.

    It corresponds to ``min_new_tokens`` in transformers and ``min_decoding_length`` in CTranslate2,
    which, unlike both others, distributes the lost probability over the remaining tokens.
    """

    def __init__(self, model: Transformer) -> None:
        self.model = model
        self.config = model.config
        self.start = model.start
        self.select = model.select
        self.forward = model.forward

    def step(self, state, prev: Tensor):
        log_probs, state = self.model.step(state, prev)
        log_probs[:, self.config.eos_id] = -math.inf
        return log_probs, state


def default_checkpoint() -> Path | None:
    """Return the folder of the shipped checkpoint, None if it is missing."""
    path = checkpoints_folder() / DEFAULT_CHECKPOINT
    return path if path.is_dir() else None


def write_random_checkpoint(folder: Path, *, vocab_size: int = 8000, **sizes: int) -> Path:
    """Write a checkpoint with random weights and made-up words, in the sizes of the shipped one."""
    rng = random.Random(0)
    syllables = [c + v + e for c in "bdfgklmnprstw" for v in "aeiou" for e in ("", "n", "r", "s")]
    words = ["".join(rng.choices(syllables, k=rng.randint(1, 4))) for _ in range(2 * vocab_size)]
    # Words twice, since a pair of pieces has to occur twice to be merged.
    tokenizer = build_tokenizer([SENTENCE, LONG_SENTENCE, *words, *words], vocab_size)
    torch.manual_seed(0)
    model = Transformer(TransformerConfig(vocab_size=tokenizer.vocab_size, **sizes))
    save_checkpoint(folder, model, tokenizer, card={"title": "Random weights"})
    return folder


def source_ids(checkpoint: LoadedCheckpoint) -> Tensor:
    """Return the first pieces of a long sentence and ``</s>``: ids (1, SRC_LENGTH)."""
    ids = checkpoint.tokenizer.encode(LONG_SENTENCE).ids
    return torch.tensor([[*ids[: SRC_LENGTH - 1], checkpoint.model.config.eos_id]])


def search_tree(
    model: Transformer,
    src: Tensor,
    *,
    beam_size: int,
    n_runners_up: int = 0,
    length: int = TGT_LENGTH,
    start: TransformerState | None = None,
) -> BeamTree:
    """Return the tree of a search that writes exactly `length` tokens, see `beam_search`."""
    return beam_search(
        WithoutEnd(model),
        src,
        Decoding(beam_size, ALPHA, length, n_runners_up),
        start=start,
    )


@torch.inference_mode()
def translate_and_capture(model: Transformer, src: Tensor, *, beam_size: int) -> BeamTree:
    """Return the tree of a search, gathering the attention behind its best hypothesis as arrays.

    The source is encoded once for both, as in `Translator.translate`.
    """
    with capture_attention(model) as encoded:
        state = model.start(src)
    tree = search_tree(model, src, beam_size=beam_size, start=state)
    ids = tree.hypothesis(tree.best).ids
    with capture_attention(model) as decoded:
        model.reread(state, torch.tensor([[model.config.bos_id, *ids[:-1]]]))
    for captured in (encoded, decoded):
        for site in captured.site_ids:
            captured.weights(site)
    return tree


def search_and_attend(model: Transformer, src: Tensor, *, beam_size: int) -> BeamTree:
    """Return the tree with runners-up, gathering the attention behind each of its nodes."""
    tree = search_tree(model, src, beam_size=beam_size, n_runners_up=N_RUNNERS_UP)
    gather_tree(model, src, tree)
    return tree


@torch.inference_mode()
def forward(model: Transformer, src: Tensor, tgt: Tensor) -> Tensor:
    return model(src, tgt)


@torch.inference_mode()
def forward_and_capture(model: Transformer, src: Tensor, tgt: Tensor) -> list:
    with capture_attention(model) as captured:
        model(src, tgt)
    return [captured.weights(site) for site in TRANSFORMER_SITES]


def forward_cases(checkpoint: LoadedCheckpoint) -> Cases:
    """Return cases of teacher forcing TGT_LENGTH tokens, with and without all heads' weights."""
    from .convert import to_marian  # libraries to compare with are not in the app's environment

    model = checkpoint.model
    src = source_ids(checkpoint)
    generator = torch.Generator().manual_seed(0)
    # From 4 on, behind the special tokens.
    tgt = torch.randint(4, model.config.vocab_size, (1, TGT_LENGTH), generator=generator)
    tgt[0, 0] = model.config.bos_id
    marian = to_marian(model)

    @torch.inference_mode()
    def marian_forward(*, attentions: bool) -> object:
        # Teacher forcing reads all tokens at once: a cache would only cost time.
        return marian(
            input_ids=src,
            decoder_input_ids=tgt,
            use_cache=False,
            output_attentions=attentions,
        )

    return {
        "ours": lambda: forward(model, src, tgt),
        "ours, all heads captured": lambda: forward_and_capture(model, src, tgt),
        "transformers": lambda: marian_forward(attentions=False),
        "transformers, attentions": lambda: marian_forward(attentions=True),
    }


def search_cases(checkpoint: LoadedCheckpoint, folder: Path, *, beam_size: int) -> Cases:
    """Return cases of searches that write exactly TGT_LENGTH tokens.

    CTranslate2's model is written to `folder`.
    """
    model = checkpoint.model
    src = source_ids(checkpoint)
    ours: Cases = {
        "ours, search and tree": lambda: search_tree(model, src, beam_size=beam_size),
        "ours, search, tree and all heads": lambda: translate_and_capture(
            model, src, beam_size=beam_size
        ),
        "ours, search and tree with runners-up": lambda: search_tree(
            model, src, beam_size=beam_size, n_runners_up=N_RUNNERS_UP
        ),
        "ours, tree with runners-up, all heads of every node": lambda: search_and_attend(
            model, src, beam_size=beam_size
        ),
    }
    return {
        **ours,
        **_ctranslate2_search_cases(checkpoint, folder, beam_size),
        **_marian_search_cases(checkpoint, beam_size),
    }


def _ctranslate2_search_cases(checkpoint: LoadedCheckpoint, folder: Path, beam_size: int) -> Cases:
    from .convert import to_ctranslate2  # as above

    spellings = unique_spellings(checkpoint)
    translator = to_ctranslate2(checkpoint.model, spellings, folder)
    pieces = [[spellings[i] for i in source_ids(checkpoint)[0]]]

    def search(*, attention: bool) -> object:
        return translator.translate_batch(
            pieces,
            beam_size=beam_size,
            num_hypotheses=beam_size,
            return_scores=True,
            return_attention=attention,
            min_decoding_length=TGT_LENGTH,
            max_decoding_length=TGT_LENGTH,
        )

    return {
        "CTranslate2, scores": lambda: search(attention=False),
        "CTranslate2, scores and attention": lambda: search(attention=True),
    }


def _marian_search_cases(checkpoint: LoadedCheckpoint, beam_size: int) -> Cases:
    from .convert import to_marian  # as above

    src = source_ids(checkpoint)
    # Only "eager" returns attention; plain search gets the library's faster kernel.
    marian = to_marian(checkpoint.model)
    fast_marian = to_marian(checkpoint.model, attention="sdpa")

    def plain_search() -> object:
        return fast_marian.generate(
            src,
            num_beams=beam_size,
            do_sample=False,
            min_new_tokens=TGT_LENGTH,
            max_new_tokens=TGT_LENGTH,
        )

    def search_with_attention() -> object:
        return marian.generate(
            src,
            num_beams=beam_size,
            do_sample=False,
            min_new_tokens=TGT_LENGTH,
            max_new_tokens=TGT_LENGTH,
            output_attentions=True,
            output_scores=True,
            return_dict_in_generate=True,
        )

    return {
        "transformers, plain": plain_search,
        "transformers, scores and attentions": search_with_attention,
    }


def tree_cases(checkpoint: LoadedCheckpoint) -> Cases:
    """Return cases that gather the attention of every node of a tree, without the search."""
    model = checkpoint.model
    src = source_ids(checkpoint)
    full = search_tree(model, src, beam_size=BEAM_SIZE, n_runners_up=N_RUNNERS_UP)
    bare = search_tree(model, src, beam_size=BEAM_SIZE)
    return {
        f"attend_tree, {len(tree.nodes)} nodes, {words} runners-up": (
            lambda tree=tree: gather_tree(model, src, tree)
        )
        for words, tree in {"with": full, "without": bare}.items()
    }


def cost_cases(checkpoint: LoadedCheckpoint) -> tuple[Cases, Cases]:
    """Return cases of searches of several lengths at one width, and of several widths."""
    model = checkpoint.model
    src = source_ids(checkpoint)
    lengths = {
        str(n): lambda n=n: search_tree(model, src, beam_size=BEAM_SIZE, length=n)
        for n in COST_LENGTHS
        if n <= model.config.max_len
    }
    widths = {str(n): lambda n=n: search_tree(model, src, beam_size=n) for n in COST_WIDTHS}
    return lengths, widths


def unique_spellings(checkpoint: LoadedCheckpoint) -> list[str]:
    """Return the spelling of each id, in the order of ids."""
    return [checkpoint.tokenizer.token_of(i) for i in range(checkpoint.model.config.vocab_size)]


def same_answers(checkpoint: LoadedCheckpoint, folder: Path) -> bool:
    """Return True if the three libraries find the same translation when hypotheses may end.

    Measured without length penalty; `benchmarks.convert` tells how the searches differ otherwise.
    """
    from .convert import to_ctranslate2, to_marian, until_end  # as above

    model = checkpoint.model
    src = source_ids(checkpoint)
    tree = beam_search(model, src, Decoding(BEAM_SIZE, 0.0, 2 * TGT_LENGTH))
    ours = tree.hypothesis(tree.best).ids
    spellings = unique_spellings(checkpoint)
    theirs = to_ctranslate2(model, spellings, folder).translate_batch(
        [[spellings[i] for i in src[0]]], beam_size=BEAM_SIZE, length_penalty=0,
        min_decoding_length=0, max_decoding_length=2 * TGT_LENGTH, return_end_token=True,
    )[0]  # fmt: skip
    marian = to_marian(model).generate(
        src, num_beams=BEAM_SIZE, do_sample=False, length_penalty=0.0,
        max_new_tokens=2 * TGT_LENGTH,
    )  # fmt: skip
    return (
        ours
        # Marian starts with the decoder's start token, which is no part of the output.
        == tuple(spellings.index(piece) for piece in theirs.hypotheses[0])
        == until_end(marian[0, 1:].tolist(), model.config.eos_id)
    )
