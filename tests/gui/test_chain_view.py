"""The chain: every layer, in order, the collision unmistakable, and nothing cut off."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import QSize, Qt

from wattsweights_gui.engine.layers import LAYERS
from wattsweights_gui.gui.panels.chain_card import ChainCard, Content, Line
from wattsweights_gui.gui.panels.chain_view import ChainView
from wattsweights_gui.gui.session import Session
from wattsweights_gui.gui.theme import CHANGE_SHOWN_MS, Theme, _tokens


@pytest.fixture
def chain(qtbot: Any, session: Session, theme: Theme) -> ChainView:
    """The chain of the example of the collision."""
    session.open_example("512-against-256")
    made = ChainView(session, theme)
    qtbot.addWidget(made)
    made.resize(1000, 420)
    made.show()
    qtbot.waitExposed(made)
    return made


def test_that_every_layer_has_a_card_in_order(chain: ChainView) -> None:
    assert list(chain.cards) == [layer.name for layer in LAYERS]
    places = [(card.y(), card.x()) for card in chain.cards.values()]
    assert places == sorted(places)


@pytest.mark.parametrize("size", [(400, 300), (740, 360), (1020, 340), (1200, 420), (2400, 700)])
def test_that_cards_never_overlap_and_stay_inside(chain: ChainView, size: tuple[int, int]) -> None:
    chain.resize(QSize(*size))
    frames = [card.geometry() for card in chain.cards.values()]
    for n, frame in enumerate(frames):
        assert chain.widget().rect().contains(frame)
        assert not any(frame.intersects(other) for other in frames[n + 1 :])
    assert chain.horizontalScrollBar().maximum() == 0 or not chain.horizontalScrollBar().isVisible()


def test_that_all_cards_are_in_sight_on_a_laptop(chain: ChainView) -> None:
    chain.resize(1010, 330)
    assert all(card.geometry().bottom() < chain.viewport().height() for card in chain.cards.values())


def test_that_the_binding_limit_is_marked_once_and_in_words(chain: ChainView, session: Session) -> None:
    binding = [name for name, card in chain.cards.items() if card.content.rank == 1]
    assert binding == ["cooling"]
    card = chain.cards["cooling"]
    assert card.content.state == "over"
    assert card.content.word == "BINDS"
    assert card.content.share == "163%"
    assert "BINDS" in card.accessibleName()


@pytest.mark.parametrize(
    ("load", "state"), [(None, "unknown"), (0.0, "fine"), (0.899, "fine"), (0.9, "near"), (1.0, "near"), (1.01, "over")]
)
def test_that_a_load_is_fine_near_or_over(load: float | None, state: str) -> None:
    assert Content("Power", (), load=load).state == state


def test_that_a_limit_of_nothing_is_said_in_words() -> None:
    assert Content("Power", (), load=float("inf")).share == "none there"
    assert Content("Power", (), load=25.0).share == "× 25"


def test_that_a_changed_number_says_for_two_seconds_what_it_was(qtbot: Any, theme: Theme) -> None:
    card = ChainCard(theme, "parallelism")
    qtbot.addWidget(card)
    card.show_content(Content("Split", (Line("p", "GPUs", "640"),)), mark_changes=False)
    card.show_content(Content("Split", (Line("p", "GPUs", "512"),)))
    assert card.shown_change("p") == "640"
    qtbot.waitUntil(lambda: card.shown_change("p") == "", timeout=CHANGE_SHOWN_MS + 2000)


def test_that_an_edit_marks_the_changed_numbers_and_another_document_does_not(
    chain: ChainView, session: Session
) -> None:
    card = chain.cards["workload"]
    path = card.content.headlines[0].path
    was = card.content.headlines[0].text
    assert card.shown_change(path) == ""
    session.apply([("workload.model.params_b", 400.0)])
    assert card.shown_change(path) == was
    session.open_example("1t-30-days")
    assert card.shown_change(path) == ""


def test_that_a_card_is_reached_and_opened_by_keyboard(qtbot: Any, chain: ChainView) -> None:
    card = chain.cards["power"]
    card.setFocus(Qt.FocusReason.TabFocusReason)
    with qtbot.waitSignal(card.opened) as told:
        qtbot.keyClick(card, Qt.Key.Key_Return)
    assert told.args == ["power"]


def test_that_every_number_on_a_card_can_be_explained(chain: ChainView, session: Session) -> None:
    for card in chain.cards.values():
        lines = [*card.content.headlines, *(x for x in (card.content.need, card.content.have) if x and x.path)]
        for line in lines:
            assert session.evaluation.figure(line.path).title


def _contrast(one: str, other: str) -> float:
    def luminance(colour: str) -> float:
        parts = [int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5)]
        linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("name", ["light", "dark"])
def test_that_text_can_be_read_on_every_ground(name: str) -> None:
    tokens = _tokens(name)
    pairs = [(t, g) for t in ("text", "quiet") for g in ("window", "surface", "raised", "field")]
    pairs += [(t, g) for t in ("text", "quiet") for g in ("over_soft", "near_soft", "accent_soft")]
    pairs += [("over", "over_soft"), ("near", "near_soft"), ("fine", "raised"), ("over", "surface")]
    pairs += [("on_accent", "accent"), ("on_over", "over"), ("accent", "surface")]
    poor = {f"{t} on {g}": round(_contrast(tokens[t], tokens[g]), 2) for t, g in pairs}
    assert not {k: v for k, v in poor.items() if v < 4.5}
