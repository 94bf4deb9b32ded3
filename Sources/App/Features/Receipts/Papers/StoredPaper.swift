import DocumentParsing
import Domain
import JSON
import Postgres
import Recognition

/// The payment data of a document other than a supermarket receipt, with alternative readings; stored in the receipt's
/// `evidence`.
struct StoredPaper: Sendable {
    /// An alternative reading of a value.
    struct Candidate: Sendable {
        /// In the notation of the review form: `12.50`, `2026-01-31`, a name.
        let value: String
        /// The text as printed.
        let text: String
        /// Page number, then the box in pixels of the reading picture; empty if unknown.
        let place: [Int32]
    }

    /// Nil when the type of document is unknown.
    let kind: PaperKind?
    /// Words of the document from which a category is suggested.
    let categoryText: String
    /// Most likely first.
    let candidates: [ReviewField: [Candidate]]
    /// The tip in minor units of the receipt's currency.
    let tip: Int64?
    let due: LocalDate?
    let iban: String?
    /// The quantity of fuel in thousandths of a litre.
    let litres: Int64?

    /// An SQL expression: the total of receipt `r` in the currency of household `h`, as printed on a card slip in the
    /// pictures of the receipt. NULL if there is no such slip.
    static let stated: SQL = """
        (SELECT (c.value ->> 'amount')::bigint FROM (SELECT r.evidence #> '{paper,stated}' AS value) c
            WHERE c.value ->> 'currency' = h.currency AND (c.value ->> 'total')::bigint = abs(\(RollUps.total)))
        """

    /// - Parameter isProven: whether the receipt is proven. For a proven receipt, alternative readings are not written.
    static func write(_ paper: PaperReading, _ currency: Currency, isProven: Bool, _ json: inout JSONWriter) {
        json.object("paper") { json in
            json.member("kind", paper.kind?.rawValue)
            json.member("category", paper.categoryText)
            if !isProven {
                write("total", paper.totals, &json) { Money(minorUnits: $0, currency: currency).plain }
                write("day", paper.days, &json) { $0.iso }
                write("store", paper.merchants, &json) { $0.cut(to: TextLimit.storeName) }
            }
            json.member("tip", paper.tip?.value)
            json.member("due", paper.dueDay?.value.iso)
            json.member("iban", paper.iban?.value)
            json.member("litres", paper.litres?.value)
            if let stated = paper.stated {
                json.object("stated") { json in
                    json.member("currency", stated.currency.code)
                    json.member("total", stated.total)
                    json.member("amount", stated.amount.value)
                }
            }
        }
    }

    private static func write<Value>(
        _ name: String, _ candidates: [PaperReading.Candidate<Value>], _ json: inout JSONWriter,
        _ text: (Value) -> String
    ) {
        json.array(name) { json in
            for candidate in candidates {
                json.object { json in
                    json.member("value", text(candidate.value))
                    json.member("text", candidate.text.filter { $0 != "\0" }.cut(to: 120))
                    json.array("place") { json in
                        for number in [
                            candidate.page, candidate.box.x, candidate.box.y, candidate.box.width, candidate.box.height,
                        ] { json.value(number) }
                    }
                }
            }
        }
    }

    /// Returns nil when the evidence has no payment data.
    init?(_ json: JSONValue?) {
        guard let json, json.object != nil else { return nil }
        kind = json["kind"]?.string.flatMap(PaperKind.init(rawValue:))
        categoryText = json["category"]?.string ?? ""
        var candidates: [ReviewField: [Candidate]] = [:]
        for field in [ReviewField.total, .day, .store] {
            candidates[field] = (json[field.rawValue]?.array ?? []).compactMap { entry in
                guard let value = entry["value"]?.string, !value.isEmpty else { return nil }
                let place = (entry["place"]?.array ?? []).compactMap { $0.integer.flatMap { Int32(exactly: $0) } }
                return Candidate(
                    value: value, text: entry["text"]?.string ?? value, place: place.count == 5 ? place : [])
            }
        }
        self.candidates = candidates
        tip = json["tip"]?.integer
        due = json["due"]?.string.flatMap { LocalDate(parsing: $0) }
        iban = json["iban"]?.string
        litres = json["litres"]?.integer
    }
}
