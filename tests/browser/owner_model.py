"""Runs of the model without a page: the scripts that own a sheet on two phones, against the server's own decisions.

A run takes some hundredths of a second, so a campaign plays thousands. What must hold is the ledger's, as with pages.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from random import Random
from typing import Any

import msgspec
from playwright.sync_api import Page

from browser.pad_model import DICE, MAY, Ledger
from browser.pad_phone import entries_of
from browser.phone_sheets import base_of
from fivedice.table.refusals import Refusal
from fivedice.web.http.forms import CommandBody
from fivedice.web.pages.pad.rule_data import rule_data
from table.table_harness import ANN, Parlour, pad

CALL = """async ([doing, phone, given]) =>
    (await import("/unit/owner_runs.js")).doings[doing](phone ?? given, given)"""
PHONES = ("one", "two")
WEIGHTS = {"write": 30, "undo": 8, "correct": 8, "pass": 2, "join": 2, "retire": 1, "end": 1}
TALK = {"send": 25, "learn": 15, "answer": 5, "network": 8}
NETWORK = ("well", "well", "cut", "lost", "unwell")
MOST_ANSWERS = 120


@dataclass
class Server:
    """A table without a database, which knows the keys that it has answered."""

    parlour: Parlour
    keys: set[str]
    network: dict[str, str]  # of each phone
    ledger: Ledger

    def serve(self, phone: str, body: str) -> dict[str, Any]:
        """Answer a request; where the connection is cut the server never hears of it."""
        state = self.network[phone.partition("/")[0]]
        if state == "cut":
            return _answer(0, "", is_lost=True)
        if state == "unwell":
            return _answer(503, "")
        op = json.loads(body)
        try:
            if op["key"] not in self.keys:
                self._execute(op)
        except Refusal as refusal:
            result = {"error": refusal.code, "message": str(refusal)}
            return _answer(refusal.status, json.dumps(result), is_lost=state == "lost")
        seats = [{"name": seat.name} for seat in self.parlour.state.seats]
        result = {"version": self.parlour.state.version, "table": {"seats": seats}}
        return _answer(200, json.dumps(result), is_lost=state == "lost")

    def _execute(self, op: dict[str, Any]) -> None:
        place = op.get("game"), op.get("turn")
        stands = [each.mark for each in entries_of(self.parlour.state) if (each.game, each.turn) == place]
        self.parlour.do(msgspec.convert(op, CommandBody).command_of(ANN))
        self.keys.add(op["key"])
        if op["command"] == "write" and stands:
            self.ledger.merge("".join(sorted(op["dice"])), stands[0])

    def base(self) -> dict[str, Any]:
        """The sheet as a page tells it."""
        links = {"rules": "/r", "commands": "/c", "setUp": "/pad", "book": "/b"}
        result = {"version": self.parlour.state.version, "keeper": True, "most": 12, "mode": "quick", "links": links}
        return base_of(self.parlour.state) | result


def _answer(status: int, body: str, *, is_lost: bool = False) -> dict[str, Any]:
    return {"status": status, "body": body, "isLost": is_lost}


class OwnerRun:
    """One run by its seed."""

    def __init__(self, page: Page, seed: int) -> None:
        self.page, self.seed, self.chance = page, seed, Random(seed)
        parlour = pad("Ann", "Bob", book="yatzy", games=1)
        self.ledger = Ledger({box.key: box.key for box in parlour.state.book.boxes})
        self.server = Server(parlour, set(), dict.fromkeys(PHONES, "well"), self.ledger)
        self.dice = self.chance.sample(DICE, len(DICE))
        self.done: list[str] = [f"seed {seed}"]

    def call(self, doing: str, phone: str | None, given: Any = None) -> Any:
        return self.page.evaluate(CALL, [doing, phone and f"{phone}/{self.seed}", given])

    def play(self, steps: int) -> None:
        self.call("begin", None, {"table": rule_data(self.server.parlour.state.book)["rules"]})
        for phone in PHONES:
            self.call("learn", phone, {"base": self.server.base()})
        weights = WEIGHTS | TALK
        for doing in self.chance.choices(list(weights), list(weights.values()), k=steps):
            self._do(doing, self.chance.choice(PHONES))
        self._settle()

    def _do(self, doing: str, phone: str) -> None:
        if doing == "network":
            self.server.network[phone] = self.chance.choice(NETWORK)
            self.done.append(f"{phone}: {self.server.network[phone]}")
        elif doing == "send":
            self._send(phone, self._step(self.chance.choice(("write", "undo"))) if self.chance.random() < 0.2 else None)
        elif doing == "learn":
            if self.server.network[phone] == "well":
                self._learn(phone)
        elif doing == "answer":
            self._answer(phone)
        else:
            step = self._step(doing)
            self._note(phone, step, self.call("perform", phone, step))

    def _step(self, doing: str) -> dict[str, Any]:
        return {
            "doing": doing,
            "pick": self.chance.randrange(10_000),
            "dice": self.dice.pop(),
            "other": self.dice.pop(),
        }

    def _send(self, phone: str, meanwhile: dict[str, Any] | None = None) -> None:
        self.done.append(f"{phone}: send")
        for each in self.call("send", phone, meanwhile):
            self._note(phone, each["step"], each["came"])

    def _learn(self, phone: str) -> None:
        self.done.append(f"{phone}: learn")
        self.call("learn", phone, {"base": self.server.base()})

    def _note(self, phone: str, step: dict[str, Any], came: Any) -> None:
        self.done.append(f"{phone}: {step['doing']} {step['dice']} {step['other']}: {came}")
        if not isinstance(came, dict):
            return
        if step["doing"] == "write":
            self.ledger.write(PHONES.index(phone), came, step["dice"])
        elif step["doing"] == "undo":
            self.ledger.release_place(came["name"], came["box"], came["points"])
        elif step["doing"] == "correct":
            self.ledger.release_place(came["name"], came["box"], came["was"])
            self.ledger.write(PHONES.index(phone), came, step["other"])

    # --- what is asked ---

    def _answer(self, phone: str) -> bool:
        """Settle something that was refused, or waits for what is not there; False if no button asks for it."""
        asked = [each for each in self.call("waiting", phone) if each["isAsked"]]
        if not asked:
            return False
        op, code = (found := next((each for each in asked if each["code"]), asked[0]))["op"], found["code"]
        way = self.chance.choice(("discard", "takeMine", "rewrite"))
        given = {"key": op["key"], "pick": self.chance.randrange(10_000)}
        came = self.call(way, phone, given) if code and way != "discard" and op["command"] == "write" else None
        self.done.append(f"{phone}: {way} {op['command']} {op.get('dice')}: {came}")
        if came is None:
            self._give_up(op)
            self.call("discard", phone, given)
        elif way == "takeMine":
            self.ledger.release_place(came["name"], came["box"], came["points"])
        else:
            self._move(op, came)
        return True

    def _give_up(self, op: dict[str, Any]) -> None:
        marks = {"".join(sorted(each.get("dice") or "")) for each in (op, *op.get("changes", ()))}
        for note in self.ledger.notes:
            if note.mark in marks or note.name == op.get("name"):  # a player who came goes with all entries
                note.fate = MAY

    def _move(self, op: dict[str, Any], came: dict[str, Any]) -> None:
        for note in self.ledger.notes:
            if note.mark == "".join(sorted(op["dice"])):
                note.box, note.points = came["box"], came["points"]

    def _settle(self) -> None:
        self.server.network = dict.fromkeys(PHONES, "well")
        for _ in range(MOST_ANSWERS):
            for phone in PHONES:
                self._send(phone)
                self._learn(phone)
            asked = [self._answer(phone) for phone in PHONES]
            if not any(asked) and not any(self.call("waiting", phone) for phone in PHONES):
                break
        else:
            raise AssertionError("people are asked in a circle, or something waits without a question")
        for phone in PHONES:
            self._learn(phone)

    def check(self) -> None:
        state = self.server.parlour.state
        sheet = entries_of(state)
        problems = self.ledger.problems(sheet)
        wanted = [[each.game, each.seat, each.box, each.points] for each in sheet]
        for phone in PHONES:
            shown = self.call("show", phone)
            if shown != {"names": [seat.name for seat in state.seats], "cells": wanted}:
                problems.append(f"{phone} shows {shown}, the server has {wanted}")
        assert not problems, "\n".join(problems)
