"""Fabric: the links inside and between nodes"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

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
    result,
    results,
    setting,
    stated,
)
from wattsweights_gui.engine.equations import busbw, clos
from wattsweights_gui.engine.equations.systems import gpus_per_node, system_for
from wattsweights_gui.engine.fabric_tables import collectives_table
from wattsweights_gui.engine.planned_fabric import PlannedFabric, fabric_of

MESSAGE_MIB = (16, 64, 256, 1024, 4096, 16384)

NAME = "fabric"
TITLE = "Fabric"
ABOUT = "the links inside and between nodes"


class Inputs(LayerInputs):
    """Which design and how it is cut."""

    design: str | None = setting(
        None,
        title="Reference design",
        help="The published cluster design that is followed.",
        catalog="reference_design",
        when_none="the one for this GPU",
    )
    nic_gbit_s: float | None = setting(
        None,
        title="NIC rate a GPU",
        unit="gbit_s",
        help="Scale-out rate of one GPU, one direction.",
        hard=(1, 100000),
        when_none="the system's own",
    )
    oversubscription: float = setting(
        1.0,
        title="Leaf oversubscription",
        unit="ratio",
        help="Leaf down-links over up-links; 1 is non-blocking.",
        source="DGX SuperPOD",
        hard=(1, 32),
        usual=(1, 7),
    )
    in_network_reduction: bool = setting(
        True, title="In-network reduction", help="SHARP on InfiniBand or NVLink switches.", source="DGX SuperPOD"
    )


class Result(LayerResult):
    """What follows."""

    scale_up_domain: Figure = result(
        "NVLink domain", "count", "GPUs that share one scale-up fabric.", headline=True, short="NVLink"
    )
    scale_up_gb_s: Figure = result("NVLink bandwidth a GPU", "gb_s", "One direction.")
    nic_gb_s_per_gpu: Figure = result("Scale-out a GPU", "gb_s", "One direction.", headline=True, short="Scale-out")
    bisection_tb_s: Figure = result(
        "Bisection bandwidth", "tb_s", "One direction, across the widest cut of the compute fabric."
    )
    oversubscription: Figure = result("Oversubscription", "ratio", "Down-link over up-link bandwidth at the leaf.")
    design: Figure = result("Design", "text", "The published design that is followed, or the rule.")
    technology: Figure = result("Technology", "text", "InfiniBand or Ethernet with RoCE.")
    all_reduce_domain_gb_s: Figure = result(
        "All-reduce in a domain", "gb_s", "Bus bandwidth of large messages over one whole scale-up domain."
    )
    all_reduce_gb_s: Figure = result(
        "All-reduce over all GPUs", "gb_s", "Bus bandwidth of large messages over all GPUs of the plan."
    )
    bus_bandwidth: Table = result(
        "Expected bus bandwidth", "", "All-reduce as nccl-tests prints it, to hold a run on the cluster against."
    )
    collectives: Table = result(
        "Collectives by size and nodes", "", "Bus bandwidth of each collective, to hold nccl-tests of any size against."
    )


def size(inputs: Inputs, up: Any) -> Sized:
    """Size the layer: the design, the rates of the links and what collectives reach on them."""
    gpu: Entry = up.entry(up.inputs("compute").gpu)
    system = system_for(gpu, up.catalog, up.inputs("cluster").system)
    fabric = fabric_of(up)
    domain = _domain(gpu, system)
    link = gpu.fig("scale_up_uni_gb_s", "gb_s", "scale-up bandwidth, one direction")
    rate = _nic_rate(inputs, fabric)
    nic = calc(clos.gb_s, title="Scale-out a GPU", gbit_s=rate)
    ratio = _oversubscription(fabric)
    bisection = calc(clos.bisection_tb_s, gpus=up.parallelism.gpus, gb_s_per_gpu=nic, oversubscription=ratio)
    generation = _generation(up.catalog, gpu)
    inside, whole, table = _collectives(inputs, up, fabric, generation, domain, link, nic)
    outcome = results(
        Result,
        scale_up_domain=domain,
        scale_up_gb_s=link,
        nic_gb_s_per_gpu=nic,
        bisection_tb_s=bisection,
        oversubscription=ratio,
        design=_design(fabric),
        technology=_technology(fabric),
        all_reduce_domain_gb_s=inside,
        all_reduce_gb_s=whole,
        bus_bandwidth=table,
        collectives=_collectives_table(inputs, up, fabric, generation, system, (domain, link, nic)),
    )
    return Sized(outcome, tuple(_findings(inputs, gpu, fabric, generation)))


def _domain(gpu: Entry, system: Entry | None) -> Figure:
    domain = gpu.fig("scale_up_domain_gpus", "count", "GPUs of a scale-up domain")
    if system is None or domain.value is None or system.get("gpus") is None or domain.number <= system.get("gpus"):
        return domain
    title = "GPUs of a scale-up domain"
    inside = system.fig("gpus", "count", "GPUs")
    return stated(inside.value, "count", title, formula="no more than one system holds", system=inside, gpu=domain)


def _nic_rate(inputs: Inputs, fabric: PlannedFabric) -> Figure:
    if inputs.nic_gbit_s is not None:
        return inputs.fig("nic_gbit_s")
    title = "Adapter rate of a GPU"
    return Figure(fabric.nic_gbit_s, "gbit_s", title, "catalog.nic_gbit_s", source=fabric.nic_source)


def _oversubscription(fabric: PlannedFabric) -> Figure:
    design = fabric.design
    if design.pair:
        return stated(1.0, "ratio", formula="two switches with as many links between them as half the nodes' links")
    where = fabric.reference or fabric.leaf
    rate = fabric.nic_gbit_s / design.planes
    source = where.sources.get("leaf_downlinks") or where.sources.get("", "")
    down = Figure(
        design.leaf_down, "count", "Ports of a leaf to nodes", f"catalog.{where.id}.leaf_downlinks", source=source
    )
    up = Figure(design.leaf_up, "count", "Ports of a leaf to spines", f"catalog.{where.id}.leaf_uplinks", source=source)
    return calc(clos.oversubscription, down_links=down, down_gbit_s=rate, up_links=up, up_gbit_s=rate)


def _design(fabric: PlannedFabric) -> Figure:
    if fabric.reference is not None:
        return stated(
            fabric.reference.name,
            "text",
            formula="the published design whose node carries this GPU",
            source=fabric.reference.sources.get("", ""),
        )
    words = f"Rail-optimised, {fabric.leaf.name}"
    why = "no published design fits: each adapter of a node has a rail, leaves and spines are of one switch"
    return stated(words, "text", formula=fabric.refused or why, source=fabric.leaf.sources.get("", ""))


def _technology(fabric: PlannedFabric) -> Figure:
    words = "Ethernet (RoCE)" if fabric.ethernet else "InfiniBand"
    technology = fabric.leaf.fig("technology", "text", "technology")
    return stated(words, "text", formula="as the leaf switch", source=technology.source, leaf_switch=technology)


def _generation(catalog: Any, gpu: Entry) -> Entry | None:
    name = str(gpu.get("scale_up_link") or "").split(" ")[0]
    if name == "infinity_fabric":
        name = "infinity_fabric_mi355" if gpu.id == "mi355x" else "infinity_fabric_mi300"
    return next((e for e in catalog.of_kind("scale_up_generation") if e.id == name), None)


def _collectives(
    inputs: Inputs, up: Any, fabric: PlannedFabric, generation: Entry | None, domain: Figure, link: Figure, nic: Figure
) -> tuple[Figure, Figure, Table]:
    gpus = up.parallelism.gpus
    in_network = inputs.in_network_reduction and not fabric.ethernet
    source = generation.sources.get("fitted_ring_efficiency", "") if generation else "estimate: no fit for this link"
    inside = whole = None
    rows: tuple[tuple[Any, ...], ...] = ()
    if link.value is not None and domain.value is not None and gpus.value is not None:
        inside, whole, rows = _swept(
            generation.id if generation else "",
            busbw.Link.of(generation),
            link.number,
            nic.number,
            int(domain.number),
            int(gpus.number),
            in_network,
        )
    operands = {"link": link, "adapter": nic, "domain": domain, "gpus": gpus}
    reason = next((f.formula or f"{f.title} is not known" for f in operands.values() if f.value is None), "")
    formula = reason or "slowest tier: ring or in-switch reduction inside, the adapters of a domain together outside"
    low = None
    if whole is not None and domain.number > busbw.SMALL_DOMAIN and gpus.number > 2 * domain.number:
        low = whole * busbw.MANY_LARGE_DOMAINS_REACHED
        formula += "; the only published run on many domains of 72 reached 0.59 of this"
    figures = [
        stated(inside, "gb_s", formula=reason or formula, source=source, **operands),
        stated(whole, "gb_s", formula=reason or formula, source=source, low=low, **operands),
    ]
    columns = ("message_mib", "one_domain_gb_s", "all_gpus_gb_s")
    table = Table(columns, ("mib", "gb_s", "gb_s"), rows, "All-reduce bus bandwidth by message size", source)
    return figures[0], figures[1], table


def _collectives_table(
    inputs: Inputs,
    up: Any,
    fabric: PlannedFabric,
    generation: Entry | None,
    system: Entry | None,
    rates: tuple[Figure, Figure, Figure],
) -> Table:
    domain, link, nic = rates
    gpus, each = up.parallelism.gpus, gpus_per_node(system)
    if any(figure.value is None for figure in (*rates, gpus)):
        return Table(("remark",), ("text",), (("The rates of the links are not known.",),))
    return collectives_table(
        generation.id if generation else "",
        busbw.Link.of(generation),
        link.number,
        nic.number,
        int(domain.number),
        each,
        -(-int(gpus.number) // each),
        inputs.in_network_reduction and not fabric.ethernet,
    )


@lru_cache(maxsize=512)
def _swept(
    name: str, link: busbw.Link, link_gb_s: float, nic_gb_s: float, domain: int, gpus: int, in_network: bool
) -> tuple[float, float, tuple[tuple[Any, ...], ...]]:
    """Plateaus of one domain and of all GPUs, and both by message size. Pure: remembered."""
    one = max(1, min(domain, gpus))
    domains = -(-gpus // one)
    spans = ((one, 1), (one * domains, domains))
    plateaus = [busbw.plateau_gb_s(link, link_gb_s, nic_gb_s, n, k, in_network=in_network) for n, k in spans]
    if one == 1:
        plateaus[0] = 0.0
    rows = tuple(
        (
            size_mib,
            *(
                busbw.busbw_gb_s(busbw.bus_factor("all_reduce", n), size_mib * 2.0**20, busbw.start_s(link, n, k), b)
                if n > 1 and b > 0
                else None
                for (n, k), b in zip(spans, plateaus, strict=True)
            ),
        )
        for size_mib in MESSAGE_MIB
    )
    return plateaus[0], plateaus[1] if gpus > 1 else 0.0, rows


def _findings(inputs: Inputs, gpu: Entry, fabric: PlannedFabric, generation: Entry | None) -> list[Finding]:
    found: list[Finding] = []
    if fabric.refused:
        instead = f"the counts are of a rail-optimised fabric of {fabric.leaf.name} instead"
        found.append(
            Finding(
                "fabric.design_not_followed",
                "caution",
                "fabric.design" if fabric.asked else "fabric.nic_gbit_s",
                f"{fabric.refused}: {instead}.",
                (fabric.asked or fabric.leaf).sources.get("", ""),
                (("fabric.design", None),) if fabric.asked else (("fabric.nic_gbit_s", None),),
                "Follow the design of this GPU" if fabric.asked else "Use the design's own adapters",
            )
        )
    if generation is not None and "link_uni_gb_s" in generation.fields:
        one = units.text(generation.get("link_uni_gb_s"), "gb_s")
        found.append(
            Finding(
                "fabric.mesh",
                "note",
                "compute.gpu",
                f"{gpu.name} is a full mesh of {generation.get('links')} links without a switch: two GPUs see one link "
                f"({one}), so tensor parallelism of 2 or 4 is slower a GPU than of 8.",
                generation.sources.get("", ""),
            )
        )
    if fabric.ethernet and inputs.in_network_reduction and "in_network_reduction" in inputs.model_fields_set:
        found.append(
            Finding(
                "fabric.no_sharp",
                "note",
                "fabric.in_network_reduction",
                f"{fabric.leaf.name} is an Ethernet switch and does not reduce in the network: counted without.",
                fabric.leaf.sources.get("", ""),
                (("fabric.in_network_reduction", False),),
                "Plan without in-network reduction",
            )
        )
    return found
