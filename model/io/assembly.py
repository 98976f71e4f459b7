"""Put a model together from its parts: config, weights and vocabularies; every fault is named.

A checkpoint and the files of other libraries both end here, so both are verified alike.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.overrides import TorchFunctionMode

from core.card import CheckpointCard
from core.records.attention import ROW_SUM_TOLERANCE, AttentionSite
from core.records.sources import Sides
from words import Message
from words.names import said_by

from ..errors import CheckpointError
from ..families.base import CAPABILITIES, Family, config_of, sites_of
from ..hooks.capture import Captured, capture_attention, probes_of, sides_of
from ..nets.pages import in_large_pages
from ..tokenizer import TextTokenizer

WEIGHTS = "model.safetensors"


@dataclass(frozen=True)
class LoadedCheckpoint:
    """Checkpoint in memory; the model is in evaluation mode and shared by all callers."""

    model: nn.Module
    tokenizers: Mapping[str, TextTokenizer]  # by "source" and "target", if present
    card: CheckpointCard
    family: Family

    @property
    def tokenizer(self) -> TextTokenizer:
        """Vocabulary of the output, or of the input for a model that writes nothing."""
        return self.tokenizers.get("target") or self.tokenizers["source"]


class _Undrawn(TorchFunctionMode):
    """Mode of torch in which no normal distribution is drawn from.

    On the meta device it would import torch's compiler, which takes more than a second.
    """

    def __torch_function__(
        self,
        func: Callable[..., Any],
        types: Sequence[type],
        args: tuple[Any, ...] = (),
        kwargs: Mapping[str, Any] | None = None,
    ) -> Any:
        kwargs = dict(kwargs or {})
        # `nn.init` passes on its tensor by name, and hides from this mode the method that it calls.
        if func is nn.init.normal_:
            return kwargs["tensor"] if "tensor" in kwargs else args[0]
        return args[0] if func is Tensor.normal_ else func(*args, **kwargs)


@contextmanager
def shapes_alone() -> Iterator[None]:
    """Build models in this block with shapes, without memory and without initial weights."""
    with torch.device("meta"), _Undrawn():
        yield


def model_of(
    family: Family,
    config: Any,
    tensors: Mapping[str, Tensor],
    tokenizers: Mapping[str, TextTokenizer],
    faults: list[Message],
) -> nn.Module | None:
    """Build the model with these weights, in evaluation mode, and verify the family's claims.

    Returns None and adds to `faults` if the tensors do not belong to the model.
    """
    try:
        # A config that asks for too much is refused before its memory is allocated.
        with shapes_alone():
            expected = stored_tensors(family.build(config))
        misfits = _tensor_faults(expected, tensors)
        model = None if misfits else family.build(config)
    except Exception as error:  # a foreign family may raise anything
        misfits = [failure(error)]
        model = None
    faults += misfits
    if model is None:
        return None
    # Shared weights are stored once, so `strict` would miss the other names. Half precision is
    # widened: CPU kernels and capture work in float32.
    model.load_state_dict(
        {name: t.float() if t.is_floating_point() else t for name, t in tensors.items()},
        strict=False,
    )
    model.eval()
    # A trial pass makes sense only if the structure is right.
    faults += structure_faults(family, model)
    if not faults:
        faults += trial_faults(family, model, tokenizers.get("source"))
    return model


def finish_loading(
    card: CheckpointCard,
    family: Family,
    model: nn.Module,
    tokenizers: Mapping[str, TextTokenizer],
    device: str = "cpu",
) -> LoadedCheckpoint:
    """Wrap a sound model with its card, frozen and laid out for the steps of a search."""
    model.to(device).requires_grad_(False)
    matrices = [parameter for parameter in model.parameters() if parameter.dim() == 2]
    # Stored column by column, x W^T reads the weights in order: a third less time for the few rows
    # of a search step. Shapes and values stay the same.
    columns: Iterable[Tensor] = (matrix.data.t().contiguous() for matrix in matrices)
    if device == "cpu":
        columns = in_large_pages(matrices, transposed=True)
    # One after another: the original of a matrix is freed before the next is copied.
    for matrix, stored in zip(matrices, columns, strict=True):
        matrix.data = stored.t()
    return LoadedCheckpoint(model, tokenizers, replace(card, doubts=_doubts(tokenizers)), family)


def _doubts(tokenizers: Mapping[str, TextTokenizer]) -> tuple[Message, ...]:
    """Return a warning for each vocabulary that loses text in a round trip."""
    lost = (tokenizer.lost for tokenizer in tokenizers.values())
    doubts = (Message.of("model-tokenizer-lost", text=t, back=b) for t, b in filter(None, lost))
    return tuple(dict.fromkeys(doubts))


def unfit(path: Path, faults: Sequence[Message], hint: Message) -> CheckpointError:
    """Build the error that lists all `faults` of what lies at `path`."""
    message = Message.of("model-checkpoint-unfit", name=repr(path.name), faults=tuple(faults))
    return CheckpointError(message, hint=hint)


def listed(names: list[str]) -> Message | str:
    """List the first three names, and how many more there are."""
    named = ", ".join(names[:3])
    if len(names) <= 3:
        return named
    return Message.of("model-checkpoint-more", names=named, n=len(names) - 3)


# -- weights and vocabularies ---------------------------------------------------------------


def stored_tensors(model: nn.Module) -> dict[str, Tensor]:
    """Return the tensors that a checkpoint stores: parameters and persistent buffers."""
    buffers = dict(model.named_buffers())
    # torch marks persistent buffers in a private set only; `state_dict` lists them. Parameters come
    # from `named_parameters`, which names a shared tensor once.
    kept = {name: buffers[name] for name in model.state_dict() if name in buffers}
    return {**dict(model.named_parameters()), **kept}


def set_weights(model: nn.Module, tensors: dict[str, Tensor]) -> None:
    """Copy tensors into a model with the very same names and shapes.

    Raises RuntimeError if names or shapes differ.
    """
    # Tied weights are stored once, so a strict load would miss their second name. Nothing else may
    # be missing.
    model.load_state_dict(tensors, strict=tensors.keys() != stored_tensors(model).keys())


def _tensor_faults(expected: Mapping[str, Tensor], tensors: Mapping[str, Tensor]) -> list[Message]:
    """Return stored tensors that are missing, foreign, of another shape or type, or not finite."""
    faults = []
    absent = sorted(expected.keys() - tensors.keys())
    foreign = sorted(tensors.keys() - expected.keys())
    if absent:
        faults.append(Message.of("model-checkpoint-lacks", file=WEIGHTS, names=listed(absent)))
    if foreign:
        faults.append(Message.of("model-checkpoint-foreign", file=WEIGHTS, names=listed(foreign)))
    # Quantised tensors are many, so they are listed by type instead of one by one.
    whole: dict[torch.dtype, list[str]] = {}
    for name in sorted(expected.keys() & tensors.keys()):
        if expected[name].is_floating_point() and not tensors[name].is_floating_point():
            whole.setdefault(tensors[name].dtype, []).append(name)
        elif (fault := _tensor_fault(name, expected[name], tensors[name])) is not None:
            faults.append(fault)
    for dtype, names in whole.items():
        stored_type = str(dtype).removeprefix("torch.")
        faults.append(
            Message.of(
                "model-checkpoint-whole", file=WEIGHTS, type=stored_type, names=listed(names)
            )
        )
    return faults


def _tensor_fault(name: str, expected: Tensor, tensor: Tensor) -> Message | None:
    """Return the first of shape, type and values in which a stored tensor is wrong, or None."""
    if tensor.shape != expected.shape:
        return Message.of(
            "model-checkpoint-shape",
            name=name,
            found=str(tuple(tensor.shape)),
            expected=str(tuple(expected.shape)),
        )
    if tensor.is_floating_point() != expected.is_floating_point():
        return Message.of(
            "model-checkpoint-type",
            name=name,
            found=str(tensor.dtype),
            expected=str(expected.dtype),
        )
    if isinstance(expected, nn.Parameter) and not bool(torch.isfinite(tensor).all()):
        return Message.of("model-checkpoint-not-finite", name=name)
    return None


def vocabulary_faults(
    files: Mapping[str, str],
    family: Family,
    config: Any,
    tokenizers: Mapping[str, TextTokenizer],
) -> list[Message]:
    """Return where the vocabulary files contradict the config in size or special ids."""
    faults = []
    for side, tokenizer in tokenizers.items():
        entry = family.vocabularies[side]
        file = files[side]
        size = getattr(config, entry)
        if tokenizer.vocab_size != size:
            faults.append(
                Message.of(
                    "model-checkpoint-vocabulary",
                    file=file,
                    entry=entry,
                    n=tokenizer.vocab_size,
                    expected=size,
                )
            )
        for name, token in family.special_tokens.items():
            if getattr(config, name) != tokenizer.id_of(token):
                faults.append(
                    Message.of(
                        "model-checkpoint-special",
                        entry=name,
                        token=token,
                        file=file,
                        id=getattr(config, name),
                        found=str(tokenizer.id_of(token)),
                    )
                )
    # Both sides report the same fault of a shared vocabulary.
    return list(dict.fromkeys(faults))


# -- declarations of the family -------------------------------------------------------------


def failure(error: Exception) -> Message:
    """Return the message for a model that could not be built or run."""
    return Message.of("model-family-fails", error=said_by(error))


def structure_faults(family: Family, model: nn.Module) -> list[Message]:
    """Return claimed capabilities that a model lacks, and sites that differ from its probes."""
    faults = []
    for capability in sorted(family.offers(config_of(model))):
        if capability not in CAPABILITIES:
            faults.append(Message.of("model-family-unknown-capability", capability=capability))
        elif not CAPABILITIES[capability](model):
            faults.append(Message.of("model-family-absent", capability=capability))
    declared = {site.name: site for site in sites_of(model)}
    layers: dict[str, set[int]] = {name: set() for name in declared}
    for probe in probes_of(model):
        if probe.site_id not in declared:
            faults.append(Message.of("model-site-undeclared", site=probe.site_id))
        layers.setdefault(probe.site_id, set()).add(probe.layer)
    # Every layer must have its probe, or its maps would be missing without a message.
    for name, site in declared.items():
        if layers[name] != set(range(site.n_layers)):
            faults.append(
                Message.of("model-site-layers", site=name, n=site.n_layers, found=len(layers[name]))
            )
    return faults


@torch.inference_mode()
def trial_faults(
    family: Family, model: nn.Module, tokenizer: TextTokenizer | None
) -> list[Message]:
    """Run one short pass; return where it fails or contradicts the declared sites."""
    try:
        source = family.reads.parse(family.reads.sample(sites_of(model)), tokenizer)
        # The smallest input: this runs whenever a checkpoint is loaded.
        inputs = [family.reads.tensor(source)]
        if family.writes:
            inputs.append(torch.tensor([[config_of(model).bos_id]]))
        with capture_attention(model, scores=True) as captured:
            model(*inputs)
    except Exception as error:  # a foreign model may raise anything
        return [failure(error)]
    sides = sides_of(source, ("<s>",) if family.writes else ())
    faults = [fault for site in sites_of(model) for fault in _site_faults(site, captured, sides)]
    if "scores" in family.offers(config_of(model)):
        faults += [
            Message.of("model-site-scores", site=site.name)
            for site in sites_of(model)
            if site.name in captured.site_ids and not captured.has_scores(site.name)
        ]
    return faults


def _site_faults(site: AttentionSite, captured: Captured, sides: Sides) -> list[Message]:
    """Return where captured maps contradict the declaration of `site`."""
    if site.name not in captured.site_ids:
        return [Message.of("model-site-silent", site=site.name)]
    unknown = sorted({site.query, site.key} - sides.keys())
    if unknown:
        return [
            Message.of(
                "model-site-side",
                site=site.name,
                side=repr(unknown[0]),
                known=", ".join(map(repr, sides)),
            )
        ]
    faults = []
    if site.has_values and not captured.received_values(site.name):
        faults.append(Message.of("model-site-values", site=site.name))
    weights = captured.weights(site.name)
    if weights.shape[2] != site.n_heads:
        faults.append(
            Message.of("model-site-heads", site=site.name, n=site.n_heads, found=weights.shape[2])
        )
    size = (len(sides[site.query][0]), len(sides[site.key][0]))
    if weights.shape[-2:] != size:
        faults.append(
            Message.of(
                "model-site-size",
                site=site.name,
                found=str(weights.shape[-2:]),
                expected=str(size),
            )
        )
    furthest = float(np.abs(weights.sum(axis=-1) - 1.0).max(initial=0.0))
    # "not <=" also catches NaN.
    if site.normalised and not furthest <= ROW_SUM_TOLERANCE:
        faults.append(Message.of("model-site-rows", site=site.name))
    return faults


# -- card -----------------------------------------------------------------------------------


def card_of(
    path: Path,
    fingerprint: str,
    family: Family,
    model: nn.Module,
    details: Mapping[str, Any],
) -> CheckpointCard:
    """Build the card from `details`, the content of card.json, ignoring entries of a wrong type."""
    # A card may be edited by hand and is optional: a wrong entry must not keep the model from
    # loading.
    languages = details.get("languages")
    if not (isinstance(languages, list) and len(languages) == 2):
        languages = ["source", "target"]
    examples = entry_as(list, details.get("examples"), [])
    return CheckpointCard(
        name=path.name,
        architecture=family.name,
        languages=(str(languages[0]), str(languages[1])),
        n_params=sum(p.numel() for p in model.parameters()),
        config=asdict(config_of(model)),
        fingerprint=fingerprint,
        title=entry_as(str, details.get("title"), path.name),
        description=entry_as(str, details.get("description"), ""),
        licence=entry_as(str, details.get("licence"), ""),
        scores=entry_as(dict, details.get("scores"), {}),
        heads=entry_as(dict, details.get("heads"), {}),
        guided=details.get("guided") if isinstance(details.get("guided"), dict) else None,
        training=entry_as(dict, details.get("training"), {}),
        at=path.name,
        format=entry_as(str, details.get("format"), ""),
        examples=tuple(text for text in examples if isinstance(text, str)),
        words=words_in(entry_as(dict, details.get("words"), {})),
        lineage=entry_as(dict, details.get("lineage"), {}),
    )


def words_in(words: dict[str, Any]) -> dict[str, dict[str, str]]:
    """Return the card's texts in other languages, ignoring values that are not strings."""
    return {
        language: {name: text for name, text in texts.items() if isinstance(text, str)}
        for language, texts in words.items()
        if isinstance(texts, dict)
    }


def entry_as(expected: type, value: Any, default: Any) -> Any:
    """Return `value` if it is of the type `expected`, else `default`."""
    return value if isinstance(value, expected) else default
