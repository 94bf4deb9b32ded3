import Domain

/// The line that `allesteurer read --json` prints for one receipt.
package enum ReadingReport {
    /// Returns one JSON object without a line break. Amounts are decimal strings with a point.
    ///
    /// - Parameters:
    ///   - file: the first file of the receipt.
    ///   - paper: the values about the payment that were read from the same document.
    ///   - centiseconds: CPU time in hundredths of a second, including the engine's.
    package static func json(
        _ receipt: ParsedReceipt, paper: PaperReading? = nil, file: String, files: [String], centiseconds: Int64
    ) -> String {
        let reasons = receipt.reasons.map(\.rawValue) + (receipt.hasOtherSheet ? ["other_sheet"] : [])
        var members: [(String, String)] = [
            ("file", quoted(file)), ("files", list(files.map(quoted))), ("state", quoted(receipt.state.rawValue)),
            ("reasons", list(reasons.map(quoted))), ("chain", optional(receipt.chain)),
            ("store", optional(store(receipt.store))), ("date", optional(receipt.date?.value.iso)),
            ("time", optional(receipt.time?.value.iso)), ("currency", quoted(receipt.currency.rawValue)),
            ("total", optional(receipt.total?.value.plain)), ("items", list(receipt.items.map(item))),
        ]
        if let paper { members.append(("paper", PaperReport(receipt, paper).json)) }
        members.append(("seconds", DecimalText.plain(centiseconds, decimals: 2)))
        return object(members)
    }

    private static func item(_ item: ParsedReceipt.Item) -> String {
        let rate = item.vatRate.map { DecimalText.plain(Int64($0.tenthsOfPercent), decimals: 1) }
        return object([
            ("name", quoted(item.name.value)), ("quantity", quoted(item.quantity.value.plain)),
            ("unit", quoted(item.quantity.value.unit.rawValue)),
            ("unit_price", optional(item.unitPrice.map { shortened($0.value.plain) })),
            ("total", optional(item.total?.value.plain)), ("vat", optional(item.vatClass)),
            ("vat_rate", optional(rate)), ("kind", quoted(item.kind.rawValue)),
        ])
    }

    private static func object(_ members: [(String, String)]) -> String {
        "{" + members.map { "\"\($0)\":\($1)" }.joined(separator: ",") + "}"
    }

    private static func list(_ values: [String]) -> String { "[" + values.joined(separator: ",") + "]" }

    private static func store(_ store: ParsedReceipt.Store) -> String? {
        let town = [store.postalCode, store.town].compactMap { $0 }.joined(separator: " ")
        let parts = [store.name, store.street, town.isEmpty ? nil : town].compactMap { $0 }
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }

    /// Removes trailing zeros after the second decimal.
    private static func shortened(_ text: String) -> String {
        var body = text[...]
        while body.last == "0", let point = body.lastIndex(of: "."), body.distance(from: point, to: body.endIndex) > 3 {
            body.removeLast()
        }
        return String(body)
    }

    static func optional(_ text: String?) -> String { text.map(quoted) ?? "null" }

    /// Returns a JSON string. Characters that could end a script element and line separators are escaped too.
    static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "<", ">", "&", "\u{2028}", "\u{2029}": result += escaped(scalar)
            case _ where scalar.value < 0x20 || scalar.value == 0x7F: result += escaped(scalar)
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }

    private static func escaped(_ scalar: Unicode.Scalar) -> String {
        let hex = String(scalar.value, radix: 16)
        return "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
    }
}
