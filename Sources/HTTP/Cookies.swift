extension RequestHead {
    /// The cookies of the request (RFC 6265 §5.4), at most 4 KiB; pairs without `=` are left out.
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

    /// The cookie of that name; nil if there is none, or more than one (somebody tossed one in).
    package func cookie(_ name: String) -> String? {
        let found = cookies.filter { $0.name == name }
        return found.count == 1 ? found[0].value : nil
    }
}

/// A cookie to be set: for this host only, every path, HTTPS only, out of reach of scripts.
package struct SetCookie: Sendable {
    /// Whether the cookie comes along when another site sends the browser here (RFC 6265bis).
    package enum SameSite: String, Sendable {
        case lax = "Lax"
        case strict = "Strict"
    }

    /// With its `__Host-` prefix, by which browsers refuse one set by another host or without HTTPS.
    package let name: String
    /// As it was given; percent-encoded only when it is written.
    package let value: String
    /// Seconds; 0 deletes, nil lasts until the browser closes.
    package let maxAge: Int?
    /// `lax` unless said otherwise: a link from elsewhere still finds the person signed in.
    package let sameSite: SameSite

    /// - Parameters:
    ///   - name: a token without its `__Host-` prefix, which is added.
    ///   - value: anything; what is not allowed in a cookie is percent-encoded.
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
    /// Adds a `Set-Cookie` field; cookies never share one.
    package mutating func append(_ cookie: SetCookie) { append(.setCookie, cookie.fieldValue) }
}
