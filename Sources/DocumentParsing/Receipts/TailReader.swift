import Domain

/// Reads the lines below the total: payments, change, card slip and, with `TaxTable`, taxes.
struct TailReader {
    private(set) var payments: [(name: String, amount: Int64)] = []
    private(set) var change: Int64?
    /// The rounding of a cash payment below the total: `Rundung 0.01`.
    private(set) var cashRounding: Int64 = 0
    private(set) var taxes: TaxTable
    private(set) var slipAmounts: [Int64] = []
    private(set) var articleCount: Int?
    /// Amounts without a legible key word below the payments; one of them may be the change.
    private(set) var amountsWithoutKeyWord: [Int64] = []
    private(set) var slip: Range<Int>?
    /// Whether a line of the footer was found; every complete receipt has one.
    private(set) var hasFooter = false
    /// Amounts of further totals below the total.
    private(set) var laterTotals: [Int64] = []
    /// Whether items and their total follow the end of the receipt: the picture shows two receipts.
    private(set) var hasSecondReceipt = false
    /// Whether the store paid the customer, and the customer paid nothing.
    private(set) var isPaidOut = false
    /// Whether a heading above or among the items says that the items are returned.
    private(set) var isReturn = false
    private(set) var isTraining = false
    private(set) var isCancelled = false

    /// Vouchers below the total, which may or may not be payments.
    private var vouchers: [(name: String, amount: Int64, isBelowPayment: Bool)] = []
    private let printedTotal: Int64?
    private let isInFrancs: Bool
    /// Maximum rounding of cash, in minor units: tills round to multiples of five.
    static let maximumRounding: Int64 = 4

    init(_ lines: [ReadLine], _ sections: Sections, currency: Currency) {
        printedTotal = sections.total.flatMap { lines[$0].price?.value }
        taxes = TaxTable(printedTotal: printedTotal)
        isInFrancs = currency == .chf
        var expectsChange = false
        for index in sections.tail {
            let line = lines[index]
            if line.has(.footer) { hasFooter = true }
            if articleCount == nil { articleCount = ItemAssembly.count(line) }
            if slip == nil, line.has(.slip) { slip = index..<lines.count }
            if taxes.read(line) {
                if line.amounts.count >= 2 { slip = slip.map { $0.lowerBound..<index } }
                continue
            }
            // Totals and payments in another currency do not count.
            if let other = CurrencyReader.printed(on: line), other != currency { continue }
            if let price = line.price, let value = price.value, line.amounts.count <= 1 {
                storeAmount(
                    line, value, isExact: price.isExact, expectsChange: &expectsChange,
                    inSlip: slip?.contains(index) ?? false)
            } else if line.begins(with: .change) {
                expectsChange = true
            }
        }
        countVouchers()
        taxes.finish()
        for line in lines[sections.head] + lines[sections.tail] {
            if line.begins(with: .training) { isTraining = true }
            if line.begins(with: .cancelled) || line.isAlone(.cancelledAlone) { isCancelled = true }
        }
        isReturn = (lines[sections.head] + lines[sections.body]).contains { $0.isAlone(.returned) }
        // Tills also print words for training and cancellation between the items, and after other words. A line with a
        // price is an item.
        for line in lines where line.price == nil && !line.begins(with: .payment) {
            if line.roles[.training]?.distance == 0 { isTraining = true }
            if line.roles[.cancelled]?.distance == 0 { isCancelled = true }
        }
        hasSecondReceipt = Self.showsSecondReceipt(lines[sections.tail], besides: printedTotal)
    }

    /// Counts vouchers as payments if they and the payments add up to the total. Otherwise the store gave the vouchers
    /// to the customer.
    private mutating func countVouchers() {
        let voucherSum = vouchers.reduce(0) { $0 + $1.amount }
        guard voucherSum > 0 else { return }
        if let printedTotal, (paid ?? 0) + voucherSum == printedTotal {
            payments = vouchers.map { ($0.name, $0.amount) } + payments
        } else {
            amountsWithoutKeyWord += vouchers.filter(\.isBelowPayment).map(\.amount)
        }
    }

    /// Stores the amount of a line by its key word: change, rounding, payment, voucher, later total or card slip.
    private mutating func storeAmount(
        _ line: ReadLine, _ value: Int64, isExact: Bool, expectsChange: inout Bool, inSlip: Bool
    ) {
        if line.begins(with: .change) || (expectsChange && line.begins(with: .payment)) {
            if change == nil { change = abs(value) }
            expectsChange = false
        } else if line.begins(with: .rounding), isExact, abs(value) <= Self.maximumRounding {
            cashRounding = value
        } else if line.begins(with: .payment), change != nil, let paid, paid == printedTotal {
            // `Guthaben Kundenkarte 26,98` below the change: the total is paid already.
            return
        } else if line.begins(with: .payment), isExact {
            let last = payments.last
            if inSlip, last.map({ abs($0.amount) == abs(value) }) ?? false { return slipAmounts.append(value) }
            isPaidOut = line.has(.paidOut) && (isPaidOut || payments.isEmpty)
            payments.append(
                (NameReader.name(line, line.nameRange, isClassBeforeAmount: false, isInFrancs: isInFrancs).text, value))
        } else if line.begins(with: .rest) {
            return
        } else if line.begins(with: .coupon), isExact, value > 0, change == nil, !inSlip {
            let name = NameReader.name(line, line.nameRange, isClassBeforeAmount: false, isInFrancs: isInFrancs).text
            vouchers.append((name, value, !payments.isEmpty))
        } else if isExact, !payments.isEmpty, change == nil, !inSlip, value != 0, !SectionFinder.isTotal(line) {
            amountsWithoutKeyWord.append(abs(value))
        } else if SectionFinder.isTotal(line) {
            laterTotals.append(value)
        } else if line.begins(with: .weakTotal) || line.begins(with: .columnHeader) {
            slipAmounts.append(value)
        }
    }

    /// Payments less change and the rounding of cash; nil without payments.
    var paid: Int64? {
        guard !payments.isEmpty else { return nil }
        // Some tills print payments as negative amounts.
        if let change, change != 0, payments.allSatisfy({ $0.amount < 0 }) {
            return payments.reduce(0) { $0 - $1.amount } - change
        }
        return payments.reduce(0) { $0 + $1.amount } - (change ?? 0) - cashRounding
    }

    /// Whether items and their own total follow the end of the receipt: the picture shows two receipts. A single item
    /// must be the total exactly. Several may be misread, so their sum may differ by a third. Before a payment, groups
    /// of items that add up to the same total belong to the same receipt.
    private static func showsSecondReceipt(_ tail: ArraySlice<ReadLine>, besides total: Int64?) -> Bool {
        let others: [Role] = [
            .payment, .change, .vatHeader, .vatTotal, .slip, .rest, .saved, .footer, .rounding, .discount, .coupon,
            .weakTotal, .subtotal, .points,
        ]
        var (isClosed, isPaid) = (false, false)
        var prices: [Int64] = []
        for line in tail {
            if line.begins(with: .payment), line.price?.isExact ?? false {
                (isClosed, isPaid) = (true, true)
                prices = []
            } else if [Role.change, .vatHeader, .slip, .footer].contains(where: line.begins) {
                isClosed = true
            } else if isClosed, SectionFinder.isTotal(line) {
                if let value = line.price?.value, value > 0, !prices.isEmpty {
                    let sum = prices.reduce(0, +)
                    let isNear = sum == value || (prices.count >= 2 && abs(sum - value) * 3 <= value)
                    if value == total ? (isPaid && sum == value) : isNear { return true }
                }
                prices = []
            } else if isClosed, SectionFinder.looksLikeItem(line), line.nameLetterCount >= 3, line.amounts.count == 1,
                let value = line.price?.value, !line.figures.contains(where: \.isPercent),
                !others.contains(where: line.begins)
            {
                prices.append(value)
            }
        }
        return false
    }
}
