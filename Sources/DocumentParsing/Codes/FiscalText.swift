import Domain
import Recognition

/// The data of the German security device (TSE) that a receipt prints as text (KassenSichV § 6), in addition to the QR
/// code or in place of it.
package struct FiscalText: Sendable, Equatable {
    /// The serial number of the till; 4 to 80 characters, without blanks.
    package var till: String?
    /// The serial number of the security device, which some chains print instead of `till`.
    package var module: String?
    /// The transaction's number, 1 to 12 digits.
    package var transaction: String?
    /// The signature counter, 1 to 12 digits.
    package var counter: String?
    /// Start and end of the signed transaction. Instants with an uncertain day are left out.
    package internal(set) var instants: [Instant] = []
    /// The process that was signed; nil if it is not printed.
    package var process: FiscalCode.Process?
    /// In the same form as ``FiscalCode/gross``; empty if the signed data are not printed.
    package var gross: [FiscalCode.Gross] = []
    /// In the same form as ``FiscalCode/payments``; empty if the signed data are not printed.
    package var payments: [FiscalCode.Payment] = []

    /// A printed point in time.
    package struct Instant: Sendable, Equatable {
        /// The local day. If it is unclear whether the text is in UTC or in local time, and the local day depends on
        /// that, the instant is dropped.
        package var day: LocalDate
        /// To the second, if seconds are printed.
        package var time: LocalTime
        /// Whether the text states UTC; otherwise the hour may be off by one or two.
        package var isExact: Bool
        var place: PagePlace
    }

    /// Till and transaction number as in the fiscal code; used to match the text with the code of the same receipt.
    package var key: (till: String, number: String)? {
        guard let transaction, let till = till ?? module else { return nil }
        return (till, transaction)
    }

    /// The data as a fiscal code; nil if the signed data are not printed.
    var code: FiscalCode? {
        guard let process, !gross.isEmpty else { return nil }
        return FiscalCode(
            scheme: .german, process: process, till: till ?? module ?? "", number: transaction ?? "", gross: gross,
            payments: payments, date: instants.last?.day,
            time: instants.last.flatMap { $0.isExact ? $0.time : nil }, details: [:], fieldCount: 0)
    }
}

/// The fields of fiscal data that are printed as text. The raw value is the key of their labels in the facts file.
enum FiscalField: String, CaseIterable, Sendable {
    /// The number of the signed transaction.
    case transaction = "tse_transaction"
    /// The number of signatures that the device has made.
    case counter = "tse_counter"
    /// The serial number of the till.
    case till = "tse_till"
    /// The serial number of the security device.
    case module = "tse_module"
    case start = "tse_start"
    case stop = "tse_stop"
    case signature = "tse_signature"
    /// Heading, algorithm, time format, public key.
    case other = "tse_other"

    /// Whether the labels of the field occur nowhere else on receipts.
    var isUnmistakable: Bool {
        switch self {
        case .counter, .till, .module, .signature: true
        case .transaction, .start, .stop, .other: false
        }
    }
}

/// Finds the fiscal data among the lines of a receipt.
struct FiscalTextReader {
    /// Nil unless at least two fields were found, at least one of them unmistakable.
    private(set) var text: FiscalText?
    /// The lines with the data, including signatures that span several lines.
    private(set) var lines: Set<Int> = []

    /// Maximum distance in lines between two fields; a signature has fewer lines.
    private static let maximumGap = 8

    private let facts: ChainFacts
    private let today: LocalDate
    /// The fields whose labels or data were found.
    private var found: Set<FiscalField> = []
    private var draft = FiscalText()

    init(_ lines: [ReadLine], in range: Range<Int>, facts: ChainFacts, asOf today: LocalDate) {
        self.facts = facts
        self.today = today
        var last: Int?
        for index in range {
            let next = lines[safe: index + 1]?.line
            guard store(lines[index].line, next: next) else { continue }
            // A label much further up may belong to a card slip; then the lines between are not marked.
            if let last, index - last <= Self.maximumGap {
                for between in last..<index where !Self.holdsOtherData(lines[between]) { self.lines.insert(between) }
            }
            self.lines.insert(index)
            last = index
        }
        if let last { markSignatureBelow(of: lines, after: last) }
        guard found.count >= 2, found.contains(where: \.isUnmistakable) else {
            self.lines = []
            return
        }
        text = draft
    }

    /// Whether the line belongs to another part of the receipt although it is between two lines of fiscal data.
    private static func holdsOtherData(_ line: ReadLine) -> Bool {
        line.begins(with: .total) || line.begins(with: .payment) || line.begins(with: .change) || line.has(.vatHeader)
            || line.amounts.count >= 2
    }

    /// Marks the lines of a signature that continues below the last label: long words of letters and digits.
    private mutating func markSignatureBelow(of all: [ReadLine], after last: Int) {
        for index in (last + 1)..<min(all.count, max(last + 1, last + Self.maximumGap)) {
            let line = all[index].line
            guard line.words.count <= 2, line.text.count >= 12, line.words.contains(where: { $0.text.count >= 12 }),
                line.digitCount > 0, line.letterCount > 0, all[index].dates.days.isEmpty, all[index].amounts.isEmpty
            else { return }
            lines.insert(index)
        }
    }

    // MARK: One line

    private struct Label {
        let field: FiscalField
        /// The indices of the label's words on the line.
        let words: ClosedRange<Int>
        /// The number of misread letters.
        let distance: Int
    }

    /// Stores the fiscal data of a line. Returns whether the line has a label of a field.
    private mutating func store(_ printed: PrintedLine, next: PrintedLine?) -> Bool {
        storeProcess(printed)
        let line = Self.split(printed)
        let labels = labels(on: line)
        for (position, label) in labels.enumerated() {
            let end = position + 1 < labels.count ? labels[position + 1].words.lowerBound : line.words.count
            let values = Array(line.words[min(label.words.upperBound + 1, end)..<end])
            found.insert(label.field)
            // The value may be on the line below its label.
            let below = values.isEmpty && labels.count == 1 ? next.map { Self.split($0) } : nil
            if let below, !self.labels(on: below).isEmpty { continue }
            set(label.field, values.isEmpty ? below?.words ?? [] : values, page: line.page)
        }
        return !labels.isEmpty
    }

    /// The labels of a line from left to right, without overlaps.
    private func labels(on line: PrintedLine) -> [Label] {
        guard line.letterCount >= 3 else { return [] }
        var all = FiscalField.allCases.compactMap { field in
            facts.match(field, line).map { Label(field: field, words: $0.words, distance: $0.distance) }
        }
        // `TSE-Signaturzähler` also contains `Signatur`: prefer fewer misread letters, then more words.
        all.sort { ($0.distance, $1.words.count) < ($1.distance, $0.words.count) }
        var kept: [Label] = []
        for label in all where !kept.contains(where: { $0.words.overlaps(label.words) }) { kept.append(label) }
        return kept.sorted { $0.words.lowerBound < $1.words.lowerBound }
    }

    /// Splits words such as `TSE-Transaktion:4711` into label and value.
    private static func split(_ line: PrintedLine) -> PrintedLine {
        let words = line.words.flatMap { word -> [RecognizedWord] in
            guard let colon = word.text.firstIndex(of: ":"), word.text.index(after: colon) < word.text.endIndex,
                word.text[..<colon].count(where: \.isLetter) >= 3
            else { return [word] }
            var (label, value) = (word, word)
            label.text = String(word.text[...colon])
            value.text = String(word.text[word.text.index(after: colon)...])
            // `REWE:74:56:3c` is one value, not a label with a value.
            if value.text.contains(":"), !value.text.contains("T"), word.text.count(where: { $0 == ":" }) > 2 {
                return [word]
            }
            return [label, value]
        }
        return PrintedLine(page: line.page, words: words, isText: line.isText)
    }

    // MARK: Values

    /// Stores the value of a field. Of several transaction numbers, counters or serial numbers, keeps the first.
    private mutating func set(_ field: FiscalField, _ words: [RecognizedWord], page: Int) {
        switch field {
        case .transaction: draft.transaction = draft.transaction ?? Self.number(words)
        case .counter: draft.counter = draft.counter ?? Self.number(words)
        case .till: draft.till = draft.till ?? Self.serial(words)
        case .module: draft.module = draft.module ?? Self.serial(words)
        case .start, .stop:
            if let instant = instant(words, page: page) { draft.instants.append(instant) }
        case .signature, .other: break
        }
    }

    /// A whole number of at most twelve digits, perhaps after a `#`.
    private static func number(_ words: [RecognizedWord]) -> String? {
        let text = words.first { $0.text.contains(where: \.isNumber) }?.text.filter { $0 != "#" && $0 != "." } ?? ""
        return text.isNumber(1...12) ? text : nil
    }

    /// A serial number of 4 to 80 characters with at least one digit.
    private static func serial(_ words: [RecognizedWord]) -> String? {
        let text = words.map(\.text).joined()
        guard (4...80).contains(text.utf8.count), text.contains(where: \.isNumber) else { return nil }
        return text
    }

    /// The day and the time in the words; nil without them or if the local day is uncertain.
    private func instant(_ words: [RecognizedWord], page: Int) -> FiscalText.Instant? {
        let text = Array(words.text.unicodeScalars.prefix(60))
        let found = DateScanner.scan(text, asOf: today)
        guard let day = found.days.first?.date, let time = found.clocks.first?.time else { return nil }
        let place = PagePlace(page: page, box: words.box)
        let local = UTCInstant(date: day, time: time).berlin
        if text.last == "Z" || text.suffix(3).elementsEqual("UTC".unicodeScalars) {
            return .init(day: local.date, time: local.time, isExact: true, place: place)
        }
        guard local.date == day else { return nil }
        return .init(day: day, time: time, isExact: false, place: place)
    }

    /// Reads `Beleg^0.00_7.05_0.00_0.00_0.00^7.05:Bar`, or `AVTraining` if only the type is printed.
    private mutating func storeProcess(_ line: PrintedLine) {
        for word in line.words {
            if word.text.contains("^") {
                let (gross, payments, type) = GermanFiscalCode.processData(word.text)
                guard let gross, let process = GermanFiscalCode.process(of: type) else { continue }
                (draft.gross, draft.payments, draft.process) = (gross, payments, process)
                found.insert(.other)
            } else if let process = GermanFiscalCode.process(of: word.text), process != .purchase {
                draft.process = process
            }
        }
    }
}
