"""What is computed, kept and sent in which number format, and what share of the model FLOPs it is."""

from __future__ import annotations

from functools import lru_cache

from wattsweights_gui.engine.declare import Entry, Table, Value
from wattsweights_gui.engine.equations import transformer
from wattsweights_gui.engine.equations.job import EIGHT_BIT, LOW_PRECISION
from wattsweights_gui.engine.equations.transformer import TransformerShape

_NAMES = {
    "bf16": "BF16",
    "fp16": "FP16",
    "fp8": "FP8, one scale a tensor",
    "fp8_block": "FP8, a scale for each 128 × 128 block",
    "mxfp8": "MXFP8, a scale for each 32 values",
    "nvfp4": "NVFP4, a scale for each 16 values",
}
_SOURCES = {
    "bf16": "Micikevicius et al. 2018, arXiv 1710.03740",
    "fp16": "Micikevicius et al. 2018, arXiv 1710.03740",
    "fp8": "Transformer Engine user guide, FP8 recipes; Micikevicius et al. 2022, arXiv 2209.05433",
    "fp8_block": "DeepSeek-V3, arXiv 2412.19437, section 3.3",
    "mxfp8": "Mishra et al. 2025, arXiv 2506.08027",
    "nvfp4": "NVIDIA 2025, arXiv 2509.25149",
}
_PARTS = ("weights", "gradients", "master", "moments")
_BY_BYTES = {0.0: "none", 1.0: "8 bits", 2.0: "16 bits", 3.0: "8 and 16 bits", 4.0: "32 bits", 6.0: "32 and 16 bits"}


def formats_table(shape: TransformerShape, seq_len: float, precision: str, recipe: Entry) -> Table:
    """Return the rows: what, its format, its share of the model FLOPs (nought for what is kept or sent), and why."""
    held = tuple((part, float(recipe.get(f"{part}_bytes") or 0.0)) for part in _PARTS)
    return _made(shape, seq_len, precision, recipe.name, held)


@lru_cache(maxsize=64)
def _made(
    shape: TransformerShape, seq_len: float, precision: str, recipe: str, held: tuple[tuple[str, float], ...]
) -> Table:
    bytes_of = dict(held)
    low = precision in LOW_PRECISION
    half = "FP16" if precision == "fp16" else "BF16"
    layers = transformer.linear_flops_per_token(shape)
    scores = transformer.attention_flops_per_token(shape, seq_len)
    head = transformer.head_flops_per_token(shape)
    more = transformer.mtp_flops_per_token(shape, seq_len)
    whole = layers + scores + head + more

    def share(flops: float) -> float:
        return 100.0 * flops / whole

    def kept(part: str) -> str:
        return _BY_BYTES.get(bytes_of[part], f"{bytes_of[part]:g} bytes")

    rows: list[tuple[Value, ...]] = [
        ("Matrices of the layers, both passes", _NAMES[precision], share(layers), "sums in 32 bits inside the units"),
        ("Attention scores and values", half, share(scores), "softmax in 32 bits; low formats lose accuracy here"),
        ("Output head and loss", f"{half}, loss in 32 bits", share(head), "its errors go straight into the gradient"),
    ]
    if more:
        rows.append(("Multi-token prediction", _NAMES[precision], share(more), "a layer like the others and its head"))
    rows += [
        ("Norms, softmax, routing, rotary", f"32 bits inside, {half} in and out", 0.0, "bound by memory, not by FLOPs"),
        ("Weights as held", kept("weights"), 0.0, recipe),
        ("Gradients as summed", kept("gradients"), 0.0, recipe),
        ("Master copy of the weights", kept("master"), 0.0, recipe),
        ("Moments (two together)", f"{bytes_of['moments']:g} bytes", 0.0, recipe),
        (
            "Activations kept for the backward pass",
            "8 bits where a low-format matrix reads them, else 16" if low else "16 bits",
            0.0,
            "inputs of matrices are kept as cast" if low else "as computed",
        ),
        ("Sent between tensor, context and pipeline ranks", "16 bits", 0.0, "as computed"),
    ]
    if shape.experts:
        there = "8 bits" if precision in EIGHT_BIT else "16 bits"
        rows.append(("Sent to experts and back", f"{there} there, 16 bits back", 0.0, "sums over experts keep 16 bits"))
    return Table(
        ("what", "format", "of_model_flops", "why"),
        ("text", "text", "pct", "text"),
        tuple(rows),
        "What runs in which format",
        _SOURCES[precision],
    )
