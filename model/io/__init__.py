"""Files of models: checkpoints, foreign formats, records of a training."""
