import Domain
import JSON

/// Writes expenses as JSON.
enum ExpenseJSON {
    static func write(_ entry: Entry, _ json: inout JSONWriter) {
        json.member("id", entry.id.description)
        json.member("revision", entry.revision)
        json.member("is_receipt", entry.isReceipt)
        json.member("kind", entry.kind.rawValue)
        json.member("what", entry.what)
        json.member("day", entry.day.iso)
        json.member("amount_minor", entry.amount.minorUnits)
        json.member("currency", entry.amount.currency.code)
        // In the household's currency; null if no exchange rate is known.
        json.member("home_minor", entry.home)
        json.member("payee", entry.payee)
        json.member("category_id", entry.ownCategory?.description)
        json.member("paid_by", entry.paidBy?.description)
        json.array("labels") { json in for label in entry.labels { json.value(label) } }
        json.member("note", entry.note)
        json.member("is_personal", entry.isPersonal)
        json.member("split", entry.split.isEmpty ? nil : entry.split)
    }

    /// Writes the split with each member's share and, for a split by line, who took which line.
    static func write(_ split: SplitExpense, _ json: inout JSONWriter) {
        write(split.entry, &json)
        let parts = split.parts
        json.array("shares") { json in
            for (person, weight) in split.weights.sorted(by: { $0.key < $1.key }) {
                json.object { json in
                    json.member("person_id", person.description)
                    json.member("weight", weight)
                    json.member("amount_minor", parts[person] ?? 0)
                }
            }
        }
        let byLine = split.method == .lines ? split.byLine : LineSplit()
        json.array("taken") { json in
            for (line, person) in byLine.taken.sorted(by: { $0.key < $1.key }) {
                json.object { json in
                    json.member("line_id", line.description)
                    json.member("person_id", person.description)
                }
            }
        }
        json.array("shared_by") { json in for person in byLine.sharedBy { json.value(person.description) } }
    }
}
