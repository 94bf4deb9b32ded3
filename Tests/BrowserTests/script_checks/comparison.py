"""The comparison of stores, on screens and on paper."""

from .sample_site import check, until


def comparison_list(page):
    """On a phone, each comparison shows only its cheapest store at first. The other stores can be expanded."""
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto("http://sample.test/compare/index")
    first = page.locator(".compared").first
    check("one store at first", first.locator(".store-price >> visible=true").count(), 1)
    first.locator(".unfold").click()
    check("all stores after expanding", first.locator(".store-price >> visible=true").count(), first.locator(".store-price").count())
    for width in (390, 320):
        page.set_viewport_size({"width": width, "height": 844})
        apart = page.evaluate("""() => [12, 18, 24, 30].every((length) => {
            for (const name of document.querySelectorAll(".compared-name a")) name.textContent = "Schokolade".repeat(3).slice(0, length);
            return [...document.querySelectorAll(".compared")].every((row) => {
                const [fold, prices] = [".unfold", ".store-prices"].map((part) => row.querySelector(part)?.getBoundingClientRect());
                return !fold || fold.bottom <= prices.top + 1 && prices.width > innerWidth - 100;
            });
        })""")
        check(f"no row is cut off at {width}", apart, True)
    page.set_viewport_size({"width": 390, "height": 844})
    words = page.evaluate("""() => {
        for (const box of document.querySelectorAll(".unfold input")) box.checked = false;
        return document.querySelector("main").innerText.split(/\\s+/).length;
    }""")
    check("the page has at most 250 words", words <= 250, True)
    page.set_viewport_size({"width": 1280, "height": 900})
    page.evaluate("""() => {
        const list = document.querySelector(".store-prices");
        while (list.children.length < 14) list.append(list.lastElementChild.cloneNode(true));
    }""")
    # The page gets the new size of the window asynchronously.
    shown = page.locator(".compared").first.locator(".store-price >> visible=true")
    until(page, lambda: shown.count() == 14)
    check("all stores are shown on a desktop", shown.count(), 14)
    check("the page does not scroll sideways", page.evaluate("document.documentElement.scrollWidth <= innerWidth"), True)


def printed_comparison(page):
    """A printed comparison shows every store."""
    page.emulate_media(media="print")
    for width in (700, 1040):
        page.set_viewport_size({"width": width, "height": 900})
        page.goto("http://sample.test/compare/index")
        cells = page.locator(".store-price")
        check(f"all stores are printed at {width}", cells.locator("visible=true").count(), cells.count())
        check(f"the printed page fits at {width}", page.evaluate("document.documentElement.scrollWidth <= innerWidth"), True)
    page.emulate_media(media="screen")
    page.set_viewport_size({"width": 1280, "height": 900})
