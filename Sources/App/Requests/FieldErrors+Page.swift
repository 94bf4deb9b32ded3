import Templates

extension FieldErrors: PageModel {
    /// The field names that templates use.
    private static let names = [
        "household", "name", "email", "password", "current", "amount", "from", "until", "zone", "scopes", "passphrase",
        "download", "restore", "busy", "what", "day", "payee", "labels", "stated", "note", "period", "rate",
        "url", "events", "percent", "deposit", "contains", "least", "most", "category",
        "producer", "vintage", "country", "region", "grapes", "price", "drink", "points", "critic",
    ]

    static let fields = Fields<Self> { f in
        for name in names { f.optionalText(name) { $0[name] } }
    }
}
