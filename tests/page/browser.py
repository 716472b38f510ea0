"""A real browser, headless: Debian's chromium through Playwright. What a page says on its console, what it asks the
network for and how long it takes are kept for every page that is opened."""

import contextlib
import os
import shutil
import time

try:
    from playwright.sync_api import sync_playwright
    PLAYWRIGHT = True
except ImportError:
    PLAYWRIGHT = False

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")


def why_not():
    """'' where there is a browser to test with."""
    if not PLAYWRIGHT:
        return "no playwright: make python-env installs it"
    if not CHROMIUM:
        return "no chromium: scripts/setup.sh --test installs it"
    return ""


class Opened:
    def __init__(self, page):
        self.page, self.console, self.requests = page, [], []
        self.seconds, self.all_drawn = 0.0, 0.0  # until it is ready, and until its last chart is there


@contextlib.contextmanager
def browser():
    with sync_playwright() as play:
        chromium = play.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        try:
            yield chromium
        finally:
            chromium.close()


def open_page(chromium, path, width=1400, dark=False, bypass_csp=False, never_idle=False):
    """With all its charts, or, where the page is never idle, with those that it draws at once."""
    context = chromium.new_context(viewport={"width": width, "height": 900}, color_scheme="dark" if dark else "light",
                                   bypass_csp=bypass_csp, reduced_motion="reduce")
    opened = Opened(context.new_page())
    opened.page.on("console", lambda m: opened.console.append(f"{m.type}: {m.text}"))
    opened.page.on("pageerror", lambda e: opened.console.append(f"error: {e}"))
    opened.page.on("request", lambda r: opened.requests.append(r.url))
    if never_idle:
        opened.page.add_init_script("window.requestIdleCallback = () => 0")
    began = time.monotonic()
    opened.page.goto("file://" + os.path.abspath(path))
    opened.page.wait_for_selector('html[data-ready=yes]', state='attached', timeout=60_000)
    opened.seconds = time.monotonic() - began
    if not never_idle:
        opened.page.wait_for_selector('html[data-drawn=yes]', state='attached', timeout=60_000)
    opened.all_drawn = time.monotonic() - began
    return opened
