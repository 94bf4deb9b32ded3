"""Checks that apply to several pages: keyboard, double taps, links, narrow screens and print."""

import pathlib, subprocess, tempfile

from .sample_site import check, until


def badges(page):
    """The badges of receipts in a list have the same height."""
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto("http://sample.test/receipts/index")
    heights = page.evaluate("[...new Set([...document.querySelectorAll('.rows .badge')].map((badge) => badge.offsetHeight))]")
    check("number of different heights of badges", len(heights), 1)
    page.set_viewport_size({"width": 1280, "height": 900})


def narrow_screens(page):
    """On a phone, every tab is visible, and a long name of a member stays within the screen."""
    for width in (390, 320):
        page.set_viewport_size({"width": width, "height": 844})
        for name in ("expenses/index", "products/index", "wines/index"):
            page.goto(f"http://sample.test/{name}")
            outside = page.locator(".tabs a").evaluate_all(
                "all => all.filter(e => e.getBoundingClientRect().right > innerWidth).map(e => e.textContent)")
            check(f"tabs outside the screen of {name} at {width}", outside, [])
        page.goto("http://sample.test/matching/index")
        covered = page.locator(".name-card:not(:has(details[open]))").evaluate_all("""all => all.filter(card =>
            card.querySelector(".choice-one").getBoundingClientRect().right
                > card.querySelector("summary").getBoundingClientRect().left).length""")
        check(f"names whose buttons overlap at {width}", covered, 0)
        page.evaluate("""() => {
            document.querySelector("[data-menu]").open = true;
            document.querySelector(".who .strong").textContent = "Donaudampfschiff".repeat(5);
        }""")
        box = page.locator(".menu .sheet").bounding_box()
        check(f"the menu is within the screen at {width}", 0 <= box["x"] and box["x"] + box["width"] <= width, True)
    for width in (390, 1280):
        page.set_viewport_size({"width": width, "height": 900})
        page.goto("http://sample.test/overview/index")
        left = lambda selector: page.locator(selector).first.bounding_box()["x"]
        check(f"the chart of months begins at the text at {width}", left(".months"), left("#spending"))


def keyboard_shortcuts(page):
    page.goto("http://sample.test/overview/index")
    page.keyboard.press("?")
    check("the ? key opens the help", page.is_visible("#keys"), True)
    page.keyboard.press("Escape")
    page.goto("http://sample.test/products/index")
    page.keyboard.press("/")
    check("the / key focuses the search", page.evaluate("document.activeElement.name"), "search")


def buttons_below_long_lists(page):
    """On a wide screen, the button of a form is visible although its list is longer than the screen."""
    for name, row, button in (
        ("receipts/join", "fieldset .rows > li", "form .buttons .main"),
        ("receipts/split", "fieldset .rows > li", "form .buttons .main"),
        ("exchange/preview", "tbody tr", ".buttons .main"),
        ("compare/group", ".rows > li", ".buttons > .main"),
        ("expenses/list", ".entries > li", ".several > summary"),
    ):
        page.goto(f"http://sample.test/{name}")
        page.evaluate("""(row) => {
            const first = document.querySelector(`main ${row}`);
            for (let count = 0; count < 60; count++) first.after(first.cloneNode(true));
            const pick = document.querySelector(".pick input");
            if (pick) pick.checked = true;
        }""", row)
        box = page.locator(f"main {button}").first.bounding_box()
        check(f"the list of {name} is longer than the screen", page.evaluate("document.documentElement.scrollHeight") > 1500, True)
        check(f"the button of {name} is on the screen", box["y"] > 0 and box["y"] + box["height"] <= 900, True)


def typed_months(page):
    """In browsers without a field for months, a text field has a hint about the format, and accepts the usual formats."""
    for name in ("receipts/index", "expenses/list"):
        page.goto(f"http://sample.test/{name}")
        field = page.locator("#month")
        hint = page.locator(f"#{field.get_attribute('aria-describedby')}")
        check(f"the hint of {name}", hint.text_content(), "Zum Beispiel 11/2026 oder November 2026")
        texts = ["2026-11", "11/2026", "11.2026", "November 2026", "Nov. 2026", "heuer", "11"]
        taken = field.evaluate("""(field, texts) => {
            field.type = "text";
            return texts.filter((text) => { field.value = text; return field.checkValidity(); });
        }""", texts)
        check(f"the months that {name} takes", taken, texts[:5])


def copied_link(page):
    """The button that copies a link then says that it was copied, also to screen readers."""
    page.goto("http://sample.test/settings/household.invited")
    button = page.locator("[data-copy=invitation-link]")
    announced = page.locator("[data-copy=invitation-link] + [role=status]")
    check("nothing is announced at first", announced.all_text_contents(), [""])
    button.click()
    until(page, lambda: button.inner_text() == "Kopiert")
    check("the name of the button after copying", button.inner_text(), "Kopiert")
    check("the announcement after copying", announced.text_content(), "Kopiert")


def double_tap_guard(page):
    """A button that changes data ignores a quick second tap on a button of the previous page at the same position."""
    for name, selector in (("receipts/review", "[data-confirm]"), ("matching/index", ".choice"), ("matching/index", ".name-card .main")):
        for motion in ("no-preference", "reduce"):
            page.emulate_media(reduced_motion=motion)
            page.goto(f"http://sample.test/{name}")
            pointer_events = page.locator(selector).first.evaluate("""button => {
                // Restart the animation, which may have ended by now.
                const guarded = button.closest(".unhurried");
                guarded.style.animationName = "none";
                getComputedStyle(guarded).animationName;
                guarded.style.animationName = "";
                const [guard] = guarded.getAnimations();
                const events = () => getComputedStyle(button).pointerEvents;
                guard.pause();
                guard.currentTime = 400;
                const early = events();
                guard.finish();
                return [early, events()];
            }""")
            check(f"{selector} of {name} before and after the guard, with motion {motion}", pointer_events, ["none", "auto"])
    page.emulate_media(reduced_motion="no-preference")


def tab_order(page):
    """On a desktop, Tab moves through the navigation from top to bottom."""
    page.goto("http://sample.test/overview/index")
    tops = page.evaluate("[...document.querySelectorAll('.places a')].map(a => a.getBoundingClientRect().top)")
    check("order of the navigation", tops, sorted(tops))


def link_heights(page):
    """Links in tables and lists are at least 24 px high, on a phone and on a desktop."""
    for width in (390, 1280):
        page.set_viewport_size({"width": width, "height": 900})
        for name in ("compare/index", "products/show", "receipts/show", "matching/index"):
            page.goto(f"http://sample.test/{name}")
            low = page.evaluate("""() => [...document.querySelectorAll('main :is(td, th, dd, .sub, .small) a')]
                .filter(a => a.getClientRects().length && Math.max(...[...a.getClientRects()].map(r => r.height)) < 23.9)
                .map(a => a.textContent.trim() + ' ' + a.getBoundingClientRect().height)""")
            check(f"low links of {name} at {width}", low, [])
    page.set_viewport_size({"width": 1280, "height": 900})


def printed_pages(page):
    """A printed page has no controls and no empty sheets."""
    for name in ("products/show", "compare/index", "receipts/show", "overview/index", "receipts/review"):
        page.goto(f"http://sample.test/{name}")
        page.emulate_media(media="print")
        controls = "form:not(.review-form), button:not(.review-form button), .places, [role=search]"
        seen = page.evaluate("""controls => [...document.querySelectorAll(controls)].filter(e => e.getClientRects().length).length""", controls)
        check(f"number of controls on the printed page {name}", seen, 0)
        # Browsers load all pictures before they print; `pdf` does not.
        page.evaluate("""() => Promise.all([...document.images].map(image => { image.loading = "eager"; return image.decode(); }))""")
        with tempfile.TemporaryDirectory() as folder:
            page.pdf(path=f"{folder}/paper.pdf", format="A4")
            subprocess.run(["pdftoppm", "-r", "20", "-gray", f"{folder}/paper.pdf", f"{folder}/sheet"], check=True)
            sheets = sorted(pathlib.Path(folder).glob("sheet*.pgm"))
            # The pixels follow a header of three lines. White is 255.
            empty = [sheet.name for sheet in sheets if min(sheet.read_bytes().split(b"\n", 3)[3]) > 200]
        check(f"empty sheets of {name}", empty, [])
        check(f"{name} is printed on one to three sheets", 1 <= len(sheets) <= 3, True)
    page.emulate_media(media="screen")
