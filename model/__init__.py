"""Sequence models with every attention head open to capture and intervention."""

from .errors import CheckpointError, InputError, InterventionError, ModelError
from .hooks.capture import capture_attention
from .hooks.torch_mha import open_attention
from .io.checkpoint import list_checkpoints, save_checkpoint
from .io.registry import registered
from .lines import TranslatedLine
from .loading import load_model, load_translator
from .many import translate_many
from .readers.documents import DocumentReader
from .readers.masked_words import MaskedReader
from .readers.reader import Reader
from .readers.translator import Translator

__all__ = [
    "CheckpointError",
    "DocumentReader",
    "InputError",
    "InterventionError",
    "MaskedReader",
    "ModelError",
    "Reader",
    "TranslatedLine",
    "Translator",
    "capture_attention",
    "list_checkpoints",
    "load_model",
    "load_translator",
    "open_attention",
    "registered",
    "save_checkpoint",
    "translate_many",
]
