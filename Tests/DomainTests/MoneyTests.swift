import Foundation
import Testing

@testable import Domain

@Suite(.timeLimit(.minutes(5))) struct MoneyTests {
    @Test(
        "reads amounts up to a million with German, English and Swiss separators",
        arguments: [
            ("1.234,56", 123_456), ("1,234.56", 123_456), ("1234,56", 123_456), ("12,3", 1_230), ("12", 1_200),
            ("0,25-", -25), ("-0,25", -25), ("− 0,25", -25), ("+3.20", 320), ("-0", 0), ("0,00", 0),
            ("1.234.567,89 €", nil), ("1 234,50", 123_450), ("1'234.50", 123_450), ("€ 3,20", 320), ("3.20 EUR", 320),
            ("3,20€", 320), ("\u{A0}7,5\u{A0}€", 750), ("1.000.000,00", 100_000_000), ("999,999.99", 99_999_999),
        ] as [(String, Int64?)])
    func reads(text: String, expected: Int64?) {
        #expect((try? Money(parsing: text))?.minorUnits == expected)
    }

    @Test(
        "refuses malformed and ambiguous amounts with the reason",
        arguments: [
            ("", .empty), ("   ", .empty), ("abc", .malformed), ("1e300", .malformed), ("NaN", .malformed),
            ("١٢٣", .malformed), ("１２", .malformed), ("1,2,3", .malformed), ("12.34.56", .malformed),
            ("1.23,45", .malformed), ("1,234,56", .malformed), (",50", .malformed), ("5,", .malformed),
            ("007", .malformed), ("0.123,45", .malformed), ("--1", .malformed), ("-1-", .malformed), ("-", .malformed),
            ("1.234", .ambiguous), ("1,234", .ambiguous), ("0,005", .tooManyDecimals), ("1,2345", .tooManyDecimals),
            ("9223372036854775808", .outOfRange), ("9.999.999.999,99", .outOfRange), ("1000000,01", .outOfRange),
            ("3,20 CHF", .mismatch), ("0x10", .malformed), ("1_000", .malformed), ("3,20\u{0}", .malformed),
        ] as [(String, NumberError)])
    func refuses(text: String, reason: NumberError) {
        #expect(throws: reason) { try Money(parsing: text) }
    }

    @Test func `refuses a figure of a million characters`() {
        #expect(throws: NumberError.malformed) { try Money(parsing: String(repeating: "1", count: 1_000_000)) }
    }

    @Test(
        "writes amounts in both languages",
        arguments: [
            (123_456, "1.234,56\u{A0}€", "€1,234.56"), (-320, "−3,20\u{A0}€", "−€3.20"), (0, "0,00\u{A0}€", "€0.00"),
            (5, "0,05\u{A0}€", "€0.05"), (100_000_000, "1.000.000,00\u{A0}€", "€1,000,000.00"),
            (.min, "−92.233.720.368.547.758,08\u{A0}€", "−€92,233,720,368,547,758.08"),
        ] as [(Int64, String, String)])
    func writes(minor: Int64, german: String, english: String) {
        let money = Money(minorUnits: minor)
        #expect(money.formatted(.german) == german)
        #expect(money.formatted(.english) == english)
    }

    @Test func `reads the amounts that it writes`() throws {
        for minor: Int64 in [-100_000_000, -99_999, -1, 0, 7, 10, 99, 100, 12_345, 99_999_999] {
            let money = Money(minorUnits: minor)
            for language in Language.allCases {
                #expect(try Money(parsing: money.formatted(language)) == money)
                #expect(try Money(parsing: money.figure(language)) == money)
            }
            #expect(try Money(parsing: money.plain) == money)
        }
    }

    @Test func `sums are exact and throw on overflow`() throws {
        #expect(try Money.sum(of: [10, 20, -5].map { Money(minorUnits: $0) }) == Money(minorUnits: 25))
        #expect(throws: NumberError.outOfRange) { try Money(minorUnits: .max) + Money(minorUnits: 1) }
        #expect(throws: NumberError.mismatch) { try Money.zero(.eur) + Money.zero(.chf) }
    }

    @Test func `reads and writes francs`() throws {
        #expect(Money(minorUnits: 1_995, currency: .chf).formatted() == "19,95\u{A0}CHF")
        #expect(Money(minorUnits: -1_995, currency: .chf).formatted(.english) == "−CHF\u{A0}19.95")
        #expect(try Money(parsing: "CHF 19.95", currency: .chf).minorUnits == 1_995)
    }

    /// The browser tests check the script with the same table.
    @Test func `reads the same amounts as the script of the review page`() throws {
        let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let table = try String(
            contentsOf: tests.appending(path: "BrowserTests/script_checks/amounts.txt"), encoding: .utf8)
        for row in table.split(separator: "\n") {
            let cells = row.split(separator: "|", omittingEmptySubsequences: false)
            try #require(cells.count == 3, "\(row)")
            let currency = try #require(Currency(rawValue: String(cells[0])), "\(row)")
            let amount = try? Money(parsing: cells[1], currency: currency)
            #expect(amount.map { String($0.minorUnits) } ?? "refused" == cells[2], "\(row)")
        }
    }
}
