"""A standard shape for a model of which only the size is known."""

from __future__ import annotations

import math
from functools import lru_cache

from wattsweights_gui.engine.equations.transformer import TransformerShape, total_params

HEAD_WIDTH = 128
ASPECT = 128.0
SOURCE = (
    "Llama 3 (arXiv 2407.21783): width over layers about 128, heads of 128, 8 key/value heads, gated MLP; "
    "at 1,000 B the published 1T GPT of Megatron (Narayanan et al. 2021, arXiv 2104.04473, table 1)"
)

# the published 1T GPT: 128 layers of 25,600, 160 heads, an ungated MLP of four widths, 51,200 tokens
MEGATRON_1T = TransformerShape(
    layers=128, hidden=25600, heads=160, kv_heads=160, head_dim=160, ffn=102400, gated=False, vocab=51200, tied=True,
    qkv_bias=True, out_bias=True, mlp_bias=True, norm_bias=True, learned_positions=2048,
)  # fmt: skip


@lru_cache(maxsize=512)
def standard_shape(params: float) -> TransformerShape:
    """Return a dense shape of about ``params`` parameters.

    Layers and width come from a fixed aspect; the MLP's width is then chosen so that the size is met, as a multiple
    of 128.
    """
    if abs(total_params(MEGATRON_1T) / params - 1.0) < 0.01:
        return MEGATRON_1T
    vocab, tied = (8192, True) if params < 5e7 else (32000, True) if params < 1.5e9 else (128256, False)
    best: tuple[float, TransformerShape] | None = None
    # parameters of a layer at the standard proportions: 12 to 13 widths squared
    width = (params / (12.5 / ASPECT)) ** (1 / 3)
    for hidden in _near(width, 1024 if width > 3500 else 512 if width > 1500 else 128):
        shape = _filled(params, hidden, vocab, tied)
        if shape is not None:
            miss = abs(total_params(shape) / params - 1.0)
            ratio = shape.ffn / shape.hidden
            ugly = abs(math.log(ratio / 3.25)) + 0.3 * abs(math.log(hidden / shape.layers / ASPECT))
            score = ugly + 50.0 * miss
            if best is None or score < best[0]:
                best = (score, shape)
    if best is None:  # too small for the smallest width: the tables alone are larger
        return TransformerShape(
            layers=2, hidden=128, heads=1, kv_heads=1, head_dim=HEAD_WIDTH, ffn=384, vocab=8192, tied=True
        )
    return best[1]


def _near(width: float, step: int) -> list[int]:
    middle = max(step, round(width / step) * step)
    return sorted({max(step, middle + step * i) for i in range(-4, 5)})


def _filled(params: float, hidden: int, vocab: int, tied: bool) -> TransformerShape | None:
    heads = hidden // HEAD_WIDTH
    layers = max(2, round(hidden / ASPECT))
    if layers >= 64:
        layers = round(layers / 8) * 8
    elif layers >= 16:
        layers = round(layers / 4) * 4
    kv_heads = next((k for k in (8, 4) if heads % k == 0 and heads > k), heads)
    bare = TransformerShape(
        layers=layers, hidden=hidden, heads=heads, kv_heads=kv_heads, head_dim=HEAD_WIDTH, ffn=0, vocab=vocab, tied=tied
    )
    left = params - total_params(bare)
    ffn = round(left / (3.0 * hidden * layers) / 128) * 128
    if ffn < hidden:
        return None
    return TransformerShape(
        layers=layers,
        hidden=hidden,
        heads=heads,
        kv_heads=kv_heads,
        head_dim=HEAD_WIDTH,
        ffn=ffn,
        vocab=vocab,
        tied=tied,
    )
