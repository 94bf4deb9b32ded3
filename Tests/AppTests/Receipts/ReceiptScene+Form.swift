import Domain

extension ReceiptScene {
    /// The fields of the review form of a receipt whose lines are single pieces, with this total and these amounts.
    func form(
        _ receipt: ReceiptID, total: String, amounts: [String], time: String? = nil, more: [(String, String)] = []
    ) throws -> [(String, String)] {
        var fields = [
            ("revision", "\(try revision(receipt))"), ("store", "HOFER"), ("day", "2026-11-02"), ("total", total),
        ]
        if let time { fields.append(("time", time)) }
        let names = try lines(receipt)
        for (index, key) in try keys(receipt).enumerated() {
            fields += [
                ("line", "\(key)"), ("name-\(key)", names[index]), ("quantity-\(key)", "1"), ("unit-\(key)", "piece"),
                ("unit_price-\(key)", ""), ("total-\(key)", amounts[index]), ("kind-\(key)", "item"),
            ]
        }
        return fields + more
    }
}
