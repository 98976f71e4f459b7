"""Sequence models with every attention head open to capture and intervention."""

from .capture import capture_attention
from .checkpoint import list_checkpoints, save_checkpoint
from .documents import DocumentReader
from .errors import CheckpointError, InputError, InterventionError, ModelError
from .masked_words import MaskedReader
from .open_attention import open_attention
from .reader import Reader
from .registry import registered
from .translator import Translator, load_model, load_translator

__all__ = [
    "CheckpointError",
    "DocumentReader",
    "InputError",
    "InterventionError",
    "MaskedReader",
    "ModelError",
    "Reader",
    "Translator",
    "capture_attention",
    "list_checkpoints",
    "load_model",
    "load_translator",
    "open_attention",
    "registered",
    "save_checkpoint",
]
