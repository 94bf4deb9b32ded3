import Domain
import HTTP

/// A form that was submitted after its session had ended. The sign-in page contains it, and after sign-in a button
/// sends it again with the token of the new session.
///
/// Forms are kept only if Sec-Fetch-Site or Origin shows that they come from our own pages. A kept form exists only in
/// the page, not on the server.
struct KeptForm: Sendable, Equatable {
    /// The path to which the form was sent.
    let path: String
    /// In the original order, without the token.
    let fields: [NamedValue]

    static let maximumBytes = 256 << 10
    /// The maximum number of fields, more than a person can fill in.
    static let maximumFields = 5_000
    /// The body limit of the sign-in form that contains a kept form. Encoding the kept form can triple its size. The
    /// sign-in fields are added.
    static let carrier = Endpoint.Body.longForm(bytes: 3 * maximumBytes + FormFields.maximumBytes, fields: 16)

    /// Fields that are never kept. A form with one of them has to be filled in again.
    private static let secrets: Set = ["password", "current", "passphrase"]

    /// Returns nil if the form contains a password or a passphrase, or is too large.
    init?(path: String, _ form: FormFields) {
        self.path = Redirect.ownPath(path)
        fields = form.fields.filter { $0.name != "csrf" }
        guard self.path == path, fields.count <= Self.maximumFields,
            !fields.contains(where: { Self.secrets.contains($0.name) }), encoded.utf8.count <= Self.maximumBytes
        else { return nil }
    }

    /// Reads the kept form from the fields `kept-path` and `kept` of the sign-in form.
    init?(carriedBy form: FormFields) {
        guard let path = form["kept-path"], let text = form["kept"],
            let fields = try? FormFields(urlencoded: Array(text.utf8), limit: Self.maximumFields)
        else { return nil }
        self.init(path: path, fields)
    }

    /// The fields encoded as one field.
    var encoded: String {
        fields.map { "\(PercentCoding.encode($0.name))=\(PercentCoding.encode($0.value))" }.joined(separator: "&")
    }
}
