"""Which browser the tests use, and how it is started."""

from __future__ import annotations

import os
import shutil
from typing import Any

from playwright.sync_api import Page

# First the one without windows: the same pages in a fifth less time.
NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
# Nothing of it may look for the outside world.
# Of several switches for features the last one counts, so these are what Playwright turns off itself, and a spare
# process and two pages for the address line, which are never seen: they took twice the time of the window itself.
FEATURES_OFF = (
    "AimEnabled",
    "AvoidCorsURLLoaderRestartOnRedirect",
    "AvoidUnnecessaryBeforeUnloadCheckSync",
    "DestroyProfileOnBrowserClose",
    "HttpsFirstBalancedModeAutoEnable",
    "HttpsUpgrades",
    "LensOverlay",
    "MediaRouter",
    "NetworkTimeServiceQuerying",
    "OptimizationHints",
    "PaintHolding",
    "PreconnectToSearch",
    "ThirdPartyStoragePartitioning",
    "SpareRendererForSitePerProcess",
    "WebUIOmniboxAimPopup",
    "WebUIOmniboxFullPopup",
    "WebUIOmniboxPopup",
)
ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    f"--disable-features={','.join(FEATURES_OFF)}",
)
PATIENCE = 60_000  # milliseconds; only ever waited out by a test that fails
SIZES = {"phone": {"width": 390, "height": 844}, "desk": {"width": 1280, "height": 900}}


def found() -> str | None:
    """FIVEDICE_CHROMIUM, or the first known name on the path."""
    chosen = os.environ.get("FIVEDICE_CHROMIUM")
    return chosen or next(filter(None, map(shutil.which, NAMES)), None)


def launch_args() -> dict[str, Any]:
    return {"executable_path": found(), "args": list(ARGUMENTS)}


def cookie(key: str, url: str) -> dict[str, Any]:
    """The cookie of a person who has been here before."""
    return {"name": "fivedice_player", "value": key, "url": url, "httpOnly": True, "sameSite": "Lax"}


def keep_pace(page: Page, pace: float) -> None:
    """How much faster everything moves on this page."""
    page.context.new_cdp_session(page).send("Animation.setPlaybackRate", {"playbackRate": pace})
