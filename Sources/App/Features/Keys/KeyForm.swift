import HTTP

/// The form for a new key.
struct KeyForm: Sendable {
    let name: String
    let scopes: Set<KeyScope>
    /// The days until the key expires; nil if it never expires.
    let days: Int?
    var errors = FieldErrors()

    /// The numbers of days that the form offers.
    static let choices: [Int?] = [30, 90, 365, nil]

    init(name: String, scopes: Set<KeyScope>, days: Int?) {
        (self.name, self.scopes, self.days) = (name, scopes, days)
    }

    /// - Throws: `Refusal.badRequest` for values that the form does not offer.
    init(_ form: FormFields) throws {
        name = form.trimmed("name") ?? ""
        scopes = Set(KeyScope.allCases.filter { form["scope-\($0.rawValue)"] != nil })
        let text = form["days"] ?? ""
        guard let choice = Self.choices.first(where: { Self.value($0) == text }) else { throw Refusal.badRequest }
        days = choice
    }

    static func value(_ days: Int?) -> String { days.map(String.init) ?? "never" }
}
