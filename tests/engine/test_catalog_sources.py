"""Every entry of the catalogue says where it is from, and how sure that is."""

from __future__ import annotations

import json

import pytest

from wattsweights_gui import paths
from wattsweights_gui.catalog.load import FILES, catalog

SURE = {"read", "computed", "estimate", "memory"}


@pytest.mark.parametrize("name", FILES)
def test_that_every_entry_is_sourced_and_says_how_sure_it_is(name: str) -> None:
    data = json.loads(paths.resource("catalog", name).read_text(encoding="utf-8"))
    documents = data.get("documents", {})
    for entry in data["entries"]:
        assert entry["sources"], entry["id"]
        for source in entry["sources"]:
            document = documents.get(source.get("document", ""), source)
            words = " ".join(str(document.get(part) or "") for part in ("publisher", "document"))
            assert len(words) > 5, entry["id"]
            assert "from memory" not in words, entry["id"]
            assert (source.get("verified") or entry.get("verified")) in SURE, entry["id"]


def test_that_what_is_ours_is_called_an_estimate_and_what_was_not_read_an_assumption() -> None:
    busway = catalog().entry("busway_conductor")
    assert busway.sources[""].endswith("5 % in all (engineering estimate)")
    assert "NEC 210.19(A)" in busway.sources[""]
    assert "assumption: not read" in catalog().entry("ashrae_S40").sources[""]
    assert "(" not in catalog().entry("plug_of_feed_415_63_3_100").sources[""]


def test_that_pcie_6_is_what_its_source_computes() -> None:
    assert catalog().entry("pcie_gen6_x16").get("raw_uni_gb_s") == pytest.approx(64 * 16 / 8 * 242 / 256)
