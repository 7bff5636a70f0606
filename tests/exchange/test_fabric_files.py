"""Exports of the fabric, read back: by other readers where there is one, else by our own."""

from __future__ import annotations

import csv
import io
import shutil
import subprocess

import networkx
import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from wattsweights_gui.catalog.load import catalog
from wattsweights_gui.engine.planned_fabric import design_of
from wattsweights_gui.engine.wiring import wiring_of
from wattsweights_gui.exchange import cable_files, cable_plan, graph_files, rank_files, slurm_topology
from wattsweights_gui.exchange.host_list import compressed, expanded
from wattsweights_gui.layout.as_built import compare
from wattsweights_gui.layout.cables import cabling_of, media_of, spots_of
from wattsweights_gui.layout.placements import Device, Placements, Rack

DESIGN = design_of(catalog().entry("dgx_superpod_h100"), catalog())
NVL72 = design_of(catalog().entry("dgx_superpod_gb200"), catalog())


@given(st.lists(st.tuples(st.sampled_from(["node-", "gpu", "a-b-"]), st.integers(0, 1200), st.integers(3, 5))))
def test_that_a_list_of_hosts_stands_for_the_same_hosts_when_read_back(parts) -> None:
    names = [f"{prefix}{number:0{width}d}" for prefix, number, width in parts]
    assert sorted(expanded(compressed(names))) == sorted(set(names))


def test_that_neighbours_become_ranges() -> None:
    assert compressed([f"node-{n:03d}" for n in (*range(1, 33), 40)]) == "node-[001-032,040]"
    assert compressed(["one", "node-7"]) == "one,node-7"


@pytest.mark.parametrize("text", ["node-[1-", "node-[5-3]", "node-[x]", "a]b"])
def test_that_a_broken_list_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is no list of hosts"):
        expanded(text)


@settings(max_examples=20, deadline=None)
@given(st.integers(1, 300))
def test_that_slurm_s_tree_has_every_node_under_one_leaf_and_reads_back(nodes: int) -> None:
    wiring = wiring_of(DESIGN, nodes)
    switches = slurm_topology.units_of(wiring)
    back = slurm_topology.read_tree(slurm_topology.tree_conf(switches))
    assert back == switches
    under = [node for switch in back for node in switch.nodes]
    assert sorted(under) == sorted(wiring.names[:nodes])
    assert len([s for s in back if s.nodes]) == wiring.counts.units
    assert all(len(s.name) <= slurm_topology.LONGEST_NAME for s in back)


def test_that_slurm_s_yaml_says_the_same_tree_and_blocks() -> None:
    wiring = wiring_of(DESIGN, 96)
    (tree,) = yaml.safe_load(slurm_topology.tree_yaml(slurm_topology.units_of(wiring)))
    top, *leaves = tree["tree"]["switches"]
    assert expanded(top["children"]) == ("su01", "su02", "su03")
    assert {leaf["switch"]: len(expanded(leaf["nodes"])) for leaf in leaves} == {f"su0{n}": 32 for n in (1, 2, 3)}
    (block,) = yaml.safe_load(slurm_topology.block_yaml(slurm_topology.blocks_of(wiring)))
    assert block["block"]["block_sizes"] == [32, 64]


def test_that_an_nvl72_rack_is_a_block_of_eighteen_hosts() -> None:
    wiring = wiring_of(NVL72, 8)
    blocks = slurm_topology.blocks_of(wiring, 18)
    assert {len(block.nodes) for block in blocks} == {18}
    assert slurm_topology.block_sizes(blocks) == (18, 144)
    text = slurm_topology.block_conf(blocks)
    assert "BlockName=block1 Nodes=node-001-[01-18]" in text
    assert text.endswith("BlockSizes=18,144\n")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "There is no switch in it"),
        ("SwitchName=a\n", "Line 1: “SwitchName=a” names no switch with its nodes"),
        ("SwitchName=a Nodes=n[1-2]\nSwitchName=a Nodes=n3\n", "Line 2: the switch a is named twice"),
        ("SwitchName=a Switches=b\n", "has b below it, which is not there"),
        ("SwitchName=a Nodes=n[2-1]\n", "Line 1: “n\\[2-1\\]” is no list of hosts"),
    ],
)
def test_that_a_topology_that_cannot_be_read_says_where(text: str, says: str) -> None:
    with pytest.raises(slurm_topology.NotReadError, match=says):
        slurm_topology.read_tree(text)


@pytest.mark.parametrize("nodes", [4, 40, 130])
def test_that_networkx_reads_the_graphml_as_the_same_fabric(nodes: int) -> None:
    wiring = wiring_of(DESIGN, nodes)
    graph = networkx.parse_graphml(graph_files.graphml(wiring, 400.0), force_multigraph=True)
    assert graph.number_of_nodes() == len(wiring.devices)
    assert graph.number_of_edges() == len(wiring.links)
    assert networkx.is_connected(graph)
    degrees = dict(graph.degree())
    assert [degrees[name] for name in wiring.names] == wiring.used_ports.tolist()


@pytest.mark.skipif(shutil.which("dot") is None, reason="graphviz is not installed")
def test_that_graphviz_reads_the_dot() -> None:
    text = graph_files.dot(wiring_of(DESIGN, 8), 400.0)
    found = subprocess.run(["dot", "-Tplain"], input=text, capture_output=True, text=True, check=True).stdout
    assert sum(line.startswith("edge ") for line in found.splitlines()) == len(wiring_of(DESIGN, 8).links)


def test_that_hosts_and_ranks_are_in_one_order() -> None:
    wiring = wiring_of(DESIGN, 3)
    assert rank_files.host_file(wiring, 8) == "node-001 slots=8\nnode-002 slots=8\nnode-003 slots=8\n"
    ranks = rank_files.rank_file(wiring, 8).splitlines()
    assert len(ranks) == 24
    assert ranks[9] == "rank 9=node-002 slot=1"


def one_rack() -> Placements:
    devices = tuple(Device(f"d{n}", "dgx_h100", f"=node{n}", 8, 1 + 8 * n, role="node") for n in range(4))
    return Placements.of([Rack("r1", "R001")], {"r1": devices})


def test_that_the_cable_csv_reads_back_as_the_plan_of_the_same_fabric() -> None:
    wiring = wiring_of(DESIGN, 32)
    cabling = cabling_of(wiring, spots_of(wiring, Placements(), {}), media_of(catalog(), 400.0), 400.0)
    back = cable_plan.read(cable_files.cable_csv(cabling))
    assert len(back) == len(wiring.links)
    assert compare(back, back) == ()
    assert {c.gbit_s for c in back} == {400.0}


def test_that_no_cell_is_a_formula() -> None:
    text = cable_files.netbox_devices(one_rack(), "Site", {"dgx_h100": ("NVIDIA", "DGX H100")})
    rows = list(csv.reader(io.StringIO(text)))
    assert [row[0] for row in rows[1:]] == [f"'=node{n}" for n in range(4)]


def test_that_netbox_tables_name_racks_places_and_both_sides_of_each_cable() -> None:
    racks = list(csv.DictReader(io.StringIO(cable_files.netbox_racks(one_rack(), "Site A"))))
    assert racks == [{"name": "R001", "site": "Site A", "status": "planned", "u_height": "48", "width": "19"}]
    devices = list(csv.DictReader(io.StringIO(cable_files.netbox_devices(one_rack(), "Site A", {}))))
    assert [d["position"] for d in devices] == ["1", "9", "17", "25"]
    wiring = wiring_of(DESIGN, 32)
    cabling = cabling_of(wiring, spots_of(wiring, Placements(), {}), media_of(catalog(), 400.0), 400.0)
    cables = list(csv.DictReader(io.StringIO(cable_files.netbox_cables(cabling))))
    assert len(cables) == len(wiring.links)
    assert cables[0]["side_a_device"] == "node-001"
    assert cables[0]["side_b_device"] == "leaf-su01-r1"
