"""Makes the example projects that ship, by the program's own edits, search and store.

Run with ``python packaging/make_examples.py`` after a change of defaults; the numbers in the projects follow.
"""

from __future__ import annotations

import json
import sys
from typing import Any

from wattsweights_gui import paths
from wattsweights_gui.catalog.load import catalog
from wattsweights_gui.engine.both_ends import both_ends
from wattsweights_gui.engine.chain import evaluate
from wattsweights_gui.engine.plan import Edit, default_plan
from wattsweights_gui.engine.search import settle
from wattsweights_gui.exchange.hf_config import edits_from_config
from wattsweights_gui.project import store
from wattsweights_gui.project.document import Document

SAVED = "2026-12-01T00:00:00"


def _model(name: str) -> tuple[Edit, ...]:
    listed = json.loads(paths.resource("catalog", "hf_configs.json").read_text(encoding="utf-8"))["models"]
    config = next(m["config"] for m in listed if m["name"] == name)
    return edits_from_config({**config, "_name_or_path": name})


EXAMPLES: dict[str, tuple[Edit, ...]] = {
    # the customer who wants a 1T model in 30 days, in a hall of racks of 40 kW
    "1t-30-days": (
        ("project.project", "A 1T model in 30 days"),
        ("project.customer", "Example customer"),
        (
            "project.notes",
            "What a 1T-parameter model in 30 days takes, and what a 20 MW air-cooled hall can do of it. Its state"
            " is 4, 8, 12, 16 or 18 TB, for as many bytes a parameter. On H100 of 80 GB with equal pipeline "
            "stages the least is 128, 256, 256, 512 and 512 GPUs: 16 and 18 bytes take TP 8 × PP 64, the "
            "published layout. Uneven stages need 80, 176, 256, 352 and 416; H200 and B200 stand in “Least GPUs "
            "by recipe and GPU” of the split layer.",
        ),
        ("workload.model", "size"),
        ("workload.model.params_b", 1000.0),
        ("workload.tokens_b", 2000.0),
        ("workload.seq_len", 2048),
        ("workload.global_batch", 6144),
        ("workload.days", 30.0),
        ("compute.gpu", "h100_sxm"),
        ("power.utility_mw", 20.0),
        ("cooling.technology", "air"),
        ("cooling.technology.rack_limit_kw", 40.0),
        ("floor.area_limit_m2", 2500.0),
    ),
    # one replica of the published 1T GPT, TP 8 × PP 64, against a hall of sixteen compute racks of 25 kW
    "512-against-256": (
        ("project.project", "512 against 256"),
        ("project.customer", "Example customer"),
        (
            "project.notes",
            "One replica of the published 1T GPT (TP 8 × PP 64, 18 bytes a parameter, selective recompute) is 512 GPUs "
            "of 80 GB. The racks of this hall reject 25 kW: two nodes each instead of four.",
        ),
        ("workload.model", "size"),
        ("workload.model.params_b", 1000.0),
        ("workload.tokens_b", 450.0),
        ("workload.seq_len", 2048),
        ("workload.global_batch", 512),
        ("workload.days", 200.0),
        ("compute.gpu", "h100_sxm"),
        ("parallelism.tp", 8),
        ("parallelism.pp", 64),
        ("parallelism.dp", 1),
        ("parallelism.cp", 1),
        ("parallelism.ep", 1),
        ("parallelism.micro_batch", 1),
        ("parallelism.recompute", "selective"),
        ("parallelism.sharding", "zero1"),
        ("cooling.technology", "air"),
        ("cooling.technology.rack_limit_kw", 25.0),
        ("power.rack_feed_limit_kw", 45.0),
        ("power.utility_mw", 1.5),
        ("floor.racks_limit", 20),
    ),
    "llama-405b-16k": (
        ("project.project", "Llama 3.1 405B on 16,384 H100"),
        ("project.customer", "Example customer"),
        ("project.notes", "The published run: 15.6T tokens on 16,384 H100, TP 8, PP 16, context 8,192."),
        *_model("meta-llama/Llama-3.1-405B"),
        ("workload.tokens_b", 15600.0),
        ("workload.seq_len", 8192),
        ("workload.global_batch", 2048),
        ("workload.days", 90.0),
        ("compute.gpu", "h100_sxm"),
        ("parallelism.tp", 8),
        ("parallelism.pp", 16),
        ("parallelism.dp", 128),
        ("parallelism.cp", 1),
        ("parallelism.ep", 1),
        ("parallelism.micro_batch", 1),
        ("parallelism.vpp", 8),
        ("parallelism.schedule", "interleaved"),
        ("parallelism.recompute", "none"),
        ("parallelism.sharding", "zero2"),
        ("fabric.oversubscription", 1.0),
        ("cluster.nodes_per_rack", 2),
        ("cooling.technology", "air"),
        ("cooling.technology.rack_limit_kw", 40.0),
        ("power.utility_mw", 36.0),
    ),
    "moe-nvl72": (
        ("project.project", "A mixture of experts on GB200 NVL72"),
        ("project.customer", "Example customer"),
        ("project.notes", "A model of the shape of DeepSeek-V3 in MXFP8 on liquid-cooled racks of 72 GPUs."),
        *_model("deepseek-ai/DeepSeek-V3"),
        ("workload.tokens_b", 14800.0),
        ("workload.seq_len", 4096),
        ("workload.global_batch", 4096),
        ("workload.days", 30.0),
        ("workload.precision", "mxfp8"),
        ("workload.recipe", "fp8_adam_18"),
        ("compute.gpu", "gb200"),
        ("cooling.technology", "single_phase"),
        ("cooling.technology.supply_c", 35.0),
        ("cooling.technology.rise_k", 14.0),
        ("cooling.water_supply_c", 28.0),
        ("cooling.water_rise_k", 12.0),
        ("cooling.chiller_cop", 12.0),
        ("power.feeds_per_rack", 6),
        ("power.utility_mw", 5.5),
        ("cooling.air_limit_kw", 1100.0),
        ("cooling.water_limit_l_min", 6000.0),
    ),
    "two-phase-8mw": (
        ("project.project", "What can an 8 MW two-phase hall train?"),
        ("project.customer", "Example customer"),
        ("project.notes", "From the hall to the model: 8 MW, two-phase direct-to-chip cooling at 45 °C saturation."),
        *_model("meta-llama/Llama-3.1-405B"),
        ("workload.tokens_b", 4000.0),
        ("workload.seq_len", 8192),
        ("workload.global_batch", 1024),
        ("workload.days", 60.0),
        ("workload.precision", "fp8"),
        ("compute.gpu", "b200"),
        ("cooling.technology", "two_phase"),
        ("cooling.technology.saturation_c", 45.0),
        ("cooling.water_supply_c", 28.0),
        ("cooling.chiller_cop", 14.0),
        ("power.utility_mw", 8.0),
        ("floor.area_limit_m2", 1200.0),
        ("cooling.air_limit_kw", 1600.0),
    ),
}


def main() -> int:
    """Write every example and print what it says."""
    only = set(sys.argv[1:])
    for name, edits in EXAMPLES.items():
        if only and name not in only:
            continue
        plan = settle(default_plan(edits), catalog())
        evaluation = evaluate(plan, catalog())
        target = paths.resources() / "examples" / f"{name}.watts"
        document = Document.of(plan)
        store.save(document, target, saved=SAVED, evaluations={document.scenarios[0].name: evaluation})
        ends = both_ends(evaluation)
        print(f"{name}: {ends.verdict}")
        _details(evaluation)
    return 0


def _details(evaluation: Any) -> None:
    split = evaluation.results["parallelism"].plain()
    shown = ("gpus", "min_gpus_memory", "gpus_for_deadline", "tp", "pp", "dp", "cp", "ep", "memory_gb", "mfu", "days")
    print("   ", {k: split[k] for k in shown})
    for finding in evaluation.findings:
        if finding.severity != "note":
            print(f"    {finding.severity}: {finding.message}")


if __name__ == "__main__":
    raise SystemExit(main())
