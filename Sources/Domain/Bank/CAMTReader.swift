/// Reads the booked entries of ISO 20022 messages: statements (camt.053) and reports (camt.052).
enum CAMTReader {
    /// - Throws: the failures of `StrictXML`; `unknownFormat`, `tooManyBookings`.
    static func read(_ text: String) throws(BankFileFailure) -> BankStatement {
        let root = try StrictXML.read(text)
        guard root.name == "Document", let message = root["BkToCstmrStmt"] ?? root["BkToCstmrAcctRpt"] else {
            throw .unknownFormat
        }
        var bookings: [BankBooking] = []
        var skipped: [BankStatement.Skipped] = []
        for statement in message.all("Stmt") + message.all("Rpt") {
            let iban = statement.text("Acct/Id/IBAN")
            let account = iban.isEmpty ? statement.text("Acct/Id/Othr/Id") : iban
            for entry in statement.all("Ntry") {
                switch read(entry, account: account) {
                case .success(let found):
                    let withAmount = found.filter { $0.amount.minorUnits != 0 }
                    bookings += withAmount
                    if withAmount.count < found.count {
                        skipped.append(BankStatement.Skipped(line: entry.line, reason: .zero))
                    }
                case .failure(let failure):
                    skipped.append(BankStatement.Skipped(line: entry.line, reason: failure.reason))
                }
                guard bookings.count <= BankFileLimits.maximumBookings else { throw .tooManyBookings }
            }
        }
        return BankStatement(format: .camt, bookings: bookings, skipped: skipped)
    }

    /// Why an entry is not imported.
    private struct EntryFailure: Error {
        let reason: BankStatement.Skipped.Reason
    }

    /// Reads the bookings of an entry: one, or several if a collective booking can be split.
    private static func read(_ entry: StrictXML.Element, account: String) -> Result<[BankBooking], EntryFailure> {
        let status = entry["Sts"]?["Cd"] == nil ? entry.text("Sts") : entry.text("Sts/Cd")
        if ["PDNG", "INFO", "FUTR"].contains(status) { return .failure(EntryFailure(reason: .pending)) }
        guard let day = day(entry, "BookgDt") ?? day(entry, "ValDt") else {
            return .failure(EntryFailure(reason: .day))
        }
        guard let amount = amount(entry["Amt"]), let sign = sign(entry) else {
            return .failure(EntryFailure(reason: .amount))
        }
        let details = entry.all("NtryDtls").flatMap { $0.all("TxDtls") }
        let reference = entry.text("AcctSvcrRef")
        if let parts = parts(details, of: Amount(minorUnits: sign * amount.minorUnits, currency: amount.currency)) {
            return .success(
                zip(details, parts).map { detail, part in
                    booking(entry, detail, part, day, reference: detail.text("Refs/AcctSvcrRef"), account)
                })
        }
        let signed = Amount(minorUnits: sign * amount.minorUnits, currency: amount.currency)
        return .success([
            booking(
                entry, details.count == 1 ? details[0] : nil, signed, day,
                reference: reference.isEmpty && details.count == 1 ? details[0].text("Refs/AcctSvcrRef") : reference,
                account)
        ])
    }

    /// Returns the amounts of the transactions of a collective booking. Nil if there is one transaction, or if the
    /// amounts do not add up to the amount of the booking. A transaction may have the opposite sign, such as a returned
    /// payment among others.
    private static func parts(_ details: [StrictXML.Element], of whole: Amount) -> [Amount]? {
        let amounts = details.compactMap { partAmount($0) }.filter { $0.currency == whole.currency }.map(\.minorUnits)
        guard details.count > 1, amounts.count == details.count else { return nil }
        let sameSign = amounts.map { whole.minorUnits < 0 ? -$0 : $0 }
        let ownSigns = zip(sameSign, details).map { amount, detail in sign(detail).map { $0 * abs(amount) } ?? amount }
        return [sameSign, ownSigns].first { $0.reduce(0, +) == whole.minorUnits }?.map {
            Amount(minorUnits: $0, currency: whole.currency)
        }
    }

    private static func booking(
        _ entry: StrictXML.Element, _ detail: StrictXML.Element?, _ amount: Amount, _ day: LocalDate, reference: String,
        _ account: String
    ) -> BankBooking {
        // The other party is the creditor of money that left, or the debtor of money that came in. In a reversal,
        // banks state the parties of the reversed payment or of the reversal.
        let isReversal = ["true", "1"].contains(entry.text("RvslInd"))
        let (usual, opposite) = amount.minorUnits < 0 ? ("Cdtr", "Dbtr") : ("Dbtr", "Cdtr")
        let iban = detail.flatMap { BankAccount.iban($0.text("RltdPties/\(usual)Acct/Id/IBAN")) }
        let role = isReversal && (iban == nil || iban == BankAccount.iban(account)) ? opposite : usual
        let names = [
            "RltdPties/Ultmt\(role)/Nm", "RltdPties/Ultmt\(role)/Pty/Nm", "RltdPties/\(role)/Nm",
            "RltdPties/\(role)/Pty/Nm",
        ]
        let name = names.lazy.compactMap { path in detail.map { $0.text(path) } }.first { !$0.isEmpty }
        let remittance = detail?["RmtInf"]
        var texts = (remittance?.all("Ustrd") ?? []).map { $0.text("") }
        if texts.allSatisfy(\.isEmpty) {
            texts = (remittance?.all("Strd") ?? []).flatMap { [$0.text("CdtrRefInf/Ref"), $0.text("AddtlRmtInf")] }
        }
        let more = [detail?.text("AddtlTxInf") ?? "", entry.text("AddtlNtryInf")].filter { !$0.isEmpty }
        let original = detail.flatMap { Self.amount($0.at("AmtDtls/InstdAmt/Amt")) }
        return BankBooking(
            day: day, amount: amount, original: original.flatMap { $0.currency == amount.currency ? nil : $0 },
            payee: name ?? "", purpose: (texts + more).joined(separator: " "), reference: reference, account: account,
            isReversal: isReversal)
    }

    /// The amount of one transaction of a collective booking.
    private static func partAmount(_ detail: StrictXML.Element) -> Amount? {
        amount(detail["Amt"] ?? detail.at("AmtDtls/TxAmt/Amt"))
    }

    private static func day(_ entry: StrictXML.Element, _ name: String) -> LocalDate? {
        let text = entry.text("\(name)/Dt")
        return LocalDate(
            parsing: text.isEmpty ? String(entry.text("\(name)/DtTm").prefix(10)) : String(text.prefix(10)))
    }

    /// The amount without sign. The attribute `Ccy` has the currency.
    private static func amount(_ element: StrictXML.Element?) -> Amount? {
        guard let element, let currency = element.attributes["Ccy"].flatMap({ CurrencyCode($0) }) else { return nil }
        let text = String(element.text.split(whereSeparator: \.isWhitespace).joined())
        return BankNumber.plain(text, currency).map { Amount(minorUnits: $0, currency: currency) }
    }

    /// The sign according to the credit/debit indicator. It states the effect on the account, also for reversals.
    private static func sign(_ entry: StrictXML.Element) -> Int64? {
        switch entry.text("CdtDbtInd") {
        case "DBIT": -1
        case "CRDT": 1
        default: nil
        }
    }
}

/// Numbers in the machine-readable form of banks.
enum BankNumber {
    /// `1234.5` or `1234.50000`: a decimal point, no groups, no sign. Nil for others, and for more than `Amount.limit`.
    static func plain(_ text: some StringProtocol, _ currency: CurrencyCode, separator: Character = ".") -> Int64? {
        let parts = text.split(separator: separator, omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), text.utf8.count <= 24, !parts[0].isEmpty,
            parts.allSatisfy({ $0.utf8.allSatisfy(\.isDigit) })
        else { return nil }
        let digits = currency.digits
        let fraction = parts.count == 2 ? String(parts[1]) : ""
        guard fraction.dropFirst(digits).allSatisfy({ $0 == "0" }) else { return nil }
        let padded = fraction.prefix(digits) + String(repeating: "0", count: max(0, digits - fraction.count))
        guard let value = Int64(parts[0] + padded), value <= Amount.limit else { return nil }
        return value
    }
}
