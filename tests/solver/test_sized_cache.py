"""Memory that stays within its bounds."""

from fivedice.solver.runtime.solution_cache import SizedLRUCache


def test_what_was_not_asked_for_longest_goes_first() -> None:
    kept: SizedLRUCache[str, bytes] = SizedLRUCache(len, 10)
    kept["a"], kept["b"] = b"1234", b"1234"
    assert kept["a"] == b"1234"
    kept["c"] = b"1234"
    assert list(kept) == ["a", "c"], "b was not asked for"
    assert kept.setdefault("a", b"other") == b"1234"
    assert kept.setdefault("d", b"12") == b"12"
    assert list(kept) == ["c", "a", "d"]
    kept["large"] = b"x" * 50
    assert list(kept) == ["large"], "the newest stays, however large it is"
    del kept["large"]
    assert not kept
    assert kept.get("a") is None
