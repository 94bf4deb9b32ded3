import Demo
import Domain
import Testing

@testable import App

/// The receipts of the demo household, drawn as files for the reader.
@Suite(.timeLimit(.minutes(5))) struct DemoPaperTests {
    private static let drawn = DemoHousehold(endingOn: LocalDate(dayNumber: 20_700), months: 2)

    private func file(_ receipt: DemoHousehold.Receipt) throws -> String {
        let store = try #require(Self.drawn.stores.first { $0.id == receipt.store })
        return String(decoding: DemoPaper(receipt, store, chain: "MARKT", number: 7).pdf, as: UTF8.self)
    }

    @Test func `the cross-reference table of the PDF has the offsets of its objects`() throws {
        for receipt in Self.drawn.receipts.suffix(8) {
            let pdf = Array(try file(receipt).utf8)
            let rows = String(decoding: pdf, as: UTF8.self).split(separator: "\n")
            let offsets = rows.filter { $0.hasSuffix(" 00000 n ") }.compactMap { Int($0.prefix(10)) }
            #expect(offsets.count == 5)
            for (index, offset) in offsets.enumerated() {
                #expect(pdf[offset...].starts(with: "\(index + 1) 0 obj".utf8))
            }
            let table = try #require(rows.firstIndex(of: "startxref").flatMap { Int(rows[$0 + 1]) })
            #expect(pdf[table...].starts(with: "xref".utf8))
        }
    }

    @Test func `prints every line and the total, and non-ASCII letters as octal escapes`() throws {
        for receipt in Self.drawn.receipts.suffix(8) {
            let pdf = try file(receipt)
            #expect(pdf.utf8.allSatisfy { $0 < 0x80 })
            #expect(pdf.contains("SUMME"))
            #expect(pdf.contains(receipt.total.figure()))
            for line in receipt.lines { #expect(pdf.contains("\(line.total.figure()) ")) }
        }
    }
}
