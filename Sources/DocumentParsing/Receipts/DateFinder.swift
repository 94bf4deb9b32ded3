import Domain
import Recognition

/// Finds the date of the purchase and determines how certain it is.
struct DateFinder {
    private(set) var date: Reading<LocalDate>?
    private(set) var time: Reading<LocalTime>?
    /// Whether the date has two independent sources, such as two places on the receipt or two engines.
    private(set) var isConfirmed = false
    /// Whether another plausible purchase date was found.
    private(set) var hasOtherDate = false
    /// Whether some text looks like a date but could not be read, or may be a date without its separators.
    private(set) var hasBrokenDay = false
    /// Whether a time other than opening hours was found.
    private(set) var hasClock = false
    /// Whether the order of the numbers is unknown, as in `03/07/2026`, or letters or blanks were taken for digits or
    /// separators.
    private(set) var isUncertain = false

    /// Whether the row is only a number that has as many digits as a date, perhaps with a time. Separators may be lost
    /// or damaged: `24222000`, `02.09:2924`.
    private static func mayBeDay(_ read: ReadLine) -> Bool {
        let words = read.line.words.filter { $0.text.contains { $0.isLetter || $0.isNumber } }
        guard words.count == 1, !isOpeningHours(read) else { return false }
        let text = words[0].text
        return text.filter(\.isNumber).isNumber(6...10) && text.allSatisfy { $0.isNumber || ".:/-".contains($0) }
            && text.count(where: { !$0.isNumber }) != 1
    }

    private struct Sighting {
        var day: LocalDate
        /// The strength of the evidence, at least 1; see `weight`.
        var weight: Int
        var place: Place
        var line: Int?
        /// The store's local time, if the time beside the date is UTC.
        var local: LocalTime?
        /// The day in another order of its numbers, if that is possible too.
        var alternative: LocalDate?
        /// Whether letters or blanks were taken for digits or separators.
        var isRestored = false
        /// The days that the other engine read at this place.
        var otherDays: [LocalDate] = []
        /// Whether two independent engines read the day.
        var isReadByBoth = false
    }

    init(
        _ lines: [ReadLine], body: Range<Int>, slip: Range<Int>?, codes: [(page: Int, code: RecognizedCode)],
        facts: ChainFacts, fiscal: FiscalCode?, printed text: FiscalText?, rereads: [RereadAnswer],
        asOf today: LocalDate
    ) {
        var sightings: [Sighting] = []
        var isCoded = false
        for (index, read) in lines.enumerated() {
            if read.dates.hasBrokenDay, !body.contains(index) { hasBrokenDay = true }
            // Above the items, such a number may be a telephone number.
            if index >= body.upperBound, Self.mayBeDay(read) { hasBrokenDay = true }
            if !read.dates.clocks.isEmpty, !Self.isOpeningHours(read) { hasClock = true }
            let isAlone = read.dates.days.count == 1 && read.dates.clocks.isEmpty && read.line.letterCount <= 3
            let isAnnounced = index > 0 && isAlone && Self.announcesOtherDate(lines[index - 1])
            let restored = read.dates.restoredDay
            for day in read.dates.days + [restored].compactMap({ $0 }) {
                let other = read.line.otherEngineText(at: day.range)
                let seen = DateScanner.scan(other, asOf: today).days.map(\.date)
                let local = Self.local(day, read)
                sightings.append(
                    Sighting(
                        day: local?.date ?? day.date,
                        weight: isAnnounced
                            ? 0 : min(Self.weight(read, index, slip: slip, body: body), day == restored ? 1 : .max),
                        place: read.line.place(day.range), line: index, local: local?.time,
                        alternative: Self.alternative(day, read, asOf: today), isRestored: day == restored,
                        otherDays: seen,
                        isReadByBoth: seen.contains(day.date) || Self.endsAlike(other, read.line.text[day.range])))
            }
        }
        sightings.removeAll { $0.weight <= 0 }
        let printed = sightings
        for (page, code) in codes {
            let place = Place(page: page, box: code.box, confidence: 100)
            for dateCode in facts.chains.flatMap(\.dateCodes) {
                let coded = dateCode.day(in: code, asOf: today)
                // A valid date in a bar code of a known format is as reliable as two printed dates.
                isCoded = isCoded || (coded != nil && dateCode.identifiesChain(code))
                if let day = coded ?? printed.first(where: { dateCode.confirms($0.day, in: code, asOf: today) })?.day {
                    sightings.append(Sighting(day: day, weight: 2, place: place))
                }
            }
        }
        let fiscalDay = fiscal?.date.flatMap { $0.isPlausiblePurchaseDay(asOf: today) ? $0 : nil }
        if let fiscalDay {
            // Fiscal data printed as text and the instants in that text have the same place, so that they count as one
            // source.
            let textPlace = fiscal?.fieldCount == 0 ? text?.instants.last?.place : nil
            let place = textPlace.map { Place(page: $0.page, box: $0.box, confidence: 80) }
            sightings.append(
                Sighting(day: fiscalDay, weight: 8, place: place ?? Place(page: 0, box: nil, confidence: 100)))
        }
        for instant in text?.instants ?? [] {
            let place = Place(page: instant.place.page, box: instant.place.box, confidence: 80)
            sightings.append(Sighting(day: instant.day, weight: 3, place: place))
        }
        for answer in rereads { Self.add(answer, to: &sightings, printed: printed, asOf: today) }
        choose(Self.ordered(sightings), lines)
        let isFiscalDay = fiscalDay != nil && fiscalDay == date?.value && fiscal.map(Self.hasCertainDay) ?? false
        if isCoded || isFiscalDay, !hasOtherDate { isConfirmed = true }
        if time == nil, date != nil,
            let clock = (fiscalDay == nil ? nil : fiscal?.time)
                ?? text?.instants.last(where: { $0.isExact && $0.day == date?.value })?.time
        {
            time = Reading(value: clock, confidence: 100, page: 0, box: nil)
        }
    }

    /// Whether the data are from a code, which has a checksum, and contain the day on which the transaction ended. In
    /// restaurants and hotels, a transaction may start on an earlier day.
    private static func hasCertainDay(_ fiscal: FiscalCode) -> Bool {
        guard fiscal.fieldCount > 0 else { return false }
        return fiscal.scheme == .austrian || fiscal.details["end"].flatMap { UTCInstant($0) } != nil
    }

    /// Whether the other engine joined the same date with the time before it: `12:4819.06.2019`.
    private static func endsAlike(_ other: [Unicode.Scalar], _ day: ArraySlice<Unicode.Scalar>) -> Bool {
        day.count(where: \.isDigit) == 8 && other.reversed().starts(with: day.reversed())
    }

    /// Adds the day of a rereading to the sightings.
    private static func add(
        _ answer: RereadAnswer, to sightings: inout [Sighting], printed: [Sighting], asOf today: LocalDate
    ) {
        let request = answer.request
        func isAtSamePlace(_ sighting: Sighting) -> Bool {
            guard sighting.place.page == request.page, let box = sighting.place.box else { return false }
            return 2 * request.box.y <= box.doubleMidY && box.doubleMidY <= 2 * request.box.maxY
        }
        // A rereading counts only if all its dates are equal.
        let days = answer.readings.prefix(4).flatMap { word in
            DateScanner.scan(Array(word.text.unicodeScalars.prefix(40)), asOf: today).days.map { ($0.date, word) }
        }
        guard let (day, word) = days.first, days.allSatisfy({ $0.0 == day }) else { return }
        // A date that both readings agree on is certain, even at low confidence.
        guard word.confidence >= minimumConfidence || printed.contains(where: { $0.day == day && isAtSamePlace($0) })
        else { return }
        // These readings are from the first engine. If it repeats its own first reading, which the second engine
        // contradicts, that is not further evidence.
        if printed.contains(where: { $0.day != day && $0.otherDays.contains(day) && isAtSamePlace($0) }) { return }
        // A printed day that the rereading of its place contradicts gets the lowest weight.
        for index in sightings.indices where sightings[index].line != nil && sightings[index].day != day {
            if isAtSamePlace(sightings[index]) { sightings[index].weight = 1 }
        }
        sightings.append(
            Sighting(
                day: day, weight: 2,
                place: Place(page: request.page, box: request.box, confidence: word.confidence),
                alternative: printed.lazy.filter { $0.day == day }.compactMap(\.alternative).first))
    }

    /// Minimum confidence of a rereading that differs from the first reading. Readings with a lower confidence are
    /// often guesses.
    private static let minimumConfidence = 45

    /// Swaps the numbers of a day if another sighting confirms the swapped day: `26-05-11` beside `11.05.2026`.
    private static func ordered(_ sightings: [Sighting]) -> [Sighting] {
        let certain = Set(sightings.lazy.filter { $0.alternative == nil && $0.weight >= 2 }.map(\.day))
        return sightings.map { sighting in
            guard let other = sighting.alternative, certain.contains(other), !certain.contains(sighting.day) else {
                return sighting
            }
            var sighting = sighting
            sighting.day = other
            sighting.alternative = nil
            return sighting
        }
    }

    /// Sets the date with the highest sum of weights, and how certain it is.
    private mutating func choose(_ sightings: [Sighting], _ lines: [ReadLine]) {
        var scores: [LocalDate: Int] = [:]
        for sighting in sightings { scores[sighting.day, default: 0] += sighting.weight }
        guard let best = scores.max(by: { ($0.value, $1.key) < ($1.value, $0.key) }) else { return }
        let own = sightings.filter { $0.day == best.key }
        // Prefer the place of a printed date to the place of a bar code.
        guard let shown = own.first(where: { $0.line != nil }) ?? own.first else { return }
        date = shown.place.reading(of: best.key)
        let others = sightings.filter { $0.day != best.key && $0.weight >= 2 }
        hasOtherDate = !others.isEmpty
        isUncertain = own.allSatisfy { $0.alternative != nil || $0.isRestored }
        let places = Set(own.map { $0.place.box.map { [$0.x, $0.y] } ?? [] })
        isConfirmed = !isUncertain && (places.count >= 2 || own.contains(where: \.isReadByBoth))
        let clocked = own.compactMap(\.line).filter { !lines[$0].dates.clocks.isEmpty }
        if let index = clocked.first(where: { !Self.isUTC(lines[$0]) }) ?? shown.line { setTime(lines, near: index) }
        // Only the UTC time of a signing device is printed; `local` is this time in the store's time zone.
        if time == nil, let last = own.last(where: { $0.local != nil }), let local = last.local {
            time = last.place.reading(of: local)
        }
    }

    /// Converts a UTC date and time to the store's local date and time. Near midnight the dates differ.
    private static func local(_ day: DateScanner.Day, _ read: ReadLine) -> (date: LocalDate, time: LocalTime)? {
        guard let clock = read.dates.clocks.first(where: { $0.range.lowerBound >= day.range.upperBound }),
            isUTC(clock, read)
        else { return nil }
        return UTCInstant(date: day.date, time: clock.time).berlin
    }

    /// The day with day and month swapped: `03/07/2026` is 3 July in Europe and 7 March on American tills. In
    /// `20-11-25`, day and year are swapped. Nil if only one order is possible.
    private static func alternative(_ day: DateScanner.Day, _ read: ReadLine, asOf today: LocalDate) -> LocalDate? {
        let text = read.line.text[day.range]
        let (year, month, number) = (day.date.year, day.date.monthNumber, day.date.day)
        let other: LocalDate? =
            if text.count == 8, text.contains("-"), number >= 15 {
                LocalDate(year: 2_000 + number, month: month, day: year % 100)
            } else if text.contains("/") {
                LocalDate(year: year, month: number, day: month)
            } else {
                nil
            }
        return other.flatMap { $0 != day.date && $0.isPlausiblePurchaseDay(asOf: today) ? $0 : nil }
    }

    /// Whether the line announces another date on the next line: `Umtausch bis`.
    private static func announcesOtherDate(_ read: ReadLine) -> Bool {
        guard read.dates.days.isEmpty, read.price == nil,
            let last = read.line.string.uppercased().split(whereSeparator: { !$0.isLetter }).last
        else { return false }
        return ["BIS", "AB", "AM", "VOM", "GÜLTIG", "GUELTIG", "SPÄTESTENS", "SPAETESTENS"].contains(last)
    }

    private mutating func setTime(_ lines: [ReadLine], near index: Int) {
        for candidate in [index, index + 1, index - 1] {
            guard let read = lines[safe: candidate], let clock = read.dates.clocks.first,
                !Self.isOpeningHours(read) || candidate == index, !Self.isUTC(read)
            else { continue }
            time = read.line.place(clock.range).reading(of: clock.time)
            return
        }
    }

    /// Whether the line's time is UTC: `2026-03-07T13:28:10.000Z`.
    private static func isUTC(_ read: ReadLine) -> Bool { read.dates.clocks.first.map { isUTC($0, read) } ?? false }

    private static func isUTC(_ clock: DateScanner.Clock, _ read: ReadLine) -> Bool {
        read.line.text[clock.range.upperBound...].first { !$0.isDigit && $0 != "." } == "Z"
    }
}
