"""Actions of a person on the pages."""

import re

from playwright.sync_api import Error, expect

from waiting import wait_until

PASSWORD = "vier Tassen Kaffee 7"
RECEIPT = re.compile(r"/receipts/[0-9a-f]{8}-[0-9a-f-]{27}")
# Much longer than a reading takes, because a busy machine may delay it.
READING_MS = 600_000
# The states of a receipt that has been read, in both languages.
READ = re.compile("nachgerechnet|zu prüfen|unlesbar|gibt es schon|verified|to check|to review|unreadable|already exists")


class Person:
    """A person with a browser. Errors of scripts and of the server are appended to `errors`."""

    def __init__(self, page, url, errors):
        self.page, self.url = page, url
        page.on("pageerror", lambda error: errors.append(f"{page.url}: {error}"))
        page.on("console", lambda message: is_fault(message) and errors.append(f"{page.url}: {message.text}"))
        page.on("response", lambda answer: answer.status >= 500 and errors.append(f"{answer.status} {answer.url}"))

    def go(self, path):
        answer = self.page.goto(path if "://" in path else self.url + path)
        assert answer.status < 400, f"{path}: {answer.status}"
        return self.page

    @property
    def has_scripts(self):
        return self.page.locator("html.scripted").count() == 1

    @property
    def path(self):
        return re.sub(r"^\w+://[^/]+", "", self.page.url)

    # Accounts

    def fill(self, **values):
        for name, value in values.items():
            self.page.fill(f"[name={name}]", value)

    def enter(self, link, name, email, **household):
        """Sets up or joins a household with a one-time link."""
        self.go(link)
        self.fill(name=name, email=email, password=PASSWORD, **household)
        self.page.click("form.card button.main")
        self.page.wait_for_url(self.url + "/")

    def sign_in(self, email, password=PASSWORD):
        self.go("/sign-in")
        self.fill(email=email, password=password)
        self.page.click("form.card button.main")
        self.page.wait_for_url(self.url + "/")

    def sign_out(self):
        self.go("/settings")
        self.page.click('main form[action="/sign-out"] button')
        self.page.wait_for_url("**/sign-in")

    def invite(self):
        self.go("/settings/household")
        self.page.click('form[action="/settings/invitations"] button')
        return self.page.input_value("#invitation-link")

    # Receipts

    def upload(self, *paths):
        """Uploads one or more files together."""
        self.go("/receipts/new")
        # With scripts, the page sends files as soon as they are chosen.
        is_sent_by_script = self.has_scripts
        self.page.set_input_files("input[multiple]", [str(path) for path in paths])
        if not is_sent_by_script:
            self.page.click("[data-without-script]")

    def upload_one(self, path):
        """Uploads a file and returns the address of its receipt."""
        self.upload(path)
        self.page.wait_for_url(RECEIPT)
        return RECEIPT.search(self.path)[0]

    def inbox(self):
        """The addresses of the receipts that wait for review."""
        self.go("/receipts")
        links = self.page.locator("section[aria-labelledby=inbox] a[href^='/receipts/']")
        hrefs = links.evaluate_all("links => links.map(link => link.getAttribute('href'))")
        return {found[0] for href in hrefs if (found := RECEIPT.match(href))}

    def wait_until_read(self, receipt):
        """Waits until the page of the receipt redirects to its review. Works with and without scripts."""
        self.go(receipt)
        self.page.wait_for_url(self.url + receipt + "/review", timeout=READING_MS)

    def lines(self):
        """The keys of the lines in the review form."""
        return [box.input_value() for box in self.page.locator(".lines [name=line]").all()]

    def add_line(self):
        """Adds a line to the review form, and returns its key. Without scripts, this loads the page again."""
        count = len(self.lines())
        self.page.click("[data-add]")
        expect(self.page.locator(".lines [name=line]")).to_have_count(count + 1)
        return self.lines()[-1]

    def complete(self):
        """Fills in values that the reader did not read: store, day, at least one line, and total."""
        page = self.page
        for field, value in (("store", "Greisslerei Huber"), ("day", "2026-03-04")):
            if not page.input_value(f"#review [name={field}]"):
                page.fill(f"#review [name={field}]", value)
        if not self.lines():
            key = self.add_line()
            page.fill(f'[name="name-{key}"]', "SEMMEL")
            page.fill(f'[name="total-{key}"]', "0,45")
        if not page.input_value("#review [name=total]"):
            page.fill("#review [name=total]", "0,45")

    def save(self):
        """Saves the form without confirming."""
        self.page.locator("#review > details.more > summary").click()
        with self.page.expect_navigation():
            self.page.click('#review > details.more button[value="save"]')
        assert self.path.split("?")[0].endswith("/review")

    def confirm(self):
        before = self.page.url
        self.page.click("[data-confirm]")
        self.page.wait_for_url(lambda url: url != before and "/confirmation" not in url)


def until(page, expression, arg=None):
    """Waits until an asynchronous JavaScript function returns true. Playwright's `wait_for_function` does not await the
    function, so it would accept its promise as true."""
    def is_true():
        try:
            return page.evaluate(expression, arg)
        except Error as error:
            # The page was replaced during the call.
            if "context was destroyed" not in error.message:
                raise
            return False

    wait_until(is_true, f"not true: {expression}", pause=lambda seconds: page.wait_for_timeout(1000 * seconds))


def is_fault(message):
    # Not faults: Chromium also logs errors for answers with 4xx, cut connections and stopped servers, which some tests
    # cause on purpose. It refuses to register a service worker if a test ignores certificate errors.
    expected = ("the server responded with a status of 4", "net::ERR_INTERNET_DISCONNECTED", "net::ERR_CONNECTION_REFUSED",
                "occurred when fetching the script")
    return message.type == "error" and not any(text in message.text for text in expected)
