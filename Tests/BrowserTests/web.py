"""A browser without scripts, for tests of sync clients."""

import http.client
import http.cookies
import re
import urllib.parse

PASSWORD = "vier Tassen Kaffee 7"


class Web:
    """A browser without scripts. It sends forms and keeps cookies."""

    def __init__(self, server):
        self.server, self.cookies = server, http.cookies.SimpleCookie()

    def send(self, method, path, fields=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=120)
        data = None if fields is None else urllib.parse.urlencode(fields)
        kind = None if fields is None else "application/x-www-form-urlencoded"
        try:
            connection.request(method, path, data, self.headers(kind))
            answer = connection.getresponse()
            text = answer.read().decode(errors="replace")
        finally:
            connection.close()
        for field in answer.headers.get_all("Set-Cookie") or []:
            self.cookies.load(field)
        return answer.status, text, answer.headers.get("Location")

    def headers(self, kind=None):
        cookies = "; ".join(f"{name}={morsel.value}" for name, morsel in self.cookies.items())
        fields = {"Cookie": cookies, "Sec-Fetch-Site": "same-origin", "Host": f"127.0.0.1:{self.server.port}"}
        return fields | ({"Content-Type": kind} if kind else {})

    def token(self, path="/settings"):
        _, text, _ = self.send("GET", path)
        return re.search(r'name="csrf" value="([^"]+)"', text).group(1)

    def post(self, path, page="/settings", **fields):
        return self.send("POST", path, {"csrf": self.token(page)} | fields)

    def sign_up(self, link, email):
        return self.enter(link, household="Haus", name="Anna Berger", email=email)

    def join(self, link, email):
        return self.enter(link, name="Paul Huber", email=email)

    def enter(self, link, **fields):
        path = urllib.parse.urlsplit(link).path
        status, text, _ = self.post(path, path, password=PASSWORD, **fields)
        assert status == 303, text[:500]
        return self

    def sign_in(self, email):
        self.cookies.clear()
        status, text, _ = self.post("/sign-in", "/sign-in", email=email, password=PASSWORD, next="/")
        assert status == 303, text[:500]
        return self
