"""Receipts by e-mail and in the watched folder, with the real server."""

import email.message
import re
import shutil
import socket
import ssl
import threading

import pytest

from certificate import make_certificate
from draw_receipts import draw_all
from person import READING_MS, Person
from server import Server, psql
from waiting import wait_until

PASSWORD = 'p"w\\1'


class MailServer:
    """An IMAP server over TLS with one folder. It stores the flags that the client sets."""

    def __init__(self, tls):
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.load_cert_chain(tls / "server.crt", tls / "server.key")
        self.messages, self.flags, self.fetched = {}, {}, set()
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            connection, _ = self.listener.accept()
            threading.Thread(target=self.serve, args=(connection,), daemon=True).start()

    def serve(self, connection):
        try:
            with self.context.wrap_socket(connection, server_side=True) as stream:
                stream.sendall(b"* OK [CAPABILITY IMAP4rev1] ready\r\n")
                for line in stream.makefile("rb"):
                    tag, command = line.decode().rstrip("\r\n").split(" ", 1)
                    for answer in self.answers(command):
                        stream.sendall(answer)
                    stream.sendall(f"{tag} OK done\r\n".encode())
        except (OSError, ValueError):
            pass

    def answers(self, command):
        if command.startswith("LOGIN"):
            assert command == 'LOGIN "box@example.at" "p\\"w\\\\1"'
        elif command.startswith("SELECT"):
            assert command == 'SELECT "Belege"'
            yield f"* {len(self.messages)} EXISTS\r\n".encode()
        elif command.startswith("UID SEARCH"):
            yield ("* SEARCH " + " ".join(str(number) for number in self.messages if number not in self.flags) + "\r\n").encode()
        elif match := re.fullmatch(
                r"UID FETCH (\d+) \(RFC822.SIZE BODY.PEEK\[(HEADER.FIELDS \(FROM AUTHENTICATION-RESULTS\))\]\)", command):
            content = self.messages[int(match[1])]
            header = f"From: {email.message_from_bytes(content)['From']}\r\n\r\n"
            start = f"* 1 FETCH (UID {match[1]} RFC822.SIZE {len(content)} BODY[{match[2]}] {{{len(header)}}}\r\n"
            yield f"{start}{header})\r\n".encode()
        elif match := re.fullmatch(r"UID FETCH (\d+) \(BODY.PEEK\[\]\)", command):
            content = self.messages[int(match[1])]
            self.fetched.add(int(match[1]))
            yield f"* 1 FETCH (UID {match[1]} BODY[] {{{len(content)}}}\r\n".encode() + content + b")\r\n"
        elif match := re.fullmatch(r"UID STORE (\d+) \+FLAGS.SILENT \((.*)\)", command):
            self.flags[int(match[1])] = match[2]


def message(sender, html=None, picture=None):
    mail = email.message.EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = f"Anna Berger <{sender}>", "box@example.at", "Beleg"
    mail.set_content("Anbei.")
    if html:
        mail.add_alternative(html, subtype="html")
    if picture:
        mail.add_attachment(picture, maintype="image", subtype="jpeg", filename="Bäcker.jpg")
    return mail.as_bytes()


@pytest.fixture(scope="module")
def pictures(tmp_path_factory):
    return draw_all(tmp_path_factory.mktemp("pictures"))


def test_receipts_arrive_by_mail_and_folder(chromium, tmp_path, pictures):
    tls = make_certificate(tmp_path / "tls", "mail")
    mail = MailServer(tls)
    server = Server("intake").start()
    try:
        page = chromium.new_page()
        anna = Person(page, server.url, [])
        anna.enter(server.setup_link(), "Anna Berger", "anna@example.at", household="Haus")
        household = psql(server.database, "-Atc", "SELECT id FROM household")
        server.stop()
        folder = tmp_path / "watched" / household
        folder.mkdir(parents=True)
        server.extra_settings = {
            "MAILBOX": f"imaps://box%40example.at@localhost:{mail.port}/Belege", "MAILBOX_PASSWORD": PASSWORD,
            "CA_CERT": tls / "ca.crt", "WATCH_FOLDER": folder.parent}
        bill = "<table><tr><td>Wirtshaus Krone</td></tr><tr><td>Summe</td><td>23,40</td></tr><tr><td>21.11.2026</td></tr></table>"
        mail.messages = {
            3: message("anna@example.at", picture=pictures[0].read_bytes()), 4: message("eve@example.at", html=bill),
            7: message("ANNA@example.at", html=bill), 9: message("anna@example.at")}
        server.start()
        shutil.copy(pictures[1], folder / "scan.jpg")
        (folder / "notes.jpg").write_text("no picture")
        wait_until(lambda: len(mail.flags) == 4, "not all messages were processed")
        assert mail.flags == {3: "\\Seen", 4: "\\Seen \\Flagged", 7: "\\Seen", 9: "\\Seen \\Flagged"}
        assert mail.fetched == {3, 7, 9}, "the message of a stranger was downloaded"
        wait_until(lambda: sorted(path.name for path in folder.iterdir()) == ["refused"], "files were left in the folder")
        # The file with the reason is written after the refused file was moved.
        wait_until((folder / "refused/notes.jpg.txt").exists, "the refused file has no reason")
        assert sorted(path.name for path in (folder / "refused").iterdir()) == ["notes.jpg", "notes.jpg.txt"]
        count = "SELECT count(*) FILTER (WHERE stage <> 'reading'), count(*) FROM receipt"
        wait_until(lambda: psql(server.database, "-Atc", count) == "3|3", "a receipt was not read", READING_MS / 1000, interval=0.2)
        # The text of the message is read as a document.
        assert psql(server.database, "-Atc", "SELECT total_minor FROM receipt r JOIN receipt_file f ON f.receipt_id = r.id "
                    "WHERE f.name = 'E-Mail.pdf'") == "2340"
        page.goto(server.url + "/receipts/new")
        assert "box@example.at" in page.inner_text("main")
        page.goto(server.url + "/settings/household")
        assert str(folder) in page.inner_text("main")
        page.close()
    finally:
        server.stop()
        mail.listener.close()
