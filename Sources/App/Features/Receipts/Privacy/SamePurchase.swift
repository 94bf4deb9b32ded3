import Domain
import Postgres

/// The values by which two receipts of one purchase are recognised.
struct SamePurchase: Sendable, Equatable {
    let day: LocalDate?
    let time: LocalTime?
    /// In minor units.
    let total: Int64?
    /// The amounts of the lines in minor units, in ascending order; 0 for an unread amount.
    let amounts: [Int64]

    init(day: LocalDate?, time: LocalTime?, total: Int64?, amounts: [Int64]) {
        (self.day, self.time, self.total) = (day, time, total)
        self.amounts = amounts.sorted()
    }

    /// A condition on the receipt `r`: it has the same day and total, and a time in the same minute. If one of the two
    /// receipts has no time, compares the amounts of their lines instead.
    var condition: SQL {
        let (first, last) = minute
        let withoutTime: SQL = time == nil ? "true" : "r.purchase_time IS NULL"
        return """
            (r.purchase_day = \(day) AND r.total_minor = \(total)
                AND (r.purchase_time BETWEEN \(first) AND \(last) OR (\(withoutTime)
                    AND ARRAY(SELECT l.total_minor FROM receipt_line l
                        WHERE l.household_id = r.household_id AND l.receipt_id = r.id ORDER BY l.total_minor)
                    = \(amounts))))
            """
    }

    /// The first and the last second of the minute. A typed time has no seconds, but a time that was read may have
    /// seconds.
    private var minute: (first: PostgresTime?, last: PostgresTime?) {
        guard let time else { return (nil, nil) }
        let first = LocalTime(hour: time.hour, minute: time.minute)
        return (first?.stored, LocalTime(hour: time.hour, minute: time.minute, second: 59)?.stored)
    }
}

extension ReviewDraft {
    var purchase: SamePurchase {
        SamePurchase(day: day, time: time, total: total, amounts: lines.map(\.total))
    }
}
