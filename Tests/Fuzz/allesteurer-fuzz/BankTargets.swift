import Domain

extension FuzzCommand {
    /// Reads untrusted files of banks and of the European Central Bank.
    static let bankTargets: [String: @Sendable ([UInt8]) -> Void] = [
        "bank-csv": { bank($0, start: "Datum;Name;Verwendungszweck;Betrag;Währung\n") },
        "bank-camt": { bank($0, start: "<?xml version=\"1.0\"?><Document><BkToCstmrStmt><Stmt>") },
        "bank-mt940": { bank($0, start: ":20:1\n:25:AT1/2\n:28C:1/1\n:60F:C260101EUR0,00\n") },
        "bank-any": { bank($0, start: "") },
        "euro-rates": euroRates,
    ]

    /// - Parameter start: a prefix that selects the parser, so that the fuzzer does not have to find it.
    private static func bank(_ bytes: [UInt8], start: String) {
        let text = start + String(decoding: bytes, as: UTF8.self)
        do throws(BankFileFailure) {
            let statement = try BankFile.read(text, home: .eur)
            check(
                statement.bookings.count <= BankFileLimits.maximumBookings, "no more bookings than a file may have")
            check(!statement.bookings.isEmpty || !statement.skipped.isEmpty, "an empty file is refused")
            for booking in statement.bookings {
                check(abs(booking.amount.minorUnits) <= Amount.limit, "an amount is within the limits")
                check(booking.original.map { $0.minorUnits >= 0 } ?? true, "an original amount has no sign")
                check(
                    booking.payee.unicodeScalars.count <= BankBooking.maximumTextLength
                        && booking.purpose.unicodeScalars.count <= BankBooking.maximumTextLength, "texts are truncated")
            }
            let identities = BankBooking.numbered(statement.bookings).map(\.identity)
            check(Set(identities).count == identities.count, "all bookings are different")
            let secondReading = try BankFile.read(text, home: .eur)
            check(secondReading.bookings == statement.bookings, "the same file has the same bookings")
        } catch {}
        if BankFile.format(of: text) == .csv, let table = try? BankTable(text) {
            _ = try? table.statement(table.columns, home: .eur)
        }
    }

    @Sendable private static func euroRates(_ bytes: [UInt8]) {
        guard let rates = try? EuroRateFile.read(bytes) else { return }
        check(
            rates.allSatisfy { $0.perEuroMillionths > 0 && $0.currency != .eur },
            "a rate is positive, and there is none for the euro")
    }
}
