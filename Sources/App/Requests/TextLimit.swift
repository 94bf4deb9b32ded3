import Templates

/// The maximum lengths of texts in code points, as PostgreSQL counts them. The columns have the same limits, and forms
/// set them as `maxlength`.
enum TextLimit {
    /// A household's or a person's name.
    static let name = 80
    static let login = 254
    static let productName = 120
    static let groupName = 80
    static let storeName = 80
    static let categoryName = 60
    /// A name as printed on a receipt.
    static let printedName = 200
    static let search = 100
    static let vatClass = 4
    /// The purpose of an expense.
    static let purpose = 120
    static let payee = 80
    static let note = 2_000
    static let label = 40
    /// All labels of an expense, with a space between them.
    static let labels = 600
    /// The name of a wine or of its producer.
    static let wineName = 200
    static let country = 80
    static let region = 120
    static let grapes = 600
    static let critic = 60
    /// The place where bottles are stored, or the name of a restaurant.
    static let place = 80
    /// In bytes. Longer passwords are refused, never truncated.
    static let password = 4_096

    /// The message for a required text that is empty or too long; nil if it is valid.
    static func problem(_ text: String, _ limit: Int, _ words: LanguageTexts) -> String? {
        text.isEmpty ? words["server.form.required"] : excess(text, limit, words)
    }

    /// The message for a text that is too long; nil if it is valid.
    static func excess(_ text: String, _ limit: Int, _ words: LanguageTexts) -> String? {
        text.length > limit ? tooLong(limit, words) : nil
    }

    /// The message for a text that has more than `limit` characters.
    static func tooLong(_ limit: Int, _ words: LanguageTexts) -> String {
        words["server.form.too-long", ["count": .number(String(limit))]]
    }
}

/// The limits for templates, as `layout.limits`.
struct TextLimits: PageModel {
    static let fields = Fields<Self> { f in
        f.number("name") { _ in TextLimit.name }
        f.number("login") { _ in TextLimit.login }
        f.number("productName") { _ in TextLimit.productName }
        f.number("groupName") { _ in TextLimit.groupName }
        f.number("storeName") { _ in TextLimit.storeName }
        f.number("categoryName") { _ in TextLimit.categoryName }
        f.number("printedName") { _ in TextLimit.printedName }
        f.number("search") { _ in TextLimit.search }
        f.number("vatClass") { _ in TextLimit.vatClass }
        f.number("purpose") { _ in TextLimit.purpose }
        f.number("payee") { _ in TextLimit.payee }
        f.number("note") { _ in TextLimit.note }
        f.number("wineName") { _ in TextLimit.wineName }
        f.number("country") { _ in TextLimit.country }
        f.number("region") { _ in TextLimit.region }
        f.number("grapes") { _ in TextLimit.grapes }
        f.number("critic") { _ in TextLimit.critic }
        f.number("place") { _ in TextLimit.place }
        f.number("password") { _ in TextLimit.password }
        f.number("minimumPassword") { _ in AccountForm.passwordCharacters }
    }
}

extension String {
    /// The length in code points. A family emoji has seven code points, but is one `Character`.
    var length: Int { unicodeScalars.count }

    /// Returns at most the first `limit` code points, without a partial character at the end.
    func cut(to limit: Int) -> String {
        guard length > limit else { return self }
        var result = ""
        var remaining = limit
        for character in self {
            remaining -= character.unicodeScalars.count
            guard remaining >= 0 else { break }
            result.append(character)
        }
        return result
    }
}
