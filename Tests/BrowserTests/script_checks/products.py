"""The product pages and their charts."""

from .sample_site import check


def chart_readout(page):
    """A point of a chart shows its price and day when it is tapped, hovered or focused. Dates never overlap."""
    for width in (320, 390, 1280):
        page.set_viewport_size({"width": width, "height": 844})
        page.goto("http://sample.test/products/show")
        shown = page.locator(".chart .mark .readout >> visible=true")
        check(f"no point shows its price at first at {width}", shown.count(), 0)
        page.locator(".chart .mark .point").nth(1).hover()
        check(f"price of the hovered point at {width}", shown.text_content() if shown.count() == 1 else shown.count(), "1,59 € · 11.03.2026SPAR")
        page.mouse.move(0, 0)
        page.locator(".chart .mark[tabindex='0']").focus()
        check(f"the chart has one tab stop at {width}", page.locator(".chart .mark[tabindex='0']").count(), 1)
        page.keyboard.press("ArrowLeft")
        check(f"an arrow key shows one point at {width}", shown.count(), 1)
        boxes = page.locator(".chart .date >> visible=true").evaluate_all("all => all.map(e => e.getBoundingClientRect()).map(b => [b.left, b.right])")
        check(f"dates do not overlap at {width}", all(one[1] < two[0] for one, two in zip(sorted(boxes), sorted(boxes)[1:])), True)
        inside = page.locator(".chart .readout >> visible=true").evaluate("e => e.getBoundingClientRect().right <= innerWidth")
        check(f"the price of a point fits at {width}", inside, True)
    page.set_viewport_size({"width": 1280, "height": 900})


def chart_figures(page):
    """The figures of a price chart are outside its lines and points, but inside its card."""
    for width in (320, 390, 1280):
        page.set_viewport_size({"width": width, "height": 844})
        for name in ("products/show", "compare/show", "styleguide/index"):
            page.goto(f"http://sample.test/{name}")
            box = lambda selector: page.locator(selector).evaluate_all("all => all.map(e => e.getBoundingClientRect()).map(b => [b.left, b.right])")
            figures, lines = box(".chart line + .tick"), box(".chart .grid, .chart .series, .chart .point")
            check(f"{name} at {width}: figures are beside the lines", max(right for _, right in figures) < min(left for left, _ in lines), True)
            card, hint = box(".chart-figure")[0], box(".chart .hint")[0]
            check(f"{name} at {width}: figures are inside the card", min(left for left, _ in figures) >= card[0], True)
            check(f"{name} at {width}: the hint is inside the card", card[0] <= hint[0] + 1 and hint[1] <= card[1], True)
    page.set_viewport_size({"width": 1280, "height": 900})


def base_prices(page):
    """On a phone, each price has its price per kilogram or litre, and nothing scrolls sideways."""
    for width, cells in ((390, ".only-narrow"), (1280, "td.hide-narrow")):
        page.set_viewport_size({"width": width, "height": 844})
        page.goto("http://sample.test/products/show")
        page.locator("summary:has(#prices)").click()
        rows = page.locator("[aria-labelledby=prices] tbody tr")
        check(f"base prices of the product at {width}", rows.locator(cells).locator("visible=true").count(), rows.count())
        check(f"each base price is shown once at {width}", page.locator("[aria-labelledby=prices] tbody >> text=/€\\/l/ >> visible=true").count(), rows.count())
        scroll = page.locator("[aria-labelledby=prices]").evaluate("e => [e.scrollWidth <= e.clientWidth, document.documentElement.scrollWidth <= innerWidth]")
        check(f"nothing scrolls sideways at {width}", scroll, [True, True])
        page.goto("http://sample.test/products/index")
        rows = page.locator(".rows > li")
        check(f"the list shows base prices at {width}", rows.locator(".end .sub").locator("visible=true").count() > 0, True)
    page.set_viewport_size({"width": 1280, "height": 900})


def price_change_line(page):
    """On a phone, a price change and its label are on one line."""
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto("http://sample.test/products/show")
    # The change and its label have nearly the same vertical position.
    line = page.locator(".facts .change").first.evaluate("""element => {
        const range = document.createRange();
        range.selectNodeContents(element);
        const tops = [...range.getClientRects()].filter(({height}) => height > 0).map(({top, height}) => top + height / 2);
        return Math.max(...tops) - Math.min(...tops) < 8;
    }""")
    check("a change and its label are on one line", line, True)
    page.set_viewport_size({"width": 1280, "height": 900})
