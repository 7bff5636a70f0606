"""Names of colours. The same quantity has the same colour in every chart, canvas and sheet.

States stay apart for colour-blind eyes (blue, amber, vermilion); every one
that carries text keeps 4.5 to 1 on white.
Series are taken from Okabe and Ito's palette (Color Universal Design, 2008), extended with Tol's wine.
"""

from __future__ import annotations

INKS: dict[str, str] = {
    "black": "#000000",
    "quiet": "#4d4d4d",
    "rule": "#808080",
    "hair": "#c4c4c4",
    "tint": "#f0f0f0",
    "white": "#ffffff",
    "fine": "#005a9c",
    "near": "#8a5a00",
    "over": "#b03a00",
    "bar_fine": "#9fb8cc",
    "bar_near": "#e3b04b",
    "bar_over": "#d55e00",
}

SERIES: dict[str, str] = {
    # memory
    "weights": "#0072b2",
    "gradients": "#56b4e9",
    "optimizer": "#009e73",
    "activations": "#e69f00",
    "logits": "#cc79a7",
    "gathered": "#a0446e",
    "context": "#6b6b6b",
    "collectives": "#8c8c8c",
    "allocator": "#b3b3b3",
    # time
    "compute": "#0072b2",
    "element_wise": "#56b4e9",
    "tensor_parallel": "#d55e00",
    "pipeline_parallel": "#cc79a7",
    "data_parallel": "#e69f00",
    "expert_parallel": "#c9b800",
    "context_parallel": "#a0446e",
    "bubble": "#8c8c8c",
    "useful": "#009e73",
    "recompute": "#56b4e9",
    "offload": "#7a5195",
    # power
    "network": "#d55e00",
    "storage": "#009e73",
    "management": "#cc79a7",
    "losses": "#8c8c8c",
    "cooling": "#56b4e9",
    "auxiliary": "#e69f00",
    # the two ends
    "plan": "#0072b2",
    "model": "#009e73",
    "facility": "#d55e00",
}


def hex_of(name: str) -> str:
    """Return the hexadecimal colour of an ink or a series.

    Raises:
        KeyError: no such name.
    """
    return INKS[name] if name in INKS else SERIES[name]


def rgb(name: str) -> tuple[float, float, float]:
    """Return a colour's red, green and blue from 0 to 1."""
    digits = hex_of(name)
    return int(digits[1:3], 16) / 255, int(digits[3:5], 16) / 255, int(digits[5:7], 16) / 255
