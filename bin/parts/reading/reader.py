"""The server's side of docs/reference/reader-protocol.md: runs jobs of one reader and measures its children."""

import os
import socket
import struct
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

# The kinds of the messages.
JOB, FILE, DONE, PICTURES, DOCUMENT, FINISHED, FAILED = 1, 2, 4, 5, 17, 20, 21
REASONS = {1: "unreadable", 2: "too-large", 3: "encrypted-pdf", 4: "unsupported", 5: "damaged", 6: "timeout", 7: "crashed", 8: "memory", 9: "overloaded"}


@dataclass
class Reading:
    outcome: str = ""
    cpu: float = 0
    peak_kib: int = 0
    words: list[str] = field(default_factory=list)
    # The words that the second engine read.
    second_engine_words: list[str] = field(default_factory=list)
    codes: list[tuple[str, str]] = field(default_factory=list)


class Reader:
    """A process of `allesteurer-reader`, which ends at the end of the `with` block."""

    def __init__(self, path: Path):
        ours, theirs = socket.socketpair()
        ours.settimeout(120)

        def move_to_descriptor_3():
            os.dup2(theirs.fileno(), 3)

        environment = {"OMP_THREAD_LIMIT": "1", "SWIFT_BACKTRACE": "enable=no", "LC_ALL": "C.UTF-8", "PATH": "/usr/local/bin:/usr/bin:/bin"}
        environment["ALLESTEURER_SECOND_ENGINE"] = os.environ.get("ALLESTEURER_SECOND_ENGINE", "")
        # Without pass_fds, descriptor 3 would be closed before the program starts.
        self.process = subprocess.Popen([str(path)], env=environment, preexec_fn=move_to_descriptor_3, pass_fds=[3], stdin=subprocess.DEVNULL)
        theirs.close()
        self.socket = ours
        self.buffer = b""
        self.jobs = 0

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()
        self.process.wait(20)

    def read(self, *files: bytes, deadline: int = 120, watched: bool = False) -> Reading:
        """Runs one job. With `watched`, records the peak memory of its child."""
        self.jobs += 1
        reading = Reading()
        self.send(JOB, struct.pack(">QHBB", self.jobs, deadline, len(files), 0))
        for file in files:
            self.send(FILE, file)
        while True:
            if watched:
                self.watch(reading)
            answer = self.answer(0.02 if watched else 120)
            if answer is None:
                continue
            kind, payload = answer
            if kind == DOCUMENT:
                self.document(payload, reading)
                self.watch(reading)
                # Requests the pictures without covering anything on them, so that the job is complete.
                self.send(PICTURES, struct.pack(">I", 0))
                self.send(DONE, b"")
            elif kind in (FINISHED, FAILED):
                reading.cpu = struct.unpack(">I", payload[-4:])[0] / 1000
                reading.outcome = "finished" if kind == FINISHED else REASONS.get(payload[8], "?")
                return reading

    def send(self, kind: int, payload: bytes):
        pieces = [payload[at : at + 65536] for at in range(0, len(payload), 65536)] or [b""]
        try:
            self.socket.settimeout(120)
            for number, piece in enumerate(pieces):
                self.socket.sendall(struct.pack(">IBB", len(piece) + 2, kind, number == len(pieces) - 1) + piece)
        except BrokenPipeError:
            raise RuntimeError("the reader ended") from None

    def answer(self, seconds: float):
        """Returns the next message; None if no message begins within these seconds."""
        message = b""
        while True:
            while len(self.buffer) >= 4 and len(self.buffer) >= 4 + struct.unpack(">I", self.buffer[:4])[0]:
                length = struct.unpack(">I", self.buffer[:4])[0]
                kind, last, piece = self.buffer[4], self.buffer[5], self.buffer[6 : 4 + length]
                self.buffer = self.buffer[4 + length :]
                message += piece
                if last:
                    return kind, message
            # Once a message has begun, waits for its end.
            self.socket.settimeout(120 if message else seconds)
            try:
                bytes_ = self.socket.recv(1 << 20)
            except TimeoutError:
                if message:
                    raise
                return None
            if not bytes_:
                raise RuntimeError("the reader ended")
            self.buffer += bytes_

    def watch(self, reading: Reading):
        """Reads VmHWM of the child. It never decreases, so the last value before the child ends is its peak."""
        parent = self.process.pid
        for task in Path(f"/proc/{parent}/task").iterdir():
            try:
                children = (task / "children").read_text().split()
            except OSError:
                continue
            for child in children:
                try:
                    status = Path(f"/proc/{child}/status").read_text()
                except OSError:
                    continue
                for line in status.splitlines():
                    if line.startswith("VmHWM:"):
                        reading.peak_kib = max(reading.peak_kib, int(line.split()[1]))

    def own_memory(self) -> tuple[int, int]:
        """Resident KiB and open descriptors of the reader's parent."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        resident = next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS:"))
        return resident, len(os.listdir(f"/proc/{self.process.pid}/fd"))

    @staticmethod
    def document(payload: bytes, reading: Reading):
        """Decodes the words and codes of a document (docs/reference/reader-protocol.md)."""
        at = 4

        def number(size):
            nonlocal at
            at += size
            return int.from_bytes(payload[at - size : at])

        def text():
            nonlocal at
            size = number(2)
            at += size
            return payload[at - size : at].decode()

        def words():
            nonlocal at
            found = []
            for _ in range(number(4)):
                found.append(text())
                at += 17  # box and confidence
                for _ in range(number(1)):
                    text()
                costs = number(1)
                at += 2 * costs  # 16 bits each
            return found

        if (number(2), number(1)) != (0xFFFF, 3):
            raise RuntimeError("a document of another version")
        for _ in range(number(2)):
            number(1), number(4), number(4), text()
            for _ in range(number(4)):
                reading.words += words()
                reading.second_engine_words += words()
            unread = number(4)
            at += 16 * unread  # boxes
            for _ in range(number(4)):
                reading.codes.append((text(), text()))
                at += 16  # box
            corners = number(1)
            at += 8 * corners  # x and y
