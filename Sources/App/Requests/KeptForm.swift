import Domain
import HTTP

/// A form that came after the session had ended: carried through signing in, so that nothing typed has to be typed again.
///
/// Only forms of our own pages are kept, which the browser itself vouches for; what is kept lies in the page that it is
/// answered with and nowhere else, and is sent again by a button, with the token of the new session.
struct KeptForm: Sendable, Equatable {
    /// Where it was sent to; a path of ours.
    let path: String
    /// Without token, in their order.
    let fields: [NamedValue]

    /// Of the whole form, as it is kept.
    static let maximumBytes = 256 << 10
    /// More lines than a person types.
    static let maximumFields = 5_000
    /// The form that carries it encodes it once more, at worst threefold; the fields of signing in come on top.
    static let carrier = Endpoint.Body.longForm(bytes: 3 * maximumBytes + FormFields.maximumBytes, fields: 16)

    /// Names of fields that are no page's to carry: such a form is filled in again.
    private static let secrets: Set = ["password", "current"]

    /// What can be kept of a form; nil where it has a password, or is too large.
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
