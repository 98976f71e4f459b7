"""A compact encoder-decoder whose attention can be watched, head by head."""

from .capture import capture_attention
from .checkpoint import list_checkpoints, save_checkpoint
from .errors import CheckpointError, InputError, InterventionError, ModelError
from .translator import Translator, load_translator

__all__ = [
    "CheckpointError",
    "InputError",
    "InterventionError",
    "ModelError",
    "Translator",
    "capture_attention",
    "list_checkpoints",
    "load_translator",
    "save_checkpoint",
]
