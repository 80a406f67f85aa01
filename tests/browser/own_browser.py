"""A browser with a profile of its own, that can be killed as a phone kills one, and opened again."""

from __future__ import annotations

import os
import signal
import subprocess
from contextlib import suppress
from pathlib import Path
from threading import Thread
from typing import IO

from playwright.sync_api import Browser, BrowserContext, Error, Playwright

from browser.chromium import ARGUMENTS, found

LISTENS = "DevTools listening on "


class OwnBrowser:
    """`start` returns its one context, with all that the profile has; `kill` ends every process of it at once."""

    def __init__(self, playwright: Playwright, profile: Path) -> None:
        self._playwright, self._profile = playwright, profile
        self._process: subprocess.Popen[str] | None = None
        self._browser: Browser | None = None

    def start(self) -> BrowserContext:
        command = [found() or "", *ARGUMENTS, "--headless", "--remote-debugging-port=0"]
        command += [f"--user-data-dir={self._profile}", "about:blank"]
        self._process = subprocess.Popen(
            command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True, start_new_session=True
        )
        assert self._process.stderr is not None
        address = next(line for line in self._process.stderr if line.startswith(LISTENS)).removeprefix(LISTENS).strip()
        Thread(target=_drain, args=(self._process.stderr,), daemon=True).start()
        self._browser = self._playwright.chromium.connect_over_cdp(address)
        return self._browser.contexts[0]

    def kill(self) -> None:
        """As abrupt as it gets: nothing is asked, and nothing written that was not."""
        if self._process is None:
            return
        os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self._process = None
        with suppress(Error):
            if self._browser is not None:
                self._browser.close()


def _drain(lines: IO[str]) -> None:
    with lines, suppress(ValueError):
        for _ in lines:
            pass
