extension RequestHead {
    /// The cookies of the request (RFC 6265 §5.4), values as sent. `HeadValidation` limits them to 4 KiB. Pairs without
    /// `=` are left out.
    package var cookies: [NamedValue] {
        headers.values(.cookie).flatMap { field in
            field.split(separator: ";").compactMap { pair in
                guard let separator = pair.firstIndex(of: "=") else { return nil }
                return NamedValue(
                    String(pair[..<separator].drop { $0 == " " || $0 == "\t" }),
                    String(pair[pair.index(after: separator)...]))
            }
        }
    }

    /// The decoded value of the cookie of that name. Returns nil if there is none, if there is more than one (another
    /// host may have set the second), or if an escape in it is broken.
    package func cookie(_ name: String) -> String? {
        let found = cookies.filter { $0.name == name }
        guard found.count == 1 else { return nil }
        let value = found[0].value
        return value.utf8.contains(UInt8(ascii: "%")) ? PercentCoding.decode(value.utf8) : value
    }
}

/// A cookie for this host only, for every path, sent over HTTPS only and not readable by scripts.
package struct SetCookie: Sendable {
    /// Whether browsers send the cookie with requests that another site causes (RFC 6265bis).
    package enum SameSite: String, Sendable {
        case lax = "Lax"
        case strict = "Strict"
    }

    /// Includes the `__Host-` prefix: browsers refuse such a cookie from another host or without HTTPS.
    package let name: String
    /// Not encoded; `fieldValue` percent-encodes it where needed.
    package let value: String
    /// Seconds. 0 deletes the cookie; nil keeps it until the browser closes.
    package let maxAge: Int?
    /// `lax` by default, so that a link on another site opens the page signed in.
    package let sameSite: SameSite

    /// - Parameters:
    /// - name: a token without the `__Host-` prefix, which is added.
    /// - value: any text. It is percent-encoded if it contains a character that a cookie cannot hold, or `%`.
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
    /// Adds a `Set-Cookie` field; each cookie needs a field of its own (RFC 6265 §3).
    package mutating func append(_ cookie: SetCookie) { append(.setCookie, cookie.fieldValue) }
}
