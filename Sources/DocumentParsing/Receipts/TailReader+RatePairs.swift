import Domain

/// Taxes without a table: `inkl. 7% MwSt  0,92` on one line, `Netto 7%  13,08` on another.
extension TailReader {
    /// The sum of net and tax, where both are printed for each rate and the rate makes one of the other.
    static func pairedTotal(_ lines: ArraySlice<ReadLine>) -> Int64? {
        var taxes: [VATRate: Int64] = [:]
        var nets: [VATRate: Int64] = [:]
        var bareNet: Int64?
        for line in lines where line.amounts.count == 1 {
            guard let amount = line.amounts[0].amount, amount > 0 else { continue }
            let words = line.line.string.uppercased().split { !$0.isLetter }
            let isNet = words.contains { $0.hasPrefix("NETTO") }
            let isTax = words.contains { ["MWST", "MUST", "MMST", "UST", "STEUER"].contains($0) }
            guard isNet != isTax else { continue }
            let rates = Self.rates(line)
            if isNet, rates.isEmpty, bareNet == nil, words.count <= 2 {
                bareNet = amount
                continue
            }
            guard rates.count == 1 else { continue }
            if isNet {
                guard nets.updateValue(amount, forKey: rates[0]) == nil else { return nil }
            } else {
                guard taxes.updateValue(amount, forKey: rates[0]) == nil else { return nil }
            }
        }
        if nets.isEmpty, taxes.count == 1, let bareNet, let rate = taxes.keys.first { nets[rate] = bareNet }
        guard !taxes.isEmpty, taxes.count == nets.count else { return nil }
        var sum: Int64 = 0
        for (rate, tax) in taxes {
            guard let net = nets[rate], Self.allows(rate, net: net, tax: tax) else { return nil }
            sum += net + tax
        }
        return sum
    }
}
