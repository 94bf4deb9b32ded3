"""The layout of the review form and the marks on its picture."""

from .sample_site import check


def marks_on_picture(page):
    """Focusing any field of a line marks the line. A narrow picture is enlarged at first."""
    page.goto("http://sample.test/receipts/review")
    check("a wide picture is not enlarged at first", page.locator(".photo[class*=zoom-]").count(), 0)
    for size in ({"width": 390, "height": 844}, {"width": 1280, "height": 900}):
        page.set_viewport_size(size)
        covers_print = "document.querySelector('.zoom').getBoundingClientRect().top < document.querySelector('.photo').getBoundingClientRect().bottom"
        check(f"the zoom buttons cover no print at {size['width']} px", (page.evaluate(covers_print), page.is_visible(".zoom")), (False, True))
    page.focus('[data-line="l3"] summary')
    check("the focused line is marked on the picture", page.locator(".mark.at").get_attribute("data-line"), "l3")
    page.goto("http://sample.test/receipts/review.narrow")
    is_centred = "(mark, frame = document.querySelector('.photo').getBoundingClientRect()) => (({left, right, width}) => left >= frame.left && right <= frame.right && width > frame.width / 2)(mark.getBoundingClientRect())"
    check("a narrow picture is enlarged and centred", page.locator(".mark").evaluate_all(f"all => all.map(e => ({is_centred})(e))"), [True])


def action_bar(page):
    """The bar below the lines has space for its sentence at every width, without splitting words."""
    for width in (800, 1024, 1120, 1280, 1440, 1920):
        page.set_viewport_size({"width": width, "height": 900})
        for name in ("review", "review.undated"):
            page.goto(f"http://sample.test/receipts/{name}")
            page.evaluate("document.querySelector('.balance-text').textContent = 'Zeilen, die nicht aufgehen: 1'")
            bar, balance = (page.locator(selector).bounding_box() for selector in (".actionbar", ".balance"))
            check(f"{name} at {width}: the bar is at most 125 px high", bar["height"] <= 125, True)
            check(f"{name} at {width}: the sentence has at least 240 px", balance["width"] >= 240, True)
    page.set_viewport_size({"width": 1280, "height": 900})


LONG_NAME = "KAERNTNERMILCH BERGBAUERN FRISCHMILCH LAENGER HALTBAR 3,5 % FETT 1 LITER FLASCHE"


def whole_names(page, what):
    """Every name is completely visible in its field."""
    cut = page.evaluate("""() => [...document.querySelectorAll(".lines [data-field=name]")]
        .filter(e => e.scrollHeight > e.clientHeight + 1 || e.scrollWidth > e.clientWidth + 1).map(e => e.value)""")
    check(f"names that are cut off {what}", cut, [])
    check(f"the page does not scroll sideways {what}", page.evaluate("document.documentElement.scrollWidth <= innerWidth"), True)


def long_names(page):
    """A long name takes several lines, at every width, and Enter adds no line break to it."""
    for width in (320, 390, 1280):
        page.set_viewport_size({"width": width, "height": 844})
        page.goto("http://sample.test/receipts/review")
        heights = page.evaluate("""() => [...document.querySelectorAll('[data-line="l3"] .cells :is([data-field=name], [data-field=total])')]
            .map(e => e.offsetHeight)""")
        check(f"the field of a short name has the height of the amount at {width}", abs(heights[0] - heights[1]) <= 1, True)
        page.fill('[name="name-l1"]', LONG_NAME)
        whole_names(page, f"at {width}")
        # Browsers without `field-sizing` give the field the height of the label's text.
        check(f"the label has the typed name at {width}", page.get_attribute('[data-line="l1"] .name', "data-text"), LONG_NAME)
        page.press('[name="name-l1"]', "Enter")
        check(f"Enter adds no line break at {width}", page.input_value('[name="name-l1"]'), LONG_NAME)
        # The keyboards of some phones send no keydown event of the Enter key.
        page.focus('[name="name-l1"]')
        inserts = page.evaluate("""document.activeElement.dispatchEvent(
            new InputEvent("beforeinput", { inputType: "insertLineBreak", bubbles: true, cancelable: true }))""")
        active = page.evaluate("document.activeElement.name")
        check(f"a line break of a phone's keyboard moves to the next doubt at {width}", (inserts, active), (False, "total-l10"))
    page.set_viewport_size({"width": 1280, "height": 900})


def zoomed_page(page):
    """At 200 % zoom, a desktop window is 640 by 400 pixels. Most of it must show the lines."""
    page.set_viewport_size({"width": 640, "height": 400})
    page.goto("http://sample.test/receipts/review")
    page.evaluate("scrollTo(0, document.querySelector('.lines').getBoundingClientRect().top + scrollY)")
    covered = page.evaluate("""() => [...document.querySelectorAll('.photo-pane, .actionbar')].reduce((sum, pane) => {
        const box = pane.getBoundingClientRect();
        return sum + Math.max(0, Math.min(innerHeight, box.bottom) - Math.max(0, box.top));
    }, 0)""")
    check("less than 150 px of the lines are covered at 200 %", covered < 150, True)
    page.set_viewport_size({"width": 1280, "height": 900})
