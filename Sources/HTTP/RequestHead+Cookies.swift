extension RequestHead {
    /// The cookies of the request (RFC 6265 §5.4), with values as sent. `RequestHead.init(validating:…)` limits their
    /// total size to 4 KiB. Pairs without `=` are ignored.
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

    /// The decoded value of the cookie of that name. Returns nil if there is none or if it has a broken escape. Also
    /// returns nil for several cookies of that name, because another host may have set one of them.
    package func cookie(_ name: String) -> String? {
        let cookiesOfName = cookies.filter { $0.name == name }
        guard cookiesOfName.count == 1 else { return nil }
        let value = cookiesOfName[0].value
        return value.utf8.contains(UInt8(ascii: "%")) ? PercentCoding.decode(value.utf8) : value
    }
}
