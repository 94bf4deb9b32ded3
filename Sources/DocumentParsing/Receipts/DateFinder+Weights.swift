import Domain
import Recognition

/// Decides whether a printed date is the purchase date.
extension DateFinder {
    /// Returns the weight of a printed date as evidence, 2…8; 0 if it is not the purchase date.
    static func weight(_ read: ReadLine, _ index: Int, slip: Range<Int>?, body: Range<Int>) -> Int {
        if body.contains(index), read.price != nil { return 0 }
        // A label says that the date is the purchase date: `Rechnungsdatum / Lieferdatum 24. Februar 2026`.
        let isOwn = isLabelled(read, .ownDay)
        let isOther = isLabelled(read, .otherDay)
        if isOwn, !isOther || read.roles[.ownDay]?.distance == 0 { return 8 }
        let text = read.line.string.uppercased()
        for word in ["GÜLTIG", "GUELTIG", "BIS ", "AB ", "VERFALL", "MHD", "AKTION"] where text.contains(word) {
            return 0
        }
        // Only the date of an invoice or receipt may follow `vom`: `Rechnung Nr. 55895 vom 03.07.2024`. Without the
        // word `Rechnung`, the number may belong to a voucher or an order. Their dates have no time, so a time is
        // required: `Nr. 55895 vom 03.07.2024 09:16`.
        if text.contains("VOM ") {
            let isNumber = ["NR ", "NR.", "NR:"].contains(where: text.hasPrefix) && !read.dates.clocks.isEmpty
            let isReceipt = text.hasPrefix("BON NR") || namesReceipt(read.line)
            if namesOtherReceipt(text) || !isReceipt && !isNumber { return 0 }
        }
        if read.dates.clocks.isEmpty, isOtherDate(text) { return 0 }
        if isOther || isValidityPeriod(read) { return 0 }
        if isOpeningHours(read) { return 0 }
        if slip?.contains(index) ?? false { return 2 }
        return read.dates.clocks.isEmpty ? 3 : 5
    }

    /// Whether the line has one of the role's words, which may be misread if it is long: `Lieferdaturn`.
    private static func isLabelled(_ read: ReadLine, _ role: Role) -> Bool {
        guard let match = read.roles[role] else { return false }
        return match.distance == 0 || read.line.skeletons[match.words].joined().count >= 9
    }

    /// Whether one of the first words ends in the word for an invoice or receipt, perhaps misread: `Barrechnung`,
    /// `Kassa 1 Rechnuna`.
    private static func namesReceipt(_ line: PrintedLine) -> Bool {
        line.skeletons.prefix(3).contains { own in
            receiptWords.contains { word in
                let limit = word.count < 6 ? 0 : 1
                return Skeleton.distance(word[...], own.suffix(word.count), limit: limit) <= limit
            }
        }
    }

    /// Whether the line refers to another receipt, to a voucher or to a settlement: `Umtausch zu Beleg 55 vom 01.03.2026`.
    private static func namesOtherReceipt(_ text: String) -> Bool {
        text.split { !$0.isLetter }.contains { word in
            ["ZU", "ZUR", "ZUM", "LAUT", "LT", "GEMÄSS", "GEMAESS", "SIEHE"].contains(word)
                || ["ORIGINAL", "UMTAUSCH", "RETOUR", "GUTSCHEIN", "PFAND", "LEERGUT", "ABRECHNUNG"]
                    .contains { word.contains($0) }
        }
    }

    private static let receiptWords = ["RECHNUNG", "BELEG", "QUITTUNG"].map { Skeleton.of($0.unicodeScalars) }

    /// Whether the line prints the validity period of an offer: `09.03.2026 - 21.03.2026`.
    private static func isValidityPeriod(_ read: ReadLine) -> Bool {
        read.dates.days.count == 2 && read.dates.clocks.isEmpty && read.dates.days[0].date != read.dates.days[1].date
            && read.line.text[read.dates.days[0].range.upperBound..<read.dates.days[1].range.lowerBound]
                .allSatisfy { $0 == " " || FigureScanner.isMinus($0) }
    }

    /// Whether a word names another date: `Punktestand 31.12.2025`, `Mitglied seit 01.02.2020`.
    private static func isOtherDate(_ text: String) -> Bool {
        text.split { !$0.isLetter }.contains { word in
            ["STAND", "SEIT", "PER"].contains(word)
                || [
                    "PUNKTE", "GUTHABEN", "UMTAUSCH", "RÜCKGABE", "RUECKGABE", "ABLAUF", "GEBURT", "EINLÖS", "EINLOES",
                    "EINZULÖSEN", "MITGLIED",
                ].contains(where: word.hasPrefix)
        }
    }

    /// Whether the line holds only a date and its day of the week: `Samstag, 14. Juni 2025`.
    private static func isDateWithWeekday(_ read: ReadLine) -> Bool {
        guard read.dates.days.count == 1, let day = read.dates.days.first else { return false }
        let outside = read.line.text[..<day.range.lowerBound] + read.line.text[day.range.upperBound...]
        let words = PrintedLine.string(outside).uppercased().split { !$0.isLetter }
        guard words.count == 1, let index = Weekday.allCases.firstIndex(of: day.date.weekday) else { return false }
        return words[0] == weekdays[index] || words[0] == weekdays[index].prefix(2)
    }

    static func isOpeningHours(_ read: ReadLine) -> Bool {
        if read.dates.clocks.count >= 2 { return true }
        if isDateWithWeekday(read) || (!read.dates.days.isEmpty && read.dates.clocks.count == 1) { return false }
        return read.line.string.uppercased().split { !$0.isLetter }.contains { word in
            weekdays.contains { word == $0 || word == $0.prefix(2) }
        }
    }

    /// From Monday. Receipts also print the first two letters.
    private static let weekdays = [
        "MONTAG", "DIENSTAG", "MITTWOCH", "DONNERSTAG", "FREITAG", "SAMSTAG", "SONNTAG",
    ]
}
