"""The sample pages and their answers to the requests of the scripts, and the list of failed checks."""

import json, re, sys, urllib.parse

from render_samples import Renderer, answer, samples

# Browsers trust this host without TLS, so that its pages may use the APIs for locks and for the camera.
HOST = "http://localhost"
failures, sent, drafts = [], [], []
# The token of the sample pages.
TOKEN = "dG9rZW4tMTIz"
fetched_pages = []
# Whether requests fail as if the browser had no connection.
connection = {"is_cut": False}
# The name, size and received bytes of each file, by identifier.
uploads = {}
removed = []


def check(name, actual, expected):
    if actual != expected:
        failures.append(f"{name}: {actual!r} instead of {expected!r}")


def report():
    """Prints the failed checks, and ends the process with status 1 if there are any."""
    print("\n".join(failures) or "All checks of the scripts passed.")
    sys.exit(1 if failures else 0)


def rendered_pages(**layout):
    """The sample pages in German by path. The options replace values of the layout."""
    renderer, pages = Renderer("de"), {}
    for name, template, model in samples(None):
        model["layout"] = {**model["layout"], **layout}
        pages["/" + name] = renderer.render(template, [model])
    return pages


def serve(pages):
    """A handler of Playwright that answers all requests of the pages, and records the requests that send data."""
    def route(route):
        request = route.request
        if connection["is_cut"]:
            return route.abort("internetdisconnected")
        if request.method == "POST" and request.url.endswith("/draft"):
            drafts.append(request)
            status = 409 if "NICHT" in request.post_data else 401 if "ABGEMELDET" in request.post_data else 204
            return route.fulfill(status=status)
        if request.method == "POST":
            sent.append(request)
            if request.headers.get("accept") == "application/json":
                return route.fulfill(**answer_upload(request))
            return route.fulfill(body="<!doctype html><title>sent</title>", content_type="text/html")
        if request.headers.get("accept") == "application/json":
            return route.fulfill(**answer_upload(request))
        page = pages.get(urllib.parse.urlparse(request.url).path)
        if page and request.resource_type == "fetch":
            # Each page of the server has its own token.
            fetched_pages.append(request.url)
            body = page.replace(TOKEN, f"{TOKEN}{len(fetched_pages)}")
            return route.fulfill(body=body, content_type="text/html; charset=utf-8")
        answer(route, pages)
    return route


def answer_upload(request):
    """Answers an upload like the server. A part has 8 bytes, or 64 KiB for long files. A file's name selects its failure."""
    path, _, query = request.url.partition("?")
    if path.endswith("/receipts"):
        # The camera link of the overview sends a whole file.
        name = re.search(r'filename="([^"]*)"', request.post_data_buffer.decode("latin-1")).group(1)
        if "huge" in name:
            return problem(422, "zu viele Bildpunkte")
        body = {"receipts": [{"href": "/receipts/reading", "name": name, "isDuplicate": False}]}
        return {"status": 201, "body": json.dumps(body), "content_type": "application/json"}
    if path.endswith("/uploads"):
        form = dict(fields(request))
        file = uploads.setdefault(form["upload"], {"name": form["name"], "size": int(form["size"]), "bytes": b"", "failed": False})
        identifier = form["upload"]
    else:
        identifier = path.split("/uploads/")[1].split("/")[0]
        file = uploads.get(identifier)
        if file is None:
            return problem(404, "removed")
    name = file["name"]
    if "expired" in name:
        return {"status": 401, "body": "<!doctype html><title>sign in</title>", "content_type": "text/html"}
    if request.method == "POST" and query:
        begun_before = [other for other in uploads.values() if other["name"] == name and other is not file]
        if "lost" in name and not begun_before:
            return problem(404, "not here")
        if "huge" in name:
            return problem(422, "zu viele Bildpunkte")
        if "broken" in name and file["bytes"] and not file["failed"]:
            file["failed"] = True
            return problem(503, "busy")
        if "gone" in name and file["bytes"] and not removed:
            removed.append(uploads.pop(identifier))
            return problem(503, "busy")
        offset = int(query.removeprefix("offset="))
        check(f"parts of {name} arrive in order, each once", offset, len(file["bytes"]))
        check(f"each part of {name} has the token", bool(request.headers.get("x-csrf-token")), True)
        file["bytes"] += request.post_data_buffer
    state = {"upload": identifier, "offset": len(file["bytes"]), "partBytes": 8 if file["size"] < 64 else 65_536}
    if len(file["bytes"]) == file["size"]:
        href = "/receipts/" + (name.removesuffix(".jpg") if "several" in name else "reading")
        state["receipt"] = {"href": href, "isDuplicate": "twice" in name}
    return {"status": 200, "body": json.dumps(state), "content_type": "application/json"}


def problem(status, title):
    return {"status": status, "body": json.dumps({"title": title}), "content_type": "application/problem+json"}


def until(page, condition):
    """Waits up to a minute for a condition. Polls from Python, because the pages' content security policy forbids
    Playwright's polling."""
    for _ in range(1200):
        if condition():
            return
        page.wait_for_timeout(50)


def until_still(page, selector):
    """Waits until an element has not moved for half a second."""
    places = []

    def is_still():
        places.append(page.locator(selector).first.bounding_box())
        return len(places) > 10 and all(place == places[-1] for place in places[-10:])

    until(page, is_still)


def until_count(page, selector, count):
    until(page, lambda: page.locator(selector).count() == count)


def fields(request):
    return urllib.parse.parse_qsl(request.post_data, keep_blank_values=True)
