"""Browsers without a certain function, reduced motion, and colours of errors."""

from .sample_site import HOST, check, until


def query_without_size(page, pages):
    """The reference of the API sends the parameters of a query even if the browser lacks `URLSearchParams.size`."""
    asked = []

    def answer_call(route):
        asked.append(route.request.url.removeprefix(HOST))
        route.fulfill(body="{}", content_type="application/json")

    page.route("**/api/v1/**", answer_call)
    page.add_init_script("delete URLSearchParams.prototype.size")
    page.goto(HOST + "/help/api")
    page.evaluate("() => { for (const details of document.querySelectorAll('details')) details.open = true; }")
    page.fill("[data-try] [data-name=after]", "x")
    page.click("[data-try] button")
    until(page, lambda: asked)
    check("the request has the parameter", asked, ["/api/v1/receipts?after=x"])


def reduced_motion(page, pages):
    """With reduced motion, no animation runs, and a picture scrolls without animation."""
    page.emulate_media(reduced_motion="reduce")
    page.goto(HOST + "/receipts/reading")
    moving = "document.getAnimations().filter(animation => animation.playState === 'running').length"
    until(page, lambda: page.evaluate(moving) == 0)
    check("number of animations", page.evaluate(moving), 0)
    page.goto(HOST + "/receipts/review")
    check("scrolling of the picture", page.locator(".photo").evaluate("e => getComputedStyle(e).scrollBehavior"), "auto")


def errors_outside_fields(page, pages):
    """An error message outside the fields of a form also has the colour of errors."""
    page.goto(HOST + "/offline/index")
    colours = page.evaluate("""() => {
        document.body.style.color = "var(--danger)";
        return [document.querySelector("[data-unsaved]"), document.body].map(element => getComputedStyle(element).color);
    }""")
    page.evaluate("document.body.style.color = ''")
    inherited = page.evaluate("getComputedStyle(document.querySelector('[data-unsaved]')).color")
    check("colour of the message", [colours[0], inherited], [colours[1], colours[1]])
