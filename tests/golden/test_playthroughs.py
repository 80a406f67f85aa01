"""A golden playthrough for every shipped book: read, replayed move by move, and compared."""

import pytest

import fivedice as fd
from exhaustive import second_reading as second
from fivedice.game import ExtraPaid, Scored
from golden.make_playthroughs import FOLDER, play


def stored(key: str) -> str:
    return (FOLDER / f"{key}.txt").read_text(encoding="utf-8")


def test_every_shipped_book_has_one() -> None:
    assert {path.stem for path in FOLDER.glob("*.txt")} == set(fd.SHIPPED)


@pytest.mark.parametrize("key", fd.SHIPPED)
def test_it_reads_and_writes_as_ever(key: str) -> None:
    game = fd.read_game(stored(key))
    assert game.is_over
    assert game.book.key == key
    assert fd.write_game(game) == stored(key)


@pytest.mark.parametrize("key", fd.SHIPPED)
def test_it_is_what_the_script_beside_it_writes(key: str) -> None:
    assert fd.write_game(play(key)) == stored(key)


@pytest.mark.parametrize("key", fd.SHIPPED)
def test_its_last_line_is_the_sum_of_its_turns(key: str) -> None:
    """Each score is asked of the second reading, and the totals are added up by it."""
    game = fd.read_game(stored(key))
    cards: list[dict[str, int]] = [{} for _ in game.players]
    paid = [0] * len(game.players)
    for step in game.steps:
        if isinstance(step.move, fd.Mark):
            seat = step.before.seat
            points, extra = second.options(key, cards[seat], step.before.dice.faces)[step.move.box]
            cards[seat][step.move.box] = points
            paid[seat] += extra > 0
    totals = [second.totals(key, card, count)[3] for card, count in zip(cards, paid, strict=True)]
    assert stored(key).split("\n")[-2] == f"= {' '.join(map(str, totals))}"


def features(key: str) -> set[str]:
    """What happens in a game that is worth having in it."""
    found = set()
    game = fd.read_game(stored(key))
    if game.roll_off is not None:
        found.add("roll-off")
    for step in game.steps:
        if isinstance(step.move, fd.Mark):
            ruling = step.before.ruling()
            found |= {"extra" for event in step.events if isinstance(event, ExtraPaid)}
            found |= {"joker" for event in step.events if isinstance(event, Scored) and event.joker}
            found |= (
                {f"forced {ruling.joker_step.boxes}"}
                if ruling.joker_step and ruling.boxes != ruling.available
                else set()
            )
            found |= {"hold"} if step.before.rolls_left < game.book.rolls - 1 else set()
            if ruling.joker_step and not step.before.card.alike_scored:
                found.add("ladder after a zero")
    return found


@pytest.mark.parametrize(
    ("key", "wanted"),
    [
        ("yahtzee", {"roll-off", "extra", "joker", "forced face", "forced lower", "ladder after a zero"}),
        ("yahtzee-classic", {"extra", "joker", "forced face"}),
        ("yardzee", {"extra", "forced face", "forced upper"}),
        ("yahtzee-free-choice", {"roll-off", "extra", "joker", "ladder after a zero"}),
        ("yahtzee-plain", {"roll-off"}),
        ("yatzy", set()),
        ("yatzy-forced", set()),
        ("maxi-yatzy", set()),
    ],
)
def test_it_shows_what_is_peculiar_to_its_book(key: str, wanted: set[str]) -> None:
    assert wanted | {"hold"} <= features(key)
