"""Reads the fields of a Hugging Face ``config.json``, whatever a stranger wrote into them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

LARGEST = 10**9
# what is read -> the names that the architectures give it
SPELLINGS: dict[str, tuple[str, ...]] = {
    "layers": ("num_hidden_layers", "n_layer", "n_layers", "num_layers"),
    "hidden": ("hidden_size", "n_embd", "n_embed", "d_model"),
    "heads": ("num_attention_heads", "n_head", "n_heads"),
    "kv_heads": ("num_key_value_heads", "num_kv_heads", "kv_n_heads", "multi_query_group_num"),
    "head_dim": ("head_dim", "kv_channels"),
    "ffn": ("intermediate_size", "n_inner", "ffn_dim", "ffn_hidden_size"),
    "vocab": ("vocab_size", "padded_vocab_size"),
    "experts": ("n_routed_experts", "num_local_experts", "num_experts", "moe_num_experts"),
    "top_k": ("num_experts_per_tok", "experts_per_token", "moe_top_k"),
    "expert_ffn": ("moe_intermediate_size",),
    "positions": ("n_positions", "n_ctx", "max_position_embeddings"),
    "mtp_layers": ("num_nextn_predict_layers",),
}


@dataclass
class Reader:
    """One configuration, what had to be assumed of it, and which fields got their architecture's default."""

    config: Mapping[str, Any]
    notes: list[str] = field(default_factory=list)
    defaults: dict[str, str] = field(default_factory=dict)

    def find(self, name: str) -> Any:
        """Return the raw value under any spelling, or ``None``."""
        return next((self.config[k] for k in SPELLINGS.get(name, (name,)) if self.config.get(k) is not None), None)

    def given(self, name: str) -> bool:
        """Return whether the field is there at all: ``null`` is an answer, a missing field is none."""
        return any(k in self.config for k in SPELLINGS.get(name, (name,)))

    def whole(self, name: str, default: int | None = None, because: str = "") -> int:
        """Return a whole number, or the documented default: with a note of its own where it says why.

        Raises:
            ValueError: missing without a default, or no sensible whole number.
        """
        value = self.find(name)
        spelled = SPELLINGS.get(name, (name,))[0]
        if value is None:
            if default is None:
                raise ValueError(f"config.json has no {spelled}: the model's shape cannot be known without it.")
            if because:
                self.notes.append(f"{spelled} is missing: {default} assumed, {because}.")
            elif not self.given(name):
                self.defaults[spelled] = str(default)
            return default
        number = isinstance(value, int | float) and not isinstance(value, bool)
        if not number or (isinstance(value, float) and not (math.isfinite(value) and value.is_integer())):
            raise ValueError(f"config.json: {spelled} is {shown(value)}; it has to be a whole number.")
        if not 0 <= value <= LARGEST:
            raise ValueError(f"config.json: {spelled} is {shown(value)}; it has to be from 0 to {LARGEST}.")
        return int(value)

    def flag(self, name: str, default: bool) -> bool:
        """Return a yes or no, or the documented default.

        Raises:
            ValueError: neither.
        """
        value = self.config.get(name)
        if value is None:
            self.defaults[name] = "true" if default else "false"
            return default
        if not isinstance(value, bool):
            raise ValueError(f"config.json: {name} is {shown(value)}; it has to be true or false.")
        return value

    def words(self, name: str) -> list[str]:
        """Return a list of words, empty where it is missing.

        Raises:
            ValueError: it is something else.
        """
        value = self.config.get(name)
        if value is None:
            return []
        if not isinstance(value, list) or not all(isinstance(word, str) for word in value):
            raise ValueError(f"config.json: {name} is {shown(value)}; it has to be a list of words.")
        return value

    def indices(self, name: str) -> list[int]:
        """Return a list of layer numbers, empty where it is missing.

        Raises:
            ValueError: it is something else.
        """
        value = self.config.get(name)
        if value is None:
            return []
        if not isinstance(value, list) or not all(isinstance(i, int) and not isinstance(i, bool) for i in value):
            raise ValueError(f"config.json: {name} is {shown(value)}; it has to be a list of layer numbers.")
        return value

    def inner(self, name: str) -> Reader:
        """Return a nested configuration.

        Raises:
            ValueError: it is none.
        """
        value = self.config.get(name)
        if not isinstance(value, Mapping):
            raise ValueError(f"config.json has no {name}: this architecture keeps its shape there.")
        return Reader(value, self.notes, self.defaults)

    def remarks(self) -> list[str]:
        """Return the notes, and one sentence for all fields that got their architecture's default."""
        if not self.defaults:
            return self.notes
        listed = ", ".join(f"{name} {value}" for name, value in self.defaults.items())
        return [*self.notes, f"Not in the file, so the architecture's default: {listed}."]


def shown(value: Any) -> str:
    """Return a value as a sentence can hold it, however large or deep it is."""
    if isinstance(value, str):
        return f"“{value[:40]}”"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value) if abs(value) < 10**15 else f"a number of about {value.bit_length() * 0.30103:.0f} digits"
    if isinstance(value, float):
        return f"{value:g}"
    return "a list" if isinstance(value, list | tuple) else "an object"
