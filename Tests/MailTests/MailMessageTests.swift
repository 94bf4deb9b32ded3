import Testing

@testable import Mail

@Suite(.timeLimit(.minutes(1))) struct MailMessageTests {
    private func message(_ text: String) throws -> MailMessage {
        try MailMessage(Array(text.replacing("\n", with: "\r\n").utf8))
    }

    @Test func `finds the sender, the text and the files`() throws {
        let message = try message(
            """
            From: "Huber, Anna" <Anna@Example.at>
            Subject: Beleg
            Content-Type: multipart/mixed;
             boundary="a b"

            --a b
            Content-Type: text/plain

            Hallo
            --a b
            Content-Type: image/jpeg; name="=?UTF-8?B?QsOkY2tlci5qcGc=?="
            Content-Disposition: attachment
            Content-Transfer-Encoding: base64

            /9j/
            4AAQ
            --a b
            Content-Type: application/pdf
            Content-Disposition: attachment; filename*=utf-8''Rechnung%20M%C3%A4rz.pdf
            Content-Transfer-Encoding: quoted-printable

            %PDF=2D1=
            .4
            --a b--
            behind
            """)
        #expect(message.sender.address == "anna@example.at")
        #expect(!message.sender.isForged)
        #expect(message.text == "Hallo\r\n")
        #expect(message.files.map(\.name) == ["Bäcker.jpg", "Rechnung März.pdf"])
        #expect(message.files.first?.bytes == [0xFF, 0xD8, 0xFF, 0xE0, 0x00, 0x10])
        #expect(message.files.last.map { String(decoding: $0.bytes, as: UTF8.self) } == "%PDF-1.4\r\n")
    }

    @Test func `marks pictures in a text, and finds the files of a forwarded message`() throws {
        let message = try message(
            """
            From: anna@example.at
            Content-Type: multipart/mixed; boundary=x

            --x
            Content-Type: multipart/related; boundary=y

            --y
            Content-Type: text/html

            <p>Rechnung</p>
            --y
            Content-Type: image/png
            Content-ID: <logo>

            logo
            --y--
            --x
            Content-Type: message/rfc822

            From: shop@example.com
            Content-Type: application/pdf

            document
            --x--
            """)
        #expect(message.sender.address == "anna@example.at")
        #expect(message.files.map(\.isInText) == [true, false])
        #expect(message.files.map(\.mediaType) == ["image/png", "application/pdf"])
    }

    @Test func `separates parts whose boundaries begin with the same text`() throws {
        let message = try message(
            """
            From: anna@example.at
            Content-Type: multipart/mixed; boundary=part

            --part
            Content-Type: multipart/alternative; boundary=part--2

            --part--2
            Content-Type: text/plain

            Summe 12,50
            --part--2
            Content-Type: text/html

            <p>Summe 12,50 Euro</p>
            --part--2--

            --part\u{20}
            Content-Type: application/pdf; name=a.pdf

            x
            --part--
            """)
        #expect(message.text == "Summe 12,50 Euro")
        #expect(message.files.map(\.name) == ["a.pdf"])
    }

    @Test func `prefers HTML to plain text, and keeps each table row on one line`() throws {
        let message = try message(
            """
            From: anna@example.at
            Content-Type: multipart/alternative; boundary=x

            --x
            Content-Type: text/plain

            plain
            --x
            Content-Type: text/html; charset=utf-8
            Content-Transfer-Encoding: quoted-printable

            <html><head><style>p { color: red }</style></head><body><!-- <p>no -->
            <table><tr><td>B=C3=BCro&nbsp;Stuhl</td><td>129,90 &euro;</td></tr>
            <tr><td>Summe</td><td>129,90 &#8364;</td></tr></table></body></html>
            --x--
            """)
        #expect(
            message.text.split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") } == [
                "Büro Stuhl 129,90 €", "Summe 129,90 €",
            ])
    }

    @Test(arguments: [
        ("iso-8859-15", "=A4 12,50", "€ 12,50"), ("ISO-8859-1", "=A4 12,50", "¤ 12,50"),
        ("windows-1252", "=80 12,=96", "€ 12,–"), ("utf-8", "=E2=82=AC 12,50", "€ 12,50"),
    ])
    func `decodes amounts in the character sets of older shops`(charset: String, body: String, expected: String) throws
    {
        let message = try message(
            """
            From: anna@example.at
            Content-Type: text/plain; charset="\(charset)"
            Content-Transfer-Encoding: quoted-printable

            \(body)
            """)
        #expect(message.text == expected)
    }

    @Test(arguments: [
        ("From: a@example.at, b@example.at", nil), ("From: a@example.at\nFrom: b@example.at", nil),
        ("From: nobody", nil), ("Subject: x", nil), ("From: <a@example.at> (Anna)", nil),
        ("From: A@B.at", "a@b.at"), ("From: =?utf-8?q?An=C3=A4?= <a@b.at>", "a@b.at"),
        ("From: eve@example.com, <a@b.at>", nil), ("From: <eve@example.com>, Anna <a@b.at>", nil),
        (#"From: "Berger, \"Anna\"" <a@b.at>"#, "a@b.at"), (#"From: "Anna <a@b.at>"#, nil),
        ("From: eve@example.com (<a@b.at>", nil), (#"From: eve@example.com (\) <a@b.at>"#, nil),
        ("From: Anna (Wien) <a@b.at>", "a@b.at"), (#"From: "Anna (" <a@b.at>"#, "a@b.at"),
    ]) func `reads exactly one address as the sender`(header: String, sender: String?) throws {
        #expect(try message("\(header)\n\ntext").sender.address == sender)
    }

    @Test func `recognises a message that the receiving server reported as forged`() throws {
        let header = "Authentication-Results: mx.example.at; spf=fail; dkim=none; dmarc=fail\nFrom: a@b.at\n\n"
        #expect(try message(header).sender.isForged)
        #expect(try !message("Authentication-Results: mx; spf=pass; dkim=pass\nFrom: a@b.at\n\n").sender.isForged)
    }

    @Test func `refuses too many and too deeply nested parts`() {
        let many = "Content-Type: multipart/mixed; boundary=x\n\n" + String(repeating: "--x\n\na\n", count: 500)
        #expect(throws: MailError.tooLong) { try message(many) }
        var deep = ""
        for level in 0..<20 { deep += "Content-Type: multipart/mixed; boundary=x\(level)\n\n--x\(level)\n" }
        #expect(throws: MailError.tooLong) { try message(deep) }
    }

    /// A message with missing or changed bytes is read or refused with a `MailError`.
    @Test func `reads or refuses damaged messages`() throws {
        let source = Array(
            """
            From: "a" <a@b.at>\r\nContent-Type: multipart/mixed; boundary="b"\r\n\r\n--b\r\nContent-Type: text/html;
             charset="x\r\n\r\n<p a=\"b\">&auml;&#x41;&#99999999999;<script>\r\n--b\r\nContent-Type: a; name*=utf-8'%\r
            Content-Transfer-Encoding: quoted-printable\r\n\r\n=4=\r\n--b--
            """.utf8)
        var generator = SystemRandomNumberGenerator()
        for round in 0..<3_000 {
            var bytes = Array(
                source.prefix(round % 2 == 0 ? source.count : Int.random(in: 0...source.count, using: &generator)))
            for _ in 0..<Int.random(in: 0...6, using: &generator) where !bytes.isEmpty {
                bytes[Int.random(in: bytes.indices, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
            }
            if let message = try? MailMessage(bytes) { #expect(message.files.count < 10) }
        }
    }

    @Test func `converts a text to a PDF with a valid cross-reference table`() throws {
        let document = TextPDF.document(String(repeating: "Käse (jung) 1,99 €\n", count: 130))
        let text = String(decoding: document, as: Unicode.ASCII.self)
        #expect(text.hasPrefix("%PDF-1.4\n"))
        #expect(text.contains("/Count 3/"))
        #expect(document.contains(0x80))
        let table = try #require(text.firstMatch(of: #/startxref\n([0-9]+)\n/#).flatMap { Int($0.1) })
        #expect(document[table...].starts(with: Array("xref\n0 10\n".utf8)))
        for (number, match) in text[text.index(text.startIndex, offsetBy: table)...].matches(
            of: #/([0-9]{10}) 00000 n/#
        )
        .enumerated() {
            let offset = try #require(Int(match.1))
            #expect(document[offset...].starts(with: Array("\(number + 1) 0 obj".utf8)))
        }
    }
}
