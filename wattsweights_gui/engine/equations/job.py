"""What is trained and how its numbers are kept: the fixed part of a layout evaluation."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

from wattsweights_gui.engine.equations import transformer
from wattsweights_gui.engine.equations.blocks import Blocks, blocks_of
from wattsweights_gui.engine.equations.transformer import TransformerShape

BYTES_16 = 2.0
HALF_AND_MAIN = 6.0
EIGHT_BIT = frozenset({"fp8", "fp8_block", "mxfp8"})
LOW_PRECISION = EIGHT_BIT | {"nvfp4"}


@dataclass(frozen=True)
class Recipe:
    """Bytes a parameter by part."""

    weights: float = 2.0
    gradients: float = 4.0
    master: float = 4.0
    moments: float = 8.0
    extra: float = 0.0

    @property
    def total(self) -> float:
        """Bytes a parameter, unsharded."""
        return self.weights + self.gradients + self.master + self.moments + self.extra

    @property
    def reduced_bytes(self) -> float:
        """Bytes of a gradient as ranks add it up: 16-bit ones are, where a 32-bit main gradient is kept beside them."""
        return BYTES_16 if self.gradients == HALF_AND_MAIN else max(self.gradients, BYTES_16)


@dataclass(frozen=True)
class Job:
    """A training job.

    Attributes:
        shape: the transformer.
        seq_len: tokens of a sequence; global_batch: sequences of a step.
        precision: of the matrix multiplications, as the workload layer names it.
        recipe: bytes a parameter.
        fused_attention: scores stay on chip (FlashAttention and its kin, from 2023 on); else they pass through memory.
        dropout: masks are drawn and kept.
        compiled: element-wise chains run as fused kernels.
        graphed: kernels are launched from recorded graphs, so the host never holds them up.
        imbalance: rows of the fullest expert rank over the mean.
        overlap_gradients, overlap_tensor: whether the software hides that communication behind computing.
        overlap_sends: interleaved pipeline chunks are sent while the next one computes (Megatron from 2023).
        fused_loss: logits are reduced in place, not copied into 32 bits.
        trains_weights: false for low-rank adapters, whose base matrices get no gradients.
        dispatch_bytes: of one value sent to an expert.
        recompute_parts: modules computed again one by one: ``mla_up_proj``, ``mlp``, ``moe_act``, ``layernorm``.
        recompute_matmuls: share of a layer's matrix multiplications that selective recompute does again (per-operator
            checkpointing keeps every second one); its element-wise work is then done again too.
        keeps_low: inputs of low-precision matrices are kept as cast, not in 16 bits.
        offload_layers: layers of each stage whose activations are moved to host memory.
        offload_optimizer: master copy and moments live in host memory, and the host's cores update them.
        host_bytes_s: rate of copies between one GPU and host memory; host_memory_bytes_s: one GPU's share of it.
        tile: index of the one tile that matrix multiplications use (:data:`gemm.TILES`); ``None`` for the best.
        accumulates: how weight gradients reach the 32-bit sum of a step: ``fused`` in the multiplication that makes
            them, ``apart`` by a kernel of its own, ``sharded`` after they were scattered (FSDP).
        parallel_block: attention and MLP take the same input side by side, and tensor parallelism gathers it once.
        hides_input_gradients: all-reduces of input gradients run beside the weight gradients (Megatron from 2022).
        year: of the software, as a decimal year.
    """

    shape: TransformerShape
    seq_len: float
    global_batch: float
    precision: str = "bf16"
    recipe: Recipe = Recipe()
    fused_attention: bool = True
    dropout: bool = False
    compiled: bool = True
    graphed: bool = False
    imbalance: float = 1.0
    overlap_gradients: bool = True
    overlap_tensor: bool = True
    overlap_sends: bool = True
    fused_loss: bool = False
    trains_weights: bool = True
    dispatch_bytes: float = 2.0
    recompute_parts: frozenset[str] = frozenset()
    recompute_matmuls: float = 0.0
    keeps_low: bool = True
    offload_layers: float = 0.0
    offload_optimizer: bool = False
    host_bytes_s: float = math.inf
    host_memory_bytes_s: float = math.inf
    tile: int | None = None
    accumulates: str = "fused"
    parallel_block: bool = False
    hides_input_gradients: bool = False
    year: float = 2026.6

    @cached_property
    def blocks(self) -> Blocks:
        """The model's blocks."""
        return blocks_of(self.shape)

    @cached_property
    def flops_per_token(self) -> float:
        """Model FLOPs of one token that are done, attention halved for causality, rows that experts drop left out."""
        return float(transformer.model_flops_per_token(self.shape, self.seq_len)) - self.dropped_flops_per_token

    @property
    def dropped_flops_per_token(self) -> float:
        """Model FLOPs that buffers below the mean of an expert's rows leave undone."""
        b, dropped = self.blocks, max(0.0, 1.0 - self.imbalance)
        return dropped * 6.0 * b.moe_layers * b.top_k * b.expert.params

    @property
    def tokens_per_step(self) -> float:
        """Tokens of one optimizer step."""
        return self.seq_len * self.global_batch
