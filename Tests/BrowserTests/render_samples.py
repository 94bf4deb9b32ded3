#!/usr/bin/env python3
"""Renders the templates of Views/ with the page models in samples/. Optionally takes screenshots and checks the pages.

    render_samples.py [--out DIR] [--shots] [--axe] [--lang de|en] [--only TEXT]

The sample `samples/receipts/review.json` is the model of `Views/receipts/review.html`. `review.unread.json` is another
state of that page and has only the keys that differ; `_layout.json` has the keys of every page. Unknown keys are errors, as
in the server. The browser gets the pages with the server's headers, so violations of the content security policy are found.
"""

import argparse, html, json, pathlib, re, sys

from browser import CHROMIUM

ROOT = pathlib.Path(__file__).resolve().parents[2]
VIEWS, PUBLIC, SAMPLES = ROOT / "Views", ROOT / "Public", pathlib.Path(__file__).resolve().parent / "samples"
TAG = re.compile(r"\{\{(\{.*?\}|[^{}]*)\}\}", re.S)
STANDALONE = re.compile(r"^[ \t]*(\{\{[#^/$<>!][^{}]*\}\})[ \t]*\n", re.M)
RULES = {"rules": {"target-size": {"enabled": True}}, "resultTypes": ["violations"]}
CSP = ("default-src 'none'; script-src 'nonce-{n}' 'strict-dynamic'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; "
       "font-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'")


class Renderer:
    def __init__(self, lang):
        self.texts, self.cache, self.used = {}, {}, set()
        for line in (VIEWS / "texts" / f"{lang}.txt").read_text().splitlines():
            if line.strip() and not line.startswith("#"):
                key, _, text = line.partition(" = ")
                self.texts[key.strip()] = text

    def parse(self, name):
        if name not in self.cache:
            source = STANDALONE.sub(r"\1", (VIEWS / f"{name}.html").read_text())
            self.cache[name] = self.nodes(source, name)
        return self.cache[name]

    def nodes(self, source, name, escape=False):
        """Parses a template to a list of texts and tags. A tag is a tuple of its sign, its key and, for a section, the
        list of its contents. The sign is the one in the template, except for variables: `v` if the value is escaped, otherwise `&`."""
        root, stack, at = [], [], 0
        current = root
        for match in TAG.finditer(source):
            text = source[at:match.start()]
            current.append(html.escape(text, quote=False) if escape else text)
            at, tag = match.end(), match.group(1)
            sign, key = tag[:1], tag[1:].strip()
            if sign in "#^$<":
                node = (sign, key, [])
                current.append(node)
                stack.append((key, current))
                current = node[2]
            elif sign == "/":
                opened, current_parent = stack.pop()
                if opened != key:
                    sys.exit(f"{name}: {{{{/{key}}}}} closes {{{{{opened}}}}}")
                current = current_parent
            elif sign == ">":
                current.append((">", key))
            elif sign == "@":
                self.used.add(key)
                if key not in self.texts:
                    sys.exit(f"{name}: text {key} is missing")
                current.extend(self.nodes(self.texts[key], f"text {key}", escape=True))
            elif sign in "{&":
                current.append(("&", key.rstrip("}").strip()))
            elif sign != "!":
                current.append(("v", tag.strip()))
        if stack:
            sys.exit(f"{name}: {{{{{stack[-1][0]}}}}} is not closed")
        current.append(html.escape(source[at:], quote=False) if escape else source[at:])
        return root

    def value(self, key, stack, name):
        if key == ".":
            return stack[-1]
        first, *rest = key.split(".")
        for frame in reversed(stack):
            if isinstance(frame, dict) and first in frame:
                value = frame[first]
                for part in rest:
                    if isinstance(value, list) and part == "any":
                        return bool(value)
                    if not isinstance(value, dict) or part not in value:
                        raise KeyError(f"{name}: {key}")
                    value = value[part]
                return value
        raise KeyError(f"{name}: {key}")

    def render(self, name, stack, blocks=None):
        out = []
        self.walk(self.parse(name), stack, blocks or {}, name, out)
        return "".join(out)

    def walk(self, nodes, stack, blocks, name, out):
        for node in nodes:
            if isinstance(node, str):
                out.append(node)
                continue
            sign, key = node[0], node[1]
            if sign in "v&":
                value = self.value(key, stack, name)
                if value is None or isinstance(value, (bool, dict, list)):
                    raise KeyError(f"{name}: {key} is neither a text nor a number")
                out.append(html.escape(str(value)) if sign == "v" else str(value))
            elif sign == "#":
                value = self.value(key, stack, name)
                for item in value if isinstance(value, list) else [value] if value not in (False, None) else []:
                    self.walk(node[2], stack + [item], blocks, name, out)
            elif sign == "^":
                if self.value(key, stack, name) in (False, None, []):
                    self.walk(node[2], stack, blocks, name, out)
            elif sign == ">":
                self.walk(self.parse(key), stack, {}, key, out)
            elif sign == "<":
                given = {n[1]: n for n in node[2] if isinstance(n, tuple) and n[0] == "$"}
                self.walk(self.parse(key), stack, {**given, **blocks}, key, out)
            elif sign == "$":
                self.walk(blocks.get(key, node)[2], stack, blocks, name, out)


def samples(only):
    layout = json.loads((SAMPLES / "_layout.json").read_text())
    for path in sorted(SAMPLES.rglob("*.json")):
        name = path.relative_to(SAMPLES).as_posix()[:-5]
        if path.name.startswith("_") or (only and only not in name):
            continue
        template = name.split(".")[0]
        model = {**layout, **json.loads((SAMPLES / f"{template}.json").read_text())}
        if template != name:
            model |= json.loads(path.read_text())
        yield name, template, model


def answer(route, pages):
    path = re.sub(r"^https?://[^/]+", "", route.request.url).split("?")[0].split("#")[0]
    kinds = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml", ".png": "image/png",
             ".webmanifest": "application/manifest+json"}
    if path in pages:
        headers = {"content-security-policy": CSP.replace("{n}", "sample")}
        return route.fulfill(body=pages[path], content_type="text/html; charset=utf-8", headers=headers)
    file = PUBLIC / path[1:]
    if path.endswith(("/display", "/preview")):
        file = SAMPLES / "_receipt.svg"
    if path.endswith("/events"):
        return route.fulfill(body=": waiting\n\n", content_type="text/event-stream")
    if file.is_file():
        return route.fulfill(body=file.read_bytes(), content_type=kinds.get(file.suffix, "text/plain"))
    route.fulfill(status=404, body="not found: " + path)


def check_pages(pages, out, shots, axe):
    """Opens each page in three sizes and two colour schemes, the smallest size only in light; prints and counts the findings."""
    from playwright.sync_api import sync_playwright
    if axe:
        from axe_playwright_python.sync_playwright import Axe
    findings = 0
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        for scheme in ("light", "dark"):
            for width, height in ((390, 844), (1280, 900), (320, 640)):
                if width == 320 and scheme == "dark":
                    continue
                context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme,
                                              has_touch=width < 1000, device_scale_factor=1)
                page = context.new_page()
                page.route("**/*", lambda route: answer(route, pages))
                seen = []
                page.on("console", lambda message: seen.append(message.text) if message.type in ("error", "warning") else None)
                page.on("pageerror", lambda error: seen.append(str(error)))
                for path in pages:
                    seen.clear()
                    page.goto("http://sample.test" + path)
                    page.wait_for_timeout(50)
                    name = path[1:].replace("/", "_")
                    wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
                    if wide > 0:
                        seen.append(f"scrolls sideways by {wide}px")
                    if shots:
                        page.screenshot(path=out / f"{name}-{width}-{scheme}.png", full_page=True)
                    if axe and width != 320:
                        # The window is taller than the page, so that no sticky bar covers a part of the page.
                        page.set_viewport_size({"width": width, "height": 2 * page.evaluate("document.body.scrollHeight")})
                        for violation in Axe().run(page, options=RULES).response["violations"]:
                            for node in violation["nodes"][:4]:
                                seen.append(f"{violation['id']}: {node['html'][:140]} {node['failureSummary'][:200]!r}")
                        page.set_viewport_size({"width": width, "height": height})
                    for text in seen:
                        findings += 1
                        print(f"{name} {width} {scheme}: {text}")
                context.close()
        browser.close()
    return findings


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--out", default="/tmp/allesteurer-samples")
    options.add_argument("--lang", default="de")
    options.add_argument("--only")
    options.add_argument("--shots", action="store_true")
    options.add_argument("--axe", action="store_true")
    chosen = options.parse_args()
    out = pathlib.Path(chosen.out)
    out.mkdir(parents=True, exist_ok=True)
    renderer, pages, errors = Renderer(chosen.lang), {}, 0
    for name, template, model in samples(chosen.only):
        try:
            model["layout"] = {**model["layout"], "lang": chosen.lang}
            pages["/" + name] = renderer.render(template, [model])
            (out / (name.replace("/", "_") + ".html")).write_text(pages["/" + name])
        except (KeyError, FileNotFoundError) as error:
            errors += 1
            print(f"{name}: {error}")
    if not chosen.only:
        templates = {name.split(".")[0] for name in (p[1:] for p in pages)}
        parts = ("texts/", "parts/", "forms/", "layout", "signed-out", "errors/layout", "errors/card")
        for view in sorted(VIEWS.rglob("*.html")):
            name = view.relative_to(VIEWS).as_posix()[:-5]
            if name not in templates and not name.startswith(parts):
                errors += 1
                print(f"{name}: no sample")
        for key in sorted(set(renderer.texts) - renderer.used):
            if not key.startswith("server."):
                print(f"text {key} is not used")
    print(f"{len(pages)} pages rendered")
    if chosen.shots or chosen.axe:
        errors += check_pages(pages, out, chosen.shots, chosen.axe)
    sys.exit(1 if errors else 0)


if __name__ == "__main__":
    main()
