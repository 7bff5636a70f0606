"""Model: what is to be trained: its shape, its bytes and its work"""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, Any, Literal

from pydantic import Discriminator

from wattsweights_gui.engine import units
from wattsweights_gui.engine.declare import (
    Entry,
    Figure,
    Finding,
    LayerInputs,
    LayerResult,
    Sized,
    Table,
    calc,
    equation,
    result,
    results,
    setting,
    stated,
)
from wattsweights_gui.engine.equations import recipes, standard_shape, transformer
from wattsweights_gui.engine.equations.transformer import TransformerShape
from wattsweights_gui.engine.formats_table import formats_table
from wattsweights_gui.engine.model_shape import Shape, Size

NAME = "workload"
TITLE = "Model"
ABOUT = "what is to be trained: its shape, its bytes and its work"
WITH_COPIES = "fp8_on_bf16_20"  # the recipe that counts FP8 copies beside 16-bit weights


class Inputs(LayerInputs):
    """What is asked for."""

    model: Annotated[Size | Shape, Discriminator("kind")] = setting(
        Size(), title="Model", help="The model's shape, or only its size.", source="the customer's 1T question"
    )
    tokens_b: float = setting(
        15000.0,
        title="Training tokens",
        unit="tokens_b",
        help="Tokens of the whole run, in billions.",
        source="15T tokens, as Llama 3",
        group="Run",
        hard=(0.001, 10000000),
        usual=(1, 100000),
    )
    seq_len: int = setting(
        8192,
        title="Sequence length",
        unit="tokens",
        help="Tokens of one sequence.",
        source="Llama 3 pre-training",
        group="Run",
        hard=(16, 100000000),
        usual=(512, 1048576),
    )
    global_batch: int = setting(
        2048,
        title="Global batch",
        help="Sequences of one optimizer step.",
        source="16M tokens at 8k, as Llama 3",
        group="Run",
        hard=(1, 10000000),
        usual=(16, 65536),
    )
    days: float = setting(
        30.0,
        title="Days wanted",
        unit="days",
        help="The date that the customer has in mind.",
        source="the customer's 30 days",
        group="Run",
        hard=(0.01, 10000),
        usual=(1, 365),
    )
    precision: Literal["bf16", "fp16", "fp8", "fp8_block", "mxfp8", "nvfp4"] = setting(
        "bf16",
        title="GEMM precision",
        help="What the matrix multiplications run in; attention, norms, router and optimizer stay in 16 or 32 bits.",
        source="mixed precision is today's default",
        group="Precision",
        choices={
            "bf16": "BF16",
            "fp16": "FP16",
            "fp8": "FP8, per tensor",
            "fp8_block": "FP8, blockwise",
            "mxfp8": "MXFP8",
            "nvfp4": "NVFP4",
        },
    )
    recipe: str = setting(
        "bf16_adam_18",
        title="Bytes a parameter",
        help="What is held for each parameter: weights, gradients, master copy, moments.",
        source="Megatron's default",
        group="Precision",
        catalog="byte_recipe",
    )

    def shape(self) -> TransformerShape:
        """Return the model's dimensions: as given, or the standard shape of its size."""
        if isinstance(self.model, Size):
            return standard_shape.standard_shape(self.model.params_b * 1e9)
        return self.model.resolved()


class Result(LayerResult):
    """What follows."""

    total_params: Figure = result(
        "Parameters, total",
        "params",
        "All trainable parameters, the multi-token prediction layers left out.",
        headline=True,
        short="Parameters",
    )
    active_params: Figure = result(
        "Parameters, active", "params", "Parameters that one token uses, the input table counted once."
    )
    state_bytes_per_param: Figure = result(
        "Bytes a parameter", "byte_param", "Weights, gradients, master copy and moments under the chosen recipe."
    )
    state_tb: Figure = result("Model state", "tb", "Parameters times bytes a parameter.", headline=True, short="State")
    flops_per_token: Figure = result("Model FLOPs a token", "flop_token", "Forward and backward, without recompute.")
    model_flops: Figure = result(
        "Model FLOPs of the run", "flop", "Model FLOPs a token times the tokens.", headline=True, short="FLOPs"
    )
    tokens: Figure = result("Tokens", "tokens", "Tokens of the whole run.")
    steps: Figure = result("Optimizer steps", "count", "Tokens over tokens a step.")
    tokens_per_step: Figure = result("Tokens a step", "tokens", "Global batch times sequence length.")
    formats: Table = result(
        "What runs in which format", "text", "Formats of what is computed, kept and sent, with shares of the FLOPs."
    )
    recipes: Table = result(
        "What each recipe holds", "text", "Bytes a parameter and model state under every byte recipe of the catalogue."
    )


@equation("tokens in billions × 10⁹", "tokens")
def tokens_of(tokens_b: float) -> float:
    """Return the tokens of the run."""
    return tokens_b * 1e9


@equation("global batch × sequence length", "tokens")
def tokens_per_step(global_batch: int, seq_len: int) -> int:
    """Return the tokens of one optimizer step."""
    return global_batch * seq_len


@equation("⌈tokens / tokens a step⌉", "count")
def steps_of(tokens: float, tokens_per_step: float) -> int:
    """Return the optimizer steps of the run."""
    return -int(-tokens // tokens_per_step)


@equation("model FLOPs a token × tokens", "flop", transformer.FLOPS)
def run_flops(flops_per_token: float, tokens: float) -> float:
    """Return the model FLOPs of the whole run."""
    return flops_per_token * tokens


@lru_cache(maxsize=256)
def _counts(shape: TransformerShape, seq_len: int) -> tuple[int, int, float]:
    return (
        transformer.total_params(shape),
        transformer.active_params(shape),
        transformer.model_flops_per_token(shape, seq_len),
    )


def size(inputs: Inputs, up: Any) -> Sized:
    """Size the model: parameters, bytes of state under the recipe, FLOPs of the run."""
    shape = inputs.shape()
    dimensions = _dimensions(inputs, shape)
    total, active, flops = _counts(shape, inputs.seq_len)
    entry = up.entry(inputs.recipe)
    each = recipes.state_bytes(entry)
    total_params = stated(total, "params", formula=_PARAMS, source=transformer.ELEMENTS, put_in=dimensions)
    active_params = stated(
        active,
        "params",
        formula="all parameters less the experts that a token does not use" if shape.experts else "dense: all of them",
        source=transformer.ELEMENTS,
        total_params=total_params,
        put_in={k: v for k, v in dimensions.items() if k in ("experts", "top_k", "expert_ffn")},
    )
    flops_per_token = stated(
        flops,
        "flop_token",
        formula="3 × (2 × weights that multiply + causal attention + head): forward and backward, no recompute",
        source=transformer.FLOPS,
        active_params=active_params,
        seq_len=inputs.fig("seq_len"),
        put_in=dimensions,
    )
    tokens = calc(tokens_of, tokens_b=inputs.fig("tokens_b"))
    a_step = calc(tokens_per_step, global_batch=inputs.fig("global_batch"), seq_len=inputs.fig("seq_len"))
    state = calc(recipes.state_tb, params=total_params, bytes_per_param=each)
    figures = results(
        Result,
        total_params=total_params,
        active_params=active_params,
        state_bytes_per_param=each,
        state_tb=state,
        flops_per_token=flops_per_token,
        model_flops=calc(run_flops, flops_per_token=flops_per_token, tokens=tokens),
        tokens=tokens,
        steps=calc(steps_of, tokens=tokens, tokens_per_step=a_step),
        tokens_per_step=a_step,
        formats=formats_table(shape, float(inputs.seq_len), inputs.precision, entry),
        recipes=_recipe_table(up.catalog, total),
    )
    return Sized(figures, tuple(_findings(inputs, shape, entry, total, active, up.entry(WITH_COPIES))))


_PARAMS = (
    "layers × (attention + MLP or experts + norms) + vocabulary × hidden (once where tied, else twice) + final norm; "
    "attention = h·a·d + 2·h·k·d + a·d·h, MLP = 3·h·f gated or 2·h·f"
)


def _dimensions(inputs: Inputs, shape: TransformerShape) -> dict[str, Figure]:
    """Return the dimensions that explain the counts: set by hand, or proposed from the size."""
    shown = ["layers", "hidden", "heads", "kv_heads", "ffn", "vocab"]
    if shape.experts:
        shown += ["experts", "top_k", "expert_ffn", "shared_expert_ffn"]
    if shape.mla:
        shown += ["q_lora_rank", "kv_lora_rank"]
    if isinstance(inputs.model, Size):
        asked = inputs.fig("model.params_b")
        return {
            name: stated(
                getattr(shape, name),
                "count",
                name.replace("_", " "),
                formula="of the standard shape of this size",
                source=standard_shape.SOURCE,
                params_asked_for=asked,
            )
            for name in shown
        }
    return {name: inputs.fig(f"model.{name}") for name in shown}


@lru_cache(maxsize=64)
def _recipe_table(catalog: Any, params: int) -> Table:
    rows = []
    for entry in sorted(catalog.of_kind("byte_recipe"), key=lambda e: recipes.state_bytes(e).number):
        each = recipes.state_bytes(entry).number
        used = "in production" if entry.get("production") else "no large run published"
        rows.append((entry.name, each, params * each / 1e12, used, entry.sources[""]))
    return Table(
        ("recipe", "bytes a parameter", "model state", "used", "source"),
        ("text", "byte_param", "tb", "text", "text"),
        tuple(rows),
        "What each recipe holds",
    )


def _findings(
    inputs: Inputs, shape: TransformerShape, recipe: Entry, total: int, active: int, with_copies: Entry
) -> list[Finding]:
    found: list[Finding] = []
    each = recipes.state_bytes(recipe).number
    if not recipe.get("production"):
        found.append(
            Finding(
                "workload.recipe.not-in-production",
                "caution",
                "workload.recipe",
                f"{each:g} bytes a parameter make {units.text(total * each / 1e12, 'tb')} of state, but no large "
                f"pre-training run is published with “{recipe.name}”: runs of this size hold 13 to 18 bytes, "
                f"{units.text(total * 13 / 1e12, 'tb')} to {units.text(total * 18 / 1e12, 'tb')}.",
                recipe.sources[""],
                (("workload.recipe", "bf16_adam_18"),),
                "Hold 18 bytes a parameter",
            )
        )
    low = inputs.precision in ("fp8", "fp8_block", "mxfp8", "nvfp4")
    if not low and recipe.get("weights_bytes") == 1:
        found.append(
            Finding(
                "workload.recipe.fp8-weights",
                "caution",
                "workload.recipe",
                f"“{recipe.name}” keeps weights in FP8, but the GEMMs run in {inputs.precision.upper()}: they would be "
                "cast up on each use.",
                recipe.sources[""],
                (("workload.precision", "fp8"),),
                "Run GEMMs in FP8",
            )
        )
    if low and recipe.get("weights_bytes", 0) >= 2 and not recipe.get("extra_bytes"):
        found.append(
            Finding(
                "workload.recipe.no-low-precision-copy",
                "note",
                "workload.recipe",
                f"GEMMs in {inputs.precision.upper()} read a quantised copy of the weights: up to 2 bytes a parameter, "
                f"{units.text(total * 2 / 1e12, 'tb')} in all, that “{recipe.name}” does not count.",
                with_copies.sources[""],
                (("workload.recipe", with_copies.id),),
                "Count the copy too",
            )
        )
    if isinstance(inputs.model, Size) and abs(total / (inputs.model.params_b * 1e9) - 1.0) > 0.02:
        found.append(
            Finding(
                "workload.model.size-missed",
                "note",
                "workload.model.params_b",
                f"The nearest standard shape has {units.text(total, 'params')} parameters, not "
                f"{units.text(inputs.model.params_b * 1e9, 'params')}; give the shape to be exact.",
                standard_shape.SOURCE,
            )
        )
    ratio = inputs.tokens_b * 1e9 / active
    if not 10 <= ratio <= 3000:
        found.append(
            Finding(
                "workload.tokens.ratio",
                "note",
                "workload.tokens_b",
                f"{units.number(ratio)} tokens for each active parameter; about 20 is compute-optimal, "
                "published models go to some 2 000.",
                "Hoffmann et al. 2022, arXiv 2203.15556",
            )
        )
    for name, multiple, title in (
        ("vocab", 128, "vocabulary"),
        ("hidden", 128, "hidden size"),
        ("ffn", 64, "FFN width"),
    ):
        value = getattr(shape, name)
        if value % multiple and not isinstance(inputs.model, Size):
            padded = -(-value // multiple) * multiple
            fix = ((f"workload.model.{name}", padded),) if name != "hidden" else ()
            found.append(
                Finding(
                    f"workload.{name}.multiple",
                    "note",
                    f"workload.model.{name}",
                    f"A {title} of {units.number(value)} is no multiple of {multiple}: tensor cores work on whole "
                    f"tiles; {units.number(padded)} is the next that fills them.",
                    "NVIDIA, Deep Learning Performance Guide: matrix multiplication",
                    fix,
                    f"Pad to {units.number(padded)}" if fix else "",
                )
            )
    return found
