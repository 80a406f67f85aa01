"""Another device of a person, and a browser that has a push service."""

import json

from playwright.sync_api import Page, expect

from browser.axe import expect_clean
from web.push_service import Browser

# What a browser with a push service does, as far as the page can tell.
PUSHES = """(given) => {
    let subscription = null;
    const made = { endpoint: given.endpoint, toJSON: () => ({ endpoint: given.endpoint, keys: given.keys }) };
    made.unsubscribe = async () => { subscription = null; return true; };
    const manager = {
        getSubscription: async () => subscription,
        subscribe: async (options) => { window.asked = options; return (subscription = made); },
    };
    Object.defineProperty(window, "PushManager", { value: class {} });
    Object.defineProperty(Notification, "permission", { get: () => "granted" });
    Notification.requestPermission = async () => given.permission;
    const registration = { pushManager: manager };
    const worker = { register: async () => registration, ready: Promise.resolve(registration) };
    Object.defineProperty(navigator, "serviceWorker", { value: worker });
}"""


def make_link(page: Page, button: str = "Add a device") -> str:
    page.goto("/you")
    page.get_by_role("link", name="Your devices").click()
    page.get_by_role("button", name=button).click()
    expect(page.locator(".device-link svg")).to_be_in_viewport(ratio=1)
    expect_clean(page)
    return page.locator("#device-link").inner_text()


def asks(page: Page, browser: Browser, permission: str = "granted") -> None:
    """This browser has a push service from now on."""
    form = browser.form
    given = {"endpoint": form.pop("endpoint"), "keys": form, "permission": permission}
    page.add_init_script(f"({PUSHES})({json.dumps(given)})")
