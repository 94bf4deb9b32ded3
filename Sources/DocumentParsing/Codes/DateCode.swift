import Domain
import Recognition

/// The format of a chain's bar code that contains the day of the purchase: `ITF 22 0888 DDMMYY@16`.
///
/// It has four parts: the symbology; the number of digits or `*`; the digits at the start or `-`; the day and the index
/// of its first digit, or `@?` if the index is not known. A format without the index can only confirm a printed day.
struct DateCode: Sendable, Equatable {
    enum Order: String, Sendable {
        case dayFirst = "DDMMYY"
        case yearFirst = "YYMMDD"
    }

    /// The symbology in lowercase letters and digits, such as `itf`.
    let format: String
    /// The number of digits; nil if any number is allowed.
    let length: Int?
    /// The digits with which every code begins.
    let start: [UInt8]
    let order: Order
    /// The index of the first digit of the day; nil if it is not known.
    let dayIndex: Int?

    init?(_ text: some StringProtocol) {
        let parts = String(text).split(separator: " ").map(String.init)
        guard parts.count == 4 else { return nil }
        let day = parts[3].split(separator: "@").map(String.init)
        guard day.count == 2, let order = Order(rawValue: day[0]) else { return nil }
        format = DateCode.folded(parts[0])
        length = parts[1] == "*" ? nil : Int(parts[1])
        start = parts[2] == "-" ? [] : Array(parts[2].utf8)
        self.order = order
        dayIndex = day[1] == "?" ? nil : Int(day[1])
        if length == nil, parts[1] != "*" { return nil }
        if dayIndex == nil, day[1] != "?" { return nil }
    }

    /// Returns the day in a code; nil if its index is not known or the code does not have this format.
    func day(in code: RecognizedCode, asOf today: LocalDate) -> LocalDate? {
        guard let dayIndex, matches(code) else { return nil }
        return day(Array(code.text.utf8), at: dayIndex, asOf: today)
    }

    /// Whether a code of this format contains the day: at its index, or anywhere after the start if the index is not
    /// known.
    func confirms(_ day: LocalDate, in code: RecognizedCode, asOf today: LocalDate) -> Bool {
        guard matches(code) else { return false }
        let digits = Array(code.text.utf8)
        if let dayIndex { return self.day(digits, at: dayIndex, asOf: today) == day }
        return (start.count...max(start.count, digits.count - 6)).contains {
            self.day(digits, at: $0, asOf: today) == day
        }
    }

    /// Whether a code has this format and a fixed start that is long enough to identify the chain.
    func identifiesChain(_ code: RecognizedCode) -> Bool { start.count >= 4 && matches(code) }

    private func matches(_ code: RecognizedCode) -> Bool {
        let digits = Array(code.text.utf8)
        return DateCode.folded(code.format) == format && (length == nil || digits.count == length)
            && digits.starts(with: start) && code.text.isNumber(0...64)
    }

    /// The day in the six digits from `index` on; nil if it is not a plausible purchase day.
    private func day(_ digits: [UInt8], at index: Int, asOf today: LocalDate) -> LocalDate? {
        guard index >= 0, index + 6 <= digits.count else { return nil }
        let pairs = stride(from: index, to: index + 6, by: 2).map {
            Int(digits[$0] - 48) * 10 + Int(digits[$0 + 1] - 48)
        }
        let day =
            order == .dayFirst
            ? LocalDate(year: 2_000 + pairs[2], month: pairs[1], day: pairs[0])
            : LocalDate(year: 2_000 + pairs[0], month: pairs[1], day: pairs[2])
        return day.flatMap { $0.isPlausiblePurchaseDay(asOf: today) ? $0 : nil }
    }

    /// The name of a symbology in lowercase letters and digits: `EAN-13` → `ean13`.
    private static func folded(_ format: String) -> String { format.lowercased().filter { $0.isLetter || $0.isNumber } }
}
