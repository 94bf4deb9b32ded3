import Domain
import HTTP

/// A form that was sent after its session had ended. The sign-in page carries it, and a button sends it again with the token of
/// the new session.
///
/// Only forms of our own pages are kept, by the browser's Sec-Fetch-Site or Origin. The form exists in the answered page only.
struct KeptForm: Sendable, Equatable {
    /// The path that it was sent to.
    let path: String
    /// Without token, in their order.
    let fields: [NamedValue]

    static let maximumBytes = 256 << 10
    /// More lines than a person types.
    static let maximumFields = 5_000
    /// The form that carries it encodes it once more, with at most three times the size, and adds the fields of the sign-in.
    static let carrier = Endpoint.Body.longForm(bytes: 3 * maximumBytes + FormFields.maximumBytes, fields: 16)

    /// Fields that are never kept: a form with one of them has to be filled in again.
    private static let secrets: Set = ["password", "current"]

    /// Nil when the form has a password or is too large.
    init?(path: String, _ form: FormFields) {
        self.path = Redirect.ownPath(path)
        fields = form.fields.filter { $0.name != "csrf" }
        guard self.path == path, fields.count <= Self.maximumFields,
            !fields.contains(where: { Self.secrets.contains($0.name) }), encoded.utf8.count <= Self.maximumBytes
        else { return nil }
    }

    /// Reads `kept-path` and `kept` of the form that carries it.
    init?(carriedBy form: FormFields) {
        guard let path = form["kept-path"], let text = form["kept"],
            let fields = try? FormFields(urlencoded: Array(text.utf8), limit: Self.maximumFields)
        else { return nil }
        self.init(path: path, fields)
    }

    /// As one field of another form.
    var encoded: String {
        fields.map { "\(PercentCoding.encode($0.name))=\(PercentCoding.encode($0.value))" }.joined(separator: "&")
    }
}
