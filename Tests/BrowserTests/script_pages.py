"""Runs checks of the scripts of Public/js on the sample pages in Chromium."""

from playwright.sync_api import sync_playwright
from browser import CHROMIUM
from render_samples import answer
from script_checks.sample_site import failures, rendered_pages, report


def run(*parts, on_phones=()):
    """Calls each part with a new browser page and the sample pages of a member, by path. Then reports the failures and exits."""
    pages = rendered_pages(owner="house.anna")
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
    report()
