import Templates

/// Why a receipt needs a look, in words. Stored as `code` or `code:value:value`; figures are already formatted text.
enum Reasons {
    static func sentence(_ reason: String, _ words: LanguageTexts) -> String {
        let parts = reason.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
        let key = "server.reason.\(parts[0])"
        guard words.has(key) else { return words["server.reason.unproven"] }
        guard parts.count == 3 else { return words[key] }
        return words[key, ["lines": .text(parts[1]), "total": .text(parts[2])]]
    }
}
