"""A golden playthrough for every shipped book: read, replayed move by move, and compared."""

from pathlib import Path

import fivedice as fd
from exhaustive import second_reading as second
from fivedice.core.game import ExtraPaid, Scored
from fivedice.core.rules import RENAMED
from for_each import for_each
from golden.make_playthroughs import FOLDER, play


def read_stored(key: str) -> str:
    return (FOLDER / f"{key}.txt").read_text(encoding="utf-8")


def test_every_shipped_book_has_one() -> None:
    assert {path.stem for path in FOLDER.glob("*.txt")} == set(fd.SHIPPED)


@for_each("key", fd.SHIPPED)
def test_golden_record_round_trip(key: str) -> None:
    game = fd.read_game(read_stored(key))
    assert game.is_over
    assert game.book.key == key
    assert fd.write_game(game) == read_stored(key)


@for_each("path", sorted((FOLDER.parent / "older").glob("*.txt")), ids=lambda path: path.stem)
def test_renamed_rules_record_round_trip(path: Path) -> None:
    """Its fingerprint tells which rules its key meant."""
    text = path.read_text(encoding="utf-8")
    game = fd.read_game(text)
    assert f'[Book "{path.stem}"]' in text
    assert game.book is fd.book(RENAMED[path.stem])
    assert game.is_over
    assert fd.write_game(game) == text
    assert fd.write_game(fd.notation.game_from_json(fd.notation.game_to_json(game))) == text


@for_each("key", fd.SHIPPED)
def test_golden_record_matches_its_script(key: str) -> None:
    assert fd.write_game(play(key)) == read_stored(key)


@for_each("key", fd.SHIPPED)
def test_last_line_is_the_sum_of_turns(key: str) -> None:
    """Each score is asked of the second reading, and the totals are added up by it."""
    game = fd.read_game(read_stored(key))
    cards: list[dict[str, int]] = [{} for _ in game.players]
    paid = [0] * len(game.players)
    for step in game.steps:
        if isinstance(step.move, fd.Mark):
            seat = step.before.seat
            points, extra = second.options(key, cards[seat], step.before.dice.faces)[step.move.box]
            cards[seat][step.move.box] = points
            paid[seat] += extra > 0
    totals = [second.totals(key, card, count)[3] for card, count in zip(cards, paid, strict=True)]
    assert read_stored(key).split("\n")[-2] == f"= {' '.join(map(str, totals))}"


KISMET = {
    "two_pairs 30",
    "straight 30",
    "flush 35",
    "full_house 28",
    "full_house_one_color 38",
    "four_of_a_kind 50",
    "five_of_a_kind 70",
}


def features(key: str) -> set[str]:
    """Return the special events of a game."""
    found = set()
    game = fd.read_game(read_stored(key))
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
            thrown = step.before.rolls_in_turn - step.before.rolls_left
            found |= {"hold"} if thrown > 1 else set()
            found |= {"saved rolls"} if thrown > game.book.rolls else set()
            found |= {
                f"{event.box} {event.points}" for event in step.events if isinstance(event, Scored) and event.points
            }
            if ruling.joker_step and not step.before.card.alike_scored:
                found.add("ladder after a zero")
    return found


@for_each(
    ("key", "wanted"),
    [
        ("yahtzee", {"roll-off", "extra", "joker", "forced face", "forced lower", "ladder after a zero"}),
        ("yahtzee-classic", {"extra", "joker", "forced face"}),
        ("yardzee", {"extra", "forced face", "forced upper"}),
        ("yahtzee-free-choice", {"roll-off", "extra", "joker", "ladder after a zero"}),
        ("yahtzee-plain", {"roll-off"}),
        ("yatzy", set()),
        ("yatzy-forced", set()),
        ("kniffel", {"extra", "joker", "forced face", "forced lower", "five_of_a_kind 50"}),
        ("kismet", KISMET),
        ("yacht", {"five_of_a_kind 50", "large_straight 30"}),
        ("crag", {"crag 50", "thirteen 26", "three_of_a_kind 25"}),
        ("maxi-yatzy", {"saved rolls"}),
        ("maxi-yatzy-plain", set()),
    ],
)
def test_golden_record_shows_special_rules(key: str, wanted: set[str]) -> None:
    assert wanted | {"hold"} <= features(key)
