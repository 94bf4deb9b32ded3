import DocumentParsing
import Domain
import Recognition
import Testing

/// Documents of ten kinds: amount paid, date, payee and category.
@Suite(.timeLimit(.minutes(1))) struct PaperTests {
    private static func read(_ text: String) -> PaperReading {
        PaperReading(Layout.document(text), asOf: Layout.today)
    }

    private static func category(_ reading: PaperReading) -> String? {
        let text = ExpenseText(what: reading.categoryText, payee: reading.merchants.first?.value ?? "")
        guard case .builtIn(let key)? = CategorizationChain(chosen: ChosenBefore([])).suggestion(for: text)?.category
        else { return nil }
        return key
    }

    /// True if the text that was read contains the expected name, ignoring case and punctuation.
    private static func isSame(_ read: String?, _ meant: String) -> Bool {
        guard let read else { return false }
        return ExpenseText.key(read).contains(ExpenseText.key(meant))
    }

    @Test func `Ranks the right candidate first as often as required`() {
        var wrong: [String: [String]] = [:]
        for sample in PaperSample.all {
            let reading = Self.read(sample.text)
            if reading.totals.first?.value != sample.total {
                wrong["total", default: []].append("\(sample): \(reading.totals.map(\.value))")
            }
            if reading.days.first?.value.iso != sample.day {
                wrong["day", default: []].append("\(sample): \(reading.days.map(\.value.iso))")
            }
            if !Self.isSame(reading.merchants.first?.value, sample.merchant) {
                wrong["merchant", default: []].append("\(sample): \(reading.merchants.map(\.value))")
            }
            let category = Self.category(reading)
            if category != sample.category {
                wrong["category", default: []].append("\(sample): \(category ?? "-")")
            }
            if reading.kind != sample.kind {
                wrong["kind", default: []].append("\(sample): \(reading.kind?.rawValue ?? "-")")
            }
        }
        func share(_ name: String) -> Int {
            (PaperSample.all.count - (wrong[name]?.count ?? 0)) * 1_000 / PaperSample.all.count
        }
        #expect(share("total") >= 970, "\(wrong["total"] ?? [])")
        #expect(share("day") >= 950, "\(wrong["day"] ?? [])")
        #expect(share("merchant") >= 900, "\(wrong["merchant"] ?? [])")
        #expect(share("category") >= 850, "\(wrong["category"] ?? [])")
        #expect(share("kind") >= 900, "\(wrong["kind"] ?? [])")
    }

    @Test func `Has the printed values among the candidates, with their positions`() throws {
        for sample in PaperSample.all {
            let reading = Self.read(sample.text)
            #expect(reading.totals.contains { $0.value == sample.total }, "\(sample)")
            #expect(reading.days.contains { $0.value.iso == sample.day }, "\(sample)")
            #expect(reading.totals.count <= PaperReading.most && reading.merchants.count <= PaperReading.most)
            for candidate in reading.totals {
                #expect(candidate.box.width > 0 && candidate.box.height > 0 && candidate.page == 0, "\(sample)")
            }
        }
    }

    @Test func `Adds the tip to the amount of a bill`() throws {
        let sample = try #require(PaperSample.all.first { $0.merchant == "Pizzeria Da Marco" })
        let reading = Self.read(sample.text)
        #expect(reading.tip?.value == 700 && reading.totals.first?.value == 3_600)
        #expect(reading.totals.contains { $0.value == 2_900 })
    }

    @Test func `Reads IBAN and due date of an invoice`() throws {
        let sample = try #require(PaperSample.all.first { $0.merchant == "Wien Energie" })
        let reading = Self.read(sample.text)
        #expect(reading.iban?.value == "AT611904300234573201" && reading.dueDay?.value.iso == "2026-08-24")
        #expect(reading.days.first?.value.iso == "2026-08-03")
        #expect(Self.read("IBAN AT61 1904 3002 3457 3202").iban == nil)
    }

    @Test func `Reads the litres of fuel and the printed currency`() throws {
        let sample = try #require(PaperSample.all.first { $0.merchant == "OMV" })
        let reading = Self.read(sample.text)
        #expect(reading.litres?.value == 38_140 && reading.currency == .eur)
        let swiss = try #require(PaperSample.all.first { $0.merchant == "Avia" })
        #expect(Self.read(swiss.text).currency?.code == "CHF")
    }

    @Test(arguments: [
        "", "\n\n", "1 2 3", String(repeating: "9,99 ", count: 2_000), "IBAN " + String(repeating: "A", count: 500),
    ])
    func `Limits the candidates of empty and meaningless texts`(_ text: String) {
        let reading = Self.read(text)
        #expect(reading.totals.count <= PaperReading.most && reading.kind == nil)
    }
}
