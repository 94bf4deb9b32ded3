import Domain

/// The QR code of German receipts, DSFinV-K annex I: twelve fields joined by `;`.
enum GermanFiscalCode {
    /// Rates of the five gross sums, in their order, in tenths of a percent.
    private static let rates = [190, 70, 107, 55, 0]

    static func parse(_ payload: String) -> FiscalCode? {
        let fields = payload.split(separator: ";", omittingEmptySubsequences: false).map(String.init)
        // A truncated code is accepted if it contains the process data and the transaction number.
        guard (5...12).contains(fields.count), fields[0] == "V0", !fields[1].isEmpty else { return nil }
        let (gross, payments, type) = processData(fields[3])
        guard let gross else { return nil }
        let process = fields[2].hasPrefix("Kassenbeleg") ? Self.process(of: type) ?? .other : .other
        let end = fields[safe: 7].flatMap { UTCInstant($0) }
        let local = (end ?? fields[safe: 6].flatMap { UTCInstant($0) })?.berlin
        var details: [String: String] = ["type": type, "processType": fields[2]]
        for (index, name) in [(5, "counter"), (6, "start"), (7, "end")] { details[name] = fields[safe: index] }
        return FiscalCode(
            scheme: .german, process: process, till: fields[1], number: fields[4], gross: gross,
            payments: payments, date: local?.date, time: local?.time,
            details: details, fieldCount: fields.count)
    }

    /// The process for a type of DSFinV-K annex I, such as `Beleg`; nil for types that are not receipts.
    static func process(of type: String) -> FiscalCode.Process? {
        switch type {
        case "Beleg": .purchase
        case "AVTraining": .training
        case "AVBelegstorno", "AVBelegabbruch": .cancellation
        default: nil
        }
    }

    /// Splits the process data of a code: `Beleg^19 %_7 %_10.7 %_5.5 %_0 %^payments`.
    static func processData(_ text: String) -> (
        gross: [FiscalCode.Gross]?, payments: [FiscalCode.Payment], type: String
    ) {
        let parts = text.split(separator: "^", omittingEmptySubsequences: false).map(String.init)
        guard parts.count >= 2 else { return (nil, [], parts.first ?? "") }
        let sums = parts[1].split(separator: "_", omittingEmptySubsequences: false).map { amount(String($0)) }
        guard let gross = FiscalCode.gross(sums, at: rates) else { return (nil, [], parts[0]) }
        let payments = (parts[safe: 2] ?? "").split(separator: "_").compactMap { part -> FiscalCode.Payment? in
            let pieces = part.split(separator: ":", maxSplits: 1).map(String.init)
            guard pieces.count == 2, let sum = amount(pieces[0]) else { return nil }
            return FiscalCode.Payment(minorUnits: sum, kind: pieces[1])
        }
        return (gross, payments, parts[0])
    }

    /// Reads an amount such as `7.05` in cents. Accepts `3,000.00`, which some tills print against the rule.
    private static func amount(_ text: String) -> Int64? {
        let body = text.filter { $0 != "," }
        guard let point = body.firstIndex(of: "."), body[point...].utf8.count == 3 else { return nil }
        return try? DecimalText.parse(body, decimals: 2, limit: Money.limit)
    }
}
