"""WattsWeights sizes an AI cluster from the model to the chilled water, and back."""

__version__ = "0.1.0"
