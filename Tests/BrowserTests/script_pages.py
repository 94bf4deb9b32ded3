"""Runs checks of the scripts of Public/js on the sample pages in Chromium."""

import sys

from playwright.sync_api import sync_playwright
from browser import CHROMIUM
from render_samples import Renderer, answer, samples

# Browsers trust this host without TLS, so that its pages may use locks and the camera.
HOST = "http://localhost"
failures = []


def check(name, actual, expected):
    if actual != expected:
        failures.append(f"{name}: {actual!r} instead of {expected!r}")


def until(page, condition):
    """Waits up to ten seconds for a condition. Polls from Python, because the pages' content security policy forbids
    Playwright's polling."""
    for _ in range(200):
        if condition():
            return
        page.wait_for_timeout(50)


def run(*parts, on_phones=()):
    """Calls each part with a new page of a signed-in member and the sample pages by path, and exits with the failures."""
    renderer, pages = Renderer("de"), {}
    for name, template, model in samples(None):
        model["layout"] = {**model["layout"], "owner": "house.anna"}
        pages["/" + name] = renderer.render(template, [model])
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        for part in (*parts, *on_phones):
            is_phone = part in on_phones
            viewport = {"width": 390, "height": 844} if is_phone else {"width": 1280, "height": 900}
            context = browser.new_context(viewport=viewport, has_touch=is_phone, is_mobile=is_phone, service_workers="block")
            page = context.new_page()
            page.route("**/*", lambda route: answer(route, pages))
            page.on("pageerror", lambda error, part=part: failures.append(f"{part.__name__}: script error: {error}"))
            part(page, pages)
            context.close()
        browser.close()
    print("\n".join(failures) or "scripts: all as expected")
    sys.exit(1 if failures else 0)
