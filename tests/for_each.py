"""Run one test for many cases in one item: collecting thousands of items costs more than running them."""

import functools
import inspect
from collections.abc import Callable, Iterable
from typing import Any

import pytest

MOST_SHOWN = 10  # failures of one item that are printed in full


def for_each(
    names: str | tuple[str, ...], cases: Iterable[Any] | Callable[[], Iterable[Any]], ids: Any = None
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Use it like `pytest.mark.parametrize`, for cases that differ only in data.

    Every case runs, and all failures are reported together, each with its case. Fixtures are set up once for all
    cases, so it does not suit a test that changes what a fixture made. A function is called when the test runs.
    """
    keys = [part.strip() for part in names.split(",")] if isinstance(names, str) else list(names)

    def decorate(test: Callable[..., None]) -> Callable[..., None]:
        @functools.wraps(test)
        def run(*args: Any, **fixtures: Any) -> None:
            every = list(cases() if inspect.isfunction(cases) else cases)
            assert every, "no case"
            failures, skips = [], []
            for case, label in zip(every, _labels(every, ids), strict=True):
                values = dict(zip(keys, [case] if len(keys) == 1 else case, strict=True))
                try:
                    test(*args, **fixtures, **values)
                except pytest.skip.Exception as skip:
                    skips.append(skip)
                except (Exception, pytest.fail.Exception) as error:
                    error.add_note(f"case: {label}")
                    failures.append(error)
            _report(failures, skips, len(every))

        signature = inspect.signature(test)
        fixtures = [value for key, value in signature.parameters.items() if key not in keys]
        run.__signature__ = signature.replace(parameters=fixtures)  # type: ignore[attr-defined]
        return run

    return decorate


def _report(failures: list[BaseException], skips: list[BaseException], count: int) -> None:
    if len(failures) == 1:
        raise failures[0]
    if failures:
        raise BaseExceptionGroup(f"{len(failures)} of {count} cases failed", failures[:MOST_SHOWN])
    if len(skips) == count:
        raise skips[0]


def _labels(cases: list[Any], ids: Any) -> list[str]:
    if ids is None:
        return [repr(case)[:200] for case in cases]
    return [str(ids(case)) for case in cases] if callable(ids) else list(map(str, ids))
