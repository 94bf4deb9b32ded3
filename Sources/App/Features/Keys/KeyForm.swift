import HTTP

/// What a member asks for when making a key.
struct KeyForm: Sendable {
    let name: String
    let scopes: Set<KeyScope>
    /// Until it expires; nil: it does not expire.
    let days: Int?
    var errors = FieldErrors()

    /// The choices of the form.
    static let choices: [Int?] = [30, 90, 365, nil]

    init(name: String, scopes: Set<KeyScope>, days: Int?) {
        (self.name, self.scopes, self.days) = (name, scopes, days)
    }

    /// - Throws: `Refusal.badRequest` for what our own page never sends.
    init(_ form: FormFields) throws {
        name = form.trimmed("name") ?? ""
        scopes = Set(KeyScope.allCases.filter { form["scope-\($0.rawValue)"] != nil })
        let text = form["days"] ?? ""
        guard let choice = Self.choices.first(where: { Self.value($0) == text }) else { throw Refusal.badRequest }
        days = choice
    }

    static func value(_ days: Int?) -> String { days.map(String.init) ?? "never" }
}
