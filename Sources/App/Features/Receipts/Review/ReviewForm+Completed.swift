import Domain
import Templates

extension ReviewForm {
    /// Adds values that people leave out: the currency; the seconds of an unchanged time; the minus sign of a discount,
    /// coupon or returned deposit; and the figure that follows from a changed amount, quantity or unit price. A stored
    /// amount without a minus sign is kept, because it was printed without one.
    func completed(over stored: ReviewDraft) -> ReviewDraft {
        var draft = draft
        draft.currency = currency ?? stored.currency
        // The page shows hours and minutes only.
        if let time = stored.time, texts["time"] == time.formatted { draft.time = time }
        let before = stored.linesByKey()
        for index in draft.lines.indices {
            let old = before[draft.lines[index].key]
            if uncategorized.contains(draft.lines[index].key)
                || hasSameName(draft.lines[index].category, old?.category)
            {
                draft.lines[index].category = old?.category
            }
            if unsigned.contains(draft.lines[index].key),
                old?.kind != draft.lines[index].kind || old?.total != draft.lines[index].total
            {
                draft.lines[index].total.negate()
            }
            draft.lines[index].reconcileFigures(since: old)
        }
        return draft
    }

    /// Whether the form shows the same text for two categories; the stored category then stays unchanged. For example,
    /// a category of the household can have the name of a built-in category in another language.
    private func hasSameName(_ typed: CategoryID?, _ stored: CategoryID?) -> Bool {
        guard let categories, let typed, let stored else { return false }
        let names = [typed, stored].map { categories.name($0, language, words).lowercased() }
        return names[0] == names[1]
    }
}
