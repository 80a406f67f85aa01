"""What a record says about its dice, and whether it is true.

A record with provable dice carries five tags: the scheme, the commitment that was shown before the game, the texts of
the players, the secret, and a seal over everything else, so that no change of the file goes unseen.
"""

from __future__ import annotations

import hmac
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from fivedice.dice import Keep, ProvableDice, Roll, commitment
from fivedice.dice.provable import SCHEME
from fivedice.errors import IllegalRecord, MalformedError, quote
from fivedice.game import Game, Hold, Mark, Throw
from fivedice.game.playthrough import settle_start
from fivedice.notation.records import read_game, write_game
from fivedice.rules import AnyBook

PROOF_TAGS = ("Dice", "Commitment", "Texts", "Secret", "Seal")
KNOWN = "Known"  # the tag of a record from which a name was removed: what the dice follow from beside the secret
_is_hash = re.compile(r"[0-9a-f]{64}").fullmatch


@dataclass(frozen=True, slots=True)
class Verdict:
    """What was derived again: `dice` of them, in `throws` throws, all as the record says."""

    dice: int
    throws: int
    commitment: str
    texts: tuple[str, ...] = ()  #: of the players, as they went into the dice
    kept: bool = False  #: a name was removed: rules, names and texts could not be held against the dice


def prove(game: Game, secret: str, texts: Sequence[str], known: str = "") -> Game:
    """A copy of a finished game that carries the proof of its dice; `known` where names have been removed since."""
    proven = game.copy()
    for name in (*PROOF_TAGS, KNOWN):
        proven.tags.pop(name, None)
    proven.tags |= {
        "Dice": SCHEME,
        "Commitment": commitment(secret),
        "Texts": json.dumps(list(texts), ensure_ascii=False),
        "Secret": secret,
    }
    if known:
        proven.tags[KNOWN] = known
    proven.tags["Seal"] = _seal(proven, secret)
    return proven


def verify_record(text: str, book: AnyBook | None = None) -> Verdict:
    """Derive every die of a record again; what does not agree raises `IllegalRecord`.

    The text must be as it was handed on: not even a space may have changed.
    """
    return read_verified(text, book)[1]


def read_verified(text: str, book: AnyBook | None = None) -> tuple[Game, Verdict]:
    """The game of such a record, and the verdict."""
    game = read_game(text, book)
    verdict = verify(game)
    if write_game(game) != text:
        raise IllegalRecord("notation.rewritten")
    return game, verdict


def check_noted(verdict: Verdict, promise: str | None, text: str | None) -> None:
    """Hold a verified record against what somebody noted before the game: the dice lock, and a text of their own."""
    if promise is not None and promise.strip().lower() != verdict.commitment:
        raise IllegalRecord("notation.other-promise", noted=quote(promise), written=quote(verdict.commitment))
    if text is not None and text not in verdict.texts:
        raise IllegalRecord("notation.text-missing", text=quote(text))


def verify(game: Game) -> Verdict:
    """Derive every die of a record again. What does not agree raises IllegalRecord and says where."""
    scheme, committed, texts, secret, seal = _proof(game)
    if scheme != SCHEME:
        raise IllegalRecord("notation.unknown-scheme", scheme=quote(scheme), known=SCHEME)
    if commitment(secret) != committed:
        raise IllegalRecord("notation.other-secret", commitment=quote(committed))
    dice = ProvableDice(secret, game.book.fingerprint, game.players, texts, _kept(game))
    _check_start(game, dice)
    counted = list(_checked_throws(game, dice))
    if not hmac.compare_digest(_seal(game, secret).encode(), seal.encode("utf-8", "surrogatepass")):
        raise IllegalRecord("notation.other-seal")
    return Verdict(sum(counted), len(counted), committed, texts, bool(dice.kept))


def _proof(game: Game) -> tuple[str, str, tuple[str, ...], str, str]:
    missing = [name for name in PROOF_TAGS if name not in game.tags]
    if missing:
        raise IllegalRecord("notation.no-proof", name=missing[0])
    scheme, committed, texts, secret, seal = (game.tags[name] for name in PROOF_TAGS)
    return scheme, committed, per_player(texts, len(game.players), "notation.bad-texts"), secret, seal


def _kept(game: Game) -> str:
    """What was known of the game, where a record says it because a name has been removed."""
    written = game.tags.get(KNOWN, "")
    if written and not _is_hash(written):
        raise MalformedError("notation.bad-known", text=quote(written))
    return written


def per_player(written: str, players: int, wrong: str) -> tuple[str, ...]:
    """The value of a tag that has one text per player, as a list in JSON."""
    try:
        texts = json.loads(written)
    except (ValueError, RecursionError):
        texts = None
    if not isinstance(texts, list) or len(texts) != players or not all(isinstance(text, str) for text in texts):
        raise MalformedError(wrong, text=quote(written))
    return tuple(texts)


def _seal(game: Game, secret: str) -> str:
    """Over the record as it is written without the seal."""
    bare = game.copy()
    bare.tags.pop("Seal", None)
    key, text = (each.encode("utf-8", "surrogatepass") for each in (secret, write_game(bare)))
    return hmac.digest(key, text, "sha256").hex()


def _check_start(game: Game, dice: ProvableDice) -> None:
    first, roll_off = settle_start(game.book, len(game.players), dice)
    if game.roll_off is None and "Rematch" in game.tags:
        return  # a rematch is begun by the seat to the left of the first starter, not by the dice
    if first != game.first:
        raise IllegalRecord("notation.other-start", right=first, written=game.first)
    if roll_off != game.roll_off:
        raise IllegalRecord("notation.other-roll-off")


def _checked_throws(game: Game, dice: ProvableDice) -> Iterator[int]:
    """How many dice each throw had, in order."""
    turn, roll, kept = 1, 1, Keep(())
    for move in game.moves:
        if isinstance(move, Throw):
            count = game.book.dice - len(kept)
            fell = tuple(dice.die(turn, roll, die, game.book.faces) for die in range(count))
            _check_throw(kept.faces + fell, move, turn, roll)
            roll += 1
            yield count
        elif isinstance(move, Hold):
            kept = move.keep
        else:  # a mark; who came and went has no dice
            turn, roll, kept = turn + isinstance(move, Mark), 1, Keep(())


def _check_throw(derived: tuple[int, ...], move: Throw, turn: int, roll: int) -> None:
    if tuple(sorted(derived)) != move.roll.faces:
        raise IllegalRecord("notation.other-dice", turn=turn, roll=roll, right=Roll(derived), written=move.roll)
