import Domain

/// The fiscal code of Austrian receipts, RKSV § 10: thirteen fields after a leading `_`.
enum AustrianFiscalCode {
    /// Rates of the five gross sums, in their order, in tenths of a percent.
    private static let rates = [200, 100, 130, 0, 190]

    static func parse(_ payload: String) -> FiscalCode? {
        guard payload.hasPrefix("_R") else { return nil }
        let fields = payload.dropFirst().split(separator: "_", omittingEmptySubsequences: false).map(String.init)
        // Till and receipt number may contain `_`, the other fields may not, so fields are counted from both ends.
        guard fields.count >= 13, fields.count <= 20, isSuite(fields[0]) else { return nil }
        let tail = Array(fields.suffix(10))
        let head = fields[1..<(fields.count - 10)]
        guard head.count >= 2, let (date, time) = dateAndTime(tail[0]),
            let gross = FiscalCode.gross(tail[1...5].map(amount), at: rates)
        else { return nil }
        let counter = tail[6]
        // For training receipts and cancellations the turnover counter is `TRA` or `STO` in Base64.
        let process: FiscalCode.Process =
            counter.hasPrefix("VFJB") ? .training : counter.hasPrefix("U1RP") ? .cancellation : .purchase
        return FiscalCode(
            scheme: .austrian, process: process, till: head.first ?? "",
            number: head.dropFirst().joined(separator: "_"),
            gross: gross, payments: [], date: date, time: time,
            details: ["suite": fields[0], "counter": counter, "certificate": tail[7], "previous": tail[8]],
            fieldCount: fields.count)
    }

    /// Whether the field names a signature suite, such as `R1-AT1`.
    private static func isSuite(_ text: String) -> Bool {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        return parts.count == 2 && parts[0].first == "R" && parts[0].dropFirst().allSatisfy(\.isNumber)
            && parts[1].utf8.count >= 3 && parts[1].prefix(2).allSatisfy { ("A"..."Z").contains($0) }
    }

    private static func dateAndTime(_ text: String) -> (LocalDate, LocalTime)? {
        let parts = text.split(separator: "T", omittingEmptySubsequences: false)
        guard parts.count == 2, let date = LocalDate(parsing: parts[0]), let time = LocalTime(parsing: parts[1]) else {
            return nil
        }
        return (date, time)
    }

    /// Reads an amount with a comma and exactly two decimals, such as `-0,25`, in cents.
    private static func amount(_ text: String) -> Int64? {
        guard let comma = text.firstIndex(of: ","), text[comma...].utf8.count == 3, !text.contains(".") else {
            return nil
        }
        return try? DecimalText.parse(text, decimals: 2, limit: Money.limit)
    }
}
