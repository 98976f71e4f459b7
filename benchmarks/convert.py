"""Convert weights to models of other libraries, to compare speed at equal outputs.

The three searches finish hypotheses by the same rule (``</s>`` within the beam, the best
`beam_size` other candidates live on) but differ in their score and in when they stop:

- Score. Ours divides the summed log-probability by ``((5 + length) / 6) ** alpha``, CTranslate2
  and Hugging Face transformers by ``length ** length_penalty``, as ours does with
  ``penalty="length"``; all count ``</s>`` and leave ``<s>`` out. With ``alpha=0`` and
  ``length_penalty=0`` all three are the plain sum. Ours with ``penalise="pruning"``, where finished
  hypotheses keep their place in the beam, has no counterpart in the others.
- End. Ours stops when `beam_size` hypotheses have finished, and already when no live prefix can
  still beat the best finished one. CTranslate2 with ``length_penalty=0`` stops when ``</s>`` is the
  best candidate of a step and `num_hypotheses` have finished, otherwise when `beam_size` have
  finished. transformers stops when no live prefix can beat the worst of `beam_size` finished ones.
  The best hypothesis is the same unless a search that goes on longer finds a better one; the number
  of further ones differs.
- First token. CTranslate2 forbids ``</s>`` there unless ``min_decoding_length=0``, and wherever it
  forbids a token it distributes the lost probability over the others; transformers does not.
- Least length. Ours counts ``</s>``, ``min_new_tokens`` and ``min_decoding_length`` do not.
- Forced beginning. Its log-probabilities count in ours and not in transformers.
- Runners-up. Our tree records candidates that the search dropped, so they change no answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import ctranslate2
import torch
from ctranslate2.specs import common_spec, transformer_spec
from torch import nn

from model.config import TransformerConfig
from model.families.transformer import DecoderLayer, EncoderLayer, Transformer
from model.nets.multi_head import MultiHeadAttention

if TYPE_CHECKING:
    from transformers import MarianConfig, MarianMTModel


def to_marian(model: Transformer, *, attention: str = "eager") -> MarianMTModel:
    """Return the same weights as a MarianMT model, in memory and in evaluation mode.

    Marian puts sines in one half and cosines in the other, ours interleaves them: its table is
    overwritten with ours, everything else has the same layout. `attention`: "eager" returns
    attention weights, "sdpa" is the library's fast path.
    """
    from transformers import MarianMTModel  # takes seconds to import

    marian = MarianMTModel(_marian_config(model.config, attention))
    # MarianConfig has no entry for epsilon.
    for module in marian.modules():
        if isinstance(module, nn.LayerNorm):
            module.eps = model.config.layer_norm_eps
    # Not strict: the keys are checked here, with a message that names the cause.
    keys = marian.load_state_dict(_marian_tensors(model), strict=False)
    if keys.missing_keys or keys.unexpected_keys:
        raise ValueError(f"MarianMT has changed its tensors: {keys}")
    return marian.eval().requires_grad_(False)


def _marian_config(config: TransformerConfig, attention: str) -> MarianConfig:
    from transformers import MarianConfig  # as above

    return MarianConfig(
        vocab_size=config.vocab_size,
        max_position_embeddings=config.max_len,
        d_model=config.d_model,
        encoder_layers=config.n_encoder_layers,
        decoder_layers=config.n_decoder_layers,
        encoder_attention_heads=config.n_heads,
        decoder_attention_heads=config.n_heads,
        encoder_ffn_dim=config.d_ff,
        decoder_ffn_dim=config.d_ff,
        activation_function="relu",
        scale_embedding=True,
        pad_token_id=config.pad_id,
        bos_token_id=config.bos_id,
        eos_token_id=config.eos_id,
        decoder_start_token_id=config.bos_id,
        # Marian's default forces ``</s>`` at the length limit.
        forced_eos_token_id=None,
        attn_implementation=attention,
    )


def until_end(ids: Sequence[int], eos_id: int) -> tuple[int, ...]:
    """Return `ids` up to and including the first ``</s>``.

    transformers pads the rows of `generate` with ``</s>`` if the padding id is 0.
    """
    ids = tuple(ids)
    return ids[: ids.index(eos_id) + 1] if eos_id in ids else ids


def _marian_tensors(model: Transformer) -> dict[str, torch.Tensor]:
    """Return our weights under Marian's names."""
    embedding = model.embedding.weight
    positions = model.positions.table
    tensors = {
        # Marian adds this bias to its logits; ours have none.
        "final_logits_bias": torch.zeros(1, model.config.vocab_size),
        "model.shared.weight": embedding,
        "lm_head.weight": embedding,
    }
    stacks = {"encoder": model.encoder_layers, "decoder": model.decoder_layers}
    for stack, layers in stacks.items():
        tensors[f"model.{stack}.embed_tokens.weight"] = embedding
        tensors[f"model.{stack}.embed_positions.weight"] = positions
        for i, layer in enumerate(layers):
            for name, module in _marian_names(layer).items():
                for parameter, tensor in module.named_parameters():
                    tensors[f"model.{stack}.layers.{i}.{name}.{parameter}"] = tensor
    return {name: tensor.detach() for name, tensor in tensors.items()}


def _marian_names(layer: EncoderLayer | DecoderLayer) -> dict[str, nn.Module]:
    """Return our modules of a layer by Marian's names."""
    attentions = {"self_attn": (layer.self_attention, layer.self_attention_residual)}
    if isinstance(layer, DecoderLayer):
        attentions["encoder_attn"] = (layer.cross_attention, layer.cross_attention_residual)
    names = {
        "fc1": layer.feed_forward.inner,
        "fc2": layer.feed_forward.outer,
        "final_layer_norm": layer.feed_forward_residual.norm,
    }
    for name, (attention, residual) in attentions.items():
        names |= {
            f"{name}.q_proj": attention.query_proj,
            f"{name}.k_proj": attention.key_proj,
            f"{name}.v_proj": attention.value_proj,
            f"{name}.out_proj": attention.out_proj,
            f"{name}_layer_norm": residual.norm,
        }
    return names


def to_ctranslate2(
    model: Transformer, tokens: Sequence[str], folder: Path
) -> ctranslate2.Translator:
    """Write the same weights as a CTranslate2 model and load it: float32, one CPU thread.

    `tokens`: spelling of each id, all different. `folder`: where to write the model; created if
    missing.
    """
    config = model.config
    if len(set(tokens)) != config.vocab_size:
        raise ValueError(f"{config.vocab_size} different tokens expected, found {len(set(tokens))}")
    spec = transformer_spec.TransformerSpec.from_config(
        (config.n_encoder_layers, config.n_decoder_layers), config.n_heads, pre_norm=False
    )
    spec.config.layer_norm_epsilon = config.layer_norm_eps
    spec.config.unk_token = tokens[config.unk_id]
    spec.config.bos_token = spec.config.decoder_start_token = tokens[config.bos_id]
    spec.config.eos_token = tokens[config.eos_id]
    spec.register_source_vocabulary(list(tokens))
    spec.register_target_vocabulary(list(tokens))

    _fill(spec, model)
    spec.validate()
    # As CTranslate2's own converters do before they save.
    spec.optimize()
    folder.mkdir(parents=True, exist_ok=True)
    spec.save(str(folder))
    return ctranslate2.Translator(
        str(folder), device="cpu", compute_type="float32", inter_threads=1, intra_threads=1
    )


def _fill(spec: transformer_spec.TransformerSpec, model: Transformer) -> None:
    """Set all weights of a specification."""
    embedding = _array(model.embedding.weight)
    spec.encoder.embeddings[0].weight = embedding
    spec.decoder.embeddings.weight = embedding
    spec.decoder.projection.weight = embedding
    for stack in (spec.encoder, spec.decoder):
        stack.position_encodings.encodings = _array(model.positions.table)
    for target, layer in zip(spec.encoder.layer, model.encoder_layers, strict=True):
        _fill_layer(target, layer)
    for target, layer in zip(spec.decoder.layer, model.decoder_layers, strict=True):
        _fill_layer(target, layer)
        _fill_attention(target.attention, layer.cross_attention, n_fused=(1, 2))
        _fill_norm(target.attention.layer_norm, layer.cross_attention_residual.norm)


def _fill_layer(target, layer: EncoderLayer | DecoderLayer) -> None:
    _fill_attention(target.self_attention, layer.self_attention, n_fused=(3,))
    _fill_norm(target.self_attention.layer_norm, layer.self_attention_residual.norm)
    _fill_linear(target.ffn.linear_0, layer.feed_forward.inner)
    _fill_linear(target.ffn.linear_1, layer.feed_forward.outer)
    _fill_norm(target.ffn.layer_norm, layer.feed_forward_residual.norm)


def _fill_attention(target, attention: MultiHeadAttention, *, n_fused: tuple[int, ...]) -> None:
    """Fill attention as CTranslate2 fuses it: (q, k, v) of one input, or (q,) and (k, v)."""
    projections = [attention.query_proj, attention.key_proj, attention.value_proj]
    for linear, n in zip(target.linear[:-1], n_fused, strict=True):
        _fill_linear(linear, *projections[:n])
        projections = projections[n:]
    _fill_linear(target.linear[-1], attention.out_proj)


def _fill_linear(target: common_spec.LinearSpec, *linears: nn.Linear) -> None:
    target.weight = _array(torch.cat([linear.weight for linear in linears]))
    target.bias = _array(torch.cat([linear.bias for linear in linears]))


def _fill_norm(target: common_spec.LayerNormSpec, norm: nn.LayerNorm) -> None:
    target.gamma = _array(norm.weight)
    target.beta = _array(norm.bias)


def _array(tensor: torch.Tensor):
    return tensor.detach().float().numpy()
