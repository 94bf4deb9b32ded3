import Domain
import JSON
import Postgres

/// An imported bank file with its bookings.
struct ImportedBankFile: Sendable {
    struct Booking: Sendable {
        let booking: BankBooking
        let expense: ExpenseID?
        let receipt: ReceiptID?
        /// Whether the import created the expense; false if it linked an existing one.
        let isCreatedByImport: Bool
    }

    let id: BankImportID
    let revision: Int64
    let name: String
    let bookings: [Booking]

    /// - Throws: `Refusal.notFound`, also for a discarded file.
    static func find(_ id: BankImportID, _ member: Member, _ database: Database) async throws -> ImportedBankFile {
        let household = member.household
        let rows = try await database.read(
            household,
            batch: [
                """
                SELECT i.name, i.revision FROM bank_import i WHERE i.household_id = \(household) AND i.id = \(id)
                    AND i.person_id = \(member.person) AND i.confirmed_at IS NOT NULL
                """,
                """
                SELECT b.day, b.amount_minor, b.currency, b.payee, b.purpose, b.expense_id, b.receipt_id, b.is_made
                FROM bank_booking b WHERE b.household_id = \(household) AND b.import_id = \(id)
                ORDER BY b.day, b.id LIMIT \(Int32(BankFileLimits.maximumBookings))
                """,
            ])
        guard let (name, revision) = try rows[0].first((String, Int64).self) else { throw Refusal.notFound }
        return ImportedBankFile(id: id, revision: revision, name: name, bookings: try rows[1].decode(Booking.self))
    }
}

extension ImportedBankFile.Booking: RowDecodable {
    init(from row: inout RowReader) throws(PostgresError) {
        let day: LocalDate = try row.next()
        let minorUnits: Int64 = try row.next()
        let code: String = try row.next()
        booking = BankBooking(
            day: day, amount: Amount(minorUnits: minorUnits, currency: CurrencyCode(code) ?? .eur),
            payee: try row.next(), purpose: try row.next())
        expense = try row.next()
        receipt = try row.next()
        isCreatedByImport = try row.next()
    }
}

/// Writes bank files as JSON.
enum BankJSON {
    static func write(_ file: BankImports.WaitingFile, _ preview: BankPreview, _ json: inout JSONWriter) {
        json.member("id", file.id.description)
        json.member("revision", file.revision)
        json.member("name", file.name)
        json.member("is_imported", false)
        json.member("is_personal", file.isPersonal)
        // Write the roles of a table's columns even if some are missing and the bookings cannot be read.
        json.key("columns") { json in
            guard let columns = preview.columns else { return json.null() }
            json.array { json in for role in columns.roles { json.value(role.rawValue) } }
        }
        json.array("bookings") { json in
            for (index, row) in preview.rows.enumerated() {
                let candidate = row.match?.candidate
                json.object { json in
                    json.member("row", index)
                    write(row.booking, &json)
                    json.member("is_known", row.isKnown)
                    // If true, an equal booking is stored, but may be of another account. The client decides about the
                    // import.
                    json.member("is_doubtful", row.isDoubtful)
                    json.member("decision", row.defaultDecision.rawValue)
                    json.member("expense_id", candidate.flatMap { $0.isReceipt ? nil : $0.id.description })
                    json.member("receipt_id", candidate.flatMap { $0.isReceipt ? $0.id.description : nil })
                }
            }
        }
    }

    static func write(_ file: ImportedBankFile, _ json: inout JSONWriter) {
        json.member("id", file.id.description)
        json.member("revision", file.revision)
        json.member("name", file.name)
        json.member("is_imported", true)
        json.array("bookings") { json in
            for booking in file.bookings {
                json.object { json in
                    write(booking.booking, &json)
                    json.member("is_known", true)
                    json.member("decision", (booking.isCreatedByImport ? BankPreview.Decision.create : .link).rawValue)
                    json.member("expense_id", booking.expense?.description)
                    json.member("receipt_id", booking.receipt?.description)
                }
            }
        }
    }

    private static func write(_ booking: BankBooking, _ json: inout JSONWriter) {
        json.member("day", booking.day.iso)
        json.member("amount_minor", booking.amount.minorUnits)
        json.member("currency", booking.amount.currency.code)
        json.member("payee", booking.payee)
        json.member("purpose", booking.purpose)
    }
}
