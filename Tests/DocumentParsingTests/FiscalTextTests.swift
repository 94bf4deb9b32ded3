import DocumentParsing
import Domain
import Testing

/// The block with the data of the technical security device (TSE), printed as text in the layouts of several tills.
@Suite(.timeLimit(.minutes(5))) struct FiscalTextTests {
    struct Block: Sendable, CustomTestStringConvertible {
        let name: String
        let print: String
        var till: String?
        var transaction: String?
        var counter: String?
        var time: String?
        var testDescription: String { name }
    }

    static let blocks = [
        Block(
            name: "labels with TSE, local time",
            print: """
                TSE-Signatur:        Hq3vT0mZkWJ8uYcN5dLr7xPqA2sBfEgK1
                                     o9RiUjM4wXhVtC6yGzDnF0aSl3pQeI8bT
                                     7kN2mWv5/cRqL+1HxYJ4uZ9dE==
                    TSE-Signaturzähler:  164458
                    TSE-Transaktion:     78321
                TSE-Start:           2026-03-14T10:14:31.000
                TSE-Stop:            2026-03-14T10:15:02.000
                Seriennnummer Kasse: SHOP:d8:5e:d3:41:8f:72:00
                """, till: "SHOP:d8:5e:d3:41:8f:72:00", transaction: "78321", counter: "164458"),
        Block(
            name: "UTC, no blank after the labels",
            print: """
                TSE-Transaktion:12345
                TSE-Signatur-Nr:9876
                TSE-Start:2026-03-14T09:14:31.000Z
                TSE-Stop:2026-03-14T09:15:02.000Z
                TSE-Seriennummer:
                3f9a0c71b2d84e55a6f7019c2b3d4e5f88aa01bc
                TSE-Zeitformat: utcTime
                """, till: "3f9a0c71b2d84e55a6f7019c2b3d4e5f88aa01bc", transaction: "12345", counter: "9876",
            time: "10:15:02"),
        Block(
            name: "two fields per line",
            print: """
                ***** FISKALINFORMATIONEN (TSE) *****
                Start: 2026-03-14 10:14:12
                Ende: 2026-03-14 10:15:32
                SN-Kasse: FD158964  TA-Nummer: 1258965
                Signaturzähler: 854695  Signatur: kJ3hG
                9d0f1Ab4Kq8ZsX2Cv7BnM5wE6rT1yU0iOpLk
                """, till: "FD158964", transaction: "1258965", counter: "854695"),
        Block(
            name: "German dates",
            print: """
                TSE-Daten:
                TSE-Transaktion: 1003
                Signaturzaehler: 5871
                Kassen-Seriennr.: KS-0042-17
                Vorgangsbeginn: 14.03.2026 10:14:12
                Vorgangsende: 14.03.2026 10:15:14
                Prüfwert: ABCDEF0123456789ABCDEF
                """, till: "KS-0042-17", transaction: "1003", counter: "5871"),
        Block(
            name: "short labels",
            print: """
                TA-Nr. 151907 Beleg-Nr. 9506
                Seriennr. Kasse: 4711-08
                Signaturzähler: 3310422
                Start: 14.03.2026 10:14:12
                Ende:  14.03.2026 10:15:14
                """, till: "4711-08", transaction: "151907", counter: "3310422"),
        Block(
            name: "misread labels",
            print: """
                TSE-Signatuzähler:  164458
                TSE-Transaktlon:     78321
                TSE-Stait:           2026-03-14T10:14:31.000
                TSE-Stop:            2026-03-14T10:15:02.000
                Seriennummei Kasse: SHOP:d8:5e:d3:41
                """, till: "SHOP:d8:5e:d3:41", transaction: "78321", counter: "164458"),
    ]

    /// Returns the sample receipt with `block` above its last lines, where tills print it. `isUndated` removes the
    /// dates outside the block.
    private static func receipt(_ block: String, isUndated: Bool = false) -> String {
        let foot = "  14.03.2026   10:15   Bon-Nr.:4711"
        let text = Sample.rewe.replacing(foot, with: block + "\n" + foot)
        return isUndated
            ? text.replacing(foot, with: "  Bon-Nr.:4711").replacing("  Datum: 14.03.2026", with: "") : text
    }

    @Test(arguments: blocks)
    func `reads till, transaction and counter from each block`(block: Block) throws {
        let receipt = Layout.parse(Self.receipt(block.print))
        let text = try #require(receipt.fiscalText)
        #expect(text.key?.till == block.till)
        #expect(text.transaction == block.transaction)
        #expect(text.counter == block.counter)
    }

    @Test(arguments: blocks)
    func `creates no item, payment or reason for review from the block`(block: Block) {
        let plain = Layout.parse(Sample.rewe)
        let receipt = Layout.parse(Self.receipt(block.print))
        #expect(receipt.summary == plain.summary)
        #expect(receipt.reasons == plain.reasons)
        #expect(receipt.payments.map(\.amount.minorUnits) == plain.payments.map(\.amount.minorUnits))
        #expect(receipt.time?.value.iso == plain.time?.value.iso)
    }

    @Test(arguments: blocks)
    func `creates no item from the block if the total was not read`(block: Block) {
        let torn = Self.receipt(block.print).split(separator: "\n", omittingEmptySubsequences: false)
            .filter { !$0.contains("SUMME") && !$0.contains("Gesamtbetrag") && !$0.contains("Geg.") }
            .joined(separator: "\n")
        let names = Layout.parse(torn).items.map(\.name.value)
        #expect(!names.contains { $0.contains("TSE") || $0.contains("Sign") || $0.contains("Serien") }, "\(names)")
    }

    @Test(arguments: blocks)
    func `takes the date from the times in the block if no other date is printed`(block: Block) {
        let receipt = Layout.parse(Self.receipt(block.print, isUndated: true))
        #expect(receipt.date?.value.iso == "2026-03-14")
        #expect(receipt.time?.value.iso == block.time)
        #expect(!receipt.reasons.contains(.dateMissing))
    }

    @Test func `ignores a time near midnight unless it is marked as UTC`() {
        func block(_ end: String) -> String {
            "TSE-Signaturzähler: 1\nTSE-Transaktion: 2\nTSE-Stop: 2026-03-13T23:15:02.000\(end)"
        }
        let utc = Layout.parse(Self.receipt(block("Z"), isUndated: true))
        #expect(utc.date?.value.iso == "2026-03-14")
        #expect(utc.time?.value.iso == "00:15:02")
        #expect(Layout.parse(Self.receipt(block(""), isUndated: true)).date == nil)
        #expect(!Layout.parse(Self.receipt(block(""))).reasons.contains(.dateDisagrees))
    }

    @Test func `confirms the total by the amounts in the block`() {
        let block = "TSE-Transaktion: 2\nSignaturzähler: 77\nBeleg^0.39_6.72_0.00_0.00_0.00^7.11:Bar"
        let receipt = Layout.parse(Self.receipt(block))
        #expect(receipt.fiscalCode?.total == 711)
        #expect(!receipt.reasons.contains(.fiscalCodeDiffers))
        let other = Layout.parse(Self.receipt(block.replacing("6.72", with: "6.27")))
        #expect(other.reasons.contains(.fiscalCodeDiffers))
    }

    @Test(arguments: [("AVTraining", ParsedReceipt.Reason.training), ("AVBelegstorno", .cancelled)])
    func `reports training and cancellation`(type: String, reason: ParsedReceipt.Reason) {
        let block = "TSE-Transaktion: 2\nSignaturzähler: 77\nVorgangsart: \(type)"
        #expect(Layout.parse(Self.receipt(block)).reasons.contains(reason))
        let signed = "TSE-Transaktion: 2\nSignaturzähler: 77\n\(type)^0.39_6.72_0.00_0.00_0.00^7.11:Bar"
        #expect(Layout.parse(Self.receipt(signed)).reasons.contains(reason))
    }

    @Test func `does not read a card slip as fiscal text`() {
        let slip =
            Sample.rewe + "\n* * Kundenbeleg * *\nTerminal-ID 56038840\nTA-Nr. 001234 BNr. 5678\nVU-Nr. 4556465581"
        #expect(Layout.parse(slip).fiscalText == nil)
    }
}
