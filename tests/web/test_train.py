"""The daily ten and the trainer on the web: one answer, and nothing about the best move before it is stored."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path

import pytest

import fivedice as fd
from fivedice.core.game import Hold, Mark
from fivedice.positions.judging import judge_answer
from fivedice.table.actions.rights import player_id
from fivedice.web.pages.train import ten_pages
from web.inside import Inside
from web.stage import key_of

TODAY = date(2026, 11, 18)


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Inside]:
    monkeypatch.delenv("FIVEDICE_TABLES", raising=False)
    with Inside(tmp_path) as server:
        set_day(server, TODAY - timedelta(1))  # the first day of this server
        server.ask("GET", "/daily")
        set_day(server, TODAY)
        yield server


def set_day(server: Inside, day: date) -> None:
    server.app.state.services.daily.days.clock = lambda: datetime.combine(day, time(12), UTC)


def ten(server: Inside, day: str | None = None) -> ten_pages.DayTen:
    return ten_pages.ten_of(server.app.state.services, day)


def form_of(found: ten_pages.DayTen, number: int, move: Hold | Mark) -> dict[str, object]:
    form: dict[str, object] = {"day": found.name, "number": str(number)}
    if isinstance(move, Mark):
        return form | {"box": move.box}
    faces, slots = list(found.positions[number].position.dice.faces), []
    for face in move.keep.faces:
        slots.append(str(faces.index(face)))
        faces[faces.index(face)] = 0
    return form | {"hold": slots}


def options(found: ten_pages.DayTen, number: int) -> list[fd.Advice]:
    return fd.solve(found.book).advise(found.positions[number].position)


def test_nothing_about_the_best_move_before_the_answer_is_stored(server: Inside) -> None:
    found = ten(server)
    for number in range(10):
        judged = judge_answer(fd.solve(found.book), found.positions[number].position, options(found, number)[0].move)
        for address in ("/daily/ten", f"/daily/ten?n={number + 1}", "/daily/ten?n=11"):
            page = server.ask("GET", address, "Ann").text
            assert str(judged.why) not in page
            assert 'class="verdict' not in page
            assert "to-score" not in page
        worst = options(found, number)[-1]
        answer = server.ask("POST", "/daily/ten", "Ann", data=form_of(found, number, worst.move))
        assert answer.headers["location"] == f"/daily/ten?n={number + 1}&day={found.name}"
        page = server.ask("GET", answer.headers["location"], "Ann").text
        assert str(judged.why) in page.replace("&#39;", "'")
        assert f"{worst.loss:.1f} points lost" in page


def test_no_second_tab_replay_or_forged_number_improves_a_result(server: Inside) -> None:
    found, store = ten(server), server.app.state.services.tables.store.decisions
    first = options(found, 0)
    server.ask("POST", "/daily/ten", "Ann", data=form_of(found, 0, first[-1].move))
    for number in (0, 5, 99, -1):
        form = form_of(found, 0, first[0].move) | {"number": str(number)}
        assert server.ask("POST", "/daily/ten", "Ann", data=form).status_code == 303
    result = store.ten_result(player_id(key_of("Ann")), found.name)
    assert result.answered == 1
    assert result.lost == pytest.approx(first[-1].loss)
    refused = server.ask("POST", "/daily/ten", "Ann", data={"day": found.name, "number": "1", "box": "nonsense"})
    assert refused.status_code == 422
    assert "has no box" in refused.text


def play_all(server: Inside, who: str, place: int, day: str | None = None) -> None:
    found = ten(server, day)
    for number in range(10):
        move = options(found, number)[place].move
        server.ask("POST", "/daily/ten", who, data=form_of(found, number, move))


def test_the_result_has_squares_rank_field_and_a_text_that_gives_nothing_away(server: Inside) -> None:
    for who, place in (("Ann", 0), ("Bob", 0), ("Cid", 1)):
        play_all(server, who, place)
    page = server.ask("GET", "/daily/ten", "Ann").text
    assert "Rank 1 of 3 players" in page
    assert "Rank 1 of 3 players" in server.ask("GET", "/daily/ten", "Bob").text, "ties share a rank"
    cid = server.ask("GET", "/daily/ten", "Cid").text
    assert "Rank 3 of 3 players" in cid
    shared = re.search(r"<textarea[^>]*>(.*?)</textarea>", page, re.DOTALL)
    assert shared is not None
    assert shared[1] == (
        "Fivedice 2026-11-18 · Daily ten\n0.0 points lost\n" + 10 * "🟩" + "\nhttp://dice.test/daily/2026-11-18"
    )
    drawn = server.ask("GET", "/daily/ten/picture.svg", "Cid").text
    assert "points lost" in drawn
    dice = {str(each.position.dice) for each in ten(server).positions}
    assert not [each for each in dice if each in drawn]
    assert server.ask("GET", f"/daily/ten/picture.svg?day={TODAY - timedelta(1)}", "Cid").status_code == 404
    preview = re.search(r'<meta property="og:title" content="(.*?)">', server.ask("GET", "/daily/ten", "Dot").text)
    assert preview is not None
    assert preview[1].startswith("Fivedice 2026-11-18: ")
    field = server.ask("GET", "/api/daily/ten/field").json()
    assert (field["people"], field["results"][0]) == (3, {"lost": 0.0, "people": 2, "rank": 1})


def test_a_day_that_is_over_is_practice_and_one_to_come_is_refused(server: Inside) -> None:
    yesterday = str(TODAY - timedelta(1))
    play_all(server, "Ann", 0, yesterday)
    page = server.ask("GET", f"/daily/ten?day={yesterday}", "Ann").text
    assert "practice" in page
    assert server.app.state.services.tables.store.decisions.field(yesterday).players == 0
    for day, status in ((str(TODAY + timedelta(1)), 404), ("0001-01-01", 404), ("2026-02-30", 400), ("tomorrow", 400)):
        assert server.ask("GET", f"/daily/ten?day={day}", "Ann").status_code == status


def test_midnight_in_the_middle_counts_for_the_day_that_was_begun(server: Inside) -> None:
    found, clock = ten(server), server.app.state.services.daily.days
    for who, hours in (("Ann", 11), ("Bob", 12)):  # after midnight
        set_day(server, TODAY)
        for number in range(10):
            if number == 4:
                set_day(server, TODAY + timedelta(1))
                assert f'href="/daily/ten?day={TODAY}"' in server.ask("GET", f"/daily/ten?n=4&day={TODAY}", who).text
                clock.clock = lambda hours=hours: datetime.combine(TODAY + timedelta(1), time(hours), UTC)
            server.ask("POST", "/daily/ten", who, data=form_of(found, number, options(found, number)[0].move))
    assert "practice" in server.ask("GET", f"/daily/ten?day={TODAY}", "Bob").text, "half a day later it is too late"
    assert server.app.state.services.tables.store.decisions.field(found.name).players == 1


def test_the_trainer_asks_hints_judges_and_goes_on(server: Inside) -> None:
    assert "Start" in server.ask("GET", "/train", "Ann").text
    assert server.ask("POST", "/train/next", "Ann", data={"book": "yatzy", "theme": "bonus"}).status_code == 303
    page = server.ask("GET", "/train", "Ann").text
    assert "Upper bonus" in page
    question = re.search(r'name="question" value="(\w+)"', page)
    assert question is not None
    assert "verdict" not in page
    server.ask("POST", "/train/hint", "Ann")
    assert 'class="tip"' in server.ask("GET", "/train", "Ann").text
    stale = server.ask("POST", "/train", "Ann", data={"question": "0" * 16, "box": "chance"})
    assert stale.status_code == 303
    assert "verdict" not in server.ask("GET", "/train", "Ann").text, "an old page answers nothing"
    state = server.ask("GET", "/api/train", headers=bearer("Ann")).json()
    box = next(iter(fd.read_position(state["next"]).ruling().legal))
    server.ask("POST", "/train", "Ann", data={"question": question[1], "box": box})
    assert "verdict" in server.ask("GET", "/train", "Ann").text
    assert "The last answer" in server.ask("GET", "/train/themes", "Ann").text


def test_playing_to_win_shows_both_players_and_judges_by_odds(server: Inside) -> None:
    choice = server.ask("GET", "/train/themes?book=maxi-yatzy", "Ann").text
    assert "cannot be practised" in choice
    assert 'value="win"' not in choice
    refused = server.ask("POST", "/train/next", "Ann", data={"book": "maxi-yatzy", "theme": "win"})
    assert "cannot be practised" in refused.text
    refused = server.ask("POST", "/api/train/next", headers=bearer("Ann"), json={"book": "maxi-yatzy", "theme": "win"})
    assert (refused.status_code, "cannot be practised" in refused.text) == (422, True)
    assert 'value="win"' in server.ask("GET", "/train/themes?book=crag", "Ann").text
    server.ask("POST", "/train/next", "Ann", data={"book": "crag", "theme": "win"})
    state = server.ask("GET", "/api/train", headers=bearer("Ann")).json()
    position, page = fd.read_position(state["next"]), server.ask("GET", "/train", "Ann").text
    own, other = position.cards
    assert f"{own.total} to {other.total}" in page
    assert "The other player has" in page
    assert "Odds to win" not in page
    best, *_, worst = fd.win(position).advise()
    move = {"box": worst.box} if worst.box else {"keep": str(worst.keep)}
    judged = server.ask("POST", "/api/train/answer", headers=bearer("Ann"), json=move).json()["last"]
    assert (judged["lost"], judged["share"]) == pytest.approx((100 * worst.loss, worst.share), abs=1e-9)
    assert judged["best"] == (f"={position.book.box(best.box).code}" if best.box else f">{best.keep}")
    page = server.ask("GET", "/train", "Ann").text
    assert "percentage points lost" in page
    assert "is 2 percentage points." in page
    assert "Odds to win" in page
    summary = server.ask("GET", "/train/themes", "Ann").text
    assert "0.0 points lost." in summary
    assert "Playing to win: " in summary


def bearer(who: str) -> dict[str, str]:
    return {"authorization": f"Bearer {key_of(who)}"}


def test_a_program_answers_the_same_by_the_api(server: Inside) -> None:
    head = bearer("Dot")
    before = server.ask("GET", "/api/daily/ten", headers=head).json()
    assert (before["answered"], before["answers"]) == (0, [])
    position = fd.read_position(before["next"])
    box = next(iter(position.ruling().legal))
    done = server.ask("POST", "/api/daily/ten", headers=head, json={"number": 1, "box": box}).json()
    right = fd.solve(position.book).advise(position)
    assert done["answers"][0]["lost"] == pytest.approx(next(each.loss for each in right if each.box == box), abs=1e-9)
    again = server.ask("POST", "/api/daily/ten", headers=head, json={"number": 1, "box": box})
    assert (again.status_code, again.json()["error"]) == (409, "wrong-phase")
    for body in ({"number": 2}, {"number": 2, "keep": "1", "box": box}, {"number": 0, "box": box}):
        assert server.ask("POST", "/api/daily/ten", headers=head, json=body).status_code == 400
    asked = server.ask("POST", "/api/train/next", headers=head, json={"book": "crag", "theme": "sets"}).json()
    assert asked["theme"] == "sets"
    assert server.ask("POST", "/api/train/next", headers=head, json={"theme": "luck"}).status_code == 400
    best = fd.solve("crag").advise(fd.read_position(asked["next"]))[0]
    move = {"box": best.box} if best.box else {"keep": str(best.keep)}
    judged = server.ask("POST", "/api/train/answer", headers=head, json=move).json()
    assert (judged["last"]["lost"], judged["answered"], judged["rating"] > 1500) == (0.0, 1, True)
