import Domain
import HTTP
import Testing

@testable import App

@Suite(.timeLimit(.minutes(5))) struct ReviewFormTests {
    private func form(_ fields: KeyValuePairs<String, String>) throws -> ReviewForm {
        try form(FormFields([NamedValue("revision", "1")] + fields.map { NamedValue($0.key, $0.value) }))
    }

    private func form(_ fields: FormFields) throws -> ReviewForm {
        try ReviewForm(fields, in: .german, Words.load())
    }

    @Test(arguments: ["", "x", "1x", "-1", "0", "+1", " 1", "1.0", "99999999999999999999"])
    func `a malformed revision is refused`(revision: String) throws {
        #expect(throws: Refusal.self) { try FormFields([NamedValue("revision", revision)]).revision() }
        #expect(throws: Refusal.self) { try FormFields([NamedValue("revision", revision)]).optionalRevision() }
        #expect(throws: Refusal.self) { try form(FormFields([NamedValue("revision", revision)])) }
    }

    @Test func `a missing revision is refused if the form needs a revision`() throws {
        #expect(throws: Refusal.self) { try FormFields([]).revision() }
        #expect(try FormFields([]).optionalRevision() == nil)
        #expect(try FormFields([NamedValue("revision", "12")]).revision() == 12)
    }

    @Test(arguments: ["zwei", "1,2,3", "9999999999999", "--1", "1e3", "\u{0661}"])
    func `an invalid amount is refused with an error at its field, and the field keeps the typed text`(text: String)
        throws
    {
        let form = try form(["line": "new1", "name-new1": "MILCH", "total-new1": text])
        #expect(form.errors["total-new1"] != nil)
        #expect(form.texts["total-new1"] == text)
    }

    @Test func `a quantity that may be thousands is refused with the reason, and decimals are read`() throws {
        let form = try form([
            "line": "new1", "name-new1": "MEHL", "quantity-new1": "1.000", "unit-new1": "g", "total-new1": "1,00",
            "line": "new2", "name-new2": "OBST", "quantity-new2": "1.250", "unit-new2": "kg", "total-new2": "1,00",
        ])
        #expect(form.errors["quantity-new1"]?.contains("1.000") == true)
        #expect(form.draft.lines.last?.quantity == 1_250)
    }

    @Test func `an empty total is quantity times unit price`() throws {
        let form = try form([
            "line": "new1", "name-new1": "BANANEN", "quantity-new1": "0,742", "unit-new1": "kg",
            "unit_price-new1": "1,99", "total-new1": "",
        ])
        #expect(form.errors.isEmpty)
        #expect(form.draft.lines.map(\.total) == [148])
    }

    @Test func `an amount that is too large for a receipt is refused with an error at its field`() throws {
        let form = try form([
            "line": "new1", "name-new1": "GOLD", "quantity-new1": "100000", "unit_price-new1": "1000", "total-new1": "",
        ])
        #expect(form.errors["total-new1"] != nil)
    }

    @Test(arguments: [
        ("discount", "0,50", -50), ("coupon", "5,00", -500), ("deposit_return", "2", -200), ("discount", "-0,50", -50),
        ("discount", "+0,50", 50), ("item", "0,50", 50), ("deposit", "0,25", 25), ("rounding", "0,01", 1),
    ])
    func `discounts, coupons and returned deposits need no minus sign`(kind: String, total: String, amount: Int64)
        throws
    {
        let form = try form(["line": "new1", "name-new1": "ZEILE", "kind-new1": kind, "total-new1": total])
        #expect(form.completed(over: ReviewDraft()).lines.map(\.total) == [amount])
    }

    @Test func `a cancelled discount keeps its sign until a person edits it`() throws {
        var stored = ReviewDraft()
        let key = "0190a5b0-0000-7000-8000-000000000001"
        stored.lines = [ReviewDraft.Line(key: key, name: "Rabatt", total: 50, kind: .discount)]
        func total(_ text: String, kind: String = "discount") throws -> Int64? {
            try form(["line": key, "name-\(key)": "Rabatt", "kind-\(key)": kind, "total-\(key)": text])
                .completed(over: stored).lines.first?.total
        }
        #expect(try total("0,50") == 50)
        #expect(try total("0,60") == -60)
        #expect(try total("0,50", kind: "coupon") == -50)
    }

    @Test(arguments: [(0, true), (-1, true), (1, false), (-40_000, false)])
    func `a purchase date must be between 2000 and today`(days: Int, isValid: Bool) throws {
        let form = try form(["day": WallClock.today().adding(days: days).iso])
        #expect((form.errors["day"] == nil) == isValid)
    }

    @Test(arguments: [("10:15", "10:15:32"), ("10:16", "10:16:00"), ("10:15:00", "10:15:00")])
    func `an unchanged time keeps its seconds, which the page does not show`(typed: String, time: String) throws {
        var stored = ReviewDraft()
        stored.time = LocalTime(hour: 10, minute: 15, second: 32)
        #expect(try form(["time": typed]).completed(over: stored).time?.iso == time)
    }

    @Test func `line breaks in a name become spaces`() throws {
        let form = try form(["line": "new1", "name-new1": " BIO\r\n VOLLMILCH \n\r\n1 L\n", "total-new1": "1,00"])
        #expect(form.draft.lines.map(\.name) == ["BIO VOLLMILCH 1 L"])
        #expect(form.texts["name-new1"] == "BIO VOLLMILCH 1 L")
    }

    @Test func `empty new lines are ignored`() throws {
        #expect(try form(["line": "new1", "name-new1": "", "total-new1": ""]).draft.lines.isEmpty)
    }

    @Test(arguments: [
        ("delete-line:new1", ["new2"]), ("move-line-down:new1", ["new2", "new1"]),
        ("move-line-up:new2", ["new2", "new1"]), ("move-line-up:new1", ["new1", "new2"]),
        ("add-line", ["new1", "new2", "new3"]), ("insert-line:new1", ["new1", "new3", "new2"]),
        ("split-line:new1", ["new1", "new3", "new2"]),
        ("delete-line:new9", ["new1", "new2"]), ("fly:new1", ["new1", "new2"]),
    ])
    func `buttons add, move, split and delete lines`(action: String, keys: [String]) throws {
        let form = try form([
            "line": "new1", "name-new1": "A", "total-new1": "1", "line": "new2", "name-new2": "B", "total-new2": "2",
            "action": action,
        ])
        #expect(form.keys == keys)
    }

    @Test func `a deleted line is restored at its place with its input`() throws {
        let lines: [(String, String)] = ["new1", "new2", "new3"].flatMap { key in
            [("line", key), ("name-\(key)", "NAME \(key)"), ("total-\(key)", "1,00")]
        }
        func form(_ fields: [(String, String)]) throws -> ReviewForm {
            try self.form(FormFields([NamedValue("revision", "1")] + fields.map { NamedValue($0.0, $0.1) }))
        }
        let deleted = try form(lines + [("action", "delete-line:new2")])
        let removedLines = try #require(RemovedLines(deleted))
        #expect(removedLines.places == ["1:new2"])
        #expect(removedLines.texts.map(\.name) == ["name-new2", "total-new2"])
        let remainingLines = lines.filter { $0.1 != "new2" && !$0.0.hasSuffix("new2") }
        let hiddenFields = removedLines.places.map { ("removed", $0) } + removedLines.texts.map { ($0.name, $0.value) }
        let restoredForm = try form(remainingLines + hiddenFields + [("action", "restore-lines")])
        #expect(restoredForm.onlyChangesLines && RemovedLines(restoredForm) == nil)
        #expect(restoredForm.draft.lines.map(\.name) == ["NAME new1", "NAME new2", "NAME new3"])
    }

    @Test(arguments: ["", "x", "1", "1:", ":new1", "1:NEW", "-5:new1", "99:new1"])
    func `a deleted line with an invalid place is not restored`(place: String) throws {
        let form = try form(["line": "new1", "name-new1": "A", "removed": place, "action": "restore-lines"])
        #expect(form.keys == ["new1"])
    }

    @Test(arguments: [["new1", "new1"], ["NEW"], ["new1 OR 1=1"], [""]])
    func `invalid line keys are refused`(keys: [String]) {
        #expect(throws: Refusal.self) {
            try form(FormFields([NamedValue("revision", "1")] + keys.map { NamedValue("line", $0) }))
        }
    }

    @Test func `twenty thousand fields are read; more lines than the limit of a receipt are refused`() throws {
        var fields = [NamedValue("revision", "1")]
        for n in 1...2000 {
            fields += [
                NamedValue("line", "new\(n)"), NamedValue("name-new\(n)", "A"), NamedValue("quantity-new\(n)", "1"),
                NamedValue("unit-new\(n)", "piece"), NamedValue("unit_price-new\(n)", ""),
                NamedValue("total-new\(n)", "1,00"), NamedValue("kind-new\(n)", "item"),
                NamedValue("vat_class-new\(n)", "A"), NamedValue("x-new\(n)", ""), NamedValue("y-new\(n)", ""),
            ]
        }
        #expect(try form(FormFields(fields)).draft.sum == 200_000)
        fields.append(NamedValue("line", "new2001"))
        #expect(throws: Refusal.self) { try form(FormFields(fields)) }
    }
}
