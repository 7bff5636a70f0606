"""The path of power: losses stage by stage, and what the feeds of a rack carry before and after a failure."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from wattsweights_gui.engine.declare import Entry, Figure, calc, unknown
from wattsweights_gui.engine.equations import electrical


def power_chain(inputs: Any, it: Figure, cooling: Figure) -> dict[str, Figure]:
    """Return the losses of the path, stage by stage: distribution and UPS carry IT, the transformer carries all."""
    at_pdu = inputs.fig("distribution_efficiency_pct")
    at_ups = inputs.fig("ups_efficiency_pct")
    at_transformer = inputs.fig("transformer_efficiency_pct")
    pdu_in = calc(electrical.stage_input, title="Input of the distribution", output_kw=it, efficiency_pct=at_pdu)
    ups_in = calc(electrical.stage_input, title="Input of the UPS", output_kw=pdu_in, efficiency_pct=at_ups)
    out = calc(
        electrical.transformer_output,
        title="Output of the transformers",
        ups_input=ups_in,
        cooling=cooling,
        auxiliary=inputs.fig("auxiliary_kw"),
    )
    pdu_loss = calc(electrical.stage_loss, title="Distribution", output_kw=it, efficiency_pct=at_pdu)
    ups_loss = calc(electrical.stage_loss, title="UPS", output_kw=pdu_in, efficiency_pct=at_ups)
    transformer_loss = calc(electrical.stage_loss, title="Transformer", output_kw=out, efficiency_pct=at_transformer)
    return {
        "loss_kw": calc(
            electrical.losses_kw, title="Losses", distribution=pdu_loss, ups=ups_loss, transformer=transformer_loss
        ),
        "distribution_loss_kw": pdu_loss,
        "ups_loss_kw": ups_loss,
        "transformer_loss_kw": transformer_loss,
        "ups_input_kw": ups_in,
    }


@lru_cache(maxsize=64)
def _feed_kva(catalog: Any, feed: str) -> Figure:
    entry: Entry = catalog.entry(feed)
    volts = {"volts_line_to_neutral": entry.fig("volts_line_to_neutral", "v", "line-to-neutral volts")}
    if entry.get("volts_line_to_neutral") is None or entry.get("phases") == 1:
        volts = {"volts_line_to_line": entry.fig("volts_line_to_line", "v", "line-to-line volts")}
    return calc(
        electrical.feed_kva,
        title=f"{entry.name}: usable",
        amps=entry.fig("breaker_a", "a", "breaker"),
        phases=entry.fig("phases", "count", "phases"),
        continuous_pct=entry.fig("continuous_pct", "pct", "continuous share"),
        **volts,
    )


def rack_feeds(inputs: Any, up: Any, rack: Figure) -> tuple[Figure, dict[str, Figure]]:
    """Return what one rack may draw, and the load of its feeds in normal operation and after a failure."""
    feed: Entry = up.entry(inputs.feed)
    kva = _feed_kva(up.catalog, inputs.feed)
    pf, count = inputs.fig("power_factor"), inputs.fig("feeds_per_rack")
    left = calc(electrical.surviving_feeds, title="Feeds that stay", feeds=count, scheme=inputs.fig("scheme"))
    usable = calc(electrical.usable_kw, title="Usable a rack", feeds=left, kva=kva, power_factor=pf)
    have = inputs.fig("rack_feed_limit_kw") if inputs.rack_feed_limit_kw is not None else usable
    volts = feed.fig("volts_line_to_line", "v", "line-to-line volts")
    phases = feed.fig("phases", "count", "phases")
    amps = unknown("no feed is left after the failure", "a")
    failover = unknown("no feed is left after the failure", "pct")
    if left.number > 0:
        each = calc(electrical.share_kw, title="Load of one feed after the failure", kw=rack, feeds=left)
        amps = calc(electrical.amps_per_phase, kw=each, volts_line_to_line=volts, phases=phases, power_factor=pf)
        failover = calc(electrical.feed_load_pct, kw=rack, feeds=left, kva=kva, power_factor=pf)
    return have, {
        "feed_kva": kva,
        "feed_usable_kw": usable,
        "feed_load_pct": calc(electrical.feed_load_pct, kw=rack, feeds=count, kva=kva, power_factor=pf),
        "failover_load_pct": failover,
        "failover_amps": amps,
    }
