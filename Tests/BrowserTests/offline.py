"""Functions for tests without a connection: one sets up a household, the other waits for the offline data of a page."""

from person import until


def household(server, anna):
    link = server.setup_link(another=bool(server.households))
    server.households.append(1)
    anna.enter(link, "Anna Berger", f"anna{len(server.households)}@example.at", household="Haus Berger")
    return f"anna{len(server.households)}@example.at"


def ready(page):
    """Waits until the service worker controls this page and the offline data is stored."""
    until(page, """async () => {
        if (!navigator.serviceWorker.controller) return false;
        return Boolean(await queue.kept("data"));
    }""")
