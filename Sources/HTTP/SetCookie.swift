/// A cookie for this host only, for every path, sent over HTTPS only and not readable by scripts.
package struct SetCookie: Sendable {
    /// Whether browsers send the cookie with requests that another site causes (RFC 6265bis).
    package enum SameSite: String, Sendable {
        case lax = "Lax"
        case strict = "Strict"
    }

    /// Includes the `__Host-` prefix. Browsers refuse a cookie with this prefix from another host or without HTTPS.
    package let name: String
    /// Not encoded; `fieldValue` percent-encodes it where needed.
    package let value: String
    /// Seconds. 0 deletes the cookie; nil keeps it until the browser closes.
    package let maxAge: Int?
    /// `lax` by default, so that a user who follows a link from another site is signed in.
    package let sameSite: SameSite

    /// - Parameters:
    ///   - name: a token without the `__Host-` prefix, which is added.
    ///   - value: any text. It is percent-encoded if it contains a character that a cookie cannot hold, or `%`.
    package init(host name: String, value: String, maxAge: Int? = nil, sameSite: SameSite = .lax) {
        self.name = "__Host-" + name
        self.value = value
        self.maxAge = maxAge
        self.sameSite = sameSite
    }

    /// The field value of `Set-Cookie`.
    package var fieldValue: String {
        let isPlain = value.utf8.allSatisfy { $0 > 32 && $0 < 127 && !"\",;\\%".utf8.contains($0) }
        let age = maxAge.map { "; Max-Age=\($0)" } ?? ""
        return "\(name)=\(isPlain ? value : PercentCoding.encode(value)); Path=/; Secure; HttpOnly; "
            + "SameSite=\(sameSite.rawValue)\(age)"
    }
}

extension Headers {
    /// Adds a `Set-Cookie` field. Each cookie needs a separate field (RFC 6265 §3).
    package mutating func append(_ cookie: SetCookie) { append(.setCookie, cookie.fieldValue) }
}
