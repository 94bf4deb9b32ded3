import Domain

/// What a fiscal code says of its receipt: the German TSE code (DSFinV-K annex I) or the Austrian RKSV code (§ 10).
package struct FiscalCode: Sendable, Equatable {
    /// Which country's law the code follows; the raw value is the country, ISO 3166-1 alpha-2.
    package enum Scheme: String, Sendable {
        /// KassenSichV § 6, DSFinV-K annex I.
        case german = "DE"
        /// RKSV § 10.
        case austrian = "AT"
    }

    /// What kind of process was signed.
    package enum Process: String, Sendable {
        /// Goods for money; goods brought back too, with negative amounts.
        case purchase
        /// Training at the till: never a purchase.
        case training
        /// The cancellation of an earlier receipt: never a purchase.
        case cancellation
        /// An order, an end of day, a start receipt and other things that are no purchase.
        case other
    }

    /// Decides what `till`, `number` and `details` hold.
    package var scheme: Scheme
    /// Only a `purchase` is a receipt to be booked.
    package var process: Process
    /// DE: serial number of the TSE. AT: cash box.
    package var till: String
    /// DE: transaction. AT: receipt number. With `till` the key that finds the same receipt again.
    package var number: String
    /// Gross amounts in minor units by rate in tenths of a percent; DE uses 190, 70, 107, 55, 0; AT 200, 100, 130, 0, 190.
    package var gross: [Gross]
    /// Sum of `gross`.
    package var total: Int64
    /// In the order of the code; empty for Austrian ones, which tell none.
    package var payments: [Payment]
    /// AT: local day and time. DE: the UTC instant of the end, turned to local time of Berlin.
    package var date: LocalDate?
    /// Local, like `date`; nil where the hour is not sure.
    package var time: LocalTime?
    /// DE only: signature counter; AT only: encrypted turnover counter, certificate, previous signature.
    package var details: [String: String]
    /// How many fields the code had (DE 12, AT 13 when complete).
    package var fieldCount: Int

    /// What was sold at one rate, tax included.
    package struct Gross: Sendable, Equatable {
        /// One of its scheme's five.
        package var rate: VATRate
        /// Cents; 0 for a rate of which nothing was sold, negative for what was given back.
        package var minorUnits: Int64
    }

    /// How the total was paid, or a part of it.
    package struct Payment: Sendable, Equatable {
        /// In hundredths of the currency that `kind` names, else of the euro.
        package var minorUnits: Int64
        /// `Bar`, `Unbar`, with a currency `Bar:CHF`.
        package var kind: String
    }

    /// Longest payload that is looked at, in bytes; QR codes hold at most 2,953.
    static let longest = 4_096

    package init(
        scheme: Scheme, process: Process, till: String, number: String, gross: [Gross], total: Int64,
        payments: [Payment], date: LocalDate?, time: LocalTime?, details: [String: String], fieldCount: Int
    ) {
        self.scheme = scheme
        self.process = process
        self.till = till
        self.number = number
        self.gross = gross
        self.total = total
        self.payments = payments
        self.date = date
        self.time = time
        self.details = details
        self.fieldCount = fieldCount
    }

    /// Reads a payload of either scheme; nothing for anything else.
    package init?(payload: String) {
        guard payload.utf8.count <= FiscalCode.longest else { return nil }
        if let german = GermanFiscalCode.parse(payload) {
            self = german
        } else if let austrian = AustrianFiscalCode.parse(payload) {
            self = austrian
        } else {
            return nil
        }
    }

    /// The amounts that are not zero.
    package var grossByRate: [Int: Int64] {
        var result: [Int: Int64] = [:]
        for entry in gross where entry.minorUnits != 0 {
            result[entry.rate.tenthsOfPercent, default: 0] += entry.minorUnits
        }
        return result
    }
}
