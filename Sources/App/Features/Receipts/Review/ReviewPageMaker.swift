import Domain
import Templates

/// Makes the review page of a stored receipt, or of a form that is shown again.
struct ReviewPageMaker: Sendable {
    let data: ReviewData
    let language: Language
    let words: LanguageTexts
    /// Additional parts of the page for other documents, such as invoices; nil for supermarket receipts.
    var paper: ReviewPaper?

    private var receipt: StoredReceipt { data.receipt }

    /// - Parameters:
    ///   - form: a form whose values are shown; nil to show the stored values.
    ///   - isTyped: whether the form was not sent, but stored while the person typed.
    ///   - original: another receipt of the purchase that the form describes.
    ///   - asked: the points that the person confirms by sending this page again: keys of lines with implausible
    ///     amounts, and the identifier of `original`.
    func page(
        form: ReviewForm? = nil, problem: Problem? = nil, merge: MergeNotice? = nil, isTyped: Bool = false,
        original: ReviewData.Original? = nil, asked: Set<String> = []
    ) -> ReviewPage {
        let draft = form?.completed(over: receipt.draft) ?? receipt.draft
        let implausible = receipt.verdict == .proven ? [] : data.usual.implausible(in: draft)
        let headDoubts = headDoubts(form, draft)
        var rows = form.map { lines(of: $0, implausible) } ?? receipt.draft.lines.map { line($0, implausible) }
        let firstWrong = firstWrong(headDoubts, rows)
        let isNoReceipt = isNoReceipt(rows)
        for index in rows.indices { rows[index].firstWrong = firstWrong }
        let hasDoubts = !headDoubts.isEmpty || rows.contains { !$0.doubts.isEmpty }
        return ReviewPage(
            id: receipt.id, revision: form?.revision ?? receipt.revision, state: receipt.state,
            reason: receipt.state.name == .unreadable
                ? receipt.reasons.first.map { $0.sentence(words, language) } : nil,
            problem: problem, merge: merge,
            duplicate: (form == nil && merge == nil && problem == nil ? data.original : original).map(duplicate(of:)),
            isByHand: receipt.reasons == [Reason(.byHand)],
            canReread: !receipt.pages.isEmpty || receipt.hasOriginal,
            isJoined: receipt.isJoined, isKept: receipt.reasons.contains(.kept),
            hasOtherSheet: receipt.reasons.contains(.otherSheet), isNoReceipt: isNoReceipt,
            isTyped: isTyped, isSettledByMarks: !hasOtherReasons, asked: asked.union(form?.asked ?? []).sorted(),
            currency: draft.currency, home: draft.currency == data.currency ? nil : data.currency,
            disagreements: disagreements, head: form?.texts ?? head, stores: data.stores,
            categories: data.categories.all.map { category($0.id) },
            headDoubts: headDoubts, proposals: totalProposals(form, draft),
            paper: isNoReceipt ? nil : paper?.formModel(form, draft),
            lines: rows,
            removed: form.flatMap(RemovedLines.init),
            pages: receipt.pages.map(picture),
            sums: ReviewSums(
                draft, isComplete: form.map { $0.errors.isEmpty } ?? true,
                isQuestionable: isQuestionable || original != nil,
                isTotalComputed: isTotalComputed(form, draft), isOpen: hasDoubts || hasOtherReasons
            ) { Money(minorUnits: $0, currency: draft.currency).formatted(language) },
            firstWrong: firstWrong)
    }

    /// Whether the receipt should perhaps not be confirmed: it is a duplicate, a training receipt or a cancelled
    /// receipt.
    private var isQuestionable: Bool {
        receipt.state.name == .duplicate || receipt.reasons.contains(.training) || receipt.reasons.contains(.cancelled)
    }

    /// Whether no receipt was found on the pictures and no person has typed a receipt in.
    private func isNoReceipt(_ lines: [ReviewLine]) -> Bool {
        receipt.state.name == .unreadable && receipt.reasons.contains(.unreadable) && lines.isEmpty
    }

    /// Whether there are reasons for the review other than marked values, or no value is marked.
    private var hasOtherReasons: Bool {
        guard receipt.stage == .review, receipt.verdict != .proven, !receipt.reasons.contains(.byHand) else {
            return false
        }
        let isMarked = !receipt.doubts.isEmpty || receipt.facts.contains { !$0.value.doubts.isEmpty }
        return receipt.reasons.contains { $0.code != .otherSheet && (!isMarked || !$0.isSettledByMarks) }
    }

    private func isTotalComputed(_ form: ReviewForm?, _ draft: ReviewDraft) -> Bool {
        receipt.reasons.contains(.totalComputed) && draft.total == receipt.draft.total
            && !(form?.checked.contains(.total) ?? false)
    }

    private var disagreements: [String] {
        // `unproven` is mentioned only if there are no other reasons. Another sheet in the picture has its own notice.
        let reasons = receipt.reasons.filter { $0.code != .unproven && $0.code != .otherSheet }
        let sentences = reasons.map { $0.sentence(words, language) }
        return sentences.isEmpty ? [words["server.reason.unproven"]] : sentences
    }

    private func duplicate(of original: ReviewData.Original) -> DuplicateNotice {
        DuplicateNotice(
            storeName: original.store,
            when: (original.day?.formatted(language) ?? "") + (original.time.map { ", \($0.formatted)" } ?? ""),
            total: original.total?.formatted(language) ?? "", href: "/receipts/\(original.id)")
    }

    // MARK: Head

    private var head: [String: String] {
        let draft = receipt.draft
        let values: [ReviewField: String] = [
            .store: draft.store, .day: draft.day?.iso ?? "", .time: draft.time?.formatted ?? "",
            .total: draft.total.map(amount) ?? "", .hiddenUntil: draft.hiddenUntil?.iso ?? "",
        ]
        return Dictionary(uniqueKeysWithValues: values.map { ($0.key.rawValue, $0.value) })
    }

    /// The doubtful fields of the head, with the sentences that explain them.
    private func headDoubts(_ form: ReviewForm?, _ draft: ReviewDraft) -> [ReviewField: Doubt] {
        var doubts: [ReviewField: Doubt] = [:]
        // If the form has errors, only the fields with errors are marked.
        if form?.errors.isEmpty ?? true {
            for field in receipt.doubts where !(form?.checked.contains(field) ?? false) {
                guard draft[head: field] == receipt.draft[head: field] else { continue }
                doubts[field] = .compare
            }
            if isTotalComputed(form, draft) { doubts[.total] = .sentence(words["server.doubt.total-made"]) }
            if draft.day == nil, !receipt.isManual { doubts[.day] = .sentence(words["server.doubt.no-day"]) }
        }
        for field in ReviewField.shownHead + [.hiddenUntil] {
            if let error = form?.errors[field.rawValue] { doubts[field] = .wrong(error) }
        }
        return doubts
    }

    /// The first invalid field in the order of the page.
    private func firstWrong(_ head: [ReviewField: Doubt], _ lines: [ReviewLine]) -> String? {
        func first(_ fields: [ReviewField], _ doubts: [ReviewField: Doubt], _ key: String) -> String? {
            fields.first { doubts[$0]?.isWrong == true }.flatMap { FieldExplanation.id($0, doubts[$0], of: key) }
        }
        if let id = first(ReviewField.shownHead, head, "") { return id }
        for line in lines {
            if let id = first(ReviewField.shownLine, line.doubts, line.key) { return id }
        }
        return first([.hiddenUntil], head, "")
    }

    // MARK: Lines

    private func line(_ line: ReviewDraft.Line, _ implausible: Set<String>) -> ReviewLine {
        let facts = receipt.facts[line.key]
        var result = ReviewLine(key: line.key, texts: texts(line), vatRate: facts.flatMap(rate))
        for field in facts?.doubts ?? [] { result.doubts[field] = .compare }
        if implausible.contains(line.key) { result.doubts[.total] = .sentence(words["server.doubt.implausible"]) }
        if line.isUnread { result.doubts[.total] = .sentence(words["server.doubt.unread"]) }
        result.repairs = facts.map(repairs) ?? []
        result.proposals = facts.map { proposals($0, line.key) } ?? []
        result.reducedName = facts?.reducedName
        result.usualCategory = facts?.usualCategory.map(category)
        result.hint = line.hint(receipt.currency, words, language)
        return result
    }

    private func lines(of form: ReviewForm, _ implausible: Set<String>) -> [ReviewLine] {
        let typed = form.completed(over: receipt.draft).linesByKey()
        let stored = receipt.draft.linesByKey()
        return form.keys.map { key in
            var texts: [String: String] = [:]
            for name in ReviewField.line.map(\.rawValue) + ["unit", "unread"] {
                texts[name] = form.texts["\(name)-\(key)"]
            }
            if texts["quantity"] == nil { texts["quantity"] = "1" }
            let facts = receipt.facts[key]
            var line = ReviewLine(key: key, texts: texts, vatRate: facts.flatMap(rate))
            for field in ReviewField.shownLine {
                if let error = form.errors[field.name(of: key)] { line.doubts[field] = .wrong(error) }
            }
            line.repairs = facts.map(repairs) ?? []
            line.reducedName = facts?.reducedName
            line.usualCategory = facts?.usualCategory.map(category)
            if form.errors.isEmpty {
                for field in facts?.doubts ?? [] where !form.checked.contains(field, of: key) {
                    guard let current = typed[key], current[field] == stored[key]?[field] else { continue }
                    line.doubts[field] = .compare
                }
                if implausible.contains(key), !form.checked.contains(.total, of: key) {
                    line.doubts[.total] = .sentence(words["server.doubt.implausible"])
                }
                if typed[key]?.isUnread == true { line.doubts[.total] = .sentence(words["server.doubt.unread"]) }
                if let current = typed[key], current[.total] == stored[key]?[.total] {
                    line.proposals = facts.map { proposals($0, key) } ?? []
                }
            }
            if [.quantity, .unitPrice, .total].allSatisfy({ (field: ReviewField) in
                form.errors[field.name(of: key)] == nil
            }) {
                line.hint = typed[key]?.hint(receipt.currency, words, language)
            }
            line.isOpen =
                form.action.hasSuffix(":\(key)")
                || [.vatClass, .category].contains { (field: ReviewField) in form.errors[field.name(of: key)] != nil }
            return line
        }
    }

    private func texts(_ line: ReviewDraft.Line) -> [String: String] {
        let values: [ReviewField: String] = [
            .name: line.name,
            .quantity: Quantity(thousandths: line.quantity, unit: line.unit.unit).figure(language),
            .unitPrice: line.unitPrice.map {
                UnitPrice(thousandthsOfMinor: $0, currency: receipt.currency, per: line.unit.unit).figure(language)
            } ?? "",
            .total: line.isUnread ? "" : amount(line.total),
            .kind: line.kind.rawValue, .vatClass: line.vatClass, .category: line.category.map(category) ?? "",
        ]
        var texts = Dictionary(uniqueKeysWithValues: values.map { ($0.key.rawValue, $0.value) })
        texts["unit"] = line.unit.rawValue
        if line.isUnread { texts["unread"] = "1" }
        return texts
    }

    private func category(_ id: CategoryID) -> String { data.categories.name(id, language, words) }

    private func rate(_ facts: StoredReceipt.LineFacts) -> String? {
        facts.vatRate.map { VATRate(tenthsOfPercent: Int($0) / 10).formatted(language) }
    }

    /// Sentences such as `1,16 statt 116: Summe`, one for each repaired value.
    private func repairs(_ facts: StoredReceipt.LineFacts) -> [String] {
        facts.repairs.filter { $0.isApplied && $0.printed != $0.value }.map { repair in
            words[
                "server.repair",
                [
                    "new": .text(StoredRepair.shown(repair.value, language)),
                    "old": .text(StoredRepair.shown(repair.printed, language)), "reason": .text(reason(repair)),
                ]]
        }
    }

    private func proposals(_ facts: StoredReceipt.LineFacts, _ key: String) -> [Proposal] {
        proposals(facts.repairs) { $0.name(of: key) }
    }

    /// Alternative readings of the total; empty if the total was changed or ticked off as correct.
    private func totalProposals(_ form: ReviewForm?, _ draft: ReviewDraft) -> [Proposal] {
        guard draft.total == receipt.draft.total, !(form?.checked.contains(.total) ?? false),
            form?.errors.isEmpty ?? true, receipt.stage == .review
        else { return [] }
        return proposals(receipt.repairs) { $0.rawValue }
    }

    private func proposals(_ repairs: [StoredRepair], name: (ReviewField) -> String) -> [Proposal] {
        repairs.filter { !$0.isApplied }.map { repair in
            Proposal(
                name: name(repair.field), value: StoredRepair.shown(repair.value, language).replacing("−", with: "-"),
                why: words[
                    "server.proposal",
                    ["old": .text(StoredRepair.shown(repair.printed, language)), "reason": .text(reason(repair))]])
        }
    }

    /// The name of the printed figure from which the repair follows.
    private func reason(_ repair: StoredRepair) -> String { words["server.repair-reason.\(repair.reason.textKey)"] }

    private func amount(_ minorUnits: Int64) -> String {
        Money(minorUnits: minorUnits, currency: receipt.currency).figure(language)
    }

    // MARK: Picture

    private func picture(_ page: StoredReceipt.Page) -> ReviewPicture {
        var marks: [ReviewPicture.Mark] = []
        for line in receipt.draft.lines {
            guard let facts = receipt.facts[line.key], facts.page == page.n, let box = facts.box else { continue }
            let isDoubtful = line.isUnread || !facts.doubts.isEmpty
            marks.append(mark(line.key, "line", isDoubtful, [box.x, box.y, box.width, box.height], page))
        }
        for (field, place) in receipt.marks.sorted(by: { $0.key.rawValue < $1.key.rawValue })
        where place.first == page.n {
            marks.append(
                mark("", field.rawValue, receipt.doubts.contains(field), Array(place.dropFirst()), page))
        }
        for (field, place) in paper?.places ?? [] where place.first == page.n && receipt.marks[field] != place {
            marks.append(mark("", "candidate", true, Array(place.dropFirst()), page))
        }
        return ReviewPicture(receipt: receipt.id, page: page, marks: marks)
    }

    /// Converts pixels of the reading picture to pixels of the display picture, with a margin between the print and the
    /// outline.
    private func mark(
        _ key: String, _ field: String, _ isDoubtful: Bool, _ box: [Int32], _ page: StoredReceipt.Page
    ) -> ReviewPicture.Mark {
        func scaled(_ value: Int32) -> Int { Int(value) * Int(page.displayWidth) / max(1, Int(page.width)) }
        let margin = max(4, scaled(box[3]) / 4)
        return ReviewPicture.Mark(
            key: key, field: field, isDoubtful: isDoubtful, x: scaled(box[0]) - margin, y: scaled(box[1]) - margin,
            width: scaled(box[2]) + 2 * margin, height: scaled(box[3]) + 2 * margin)
    }
}
