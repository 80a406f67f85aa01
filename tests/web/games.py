"""Recorded games as staged tables."""

import fivedice as fd
from fivedice.store.table_store import Header, TableDraft
from fivedice.table.state import TableState, fold_events
from web.stage import CODE, Scene, Seat, Stage


def staged(stage: Stage, game: fd.Game, *seats: Seat | str) -> Scene:
    """The same moves at a table: dice keep their slots while they are held."""
    scene = stage.scene(game.book.key, *(seats or game.players)).start(first=game.first)
    for step in game.steps:
        if isinstance(step.move, fd.Throw):
            _throw(scene, step.before.dice, step.move.roll)
        elif isinstance(step.move, fd.Mark):
            scene.score(step.move.box)
    return scene


def _throw(scene: Scene, keep: fd.Keep, roll: fd.Roll) -> None:
    kept, held, fell = list(keep.faces), [], list(roll.without(keep))
    for slot, face in enumerate(scene.state.slots):
        if face in kept:
            kept.remove(face)
            held.append(slot)
    faces = [scene.state.slots[slot] if slot in held else fell.pop() for slot in range(len(roll))]
    scene.roll("".join(map(str, faces)), held)


def put_finished(stage: Stage, scene: Scene) -> str:
    """Write a finished table as play would have: its results come with its last event."""
    before = fold_events(TableState(scene.state.id), scene.log[:-1])
    header = Header(scene.state.id, CODE, "5" * 64, before.version)
    stage.store.create(TableDraft(header, before, tuple(scene.log[:-1])))
    stage.store.append(before, scene.state, scene.log[-1:])
    return f"/t/{scene.state.id}"
