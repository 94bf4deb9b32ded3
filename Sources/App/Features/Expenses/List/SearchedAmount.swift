import Domain
import Postgres

/// The amount in a search text.
struct SearchedAmount: Sendable {
    /// The currency that the text names; nil for all currencies.
    private let currency: CurrencyCode?
    /// The amount in minor units, by the number of decimals of the currency.
    private let minorUnits: [Int: Int64]

    /// Returns nil if the text is not an amount.
    init?(_ text: String) {
        guard let parts = try? Amount.parts(of: text) else { return nil }
        var found: [Int: Int64] = [:]
        for digits in parts.currency.map({ [$0.digits] }) ?? [0, 2, 3] {
            found[digits] = Self.value(parts.figure, decimals: digits)
        }
        guard !found.isEmpty else { return nil }
        currency = parts.currency
        minorUnits = found
    }

    /// Reads a separator before exactly three digits as a thousands separator if the currency has fewer decimals.
    private static func value(_ figure: String, decimals: Int) -> Int64? {
        do throws(NumberError) {
            return abs(try DecimalText.parse(figure, decimals: decimals, limit: Amount.limit))
        } catch {
            guard error == .ambiguous else { return nil }
            let whole = figure.filter { $0 != "." && $0 != "," }
            return (try? DecimalText.parse(whole, decimals: decimals, limit: Amount.limit)).map { abs($0) }
        }
    }

    /// A condition on an amount in minor units and its currency. The sign does not matter, because lists show money
    /// back with a minus sign.
    func isEqual(_ amount: SQL, _ currencyCode: SQL) -> SQL {
        if let currency {
            return "(abs(\(amount)) = \(minorUnits[currency.digits]) AND \(currencyCode) = \(currency.code))"
        }
        return """
            abs(\(amount)) = CASE WHEN \(currencyCode) = ANY(\(CurrencyCode.withoutDecimals.sorted())) THEN \(minorUnits[0])
                WHEN \(currencyCode) = ANY(\(CurrencyCode.withThreeDecimals.sorted())) THEN \(minorUnits[3])
                ELSE \(minorUnits[2]) END
            """
    }
}
