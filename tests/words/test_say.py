"""Messages become sentences: numbers, names, plurals, the reader, and another language."""

import pickle

import pytest

import fivedice as fd
from fivedice.message import Message, Who, message
from fivedice.text import Chance, Either, Sentences, Signed, format_value, formatting, group_digits, say, using
from fivedice.text.formatting import Plural
from fivedice.text.languages import PSEUDO, add_accents, direction

SENTENCES = {
    "trial.rolled": "{who} rolled {dice}.",
    "trial.rolled.you": "You rolled {dice}.",
    "trial.left": Plural("{count} roll left", "{count} rolls left"),
}


@pytest.fixture(autouse=True)
def _trial_table(monkeypatch: pytest.MonkeyPatch) -> None:
    real = formatting._table
    monkeypatch.setattr("fivedice.text.formatting._table", lambda area: SENTENCES if area == "trial" else real(area))


def test_unnamed_player_is_you_only_in_own_view() -> None:
    dice = fd.Roll.parse("44123")
    assert say(message("trial.rolled", who=Who(1, you=True), dice=dice)) == "You rolled 1-2-3-4-4."
    assert say(message("trial.rolled", who=Who(1), dice=dice)) == "Player 1 rolled 1-2-3-4-4."
    assert say(message("trial.rolled", who=Who(2, "Ann"), dice=dice)) == "Ann rolled 1-2-3-4-4."


@pytest.mark.parametrize(("count", "said"), [(0, "0 rolls left"), (1, "1 roll left"), (2, "2 rolls left")])
def test_plural_forms(count: int, said: str) -> None:
    assert say(message("trial.left", count=count)) == said


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (1234, "1234"),
        (-3, "−3"),
        (-0.04, "0.0"),
        (-1.25, "−1.2"),
        (Signed(3), "+3"),
        (Signed(-3), "−3"),
        (Signed(-0.5), "−0.5"),
        (Chance(0), "0%"),
        (Chance(0.004), "under 1%"),
        (Chance(0.47), "47%"),
        (Chance(0.996), "over 99%"),
        (Chance(1), "100%"),
        ((), ""),
        (("a",), "a"),
        (("a", "b", 3), "a, b and 3"),
        (Either(("a", "b", "c")), "a, b or c"),
        (Sentences((message("trial.left", count=1), message("trial.left", count=2))), "1 roll left 2 rolls left"),
        (fd.Keep.parse("446"), "4-4-6"),
        (fd.book("yahtzee").box("full_house"), "Full House"),
        (fd.book("yahtzee"), "Yahtzee"),
    ],
)
def test_values_are_formatted_for_people(value: object, said: str) -> None:
    assert format_value(value) == said


def test_other_languages_change_texts_but_not_names() -> None:
    with using(PSEUDO):
        text = say(message("trial.rolled", who=Who(2, "Ann"), dice=fd.Roll.parse("44123")))
        unnamed, box = format_value(Who(1)), format_value(fd.book("yahtzee").box("full_house"))
    assert text == "Ann ŕöļļéđ 1-2-3-4-4.··"
    assert unnamed == "Þļåýéŕ 1··"
    assert box == "Ƒûļļ Ĥöûšé···"
    assert say(message("trial.left", count=2)) == "2 rolls left"
    with using("xx"):
        assert say(message("trial.left", count=1)) == "1 roll left"
    with using("he-IL"):
        assert direction() == "rtl"
    assert direction() == "ltr"


def test_pseudo_language_keeps_placeholders_tags_and_code() -> None:
    assert add_accents('<a href="x">a {name} %(n)s 5%% &amp;</a>') == '<a href="x">å {name} %(n)s 5%% &amp;</a>·'
    assert (
        add_accents("Use <code>make run</code>, `a b` or <kbd>R</kbd>.")
        == "Ûšé <code>make run</code>, `a b` öŕ <kbd>R</kbd>.··"
    )


def test_errors_keep_kind_and_arguments_when_pickled_and_plain_text_as_is() -> None:
    error = fd.IllegalMove("trial.left", count=1)
    assert error.message == Message("trial.left", {"count": 1})
    assert str(error) == "1 roll left"
    again = pickle.loads(pickle.dumps(error))  # noqa: S301 - our own
    assert (type(again), str(again)) == (fd.IllegalMove, "1 roll left")
    book = fd.BookError(message("trial.left", count=2), file="a.toml", line=3, path=("x",))
    assert (str(book), book.reason) == ("a.toml, line 3: 2 rolls left", "2 rolls left")
    assert str(pickle.loads(pickle.dumps(book))) == str(book)  # noqa: S301
    assert str(fd.IllegalMove("my bot is tired")) == "my bot is tired"


def test_large_numbers_are_grouped() -> None:
    assert [group_digits(number) for number in (999, 1234567, 1234.56, -1234.5)] == [
        "999",
        "1,234,567",
        "1,234.6",
        "−1,234.5",
    ]
