import Domain
import JSON
import Templates

/// Makes the review page of a stored receipt, or of a form that came back.
struct ReviewPageMaker: Sendable {
    let receipt: StoredReceipt
    let stores: [String]
    let language: Language
    let words: LanguageTexts

    func page(
        form: ReviewForm? = nil, problem: Problem? = nil, merge: MergeNotice? = nil, duplicate: DuplicateNotice? = nil
    ) -> ReviewPage {
        let draft = form?.completed(over: receipt.draft) ?? receipt.draft
        let headDoubts = headDoubts(form)
        var lines = form.map(lines(of:)) ?? receipt.draft.lines.map(line)
        let firstWrong = firstWrong(headDoubts, lines)
        for index in lines.indices { lines[index].firstWrong = firstWrong }
        return ReviewPage(
            id: receipt.id, revision: form?.revision ?? receipt.revision, state: receipt.state,
            reason: receipt.state.name == .unreadable
                ? receipt.reasons.first.map { Reasons.sentence($0, words, language) } : nil,
            problem: problem, merge: merge, duplicate: duplicate, isByHand: receipt.reasons == ["by-hand"],
            canReread: !receipt.pages.isEmpty || receipt.hasOriginal,
            isJoined: receipt.isJoined, isKept: receipt.reasons.contains(ReplacedReading.kept),
            lacksDay: lacksDay(form),
            currency: draft.currency,
            disagreements: disagreements, head: form?.texts ?? head, stores: stores,
            headDoubts: headDoubts, lines: lines,
            pages: receipt.pages.map(picture),
            sums: ReviewSums(
                draft, isComplete: form.map { $0.errors.isEmpty } ?? true, isDoubted: isDoubted,
                lacksDay: lacksDay(form)
            ) { Money(minorUnits: $0, currency: draft.currency).formatted(language) },
            firstWrong: firstWrong)
    }

    /// It is no purchase, or one that is there already.
    private var isDoubted: Bool {
        receipt.state.name == .duplicate || receipt.reasons.contains { $0 == "training" || $0 == "cancelled" }
    }

    private var disagreements: [String] {
        // That nothing disagrees is only worth saying when nothing does.
        let reasons = receipt.reasons.filter { $0 != "unproven" && $0 != ReplacedReading.kept }
        let sentences = reasons.map { Reasons.sentence($0, words, language) }
        return sentences.isEmpty ? [words["server.reason.unproven"]] : sentences
    }

    // MARK: Head

    private var head: [String: String] {
        let draft = receipt.draft
        return [
            "store": draft.store,
            // Without a readable day the day of the upload is the best guess; it is marked.
            "day": (draft.day ?? receipt.uploadDay).iso,
            "time": draft.time?.formatted ?? "",
            "total": draft.total.map(amount) ?? "",
            "hidden-until": draft.hiddenUntil?.iso ?? "",
        ]
    }

    private func headDoubts(_ form: ReviewForm?) -> [String: Doubt] {
        var doubts: [String: Doubt] = [:]
        // Beside what cannot be understood, what may be misread would only be in the way.
        if form?.errors.isEmpty ?? true { for name in receipt.doubts { doubts[name] = .look } }
        if lacksDay(form) {
            doubts["day"] = .sentence(words["server.doubt.upload-day"])
        }
        for name in ["store", "day", "time", "total", "hidden-until"] {
            if let error = form?.errors[name] { doubts[name] = .wrong(error) }
        }
        return doubts
    }

    /// The form shows the day of the upload, because the receipt has none that could be read.
    private func lacksDay(_ form: ReviewForm?) -> Bool {
        receipt.draft.day == nil && !receipt.isManual
            && form?.texts["day"] ?? receipt.uploadDay.iso == receipt.uploadDay.iso
    }

    /// In the order of the page.
    private func firstWrong(_ head: [String: Doubt], _ lines: [ReviewLine]) -> String? {
        func first(_ names: [String], _ doubts: [String: Doubt], _ key: String) -> String? {
            names.first { doubts[$0]?.isWrong == true }.flatMap { Why.id($0, doubts[$0], after: key) }
        }
        if let id = first(["store", "total", "day", "time"], head, "") { return id }
        for line in lines {
            let names = ["name", "quantity", "unitPrice", "total", "vatClass"]
            if let id = first(names, line.doubts, "-\(line.key)") { return id }
        }
        return first(["hidden-until"], head, "")
    }

    // MARK: Lines

    private func line(_ line: ReviewDraft.Line) -> ReviewLine {
        let facts = receipt.facts[line.key]
        var result = ReviewLine(key: line.key, texts: texts(line), vatRate: facts.flatMap(rate))
        for field in facts?.doubts ?? [] { result.doubts[Self.modelName(field)] = .look }
        if line.isUnread { result.doubts["total"] = .sentence(words["server.doubt.unread"]) }
        result.repairs = facts.map(repairs) ?? []
        result.reducedName = facts?.reducedName
        result.hint = line.hint(receipt.currency, words, language)
        return result
    }

    private func lines(of form: ReviewForm) -> [ReviewLine] {
        let read = form.draft.linesByKey()
        return form.keys.map { key in
            var texts: [String: String] = [:]
            for field in ["name", "quantity", "unit", "unit-price", "total", "unread", "kind", "vat"] {
                texts[field] = form.texts["\(field)-\(key)"]
            }
            if texts["quantity"] == nil { texts["quantity"] = "1" }
            let facts = receipt.facts[key]
            var line = ReviewLine(key: key, texts: texts, vatRate: facts.flatMap(rate))
            for field in ["name", "quantity", "unit-price", "total", "vat"] {
                if let error = form.errors["\(field)-\(key)"] {
                    line.doubts[Self.formName(field)] = .wrong(error)
                }
            }
            line.repairs = facts.map(repairs) ?? []
            line.reducedName = facts?.reducedName
            if form.errors.isEmpty {
                for field in facts?.doubts ?? [] { line.doubts[Self.modelName(field)] = .look }
                if read[key]?.isUnread == true { line.doubts["total"] = .sentence(words["server.doubt.unread"]) }
            }
            if form.errors["quantity-\(key)"] == nil, form.errors["unit-price-\(key)"] == nil,
                form.errors["total-\(key)"] == nil
            {
                line.hint = read[key]?.hint(receipt.currency, words, language)
            }
            line.isOpen = form.action.hasSuffix(":\(key)") || form.errors["vat-\(key)"] != nil
            return line
        }
    }

    private func texts(_ line: ReviewDraft.Line) -> [String: String] {
        var texts = [
            "name": line.name,
            "quantity": Quantity(thousandths: line.quantity, unit: line.unit.unit).figure(language),
            "unit": line.unit.rawValue,
            "unit-price": line.unitPrice.map {
                UnitPrice(thousandthsOfMinor: $0, currency: receipt.currency, per: line.unit.unit).figure(language)
            } ?? "",
            "total": amount(line.total),
            "kind": line.kind == .depositReturn ? "deposit-return" : line.kind.rawValue,
            "vat": line.vatClass,
        ]
        if line.isUnread { (texts["total"], texts["unread"]) = ("", "1") }
        return texts
    }

    private func rate(_ facts: StoredReceipt.LineFacts) -> String? {
        facts.vatRate.map { VATRate(tenthsOfPercent: Int($0) / 10).formatted(language) }
    }

    /// `1,16 statt 116: Summe`, for each value that was repaired.
    private func repairs(_ facts: StoredReceipt.LineFacts) -> [String] {
        (facts.repairs.array ?? []).compactMap { repair in
            guard let was = repair["was"]?.string, let value = repair["is"]?.string, was != value
            else { return nil }
            let witness = words["server.witness.\(Self.witness(repair["reason"]?.string))"]
            return words["server.repair", ["new": .text(value), "old": .text(was), "witness": .text(witness)]]
        }
    }

    private static func witness(_ reason: String?) -> String {
        switch reason {
        case "product": "unit-price"
        case "tax_table": "vat"
        case "payment": "total"
        case "reread": "reread"
        default: "total"
        }
    }

    private static func formName(_ field: String) -> String {
        switch field {
        case "unit-price": "unitPrice"
        case "vat": "vatClass"
        default: field
        }
    }

    private static func modelName(_ field: String) -> String {
        switch field {
        case "unit_price": "unitPrice"
        case "vat_class": "vatClass"
        default: field
        }
    }

    // MARK: Picture and sums

    private func picture(_ page: StoredReceipt.Page) -> ReviewPicture {
        var marks: [ReviewPicture.Mark] = []
        for line in receipt.draft.lines {
            guard let facts = receipt.facts[line.key], facts.page == page.n, let box = facts.box else { continue }
            let isDoubtful = line.isUnread || !facts.doubts.isEmpty
            marks.append(mark(line.key, "line", isDoubtful, [box.x, box.y, box.width, box.height], page))
        }
        for (field, numbers) in receipt.marks.sorted(by: { $0.key < $1.key }) where numbers.first == page.n {
            marks.append(mark("", field, receipt.doubts.contains(field), Array(numbers.dropFirst()), page))
        }
        return ReviewPicture(receipt: receipt.id, page: page, marks: marks)
    }

    /// From reading-picture to display-picture pixels.
    private func mark(
        _ key: String, _ field: String, _ isDoubtful: Bool, _ box: [Int32], _ page: StoredReceipt.Page
    ) -> ReviewPicture.Mark {
        func scaled(_ value: Int32) -> Int { Int(value) * Int(page.displayWidth) / max(1, Int(page.width)) }
        return ReviewPicture.Mark(
            key: key, field: field, isDoubtful: isDoubtful, x: scaled(box[0]), y: scaled(box[1]), width: scaled(box[2]),
            height: scaled(box[3]))
    }

    private func amount(_ minorUnits: Int64) -> String {
        Money(minorUnits: minorUnits, currency: receipt.currency).figure(language)
    }
}
