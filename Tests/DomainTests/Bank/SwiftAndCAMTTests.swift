import Domain
import Testing

@Suite(.timeLimit(.minutes(1))) struct SwiftAndCAMTTests {
    private func lines(_ text: String) throws -> [String] {
        try BankFile.read(text, home: .eur).bookings.map {
            "\($0.day.iso) \($0.amount.plain) \($0.amount.currency) | \($0.payee) | \($0.purpose) | \($0.reference)"
        }
    }

    private static let mt940 = """
        :20:STARTUMS
        :25:12030000/0000202051
        :28C:00001/001
        :60F:C251230EUR1234,56
        :61:2512310102DR12,50NMSCNONREF//B6A01X7
        :86:105?00BASISLASTSCHRIFT?10931?20EREF+4711?21SVWZ+Mitgliedsbeitrag Janua?22r 2026?30GENODEF1
        ?31DE02120300000000202051?32Turn- und Sportverein Neust?33adt
        :61:260105C1.00NTRFNONREF
        """

    @Test func `reads the entries of MT940 with the structured fields of German banks`() throws {
        let text =
            Self.mt940.replacing("C1.00NTRFNONREF", with: "CR2100,NTRFLOHN//77\nsupplement")
            + "\n:86:166?00GUTSCHRIFT?20Lohn?32Arbeit GmbH\n:61:2601060106RDR5,NMSCNONREF\n:86:free text of a bank\n:62F:C260106EUR3327,06\n-"
        #expect(
            try lines(text) == [
                "2026-01-02 -12.50 EUR | Turn- und Sportverein Neustadt | Mitgliedsbeitrag Januar 2026 | B6A01X7",
                "2026-01-05 2100.00 EUR | Arbeit GmbH | Lohn | 77",
                "2026-01-06 5.00 EUR |  | free text of a bank | ",
            ])
        #expect(try BankFile.read(text, home: .eur).bookings[0].account == "12030000/0000202051")
    }

    @Test(arguments: [
        mt940, ":20:X\n:61:2601010101D1,00NTRFX", ":20:X\n:60F:C26", ":20:X\n:60F:C260101EUR0,00\n:61:261301D1,00NTRFX",
        ":20:X\n:60F:C260101EUR0,00\n:61:260101D999999999999999999,00NTRFX",
        ":20:X\n:60F:C260101EUR0,00\n:86:" + String(repeating: "x", count: 5_000),
        ":20:X\n:60F:C260101EUR0,00\n:86:" + String(repeating: "x\n", count: 100),
    ])
    func `refuses MT940 with a broken field`(text: String) {
        #expect {
            try BankFile.read(text, home: .eur)
        } throws: { error in
            if case .brokenField = error as? BankFileFailure { true } else { false }
        }
    }

    private static func booking(_ line: String, _ details: String) throws -> BankBooking {
        let text = ":20:X\n:25:1/2\n:60F:C260101EUR0,00\n:61:\(line)\n:86:\(details)"
        return try #require(try BankFile.read(text, home: .eur).bookings.first)
    }

    @Test(arguments: [
        ("?20MIETE?21JANUAR 2026", "MIETE JANUAR 2026"),
        // The bank has removed the blank at the end of the first part.
        ("?20SVWZ+Mitgliedsbeitrag fuer?21Januar", "Mitgliedsbeitrag fuer Januar"),
        ("?20SVWZ+Mitgliedsbeitrag Janua?21r 2026?22ABWA+Oma", "Mitgliedsbeitrag Januar 2026"),
        ("?20Was ist das? Ja", "Was ist das? Ja"), ("?20SVWZ+", "LASTSCHRIFT"),
    ])
    func `joins the parts of a remittance text`(parts: String, purpose: String) throws {
        let booking = try Self.booking("260105D1,00NTRFNONREF", "105?00LASTSCHRIFT\(parts)?32Post")
        #expect(booking.purpose == purpose && booking.payee == "Post")
    }

    @Test func `the kind of an entry depends on the bank's text for its type, and on the mark of a reversal`() throws {
        let cash = try Self.booking("260105D50,00NTRFNONREF", "083?00BARGELDAUSZAHLUNG?20GA NR00002358?32Bank")
        #expect(cash.kind == .withdrawal && cash.purpose == "GA NR00002358")
        let reversal = try Self.booking("260105RD50,00NTRFNONREF", "109?00RUECKLASTSCHRIFT?20Beitrag?32Verein Linde")
        #expect(reversal.kind == .refund && reversal.amount.minorUnits == 5_000)
        #expect(try Self.booking("260105C50,00NTRFNONREF", "166?00GUTSCHRIFT?20Lohn?32Verein").kind == .income)
    }

    @Test func `skips pending entries of MT940, and reads a file with a byte order mark`() throws {
        let text =
            "\u{FEFF}:20:X\n:60F:C260101EUR0,00\n:61:260105ED9,00NTRFNONREF\n:86:Hotel\n:61:260105D1,00NTRFNONREF"
        let statement = try BankFile.read(text, home: .eur)
        #expect(statement.bookings.map(\.amount.minorUnits) == [-100])
        #expect(statement.skipped == [.init(line: 3, reason: .pending)])
    }

    private static func camt(_ entries: String, prefix: String = "") -> String {
        """
        <?xml version="1.0" encoding="UTF-8"?>\(prefix)
        <Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><GrpHdr><MsgId>1</MsgId></GrpHdr>
        <Stmt><Acct><Id><IBAN>AT61 1904 3002 3457 3201</IBAN></Id></Acct>\(entries)</Stmt></BkToCstmrStmt></Document>
        """
    }

    private static let entry = """
        <Ntry><Amt Ccy="EUR">12.50</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>2026-01-02</Dt></BookgDt>
        <ValDt><Dt>2026-01-02</Dt></ValDt><AcctSvcrRef>R-1</AcctSvcrRef><NtryDtls><TxDtls><AmtDtls><InstdAmt><Amt Ccy="USD">13.60</Amt>
        </InstdAmt></AmtDtls><RltdPties><Cdtr><Pty><Nm>Caf&#233; &amp; Co</Nm></Pty></Cdtr></RltdPties><RmtInf><Ustrd>Tisch 3</Ustrd>
        <Ustrd>Danke</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>
        """

    @Test func `reads the booked entries of CAMT with their foreign amounts`() throws {
        let pending = Self.entry.replacing("BOOK", with: "PDNG")
        let statement = try BankFile.read(Self.camt(Self.entry + pending), home: .eur)
        #expect(try lines(Self.camt(Self.entry)) == ["2026-01-02 -12.50 EUR | Café & Co | Tisch 3 Danke | R-1"])
        #expect(statement.skipped.map(\.reason) == [.pending])
        #expect(statement.bookings[0].original?.plain == "13.60")
        #expect(statement.bookings[0].account == "AT611904300234573201")
    }

    @Test func `divides a collective booking if its parts add up to its amount`() throws {
        func part(_ amount: String) -> String {
            "<TxDtls><Refs><AcctSvcrRef>P\(amount)</AcctSvcrRef></Refs><Amt Ccy=\"EUR\">\(amount)</Amt></TxDtls>"
        }
        let whole = """
            <Ntry><Amt Ccy="EUR">30</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><DtTm>2026-01-02T10:00:00</DtTm></BookgDt>
            <NtryDtls>\(part("10.00"))\(part("20.00"))</NtryDtls></Ntry>
            """
        #expect(
            try lines(Self.camt(whole)) == [
                "2026-01-02 10.00 EUR |  |  | P10.00", "2026-01-02 20.00 EUR |  |  | P20.00",
            ])
        let off = whole.replacing("20.00", with: "20.01")
        #expect(try lines(Self.camt(off)) == ["2026-01-02 30.00 EUR |  |  | "])
    }

    @Test func `divides a collective booking whose parts have different signs`() throws {
        func part(_ amount: String, _ sign: String) -> String {
            "<TxDtls><Amt Ccy=\"EUR\">\(amount)</Amt><CdtDbtInd>\(sign)</CdtDbtInd></TxDtls>"
        }
        let whole = """
            <Ntry><Amt Ccy="EUR">30</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>2026-01-02</Dt></BookgDt>
            <NtryDtls>\(part("50.00", "DBIT"))\(part("20.00", "CRDT"))</NtryDtls></Ntry>
            """
        let amounts = try BankFile.read(Self.camt(whole), home: .eur).bookings.map(\.amount.minorUnits)
        #expect(amounts == [-5_000, 2_000])
    }

    @Test(arguments: [
        // The parties of the reversed payment, with and without accounts, and the parties of the reversal.
        ("<Dbtr><Nm>Ich</Nm></Dbtr><Cdtr><Nm>Netz AG</Nm></Cdtr>", "Netz AG"),
        (
            """
            <Dbtr><Nm>Ich</Nm></Dbtr><DbtrAcct><Id><IBAN>AT611904300234573201</IBAN></Id></DbtrAcct><Cdtr><Nm>Netz AG</Nm></Cdtr>
            """, "Netz AG"
        ),
        (
            """
            <Dbtr><Nm>Netz AG</Nm></Dbtr><DbtrAcct><Id><IBAN>DE02120300000000202051</IBAN></Id></DbtrAcct><Cdtr><Nm>Ich</Nm></Cdtr>
            """, "Netz AG"
        ),
    ])
    func `a reversed payment is a refund from its payee`(parties: String, payee: String) throws {
        let entry = """
            <Ntry><Amt Ccy="EUR">30</Amt><CdtDbtInd>CRDT</CdtDbtInd><RvslInd>true</RvslInd><Sts>BOOK</Sts>
            <BookgDt><Dt>2026-01-02</Dt></BookgDt><NtryDtls><TxDtls><RltdPties>\(parties)</RltdPties></TxDtls></NtryDtls></Ntry>
            """
        let booking = try #require(try BankFile.read(Self.camt(entry), home: .eur).bookings.first)
        #expect(booking.payee == payee && booking.kind == .refund && booking.amount.minorUnits == 3_000)
    }

    @Test func `reads several statements, and a structured reference without a remittance text`() throws {
        let other = """
            <Ntry><Amt Ccy="CHF">7.00</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>2026-01-03</Dt></BookgDt>
            <NtryDtls><TxDtls><RmtInf><Strd><CdtrRefInf><Ref>210000000003139471430009017</Ref></CdtrRefInf></Strd></RmtInf>
            </TxDtls></NtryDtls></Ntry></Stmt><Stmt><Acct><Id><Othr><Id>CHF 4711</Id></Othr></Id></Acct>
            """
        let statement = try BankFile.read(Self.camt(other + Self.entry), home: .eur)
        #expect(statement.bookings.map(\.purpose) == ["210000000003139471430009017", "Tisch 3 Danke"])
        #expect(statement.bookings.map(\.account) == ["AT611904300234573201", "CHF4711"])
    }

    @Test(arguments: [
        "Buchungstag;Empfänger;Betrag\n03.01.2026;Bäcker;-3,20\n03.01.2026;Bank;0,00",
        mt940.replacing("C1.00NTRFNONREF", with: "C0,00NTRFNONREF"),
        camt(entry + entry.replacing("12.50", with: "0.00")),
    ])
    func `reports a booking of 0 as skipped`(text: String) throws {
        let statement = try BankFile.read(text, home: .eur)
        #expect(statement.bookings.count == 1)
        #expect(statement.skipped.map(\.reason) == [.zero])
    }

    @Test func `refuses document types and entities, including harmless ones`() {
        let bomb = "<!DOCTYPE x [<!ENTITY a \"ha\"><!ENTITY b \"&a;&a;&a;\">]>"
        for text in [
            Self.camt(Self.entry, prefix: bomb), Self.camt("<!ENTITY a 'b'>"), Self.camt("<x>&a;</x>"),
            Self.camt("<x y=\"&file;\"/>"),
            Self.camt(Self.entry, prefix: "<!DOCTYPE Document SYSTEM \"file:///etc/passwd\">"),
        ] {
            #expect(throws: BankFileFailure.entities) { try BankFile.read(text, home: .eur) }
        }
    }

    @Test(arguments: [
        "<a><b></a></b>", "<a", "<a>", "<a></a><b></b>", "<a x=1/>", "<a x='1' x='2'/>", "<a>&#0;</a>", "<a>\u{1}</a>",
        "<a><?php ?></a>", "<a><!-- </a>", "<a><![CDATA[</a>",
    ])
    func `refuses XML that is not well-formed`(text: String) {
        #expect {
            try BankFile.read(text, home: .eur)
        } throws: { error in
            if case .brokenXML = error as? BankFileFailure { true } else { false }
        }
    }

    @Test func `limits depth, number and length of elements`() {
        let deep = String(repeating: "<a>", count: 100) + String(repeating: "</a>", count: 100)
        let many = "<a>" + String(repeating: "<b/>", count: StrictXML.maximumElements) + "</a>"
        let long = "<a>" + String(repeating: "x", count: 70_000) + "</a>"
        for text in [deep, many, long] {
            #expect(throws: BankFileFailure.tooLarge) { try BankFile.read(text, home: .eur) }
        }
        #expect(throws: BankFileFailure.unknownFormat) { try BankFile.read("<a/>", home: .eur) }
    }
}
