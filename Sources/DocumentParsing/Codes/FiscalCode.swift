import Domain

/// The content of a fiscal code: the German TSE code (DSFinV-K annex I) or the Austrian RKSV code (§ 10).
package struct FiscalCode: Sendable, Equatable {
    /// The country that requires the code by law. The raw value is the country code, ISO 3166-1 alpha-2.
    package enum Scheme: String, Sendable {
        /// KassenSichV § 6, DSFinV-K annex I.
        case german = "DE"
        /// RKSV § 10.
        case austrian = "AT"
    }

    /// The kind of process that was signed.
    package enum Process: String, Sendable {
        /// A sale, or a return with negative amounts.
        case purchase
        /// Training at the till: never a purchase.
        case training
        /// The cancellation of an earlier receipt: never a purchase.
        case cancellation
        /// An order, an end of day, a start receipt or another process that is not a purchase.
        case other
    }

    /// The scheme determines the meaning of `till`, `number` and `details`.
    package var scheme: Scheme
    /// Receipts with the process `training` or `cancellation` are never proven.
    package var process: Process
    /// DE: serial number of the TSE (the technical security device). AT: identifier of the cash register.
    package var till: String
    /// DE: transaction number. AT: receipt number. Together with `till` it identifies the receipt.
    package var number: String
    /// Gross amounts by rate in tenths of a percent: DE 190, 70, 107, 55, 0; AT 200, 100, 130, 0, 190.
    package var gross: [Gross]
    /// Sum of `gross`, in cents.
    package var total: Int64 { gross.reduce(0) { $0 + $1.minorUnits } }
    /// Payments in the order of the code; Austrian codes contain none.
    package var payments: [Payment]
    /// AT: the local day. DE: the day on which the process ended, converted from UTC to Berlin time.
    package var date: LocalDate?
    /// Local time, like `date`; nil if the hour is uncertain.
    package var time: LocalTime?
    /// Other fields. DE: `type`, `processType`, `counter` of signatures, `start`, `end`. AT: `suite`, encrypted
    /// turnover `counter`, `certificate`, signature of the `previous` receipt.
    package var details: [String: String]
    /// The number of fields of the payload: DE at most 12, AT at least 13; 0 for data that are printed as text.
    package var fieldCount: Int

    /// The gross amount at one tax rate.
    package struct Gross: Sendable, Equatable {
        /// One of the five rates of the scheme.
        package var rate: VATRate
        /// In cents; 0 for a rate without sales, negative for returns.
        package var minorUnits: Int64
    }

    /// A payment of the total, or of a part of it.
    package struct Payment: Sendable, Equatable {
        /// In hundredths of the currency in `kind`, or of the euro if `kind` has none.
        package var minorUnits: Int64
        /// The means of payment: `Bar` or `Unbar`, with a foreign currency `Bar:CHF`.
        package var kind: String
    }

    /// Maximum length of a payload in bytes; QR codes hold at most 2,953.
    static let maximumBytes = 4_096
}

extension FiscalCode {
    /// The gross amounts at the rates of a scheme, in tenths of a percent; nil unless each rate has a legible amount.
    static func gross(_ sums: [Int64?], at rates: [Int]) -> [Gross]? {
        guard sums.count == rates.count, !sums.contains(nil) else { return nil }
        return zip(rates, sums).map { Gross(rate: VATRate(tenthsOfPercent: $0), minorUnits: $1 ?? 0) }
    }

    /// Reads a payload of either scheme; nil for any other text.
    package init?(payload: String) {
        guard payload.utf8.count <= FiscalCode.maximumBytes else { return nil }
        if let german = GermanFiscalCode.parse(payload) {
            self = german
        } else if let austrian = AustrianFiscalCode.parse(payload) {
            self = austrian
        } else {
            return nil
        }
    }
}
