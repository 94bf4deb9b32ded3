import Domain
import EventLoop
import HTTPClient
import Mail
import TestSupport
import Testing

@testable import App
@testable import Postgres

/// The import of received e-mail messages. `test_intake.py` tests fetching messages from a mail server.
@Suite(.timeLimit(.minutes(5))) struct MailIntakeTests {
    private func intake(_ harness: AppHarness) throws -> MailIntake {
        let loop = try #require(EventLoop.current)
        return MailIntake(
            try #require(Mailbox("imaps://u@localhost")), password: "p",
            OutgoingConnections(on: loop, tls: try ClientTLS(authorities: nil), allowsPrivateNetworks: true),
            harness.database, harness.app.log)
    }

    private func login(_ browser: Browser, _ harness: AppHarness) throws -> String {
        try harness.owner().query("SELECT login FROM person WHERE id = \(browser.person)").first(String.self) ?? ""
    }

    private func message(from sender: String, _ rest: String) -> [UInt8] {
        Array("From: <\(sender)>\r\n\(rest.replacing("\n", with: "\r\n"))".utf8)
    }

    private func count(_ household: HouseholdID, _ harness: AppHarness) throws -> Int64? {
        try harness.owner().query("SELECT count(*) FROM receipt WHERE household_id = \(household)").first(Int64.self)
    }

    /// The answers of a server with one message from each of two senders. The last answer is for the command that marks
    /// the second message as seen.
    private func answer(_ senders: [Browser], _ harness: AppHarness) throws -> String {
        var answer = "* OK ready\r\na1 OK\r\na2 OK\r\n* SEARCH 4 9\r\na3 OK\r\n"
        for (index, sender) in senders.enumerated() {
            let text = String(decoding: message(from: try login(sender, harness), Self.text), as: UTF8.self)
            answer += "* 1 FETCH (RFC822.SIZE \(text.utf8.count))\r\na\(4 + 2 * index) OK\r\n"
            answer += "* 1 FETCH (BODY[] {\(text.utf8.count)}\r\n\(text))\r\na\(5 + 2 * index) OK\r\n"
        }
        return answer + "a8 OK\r\n"
    }

    /// Imports the unseen messages of a server that sends all its answers at once.
    private func round(_ mail: inout MailIntake, _ answer: String) async throws {
        try await RawServer.run(answer: answer, isFirst: true) { port in
            let connection = try await mail.connections.open("127.0.0.1", port, isSecure: false, within: .seconds(30))
            defer { connection.close() }
            let session = try await IMAPSession(connection, mail.mailbox, password: "p")
            try await mail.importUnseen(session)
        }
    }

    private static let text = """
        Content-Type: text/html

        <table><tr><td>Kaffee</td><td>8,99</td></tr></table>
        """

    @Test(.database) func `the files of a member's message become receipts exactly once`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let mail = try intake(harness)
            let sender = try login(anna, harness)
            let document = String(decoding: TextPDF.document("Kaffee 8,99"), as: UTF8.self)
            let whole = message(
                from: sender.uppercased(),
                """
                Content-Type: multipart/mixed; boundary=x

                --x
                Content-Type: text/plain

                Anbei 3,50
                --x
                Content-Type: application/octet-stream; name=r.pdf

                \(document)
                --x
                Content-Type: application/zip; name=a.zip

                PK
                --x--
                """)
            #expect(try await mail.importMessage(whole) == nil)
            #expect(try count(anna.household, harness) == 1)
            let file = try harness.owner().query("SELECT name, media_type FROM receipt_file").first(
                (String, String).self)
            #expect(file?.0 == "r.pdf")
            #expect(file?.1 == "application/pdf")
            // The same message again, as after the server was killed before it marked the message as seen.
            #expect(try await mail.importMessage(whole) == nil)
            #expect(try count(anna.household, harness) == 1)
        }
    }

    @Test(.database) func `the text of a message without a file is read if it has an amount`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let mail = try intake(harness)
            let sender = try login(anna, harness)
            #expect(try await mail.importMessage(message(from: sender, Self.text)) == nil)
            #expect(try count(anna.household, harness) == 1)
            #expect(try await mail.importMessage(message(from: sender, "\nHallo!")) == "no receipt")
            #expect(try count(anna.household, harness) == 1)
        }
    }

    @Test(.database) func `zero bytes in an address or in the name of a file do not stop the import`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let mail = try intake(harness)
            #expect(try await mail.importMessage(message(from: "a\u{0}b@example.at", Self.text)) == "unknown sender")
            let document = String(decoding: TextPDF.document("Kaffee 8,99"), as: UTF8.self)
            let named = message(
                from: try login(anna, harness),
                """
                Content-Type: application/pdf
                Content-Disposition: attachment; filename*=utf-8''r%00.pdf

                \(document)
                """)
            #expect(try await mail.importMessage(named) == nil)
            let name = try harness.owner().query("SELECT name FROM receipt_file").first(String.self)
            #expect(name == "r .pdf")
        }
    }

    @Test(.database) func `strangers, viewers and forged senders are refused`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let viewer = try await harness.join(anna, as: .viewer)
            let mail = try intake(harness)
            for sender in ["eve@example.at", try login(viewer, harness)] {
                #expect(try await mail.importMessage(message(from: sender, Self.text)) == "unknown sender")
            }
            let forged = "Authentication-Results: mx; dmarc=fail\n\(Self.text)"
            #expect(try await mail.importMessage(message(from: try login(anna, harness), forged)) == "unknown sender")
            #expect(try count(anna.household, harness) == 0)
        }
    }

    @Test(.database) func `a message of a stranger is refused before it is downloaded`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let sender = try login(anna, harness)
            func start(_ sender: String, _ size: Int) -> String {
                let header = "From: <\(sender)>\r\n\r\n"
                return "* 1 FETCH (RFC822.SIZE \(size) BODY[HEADER.FIELDS (FROM AUTHENTICATION-RESULTS)] "
                    + "{\(header.utf8.count)}\r\n\(header))\r\n"
            }
            let text = String(decoding: message(from: sender, Self.text), as: UTF8.self)
            let body = "* 1 FETCH (BODY[] {\(text.utf8.count)}\r\n\(text))\r\n"
            var mail = try intake(harness)
            // If the client downloaded the stranger's message, the server would send the text of a member's message.
            let answer =
                "* OK ready\r\na1 OK\r\na2 OK\r\n* SEARCH 4 9\r\na3 OK\r\n"
                + start("eve@example.at", 30_000_000) + "a4 OK\r\n" + body + "a5 OK\r\n"
                + start(sender, text.utf8.count) + "a6 OK\r\n" + body.replacing("8,99", with: "9,99")
                + "a7 OK\r\na8 OK\r\n"
            try await round(&mail, answer)
            #expect(try count(anna.household, harness) == 1)
        }
    }

    @Test(.database) func `a household with a full queue does not stop the messages of others`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let paul = try await harness.signUp("Paul Huber", household: "Anderswo")
            try harness.owner().query(
                """
                INSERT INTO job (id, household_id, kind, subject_id)
                SELECT gen_random_uuid(), \(anna.household), 'read', gen_random_uuid()
                FROM generate_series(1, \(UploadLimits.waiting))
                """)
            var mail = try intake(harness)
            try await round(&mail, try answer([anna, paul], harness))
            #expect(try count(anna.household, harness) == 0)
            #expect(try count(paul.household, harness) == 1)
            // The next round does not fetch the unseen message again: this server's answer does not contain it.
            let next = "* OK ready\r\na1 OK\r\na2 OK\r\n* SEARCH 4\r\na3 OK\r\n"
            try await round(&mail, next)
        }
    }

    @Test(.database) func `an error in one household does not stop the messages of others`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let paul = try await harness.signUp("Paul Huber", household: "Anderswo")
            try harness.owner().run(
                script: """
                    CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
                    BEGIN RAISE EXCEPTION 'refused'; END $$;
                    CREATE TRIGGER refuse BEFORE INSERT ON receipt FOR EACH ROW
                        WHEN (NEW.household_id = '\(anna.household)') EXECUTE FUNCTION refuse();
                    """)
            var mail = try intake(harness)
            try await round(&mail, try answer([anna, paul], harness))
            #expect(try count(anna.household, harness) == 0)
            #expect(try count(paul.household, harness) == 1)
        }
    }

    /// The server refuses to send a message, or the connection ends while it sends the message. `continues` is whether
    /// the connection is still open.
    @Test(.database, arguments: [("a5 NO [SERVERBUG]\r\n", true), ("* 1 FETCH (BODY[] {30}\r\nabc", false)])
    func `a message that cannot be fetched does not stop later messages`(
        _ answer: String, _ continues: Bool
    ) async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            var mail = try intake(harness)
            let text = String(decoding: message(from: try login(anna, harness), Self.text), as: UTF8.self)
            /// The answers to the commands for message 9, which become a receipt.
            func importAnswers(_ command: Int) -> String {
                "* 2 FETCH (RFC822.SIZE \(text.utf8.count))\r\na\(command) OK\r\n"
                    + "* 2 FETCH (BODY[] {\(text.utf8.count)}\r\n\(text))\r\na\(command + 1) OK\r\n"
                    + "a\(command + 2) OK\r\n"
            }
            let start = "* OK ready\r\na1 OK\r\na2 OK\r\n* SEARCH 4 9\r\na3 OK\r\n"
            let failing = start + "* 1 FETCH (RFC822.SIZE 30)\r\na4 OK\r\n" + answer
            if continues {
                try await round(&mail, failing + importAnswers(6))
            } else {
                do {
                    try await round(&mail, failing)
                    Issue.record("the connection did not end")
                } catch MailError.ended {}
                // The next round begins with the later message.
                try await round(&mail, start + importAnswers(4))
            }
            #expect(try count(anna.household, harness) == 1)
        }
    }

    @Test(.database) func `a message that is not in the server's answer is not fetched in each round`() async throws {
        try await AppHarness.run { harness in
            var mail = try intake(harness)
            try await round(&mail, "* OK ready\r\na1 OK\r\na2 OK\r\n* SEARCH 4\r\na3 OK\r\na4 OK\r\n")
            // This server does not answer FETCH.
            try await round(&mail, "* OK ready\r\na1 OK\r\na2 OK\r\n* SEARCH 4\r\na3 OK\r\n")
        }
    }

    @Test func `the pause doubles after each failed round of the mail import`() {
        var pause = MailPause()
        let (unreachable, outage) = (ClientError.notReachable, PostgresError(.unavailable, ""))
        let errors: [(any Error)?] = [
            unreachable, unreachable, unreachable, unreachable, unreachable, nil, unreachable, outage,
        ]
        let pauses = errors.map { pause.next(after: $0) }
        #expect(pauses == [120, 240, 480, 900, 900, 60, 120, 60].map { Duration.seconds($0) })
    }

    @Test(.database) func `a message that cannot be marked as seen does not stop later messages`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            var mail = try intake(harness)
            let text = String(decoding: message(from: try login(anna, harness), Self.text), as: UTF8.self)
            let other = text.replacing("8,99", with: "9,99")
            let refused =
                "* OK ready\r\na1 OK\r\na2 OK\r\n* SEARCH 4 9\r\na3 OK\r\n"
                + "* 1 FETCH (RFC822.SIZE \(text.utf8.count))\r\na4 OK\r\n"
                + "* 1 FETCH (BODY[] {\(text.utf8.count)}\r\n\(text))\r\na5 OK\r\na6 NO [NOPERM]\r\n"
            let imported =
                "* 2 FETCH (RFC822.SIZE \(other.utf8.count))\r\na7 OK\r\n"
                + "* 2 FETCH (BODY[] {\(other.utf8.count)}\r\n\(other))\r\na8 OK\r\na9 OK\r\n"
            try await round(&mail, refused + imported)
            #expect(try count(anna.household, harness) == 2)
            // The next round does not fetch the message again: this server's answer does not contain it.
            try await round(&mail, "* OK ready\r\na1 OK\r\na2 OK\r\n* SEARCH 4\r\na3 OK\r\n")
        }
    }

    @Test(.database) func `a message goes to the household that its sender joined first`() async throws {
        try await AppHarness.run { harness in
            let anna = try await harness.signUp()
            let paul = try await harness.signUp("Paul Huber")
            try harness.addMember(anna, to: paul.household, as: .member)
            #expect(try await intake(harness).importMessage(message(from: try login(anna, harness), Self.text)) == nil)
            #expect(try count(anna.household, harness) == 1)
            #expect(try count(paul.household, harness) == 0)
        }
    }
}
