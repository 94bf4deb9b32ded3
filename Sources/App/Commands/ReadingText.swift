import DocumentParsing
import Domain
import JSON

/// Formats the result of `allesteurer read`.
enum ReadingText {
    /// Text for people: files, store, day, state, one line for each item, the total, and the reasons for a review.
    static func of(_ receipt: ParsedReceipt, _ files: [String]) -> String {
        var lines = [files.joined(separator: " + ")]
        let store = [receipt.chain ?? receipt.store.name, receipt.store.street, receipt.store.town].compactMap(\.self)
        let day = [receipt.date?.value.formatted(), receipt.time?.value.formatted].compactMap(\.self)
        lines.append("  \((store + day).joined(separator: ", "))  [\(receipt.state.rawValue)]")
        for item in receipt.items {
            let total = item.total?.value.formatted() ?? "?"
            let quantity = item.quantity.value == .one ? "" : "  \(item.quantity.value.formatted())"
            lines.append(
                "  \(item.name.value)\(quantity)  \(total)\(item.kind == .item ? "" : "  (\(item.kind.rawValue))")")
        }
        lines.append("  = \(receipt.total?.value.formatted() ?? "?")")
        for reason in receipt.reasons { lines.append("  ! \(reason.rawValue)") }
        return lines.joined(separator: "\n")
    }

    /// The JSON line for a receipt that could not be read.
    static func failure(_ files: [String], _ reason: String) -> String {
        var json = JSONWriter()
        json.object { json in
            json.member("file", files[0])
            json.array("files") { json in for file in files { json.value(file) } }
            json.member("state", "unreadable")
            json.array("reasons") { $0.value(reason) }
            json.array("items") { _ in }
        }
        return json.text
    }
}
