import HTTP

/// A browser in words: the list of signed-in devices shows it.
enum Client {
    /// "Chrome, Android" from the User-Agent field, which is a courtesy and proves nothing.
    static func name(_ head: RequestHead) -> String {
        guard let agent = head.headers[.userAgent]?.prefix(400) else { return "" }
        func first(_ words: [(mark: String, name: String)]) -> String? {
            words.first { agent.contains($0.mark) }?.name
        }
        let browser = first([
            ("Firefox/", "Firefox"), ("FxiOS/", "Firefox"), ("Edg/", "Edge"), ("OPR/", "Opera"),
            ("SamsungBrowser/", "Samsung Internet"), ("CriOS/", "Chrome"), ("Chrome/", "Chrome"), ("Safari/", "Safari"),
        ])
        let system = first([
            ("iPhone", "iPhone"), ("iPad", "iPad"), ("Android", "Android"), ("Windows", "Windows"),
            ("Mac OS X", "Mac"), ("Linux", "Linux"),
        ])
        return [browser, system].compactMap(\.self).joined(separator: ", ")
    }
}

extension Response {
    /// Leads on with a new session's cookie.
    static func signedIn(_ cookie: SetCookie, to path: String) -> Response {
        var response = redirect(to: path)
        response.headers.append(cookie)
        return response
    }

    /// For pages whose address is a secret.
    func withoutReferrer() -> Response {
        var response = self
        response.headers["Referrer-Policy"] = "no-referrer"
        return response
    }
}
